import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { messages } from './messages.ts';
import {
  type Action,
  actions,
  effectivePermissions,
  type EmployeeSubject,
  type Feature,
  features,
  type LicenceStatus,
  may,
  ownerPermissions,
  permissionKeys,
  type Permissions,
  type Person,
  personOf,
  type Role,
  rolePermissions,
  roles,
} from './permissions.ts';

type Overrides = Omit<Partial<Person>, 'licence'> & { readonly licence?: Partial<Person['licence']> };

const person = (role: Role, { licence, ...rest }: Overrides = {}): Person => ({
  userId: 'me',
  name: 'Анна',
  role,
  permissions: rolePermissions(role),
  isActive: true,
  isOwner: false,
  ...rest,
  licence: {
    id: 'a1-licence',
    status: 'active',
    features,
    settings: { buyersEditAll: true, earningsVisible: true },
    ...licence,
  },
});
const owner = (licence: Partial<Person['licence']> = {}): Person =>
  person('CEO', { isOwner: true, permissions: ownerPermissions, licence });
const other = (role: Role, rest: Partial<EmployeeSubject> = {}): EmployeeSubject => ({
  userId: 'other',
  role,
  permissions: rolePermissions(role),
  isOwner: false,
  ...rest,
});
const open = (permissions: Permissions): string[] => permissionKeys.filter((key) => permissions[key]);

/** Asks as a button does; every action takes `'some'` or nothing. */
const inGeneral = (who: Person, action: Action): ReturnType<typeof may> =>
  (may as (p: Person, a: Action, s: 'some') => ReturnType<typeof may>)(who, action, 'some');

/** All that is granted; anything not named for a role is refused. O = owner, C = CEO, B = CBDO, T = TEAM_LEAD, M = MEDIA_BUYER, A = ANALYTIC. */
const table: Readonly<Record<Action, readonly [who: string, kind: 'read' | 'change' | 'own', features: string]>> = {
  'screen.dashboard': ['OCBTMA', 'read', ''],
  'screen.analytics': ['OCBTMA', 'read', 'analytics'],
  'screen.creatives': ['OCBT', 'read', 'creatives'],
  'screen.contractors': ['OCBT', 'read', 'contractors'],
  'screen.settings': ['OCBT', 'read', 'settings'],
  'screen.journal': ['OCBTA', 'read', 'reports'],
  'screen.profile': ['OCBTMA', 'own', ''],
  'lists.read': ['OCBTMA', 'read', ''],
  'campaign.read': ['OCBTMA', 'read', ''],
  'campaign.export': ['OCBTMA', 'read', ''],
  'analytics.read': ['OCBTMA', 'read', 'analytics'],
  'people.read': ['OCBT', 'read', 'settings'],
  'reports.read': ['OCBTA', 'read', 'reports'],
  'earnings.read': ['OCBTMA', 'read', ''],
  'licence.read': ['OCBTMA', 'read', ''],
  'licence.reveal': ['O', 'read', ''],
  'licence.export': ['O', 'read', ''],
  'licence.settings': ['OCBT', 'change', 'settings'],
  'licence.codeOnlyLogin': ['O', 'change', 'settings'],
  'licence.secondFactorForAll': ['O', 'change', 'settings'],
  'licence.requestRenewal': ['O', 'own', ''],
  'licence.close': ['O', 'own', ''],
  'session.ofOthers': ['O', 'own', ''],
  'keys.manage': ['O', 'own', ''],
  'webhooks.manage': ['O', 'own', ''],
  'profile.change': ['OCBTMA', 'own', ''],
  'placement.add': ['OCBTM', 'change', 'placements'],
  'placement.change': ['OCBTM', 'change', 'placements'],
  'placement.remove': ['OCBTM', 'change', 'placements'],
  'placement.restore': ['OCBTM', 'change', 'placements'],
  'placement.import': ['OCBTM', 'change', 'placements'],
  'import.cancel': ['OCBTM', 'change', 'placements'],
  'command.undo': ['OCBTMA', 'change', ''],
  'campaign.create': ['OCBT', 'change', 'settings campaigns'],
  'campaign.change': ['OCBT', 'change', 'settings campaigns'],
  'campaign.remove': ['OCBT', 'change', 'settings campaigns'],
  'campaign.restore': ['OCBT', 'change', 'settings campaigns'],
  'campaign.complete': ['OCBT', 'change', 'campaigns'],
  'campaign.reopen': ['OCBT', 'change', 'campaigns'],
  'channel.create': ['OCBT', 'change', 'settings'],
  'channel.change': ['OCBT', 'change', 'settings'],
  'channel.remove': ['OCBT', 'change', 'settings'],
  'creative.create': ['OCBT', 'change', 'creatives'],
  'creative.change': ['OCBT', 'change', 'creatives'],
  'creative.remove': ['OCBT', 'change', 'creatives'],
  'contractor.create': ['OCBTM', 'change', 'placements'],
  'contractor.change': ['OCBT', 'change', 'contractors'],
  'contractor.merge': ['OCBT', 'change', 'contractors'],
  'contractor.deactivate': ['OCBT', 'change', 'contractors'],
  'note.add': ['OCBTMA', 'change', ''],
  'note.remove': ['OCBTMA', 'change', ''],
  'teamView.add': ['OCBTM', 'change', 'placements'],
  'teamView.change': ['OCBTM', 'change', 'placements'],
  'employee.create': ['OCBT', 'change', 'settings'],
  'employee.change': ['OCBT', 'change', 'settings'],
  'employee.reissue': ['OCBT', 'change', 'settings'],
  'employee.deactivate': ['OCBT', 'change', 'settings'],
  'employee.reactivate': ['OCBT', 'change', 'settings'],
};

