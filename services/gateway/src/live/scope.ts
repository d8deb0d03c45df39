import { may, type Person, type Verdict } from '@zakup/domain/permissions';

/** A scope as a client names it and as documents carry it. */
export type Scope =
  | { readonly kind: 'workspace' | 'me'; readonly name: string; readonly stored: string }
  | { readonly kind: 'campaign' | 'contractor'; readonly id: string; readonly name: string; readonly stored: string };

export const workspace = 'workspace';

/** `name` has the form that `scopeSchema` checks. */
export const scopeOf = (name: string, userId: string): Scope => {
  if (name === workspace) return { kind: 'workspace', name, stored: name };
  if (name === 'me') return { kind: 'me', name, stored: `person:${userId}` };
  const colon = name.indexOf(':');
  const kind = name.slice(0, colon) === 'campaign' ? 'campaign' : 'contractor';
  return { kind, id: name.slice(colon + 1), name, stored: name };
};

/** Whether the person's rights open scopes of this kind. */
export const mayOpen = (person: Person, { kind }: Scope): Verdict => {
  switch (kind) {
    case 'workspace':
    case 'contractor':
      return may(person, 'lists.read');
    case 'campaign':
      return may(person, 'campaign.read');
    case 'me':
      return may(person, 'screen.profile');
  }
};
