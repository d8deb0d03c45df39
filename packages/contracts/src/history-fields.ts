import type { Campaign } from '@zakup/domain/campaign/state';
import type { Channel } from '@zakup/domain/channel/state';
import type { Contractor } from '@zakup/domain/contractor/state';
import type { Creative } from '@zakup/domain/creative/state';
import type { Employee } from '@zakup/domain/employee/state';
import type { LicenceSettings } from '@zakup/domain/licence/events';
import type { Licence } from '@zakup/domain/licence/state';
import type { Placement } from '@zakup/domain/placement/state';

/** What history tells of each entity: the one list of fields, by which changes are found and shown. */

export type HistoryValue =
  | null
  | boolean
  | number
  | string
  | readonly HistoryValue[]
  | { readonly [name: string]: HistoryValue };

/** Kinds of entities whose id stands as a value, and whose name is told beside it. */
export type NamedKind = 'user' | 'contractor' | 'creative' | 'campaign' | 'channel';

/** `money`: kopecks. `terms`: a participant with kopecks in it. */
export type ValueKind = 'plain' | 'money' | 'terms' | NamedKind;

/** Who sees the values of a field whose change everybody sees; `secret`: nobody, they are not even kept. */
export type SeenBy = 'people' | 'secret';

export interface HistoryField {
  /** As requests and replies name it; one with `parts` is told as `<name>/<part>`. */
  readonly name: string;
  readonly value: ValueKind;
  /** Absent = whoever sees the history. */
  readonly seenBy?: SeenBy;
  /** Of what kind the parts' ids are; `text` = they are no ids. */
  readonly parts?: NamedKind | 'text';
}

/** A field made of a member of a state: its value, or those of its parts by id. */
export interface FieldRule<Member> extends HistoryField {
  readonly read: (member: Member) => HistoryValue;
}

interface StateByKind {
  license: Licence;
  user: Employee;
  channel: Channel;
  campaign: Campaign;
  creative: Creative;
  contractor: Contractor;
  placement: Placement;
}
export type HistoryKind = keyof StateByKind;

type RulesOf<State> = { readonly [Member in keyof State]-?: readonly FieldRule<State[Member]>[] };

/** That an entity is gone, or back; one that is new is not told as not deleted. */
export const deletedField = 'deleted';

const itself = (member: unknown): HistoryValue => (member ?? null) as HistoryValue;

const field = (name: string, more: Partial<HistoryField> = {}): readonly FieldRule<unknown>[] => [
  { name, value: 'plain', read: itself, ...more },
];
const personal = { seenBy: 'people' } as const;
const secret = { seenBy: 'secret' } as const;
const of = (value: ValueKind) => ({ value });

const made = <Member>(name: string, read: (member: Member) => HistoryValue): FieldRule<Member> => ({
  name,
  value: 'plain',
  read,
});

const parts = <Member>(
  name: string,
  kinds: Omit<HistoryField, 'name' | 'value'> & { readonly value?: ValueKind },
  read: (member: Member) => Readonly<Record<string, HistoryValue>>,
): readonly FieldRule<Member>[] => [{ name, value: 'plain', ...kinds, read }];

/** Nothing of the member is told: it follows from others, or keeps the books of a process. */
const untold: readonly FieldRule<unknown>[] = [];

const switches: { readonly [Name in keyof LicenceSettings]-?: ValueKind } = {
  buyersEditAll: 'plain',
  earningsVisible: 'plain',
  codeOnlyLogin: 'plain',
  secondFactorForAll: 'plain',
  changeGivenPasswords: 'plain',
  countZeroLeads: 'plain',
  leadValue: 'money',
};