/** Where the text says who may. */
const refusals: Readonly<Partial<Record<Action, string>>> = {
  'licence.codeOnlyLogin': messages.codeOnlyLoginByOwner,
  'licence.secondFactorForAll': messages.secondFactorForAllByOwner,
};

const letters: readonly (readonly [string, (licence?: Partial<Person['licence']>) => Person])[] = [
  ['O', owner],
  ['C', (licence = {}) => person('CEO', { licence })],
  ['B', (licence = {}) => person('CBDO', { licence })],
  ['T', (licence = {}) => person('TEAM_LEAD', { licence })],
  ['M', (licence = {}) => person('MEDIA_BUYER', { licence })],
  ['A', (licence = {}) => person('ANALYTIC', { licence })],
];

describe('permissions of a role', () => {
  test.each([
    ['CEO', 'dashboard analytics contractors creatives settings reports'],
    ['CBDO', 'dashboard analytics contractors creatives settings reports'],
    ['TEAM_LEAD', 'dashboard analytics contractors creatives settings reports'],
    ['ANALYTIC', 'dashboard analytics reports'],
    ['MEDIA_BUYER', 'dashboard analytics'],
    ['INTERN', 'dashboard analytics'],
    ['constructor', 'dashboard analytics'],
  ])('MAY-1 %s has %s', (role, keys) => {
    expect(open(rolePermissions(role)).join(' ')).toBe(keys);
  });

  test('MAY-2 the owner has every flag', () => {
    expect(open(ownerPermissions)).toEqual([...permissionKeys]);
  });

  test.each([
    ['null', null, 'dashboard analytics contractors creatives settings reports'],
    ['an empty object', {}, 'dashboard analytics contractors creatives settings reports'],
    ['an empty text', '', 'dashboard analytics contractors creatives settings reports'],
    ['JSON null', 'null', 'dashboard analytics contractors creatives settings reports'],
    ['a JSON empty object', '{}', 'dashboard analytics contractors creatives settings reports'],
    ['an object', { dashboard: true, settings: false }, 'dashboard'],
    ['an object of JSON', '{"creatives":true}', 'creatives'],
    ['an object that only closes', { settings: false }, ''],
    ['an object of unknown keys', { admin: true }, ''],
    ['truthy values', '{"dashboard":1,"analytics":"true"}', ''],
    ['what cannot be read', '{dashboard', 'dashboard analytics'],
    ['a JSON list', '["dashboard"]', 'dashboard analytics'],
    ['a JSON number', '7', 'dashboard analytics'],
  ])('MAY-3 own permissions that are %s', (_, own, keys) => {
    expect(open(effectivePermissions('TEAM_LEAD', own)).join(' ')).toBe(keys);
  });

  test('MAY-4 any text gives a whole set of flags', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (own) => {
        const flags = effectivePermissions('MEDIA_BUYER', own);
        expect(Object.values(flags).map((flag) => typeof flag)).toEqual(permissionKeys.map(() => 'boolean'));
      }),
    );
  });
});

