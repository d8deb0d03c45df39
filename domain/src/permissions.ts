import type { EmployeeRole } from './employee/events.ts';
import { keyActorName } from './keys/keys.decider.ts';
import { messages } from './messages.ts';

export type Role = EmployeeRole;
export const roles = ['CEO', 'CBDO', 'TEAM_LEAD', 'MEDIA_BUYER', 'ANALYTIC'] as const satisfies readonly Role[];

export const permissionKeys = [
  'dashboard',
  'analytics',
  'contractors',
  'creatives',
  'settings',
  'campaigns',
  'reports',
  'capabilities',
] as const;
export type PermissionKey = (typeof permissionKeys)[number];
export type Permissions = Readonly<Record<PermissionKey, boolean>>;

/** What a licence can open. */
export const features = [
  'analytics',
  'campaigns',
  'contractors',
  'creatives',
  'placements',
  'reports',
  'settings',
] as const;
export type Feature = (typeof features)[number];

/** `closed`: by its owner, whose people are shut out (ACT-27). */
export type LicenceStatus = 'active' | 'grace_period' | 'expired' | 'suspended' | 'closed';

const permissionSet = (open: readonly PermissionKey[]): Permissions => {
  const has = (key: PermissionKey): boolean => open.includes(key);
  return {
    dashboard: has('dashboard'),
    analytics: has('analytics'),
    contractors: has('contractors'),
    creatives: has('creatives'),
    settings: has('settings'),
    campaigns: has('campaigns'),
    reports: has('reports'),
    capabilities: has('capabilities'),
  };
};

const leading = permissionSet(['dashboard', 'analytics', 'contractors', 'creatives', 'settings', 'reports']);
const buying = permissionSet(['dashboard', 'analytics']);
const permissionsByRole: Readonly<Record<Role, Permissions>> = {
  CEO: leading,
  CBDO: leading,
  TEAM_LEAD: leading,
  ANALYTIC: permissionSet(['dashboard', 'analytics', 'reports']),
  MEDIA_BUYER: buying,
};

/** The licence owner's: every flag. */
export const ownerPermissions: Permissions = permissionSet(permissionKeys);

export const isRole = (text: string): text is Role => Object.hasOwn(permissionsByRole, text);

/** The set a role brings; an unknown role has the media buyer's. */
export const rolePermissions = (role: string): Permissions => (isRole(role) ? permissionsByRole[role] : buying);

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * A person's own permissions object, or its JSON, replaces the role's set: what it does not name is closed. `null`, a
 * blank text and an empty object leave the role's set; what cannot be read is the media buyer's (ROLE-3).
 */
export const effectivePermissions = (
  role: string,
  own: Readonly<Record<string, boolean>> | string | null,
): Permissions => {
  const value: unknown = typeof own === 'string' ? (own.trim() === '' ? null : parsed(own)) : own;
  if (value === null) return rolePermissions(role);
  if (typeof value !== 'object' || Array.isArray(value)) return buying;
  const flags = new Map(Object.entries(value));
  return flags.size === 0
    ? rolePermissions(role)
    : permissionSet(permissionKeys.filter((key) => flags.get(key) === true));
};

/** Of a stored person: every flag for the owner, else `effectivePermissions`. */
export const permissionsOf = ({
  isOwner,
  role,
  permissions,
}: {
  readonly isOwner: boolean;
  readonly role: Role;
  readonly permissions: Readonly<Record<string, boolean>> | null;
}): Permissions => (isOwner ? ownerPermissions : effectivePermissions(role, permissions));

/** Who asks, as of now; built anew for every request. */
export interface Person {
  readonly userId: string;
  readonly name: string;
  readonly role: Role;
  /** Effective: as `permissionsOf` says. */
  readonly permissions: Permissions;
  readonly isActive: boolean;
  readonly isOwner: boolean;
  /** A key that acts for the owner: `userId` and `name` are the key's. */
  readonly byKey?: true;
  readonly licence: {
    readonly id: string;
    readonly status: LicenceStatus;
    readonly features: readonly string[];
    readonly settings: { readonly buyersEditAll: boolean; readonly earningsVisible: boolean };
  };
}

