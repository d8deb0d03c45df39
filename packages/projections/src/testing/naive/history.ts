import type { HistoryRow } from '@zakup/contracts/history';
import { type EntityName, kindOf, type Step, type World } from './entities.ts';

/** One entry for every event: who did it, when, and what became of each field, under the names of then. */

type Kind = 'user' | 'creative' | 'campaign' | 'channel' | 'contractor';

/** A field as history names it, its value, and whose id it is. */
interface Field {
  readonly value: unknown;
  /** The value is an id of one of these. */
  readonly of?: Kind;
  /** The field is a part that is one of these, with its id. */
  readonly part?: readonly [Kind, string];
  /** The value is nobody's to see. */
  readonly secret?: true;
}
type Fields = Readonly<Record<string, Field>>;

const plain = (row: object, names: readonly string[]): Fields => {
  const members = row as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, { value: members[name] ?? null }]));
};

/** Everything that is told of an entity; parts have a field each, which is there as long as they are. */
const fieldsOf: { readonly [Name in EntityName]: (row: World[Name][string]) => Fields } = {
  placement: (row) => ({
    ...plain(row, ['category', 'format', 'price', 'leads', 'date', 'paymentStatus', 'status', 'comment', 'postUrl']),
    campaignId: { value: row.campaignId, of: 'campaign' },
    buyerId: { value: row.buyerId, of: 'user' },
    contractorId: { value: row.contractorId, of: 'contractor' },
    creativeId: { value: row.creativeId, of: 'creative' },
    deleted: { value: row.removed },
  }),
  campaign: (row) => ({
    ...plain(row, ['name', 'totalBudget', 'status', 'startDate', 'endDate', 'deleted']),
    channelId: { value: row.channelId, of: 'channel' },
    ...Object.fromEntries(
      row.participants.map((one) => [`participants/${one.userId}`, { value: one, part: ['user', one.userId] }]),
    ),
  }),
  channel: (row) => ({
    ...plain(row, ['name', 'avatar', 'deleted']),
    ...Object.fromEntries(row.campaigns.map((id) => [`campaigns/${id}`, { value: true, part: ['campaign', id] }])),
  }),
  creative: (row) => plain(row, ['name', 'abbreviation', 'type', 'notes', 'isActive']),
  contractor: (row) => ({
    ...plain(row, ['adminUsername', 'channelName', 'category', 'isActive']),
    verdict: { value: row.verdict?.list ?? null },
    verdictReason: { value: row.verdict?.reason ?? null },
    mergedInto: { value: row.mergedInto ?? null, of: 'contractor' },
    ...Object.fromEntries(row.notes.map(({ id, note }) => [`notes/${id}`, { value: note }])),
    ...Object.fromEntries(
      (row.received ?? []).map(({ contractorId, nicks }) => [
        `merged/${contractorId}`,
        { value: nicks, part: ['contractor', contractorId] },
      ]),
    ),
  }),
  user: (row) => ({
    ...plain(row, ['name', 'email', 'role', 'isActive', 'isOwner']),
    ...plain(row, ['salaryType', 'salaryRate', 'performanceThreshold']),
    authCode: { value: row.authCode, secret: true },
    ...Object.fromEntries(
      Object.entries(row.permissions ?? {}).map(([key, open]) => [`permissions/${key}`, { value: open }]),
    ),
  }),
  license: (row) => ({
    ...plain(row, ['teamName', 'ownerName', 'ownerEmail', 'ownerTelegram', 'expiresAt', 'features']),
    ...plain(row, ['maxConcurrentSessions', 'activated', 'renewalRequestedAt']),
    ...plain(row.settings, [
      'buyersEditAll',
      'earningsVisible',
      'codeOnlyLogin',
      'secondFactorForAll',
      'changeGivenPasswords',
      'countZeroLeads',
      'leadValue',
    ]),
    licenseKey: { value: row.licenseKey, secret: true },
    ceoLoginCode: { value: row.ceoLoginCode, secret: true },
    ownerId: { value: row.ownerId, of: 'user' },
    suspended: { value: row.suspended?.reason ?? null },
    gracePeriodExpiresAt: { value: row.graceUntil },
    gracePeriodUsed: { value: row.graceUsed },
    expired: { value: row.term?.expired ?? false },
    closesAt: { value: row.closing?.closesAt ?? null },
    closed: { value: row.closing?.closed ?? false },
  }),
};