describe('who may do what', () => {
  test('MAY-5 the table names every action', () => {
    expect([...actions].sort()).toEqual(Object.keys(table).sort());
  });

  test.each(actions.flatMap((action) => letters.map(([letter, who]) => [action, letter, who] as const)))(
    'MAY-6 %s by %s',
    (action, letter, who) => {
      expect(inGeneral(who(), action)).toEqual(
        table[action][0].includes(letter)
          ? { allowed: true }
          : { allowed: false, code: 'ACCESS_DENIED', message: refusals[action] ?? messages.accessDenied },
      );
    },
  );

  test.each(actions)('MAY-7 %s by nobody who is deactivated', (action) => {
    expect(inGeneral({ ...owner(), isActive: false }, action).allowed).toBe(false);
  });

  test.each(actions.flatMap((action) => features.map((feature) => [action, feature] as const)))(
    'MAY-8 %s under a licence without %s',
    (action, feature: Feature) => {
      const without = features.filter((each) => each !== feature);
      const closed = table[action][2].split(' ').includes(feature);
      const verdict = inGeneral(owner({ features: without }), action);
      expect(verdict).toEqual(
        closed ? { allowed: false, code: 'ACCESS_DENIED', message: messages.featureClosed } : { allowed: true },
      );
    },
  );

  const inactive = { allowed: false, code: 'LICENSE_INACTIVE' };
  test.each(actions)('MAY-9 %s by the status of the licence', (action) => {
    const kind = table[action][1];
    const employee = (status: LicenceStatus): Person =>
      person('CEO', { permissions: ownerPermissions, licence: { status } });
    for (const status of ['active', 'grace_period'] as const)
      expect(inGeneral(owner({ status }), action)).toEqual({ allowed: true });
    const expired = inGeneral(owner({ status: 'expired' }), action);
    const granted = { allowed: true };
    expect(expired).toEqual(kind === 'change' ? { ...inactive, message: messages.licenceInactive } : granted);
    const suspended = inGeneral(owner({ status: 'suspended' }), action);
    expect(suspended).toEqual(kind === 'change' ? { ...inactive, message: messages.licenceSuspended } : granted);
    expect(inGeneral(employee('suspended'), action)).toEqual({ ...inactive, message: messages.licenceSuspended });
    const closed = inGeneral(owner({ status: 'closed' }), action);
    expect(closed).toEqual(kind === 'change' ? { ...inactive, message: messages.licenceClosed } : granted);
    expect(inGeneral(employee('closed'), action)).toEqual({ ...inactive, message: messages.licenceClosed });
  });

  test.each([
    ['lists.read', 'dashboard'],
    ['campaign.read', 'dashboard'],
    ['campaign.export', 'dashboard'],
    ['placement.add', 'dashboard'],
    ['note.add', 'dashboard'],
    ['analytics.read', 'analytics'],
    ['creative.create', 'creatives'],
    ['contractor.merge', 'contractors'],
    ['people.read', 'settings'],
    ['channel.create', 'settings'],
    ['campaign.create', 'settings'],
    ['employee.create', 'settings'],
    ['reports.read', 'reports'],
  ] as const)('MAY-10 %s hangs on the permission %s, not on the rank', (action, key) => {
    expect(inGeneral(person('CEO', { permissions: { ...ownerPermissions, [key]: false } }), action).allowed).toBe(
      false,
    );
    expect(
      inGeneral(
        person('MEDIA_BUYER', { permissions: effectivePermissions('', { dashboard: true, [key]: true }) }),
        action,
      ).allowed,
    ).toBe(true);
  });
});