/** Who asks, from the stored person and licence; `status`: the licence's as of now. */
export const personOf = (
  employee: Parameters<typeof permissionsOf>[0] & {
    readonly id: string;
    readonly name: string;
    readonly isActive: boolean;
  },
  { id, features: open, settings }: Omit<Person['licence'], 'status'>,
  status: LicenceStatus,
): Person => ({
  userId: employee.id,
  name: employee.name,
  role: employee.role,
  permissions: permissionsOf(employee),
  isActive: employee.isActive,
  isOwner: employee.isOwner,
  licence: { id, status, features: open, settings },
});

/** Who asks with a key: the owner's rights over data, and nothing of what signs people in or says what they are paid by (KEY-2, KEY-4). */
export const personOfKey = (owner: Person, key: { readonly id: string; readonly name: string }): Person => ({
  ...owner,
  userId: key.id,
  name: keyActorName(key.name),
  byKey: true,
});

/** A placement as it is (or is to be), and whose it would become. */
export interface PlacementSubject {
  readonly buyerId: string;
  readonly newBuyerId?: string;
}

/** The person a change is about, as they are. */
export interface EmployeeSubject {
  readonly userId: string;
  readonly role: Role;
  readonly permissions: Permissions;
  readonly isOwner: boolean;
}

/** What a person would have after the change: `effectivePermissions` of the new role and own object. */
export interface EmployeeAfter {
  readonly role: Role;
  readonly permissions: Permissions;
}

/** What an action must be told about what it is done to; actions not named here need nothing. */
export interface Subjects {
  'placement.add': PlacementSubject;
  'placement.change': PlacementSubject;
  'placement.remove': PlacementSubject;
  'placement.restore': PlacementSubject;
  'command.undo': { readonly actorId: string };
  'import.cancel': { readonly actorId: string };
  'note.remove': { readonly authorId: string };
  'teamView.change': { readonly authorId: string };
  'employee.create': { readonly after: EmployeeAfter };
  'employee.change': { readonly before: EmployeeSubject; readonly after: EmployeeAfter };
  'employee.reissue': { readonly before: EmployeeSubject };
  /** `lastOwner`: nobody else active has the role CEO. */
  'employee.deactivate': { readonly before: EmployeeSubject; readonly lastOwner: boolean };
  'employee.reactivate': { readonly before: EmployeeSubject };
  'earnings.read': { readonly userId: string };
}

export type Action =
  | keyof Subjects
  | `screen.${'dashboard' | 'analytics' | 'creatives' | 'contractors' | 'settings' | 'journal' | 'profile'}`
  /** Channels, campaigns, creatives, contractors with their dialog, people's four public members. */
  | 'lists.read'
  /** Placements, totals and history of rows. */
  | 'campaign.read'
  | 'campaign.export'
  /** Reports of the analytics page. */
  | 'analytics.read'
  /** People's e-mail, code, permissions, last sign-in and terms. */
  | 'people.read'
  /** Audit, NDJSON, salary report. */
  | 'reports.read'
  | 'licence.read'
  /** The whole licence key. */
  | 'licence.reveal'
  /** Everything of the licence and its history as a file. */
  | 'licence.export'
  | 'licence.settings'
  /** Whether a code alone opens the door: who sees codes could become everybody. */
  | 'licence.codeOnlyLogin'
  /** Whether everybody needs a second factor. */
  | 'licence.secondFactorForAll'
  | 'licence.requestRenewal'
  /** Giving the licence up, and taking that back. */
  | 'licence.close'
  | 'session.ofOthers'
  /** The keys by which programs act for the owner. */
  | 'keys.manage'
  /** The addresses that are told of events. */
  | 'webhooks.manage'
  /** Own name, password, sessions, notifications, saved views. */
  | 'profile.change'
  | 'placement.import'
  | `campaign.${'create' | 'change' | 'remove' | 'restore' | 'complete' | 'reopen'}`
  | `channel.${'create' | 'change' | 'remove'}`
  | `creative.${'create' | 'change' | 'remove'}`
  | `contractor.${'create' | 'change' | 'merge' | 'deactivate'}`
  | 'note.add'
  /** Saving a view for the team. */
  | 'teamView.add';

export type Verdict =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly code: 'ACCESS_DENIED' | 'LICENSE_INACTIVE'; readonly message: string };