const fieldsIn = (world: World, kind: EntityName, id: string): Fields => {
  const row = world[kind][id];
  return row === undefined ? {} : (fieldsOf[kind] as (row: object) => Fields)(row);
};

const nameOf = (world: World, kind: Kind, id: unknown): string | undefined => {
  if (typeof id !== 'string') return undefined;
  return kind === 'contractor' ? world.contractor[id]?.adminUsername : world[kind][id]?.name;
};

/** Alike whatever the order of their members. */
const inOrder = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
const alike = (a: unknown, b: unknown): boolean => JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));

const changesOf = ({ before, after, one }: Step, kind: EntityName) => {
  const [had, has] = [fieldsIn(before, kind, one.id), fieldsIn(after, kind, one.id)];
  const isNew = before[kind][one.id] === undefined;
  const changes = [];
  for (const name of new Set([...Object.keys(had), ...Object.keys(has)])) {
    const field = has[name] ?? had[name] ?? { value: null };
    // What is new was never deleted; of everything else it had nothing.
    const from = isNew && name === 'deleted' ? false : (had[name]?.value ?? null);
    const to = has[name]?.value ?? null;
    if (alike(from, to)) continue;
    const { of, part, secret } = field;
    changes.push({
      field: name,
      from: secret ? null : from,
      to: secret ? null : to,
      name: part === undefined ? undefined : nameOf(after, ...part),
      fromName: of === undefined ? undefined : nameOf(after, of, from),
      toName: of === undefined ? undefined : nameOf(after, of, to),
    });
  }
  return changes;
};

/** What people call the entity, and of which campaign it is. */
const about = (world: World, kind: EntityName, id: string) => {
  if (kind === 'license') return { name: world.license[id]?.teamName };
  if (kind === 'campaign') return { name: world.campaign[id]?.name, campaignId: id };
  if (kind !== 'placement') return { name: nameOf(world, kind, id) };
  const { contractorId, campaignId } = world.placement[id] ?? {};
  return { name: nameOf(world, 'contractor', contractorId), campaignId };
};

/** Streams that are told of an entity though they hold nothing of it. */
const told: Readonly<Record<string, 'user' | 'license'>> = {
  access: 'user',
  activation: 'license',
  keys: 'license',
  webhooks: 'license',
};

/** Members in which nothing stands are absent. */
type Entry = { readonly [Member in keyof HistoryRow]: unknown };

/** The entry of an event; null = it is nobody's to read. Changes stand in the order of their fields' names. */
export const entryOf = (step: Step): Entry | null => {
  const { after, one } = step;
  const { event, meta, revision, recordedAt, id, category } = one;
  const kind = kindOf(one) ?? told[category];
  if (kind === undefined) return null;
  const isFact = kindOf(one) === undefined;
  const { name, campaignId } = { campaignId: undefined, ...about(after, kind, id) };
  const campaign = campaignId === undefined ? undefined : after.campaign[campaignId];
  const apart = Math.abs(new Date(recordedAt).getTime() - new Date(meta.at).getTime());
  return {
    revision,
    at: meta.at,
    recordedAt: apart > 60_000 ? recordedAt : undefined,
    actorId: meta.actorId,
    actorName: nameOf(after, 'user', meta.actorId),
    commandId: meta.commandId,
    source: meta.source,
    reason: meta.reason,
    causedBy: meta.causedBy,
    event: event.type,
    entity: `${kind}:${id}`,
    name,
    campaignId,
    campaignName: campaign?.name,
    late: kind === 'placement' && campaign?.status === 'COMPLETED' ? true : undefined,
    changes: isFact ? [] : changesOf(step, kind).toSorted((a, b) => (a.field < b.field ? -1 : 1)),
    facts: isFact ? event.data : undefined,
  };
};