describe('rows of others', () => {
  const own = { licence: { settings: { buyersEditAll: false, earningsVisible: false } } };
  const placementActions = ['placement.add', 'placement.change', 'placement.remove', 'placement.restore'] as const;

  test.each(placementActions)('MAY-11 %s: the switch keeps a media buyer to their own rows', (action) => {
    const refused = { allowed: false, code: 'ACCESS_DENIED', message: messages.onlyOwnPlacements };
    const buyer = person('MEDIA_BUYER', own);
    expect(may(buyer, action, { buyerId: 'me' })).toEqual({ allowed: true });
    expect(may(buyer, action, 'some')).toEqual({ allowed: true });
    expect(may(buyer, action, { buyerId: 'other' })).toEqual(refused);
    expect(may(buyer, action, { buyerId: 'me', newBuyerId: 'other' })).toEqual(refused);
    expect(may(buyer, action, { buyerId: 'other', newBuyerId: 'me' })).toEqual(refused);
    expect(may(person('MEDIA_BUYER'), action, { buyerId: 'other' })).toEqual({ allowed: true });
    expect(may(person('TEAM_LEAD', own), action, { buyerId: 'other' })).toEqual({ allowed: true });
    expect(may(person('ANALYTIC', own), action, { buyerId: 'me' }).allowed).toBe(false);
  });

  test.each([
    ['MEDIA_BUYER', true, false],
    ['ANALYTIC', false, false],
    ['TEAM_LEAD', true, true],
    ['CBDO', true, true],
    ['CEO', true, true],
  ] as const)('VIW-2350 %s and a view of the team: their own, and another author’s', (role, byThem, byOthers) => {
    const who = person(role);
    expect(may(who, 'teamView.add').allowed).toBe(byThem);
    expect(may(who, 'teamView.change', { authorId: 'me' }).allowed).toBe(byThem);
    expect(may(who, 'teamView.change', { authorId: 'other' }).allowed).toBe(byOthers);
  });

  test.each([
    ['MEDIA_BUYER', false],
    ['ANALYTIC', false],
    ['TEAM_LEAD', true],
    ['CBDO', true],
    ['CEO', true],
  ] as const)('MAY-12 %s and what another person wrote or did', (role, allowed) => {
    const who = person(role);
    expect(may(who, 'note.remove', { authorId: 'me' }).allowed).toBe(true);
    expect(may(who, 'note.remove', { authorId: 'other' }).allowed).toBe(allowed);
    expect(may(who, 'command.undo', { actorId: 'me' }).allowed).toBe(true);
    expect(may(who, 'command.undo', { actorId: 'other' }).allowed).toBe(allowed);
  });

  test.each([
    ['MEDIA_BUYER', false],
    ['ANALYTIC', true],
    ['TEAM_LEAD', true],
    ['CEO', true],
  ] as const)('MAY-13 hidden earnings of others and %s', (role, allowed) => {
    expect(may(person(role, own), 'earnings.read', { userId: 'me' }).allowed).toBe(true);
    expect(may(person(role, own), 'earnings.read', { userId: 'other' }).allowed).toBe(allowed);
    expect(may(person(role), 'earnings.read', { userId: 'other' }).allowed).toBe(true);
  });
});