/** `'some'` asks whether there may be a subject the action is allowed on: enough to show a button, never to act. */
type SubjectOf<A extends Action> = A extends keyof Subjects ? Subjects[A] | 'some' : undefined;
type SubjectArguments<A extends Action> = A extends keyof Subjects ? [subject: Subjects[A] | 'some'] : [];

interface Rule<A extends Action> {
  /** `own` is open whatever the licence's status, `change` only while it is in force. */
  readonly kind: 'read' | 'change' | 'own';
  readonly features: readonly Feature[];
  /** `null`, or the text of the refusal. */
  readonly refusal: (person: Person, subject: SubjectOf<A>) => string | null;
}

const rank: Readonly<Record<Role, number>> = { CEO: 4, CBDO: 3, TEAM_LEAD: 2, ANALYTIC: 1, MEDIA_BUYER: 1 };
const leaders: ReadonlySet<Role> = new Set(['CEO', 'CBDO', 'TEAM_LEAD']);

const unless = (allowed: boolean, message: string = messages.accessDenied): string | null => (allowed ? null : message);

const everyone = (): null => null;
const needs =
  (key: PermissionKey) =>
  (person: Person): string | null =>
    unless(person.permissions[key]);
const leads = (person: Person): string | null => unless(leaders.has(person.role));
const owner = (person: Person): string | null => unless(person.isOwner);
const buys = (person: Person): string | null => unless(person.role !== 'ANALYTIC' && person.permissions.dashboard);

const changesPlacement = (person: Person, subject: PlacementSubject | 'some'): string | null => {
  const refused = buys(person);
  if (refused !== null || subject === 'some') return refused;
  const { buyerId, newBuyerId = buyerId } = subject;
  return unless(
    person.licence.settings.buyersEditAll ||
      person.role !== 'MEDIA_BUYER' ||
      (buyerId === person.userId && newBuyerId === person.userId),
    messages.onlyOwnPlacements,
  );
};

const outranks = (person: Person, other: { readonly role: Role; readonly isOwner: boolean }): boolean =>
  other.isOwner ? person.isOwner : rank[other.role] <= rank[person.role];

const grants = (person: Person, before: Permissions | null, after: Permissions): boolean =>
  permissionKeys.some((key) => after[key] && !(before?.[key] ?? false) && !person.permissions[key]);

const assigns = (person: Person, before: EmployeeSubject | null, after: EmployeeAfter): string | null => {
  if (before !== null && !outranks(person, before)) return messages.rankTooHigh;
  if (rank[after.role] > rank[person.role]) return messages.rankTooHigh;
  return unless(!grants(person, before?.permissions ?? null, after.permissions), messages.grantTooWide);
};

/** With the new code or password of another one has whatever they may do. */
const takesOver = (person: Person, other: EmployeeSubject): string | null => {
  if (!outranks(person, other)) return messages.rankTooHigh;
  return unless(other.userId === person.userId || !grants(person, null, other.permissions), messages.grantTooWide);
};

const managesPeople = needs('settings');

