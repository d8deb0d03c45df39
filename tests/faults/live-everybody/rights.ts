import { isDeepStrictEqual } from 'node:util';
import type { Change, Changes } from '@zakup/contracts/socket';
import { whoGets } from '../../calls/who-may-watch.ts';

/** What decides about a person's sight, said apart from the code that decides. */
export interface Rights {
  readonly userId: string;
  readonly role: string;
  readonly isOwner: boolean;
  readonly isActive: boolean;
  /** Their own object; null = the role's. */
  readonly permissions: Readonly<Record<string, boolean>> | null;
  readonly earningsVisible: boolean;
  readonly suspended: boolean;
}

/** Rights from an event on; `sentAt`: when its command was sent, by the clock that messages are timed with. */
interface Version {
  readonly from: number;
  readonly sentAt: number;
  readonly rights: Rights;
}

/** One message as it came. */
export interface Heard {
  readonly at: number;
  readonly message: Changes;
}

const byRole: Readonly<Record<string, readonly string[]>> = {
  CEO: ['dashboard', 'settings', 'reports'],
  CBDO: ['dashboard', 'settings', 'reports'],
  TEAM_LEAD: ['dashboard', 'settings', 'reports'],
  ANALYTIC: ['dashboard', 'reports'],
  MEDIA_BUYER: ['dashboard'],
};

const has = ({ isOwner, permissions, role }: Rights, key: string): boolean =>
  isOwner || (permissions === null ? (byRole[role] ?? []).includes(key) : permissions[key] === true);

const scopeKindOf = (scope: string) => scope.split(':')[0] as 'workspace' | 'campaign' | 'contractor' | 'me';

export const opens = (rights: Rights, scope: string): boolean =>
  rights.isActive && (!rights.suspended || rights.isOwner) && (scope === 'me' || has(rights, 'dashboard'));

const seesOthers = (rights: Rights): boolean =>
  has(rights, 'dashboard') && (rights.earningsVisible || has(rights, 'settings') || has(rights, 'reports'));

interface WithTerms {
  readonly participants: readonly { readonly userId: string; readonly salaryRate: number | null }[];
}

/** Why the person may not have this; null = they may. */
const wrongWith = (rights: Rights, scope: string, { kind, id, doc }: Change): string | null => {
  const { userId } = rights;
  const where = scopeKindOf(scope);
  if (doc === null) return null;
  if (kind === 'earnings') {
    if (where === 'campaign') return seesOthers(rights) ? null : 'earnings of others are hidden';
    return where === 'me' && !seesOthers(rights) && id.endsWith(`:${userId}`)
      ? null
      : 'earnings where they do not come';
  }
  if (!whoGets[kind].scopes.includes(where)) return `${kind} does not come in ${where}`;
  if (kind === 'person') {
    if (!has(rights, 'settings')) return 'people’s data are closed';
    const { isOwner, authCode } = doc as { readonly isOwner: boolean; readonly authCode: string };
    return isOwner && !rights.isOwner && authCode !== '' ? 'the owner’s code' : null;
  }
  if (kind === 'campaign' && !seesOthers(rights)) {
    const told = (doc as WithTerms).participants.find((one) => one.userId !== userId && one.salaryRate !== null);
    return told === undefined ? null : 'terms of others are hidden';
  }
  if (kind === 'user' && where === 'me' && id !== userId) return 'somebody else';
  if (kind === 'view' && where === 'me')
    return (doc as { readonly authorId: string }).authorId === userId ? null : 'a view of somebody else';
  return kind === 'notification' && !id.startsWith(`${userId}-`) ? 'told to somebody else' : null;
};

const faultOf = (rights: Rights, { scope, docs }: Changes): string | null => {
  if (!opens(rights, scope)) return `${scope} is closed`;
  for (const change of docs) {
    const wrong = wrongWith(rights, scope, change);
    if (wrong !== null) return `${change.kind} ${change.id} in ${scope}: ${wrong}`;
  }
  return null;
};

/** The rights of one person as they changed, by position. */
export const rightsOverTime = (first: Rights) => {
  const versions: Version[] = [{ from: 0, sentAt: 0, rights: first }];
  const now = (): Rights => versions.at(-1)?.rights ?? first;
  return {
    now,
    change(from: number, sentAt: number, changes: Partial<Rights>): void {
      const rights = { ...now(), ...changes };
      // What changes nothing is no event, and is answered with the position of an earlier one.
      if (!isDeepStrictEqual(rights, now())) versions.push({ from, sentAt, rights });
    },
    /**
     * What is complete to a position is shown by the rights of that position or of later ones: null when some such rights, in force before
     * the message came, allow all of it; else what each of them would not have shown.
     */
    fault({ at, message }: Heard): string | null {
      const possible = versions.filter(
        ({ sentAt }, index) =>
          sentAt <= at && (versions[index + 1]?.from ?? Number.POSITIVE_INFINITY) > message.position,
      );
      const faults = possible.map(({ rights }) => faultOf(rights, message));
      return faults.includes(null) ? null : `at ${message.position}: ${faults.join(' / ')}`;
    },
  };
};

export type RightsOverTime = ReturnType<typeof rightsOverTime>;