describe('people and ranks', () => {
  const rank = { CEO: 4, CBDO: 3, TEAM_LEAD: 2, ANALYTIC: 1, MEDIA_BUYER: 1 } as const;
  const pairs = roles.flatMap((mine) => roles.map((theirs) => [mine, theirs] as const));
  /** Every permission, so that only ranks decide. */
  const ranked = (role: Role): Person => person(role, { permissions: ownerPermissions });

  test.each(pairs)('MAY-14 %s about a %s: never above the own rank', (mine, theirs) => {
    const allowed = rank[theirs] <= rank[mine];
    const who = ranked(mine);
    const before = other(theirs);
    const after = { role: theirs, permissions: rolePermissions(theirs) };
    expect(may(who, 'employee.create', { after }).allowed).toBe(allowed);
    expect(may(who, 'employee.change', { before, after: { ...after, role: 'MEDIA_BUYER' } }).allowed).toBe(allowed);
    expect(may(who, 'employee.change', { before: other('MEDIA_BUYER'), after }).allowed).toBe(allowed);
    expect(may(who, 'employee.reissue', { before }).allowed).toBe(allowed);
    expect(may(who, 'employee.deactivate', { before, lastOwner: false }).allowed).toBe(allowed);
    expect(may(who, 'employee.reactivate', { before }).allowed).toBe(allowed);
  });

  test('MAY-15 nobody raises themselves', () => {
    const lead = person('TEAM_LEAD', {
      permissions: effectivePermissions('TEAM_LEAD', { dashboard: true, settings: true }),
    });
    const before = { ...other('TEAM_LEAD'), userId: 'me', permissions: lead.permissions };
    const toRole = may(lead, 'employee.change', { before, after: { role: 'CEO', permissions: lead.permissions } });
    expect(toRole).toEqual({ allowed: false, code: 'ACCESS_DENIED', message: messages.rankTooHigh });
    const cleared = { role: 'TEAM_LEAD', permissions: rolePermissions('TEAM_LEAD') } as const;
    expect(may(lead, 'employee.change', { before, after: cleared })).toEqual({
      allowed: false,
      code: 'ACCESS_DENIED',
      message: messages.grantTooWide,
    });
  });

  test.each(permissionKeys)('MAY-16 nobody grants %s without having it', (key) => {
    const mine = effectivePermissions('CEO', { settings: true });
    const who = person('CEO', { permissions: mine });
    const nothing = effectivePermissions('', { dashboard: false });
    const after = { role: 'MEDIA_BUYER', permissions: { ...nothing, [key]: true } } as const;
    const allowed = key === 'settings';
    expect(may(who, 'employee.create', { after }).allowed).toBe(allowed);
    expect(may(who, 'employee.change', { before: other('MEDIA_BUYER', { permissions: nothing }), after }).allowed).toBe(
      allowed,
    );
    // What the other already has may stay.
    expect(may(who, 'employee.change', { before: other('MEDIA_BUYER', after), after }).allowed).toBe(true);
  });

  test('MAY-17 oneself, the last CEO and the owner stay', () => {
    const second = person('CEO', { permissions: ownerPermissions });
    const licenceOwner = other('CEO', { isOwner: true });
    expect(may(second, 'employee.deactivate', { before: { ...other('CEO'), userId: 'me' }, lastOwner: false })).toEqual(
      {
        allowed: false,
        code: 'ACCESS_DENIED',
        message: messages.cannotRemoveSelf,
      },
    );
    expect(may(second, 'employee.deactivate', { before: other('CEO'), lastOwner: true })).toEqual({
      allowed: false,
      code: 'ACCESS_DENIED',
      message: messages.cannotRemoveLastOwner,
    });
    expect(may(second, 'employee.deactivate', { before: other('TEAM_LEAD'), lastOwner: true }).allowed).toBe(true);
    expect(may(second, 'employee.deactivate', { before: licenceOwner, lastOwner: false }).allowed).toBe(false);
    expect(may(second, 'employee.reissue', { before: licenceOwner }).allowed).toBe(false);
    const equal = other('CEO', { permissions: { ...second.permissions, reports: false } });
    const less = person('CEO', { permissions: equal.permissions });
    expect(may(second, 'employee.reissue', { before: equal }).allowed).toBe(true);
    expect(may(less, 'employee.reissue', { before: other('CEO', { permissions: second.permissions }) })).toMatchObject({
      message: messages.grantTooWide,
    });
    expect(may(owner(), 'employee.reissue', { before: { ...licenceOwner, userId: 'me' } }).allowed).toBe(true);
  });

  test('MAY-18 who asks is made of the stored person and licence: the owner has every flag, the others their own or their role’s', () => {
    const { status, ...licence } = owner().licence;
    const stored = { id: 'me', name: 'Анна', role: 'CEO', permissions: null, isActive: true, isOwner: true } as const;
    expect(personOf(stored, licence, status)).toEqual(owner());
    expect(personOf({ ...stored, isOwner: false }, licence, 'expired')).toEqual(
      person('CEO', { licence: { status: 'expired' } }),
    );
    const own = { ...stored, isOwner: false, permissions: { dashboard: true } };
    expect(open(personOf(own, licence, status).permissions)).toEqual(['dashboard']);
  });
});