const rules: { readonly [A in Action]: Rule<A> } = {
  'screen.dashboard': { kind: 'read', features: [], refusal: needs('dashboard') },
  'screen.analytics': { kind: 'read', features: ['analytics'], refusal: needs('analytics') },
  'screen.creatives': { kind: 'read', features: ['creatives'], refusal: needs('creatives') },
  'screen.contractors': { kind: 'read', features: ['contractors'], refusal: needs('contractors') },
  'screen.settings': { kind: 'read', features: ['settings'], refusal: needs('settings') },
  'screen.journal': { kind: 'read', features: ['reports'], refusal: needs('reports') },
  'screen.profile': { kind: 'own', features: [], refusal: everyone },

  'lists.read': { kind: 'read', features: [], refusal: needs('dashboard') },
  'campaign.read': { kind: 'read', features: [], refusal: needs('dashboard') },
  'campaign.export': { kind: 'read', features: [], refusal: needs('dashboard') },
  'analytics.read': { kind: 'read', features: ['analytics'], refusal: needs('analytics') },
  'people.read': { kind: 'read', features: ['settings'], refusal: needs('settings') },
  'reports.read': { kind: 'read', features: ['reports'], refusal: needs('reports') },
  'earnings.read': {
    kind: 'read',
    features: [],
    refusal: (person, subject) => {
      const refused = needs('dashboard')(person);
      if (refused !== null || subject === 'some') return refused;
      if (subject.userId === person.userId) return null;
      if (person.byKey === true) return messages.accessDenied;
      if (person.licence.settings.earningsVisible) return null;
      // Who sees the terms of pay or the salary report, or takes along all data, gains nothing by the switch.
      const { permissions, licence } = person;
      const sees = (['settings', 'reports'] as const).some((key) => permissions[key] && licence.features.includes(key));
      return unless(sees || person.isOwner);
    },
  },

  'licence.read': { kind: 'read', features: [], refusal: everyone },
  'licence.reveal': { kind: 'read', features: [], refusal: owner },
  'licence.export': { kind: 'read', features: [], refusal: owner },
  'licence.settings': { kind: 'change', features: ['settings'], refusal: needs('settings') },
  'licence.codeOnlyLogin': {
    kind: 'change',
    features: ['settings'],
    refusal: (person) => unless(person.isOwner, messages.codeOnlyLoginByOwner),
  },
  'licence.secondFactorForAll': {
    kind: 'change',
    features: ['settings'],
    refusal: (person) => unless(person.isOwner, messages.secondFactorForAllByOwner),
  },
  'licence.requestRenewal': { kind: 'own', features: [], refusal: owner },
  'licence.close': { kind: 'own', features: [], refusal: owner },
  'session.ofOthers': { kind: 'own', features: [], refusal: owner },
  'keys.manage': { kind: 'own', features: [], refusal: owner },
  'webhooks.manage': { kind: 'own', features: [], refusal: owner },
  'profile.change': { kind: 'own', features: [], refusal: everyone },

  'placement.add': { kind: 'change', features: ['placements'], refusal: changesPlacement },
  'placement.change': { kind: 'change', features: ['placements'], refusal: changesPlacement },
  'placement.remove': { kind: 'change', features: ['placements'], refusal: changesPlacement },
  'placement.restore': { kind: 'change', features: ['placements'], refusal: changesPlacement },
  'placement.import': { kind: 'change', features: ['placements'], refusal: buys },
  'command.undo': {
    kind: 'change',
    features: [],
    refusal: (person, subject) => (subject === 'some' || subject.actorId === person.userId ? null : leads(person)),
  },

  'import.cancel': {
    kind: 'change',
    features: ['placements'],
    refusal: (person, subject) =>
      buys(person) ?? (subject === 'some' || subject.actorId === person.userId ? null : leads(person)),
  },

  'campaign.create': { kind: 'change', features: ['settings', 'campaigns'], refusal: needs('settings') },
  'campaign.change': { kind: 'change', features: ['settings', 'campaigns'], refusal: needs('settings') },
  'campaign.remove': { kind: 'change', features: ['settings', 'campaigns'], refusal: needs('settings') },
  'campaign.restore': { kind: 'change', features: ['settings', 'campaigns'], refusal: needs('settings') },
  'campaign.complete': { kind: 'change', features: ['campaigns'], refusal: leads },
  'campaign.reopen': { kind: 'change', features: ['campaigns'], refusal: leads },

  'channel.create': { kind: 'change', features: ['settings'], refusal: needs('settings') },
  'channel.change': { kind: 'change', features: ['settings'], refusal: needs('settings') },
  'channel.remove': { kind: 'change', features: ['settings'], refusal: needs('settings') },

  'creative.create': { kind: 'change', features: ['creatives'], refusal: needs('creatives') },
  'creative.change': { kind: 'change', features: ['creatives'], refusal: needs('creatives') },
  'creative.remove': { kind: 'change', features: ['creatives'], refusal: needs('creatives') },

  'contractor.create': { kind: 'change', features: ['placements'], refusal: buys },
  'contractor.change': { kind: 'change', features: ['contractors'], refusal: needs('contractors') },
  'contractor.merge': { kind: 'change', features: ['contractors'], refusal: needs('contractors') },
  'contractor.deactivate': { kind: 'change', features: ['contractors'], refusal: needs('contractors') },

  'note.add': { kind: 'change', features: [], refusal: needs('dashboard') },
  'note.remove': {
    kind: 'change',
    features: [],
    refusal: (person, subject) =>
      needs('dashboard')(person) ?? (subject === 'some' || subject.authorId === person.userId ? null : leads(person)),
  },

  'teamView.add': { kind: 'change', features: ['placements'], refusal: buys },
  'teamView.change': {
    kind: 'change',
    features: ['placements'],
    refusal: (person, subject) =>
      buys(person) ??
      (subject === 'some' || subject.authorId === person.userId
        ? null
        : unless(leaders.has(person.role), messages.viewNotYours)),
  },

  'employee.create': {
    kind: 'change',
    features: ['settings'],
    refusal: (person, subject) =>
      managesPeople(person) ?? (subject === 'some' ? null : assigns(person, null, subject.after)),
  },
  'employee.change': {
    kind: 'change',
    features: ['settings'],
    refusal: (person, subject) =>
      managesPeople(person) ?? (subject === 'some' ? null : assigns(person, subject.before, subject.after)),
  },
  'employee.reissue': {
    kind: 'change',
    features: ['settings'],
    refusal: (person, subject) =>
      managesPeople(person) ?? (subject === 'some' ? null : takesOver(person, subject.before)),
  },
  'employee.deactivate': {
    kind: 'change',
    features: ['settings'],
    refusal: (person, subject) => {
      const refused = managesPeople(person);
      if (refused !== null || subject === 'some') return refused;
      if (subject.before.userId === person.userId) return messages.cannotRemoveSelf;
      if (subject.lastOwner && subject.before.role === 'CEO') return messages.cannotRemoveLastOwner;
      return unless(outranks(person, subject.before), messages.rankTooHigh);
    },
  },
  'employee.reactivate': {
    kind: 'change',
    features: ['settings'],
    refusal: (person, subject) =>
      managesPeople(person) ?? (subject === 'some' ? null : assigns(person, null, subject.before)),
  },
};