/** A member without its line does not compile. */
export const historyRules: { readonly [Kind in HistoryKind]: RulesOf<StateByKind[Kind]> } = {
  placement: {
    campaignId: field('campaignId', of('campaign')),
    buyerId: field('buyerId', of('user')),
    contractorId: field('contractorId', of('contractor')),
    creativeId: field('creativeId', of('creative')),
    category: field('category'),
    format: field('format'),
    price: field('price', of('money')),
    leads: field('leads'),
    date: field('date'),
    paymentStatus: field('paymentStatus'),
    status: field('status'),
    comment: field('comment'),
    postUrl: field('postUrl'),
    removed: field(deletedField),
  },
  campaign: {
    name: field('name'),
    channelId: field('channelId', of('channel')),
    totalBudget: field('totalBudget', of('money')),
    status: field('status'),
    startDate: field('startDate'),
    endDate: field('endDate'),
    participants: parts('participants', { value: 'terms', parts: 'user' }, (participants) =>
      Object.fromEntries(participants.map((one) => [one.userId, one])),
    ),
    deleted: field(deletedField),
    completion: untold,
  },
  channel: {
    name: field('name'),
    avatar: field('avatar'),
    campaigns: parts('campaigns', { parts: 'campaign' }, (ids) => Object.fromEntries(ids.map((id) => [id, true]))),
    deleted: field(deletedField),
  },
  creative: {
    name: field('name'),
    abbreviation: field('abbreviation'),
    type: field('type'),
    notes: field('notes'),
    isActive: field('isActive'),
  },
  contractor: {
    nick: untold,
    adminUsername: field('adminUsername'),
    channelName: field('channelName'),
    category: field('category'),
    isActive: field('isActive'),
    automatic: untold,
    verdict: [
      made('verdict', (verdict) => verdict?.list ?? null),
      made('verdictReason', (verdict) => verdict?.reason ?? null),
    ],
    notes: parts('notes', { parts: 'text' }, (notes) => Object.fromEntries(notes.map(({ id, note }) => [id, note]))),
    mergedInto: field('mergedInto', of('contractor')),
    received: parts('merged', { parts: 'contractor' }, (received) =>
      Object.fromEntries((received ?? []).map(({ contractorId, nicks }) => [contractorId, nicks])),
    ),
  },
  user: {
    name: field('name'),
    email: field('email', personal),
    role: field('role'),
    authCode: field('authCode', secret),
    isActive: field('isActive'),
    permissions: parts(
      'permissions',
      { parts: 'text', ...personal },
      (own: Employee['permissions']): Readonly<Record<string, boolean>> => own ?? {},
    ),
    isOwner: field('isOwner'),
    salaryType: field('salaryType', personal),
    salaryRate: field('salaryRate', personal),
    performanceThreshold: field('performanceThreshold', { ...of('money'), ...personal }),
  },
  license: {
    licenseKey: field('licenseKey', secret),
    teamName: field('teamName'),
    ownerName: field('ownerName'),
    ownerEmail: field('ownerEmail'),
    ownerTelegram: field('ownerTelegram', personal),
    expiresAt: field('expiresAt'),
    features: field('features'),
    maxConcurrentSessions: field('maxConcurrentSessions'),
    activated: field('activated'),
    ownerId: field('ownerId', of('user')),
    ceoLoginCode: field('ceoLoginCode', secret),
    suspended: [made('suspended', (suspended) => suspended?.reason ?? null)],
    graceUntil: field('gracePeriodExpiresAt'),
    graceUsed: field('gracePeriodUsed'),
    term: [made('expired', (term) => term?.expired ?? false)],
    renewalRequestedAt: field('renewalRequestedAt'),
    closing: [
      made('closesAt', (closing) => closing?.closesAt ?? null),
      made('closed', (closing) => closing?.closed ?? false),
    ],
    settings: (Object.keys(switches) as (keyof LicenceSettings)[]).map((name) => ({
      name,
      value: switches[name],
      read: (settings) => settings[name],
    })),
  },
};

const byName: ReadonlyMap<string, HistoryField> = new Map(
  Object.entries(historyRules).flatMap(([kind, rules]) =>
    Object.values<readonly HistoryField[]>(rules)
      .flat()
      .map((one) => [`${kind} ${one.name}`, one] as const),
  ),
);

export const historyKinds = Object.keys(historyRules) as readonly HistoryKind[];

/** The field of a change, by what is told of it (`price`, `participants/<id>`); undefined for one that there is not. */
export const historyField = (kind: string, told: string): HistoryField | undefined =>
  byName.get(`${kind} ${told.split('/', 1)[0] ?? ''}`);