export const actions = Object.keys(rules) as readonly Action[];

const licenceRefuses = (person: Person, kind: 'read' | 'change' | 'own'): boolean => {
  switch (person.licence.status) {
    case 'active':
    case 'grace_period':
      return false;
    case 'expired':
      return kind === 'change';
    case 'suspended':
    case 'closed':
      return !person.isOwner || person.byKey === true || kind === 'change';
  }
};

/** Sessions, people's secrets and how they sign in, keys, webhooks: never with a key. */
const closedToKeys: ReadonlySet<Action> = new Set<Action>([
  'people.read',
  'licence.reveal',
  'licence.codeOnlyLogin',
  'licence.secondFactorForAll',
  'session.ofOthers',
  'employee.create',
  'employee.reissue',
  'keys.manage',
  'webhooks.manage',
]);

const inactive: Readonly<Partial<Record<LicenceStatus, string>>> = {
  suspended: messages.licenceSuspended,
  closed: messages.licenceClosed,
};

/**
 * Whether a person may do an action, by their role, permissions and licence (ROLE-5). The one place that
 * knows: asked by every service, and by the screen to hide what would be refused.
 */
export const may = <A extends Action>(person: Person, action: A, ...[subject]: SubjectArguments<A>): Verdict => {
  const denied = (message: string): Verdict => ({ allowed: false, code: 'ACCESS_DENIED', message });
  const rule: Rule<A> = rules[action];
  if (!person.isActive) return denied(messages.accessDenied);
  if (licenceRefuses(person, rule.kind))
    return {
      allowed: false,
      code: 'LICENSE_INACTIVE',
      message: inactive[person.licence.status] ?? messages.licenceInactive,
    };
  if (person.byKey === true && closedToKeys.has(action)) return denied(messages.keyDenied);
  if (!rule.features.every((feature) => person.licence.features.includes(feature)))
    return denied(messages.featureClosed);
  const refusal = rule.refusal(person, subject as SubjectOf<A>);
  return refusal === null ? { allowed: true } : denied(refusal);
};

/**
 * Whether the person may know somebody's code: who could make a new one gains nothing by it, nor does one whose code it is. Codes that
 * open nothing are of nobody. Asked of people whom `people.read` shows; the term of the licence is no matter.
 */
export const seesCode = (person: Person, other: EmployeeSubject & { readonly isActive: boolean }): boolean => {
  const inForce = { ...person, licence: { ...person.licence, status: 'active' as const } };
  return other.isActive && may(inForce, 'employee.reissue', { before: other }).allowed;
};
