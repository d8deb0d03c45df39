import { entityName, type HistoryChange, type HistoryRow, historyId } from '@zakup/contracts/history';
import {
  deletedField,
  type FieldRule,
  type HistoryKind,
  type HistoryValue,
  historyRules,
  type NamedKind,
} from '@zakup/contracts/history-fields';
import { keyActorName } from '@zakup/domain/keys/keys.decider';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { type ReadKnown, readingKnown } from './known-documents.ts';
import { knownSoftDeletable } from './soft-delete.ts';
import type { Fact, Projection } from './projection.ts';
import type { RowChange } from './rows/row-projection.ts';
import type { WorkingSet } from './working-set.ts';

type Parts = Readonly<Record<string, HistoryValue>>;

interface Found {
  readonly rule: FieldRule<unknown>;
  /** Id of the part; null = the field itself. */
  readonly part: string | null;
  readonly from: HistoryValue;
  readonly to: HistoryValue;
}

const noParts: Parts = {};

/** By content; the order of members says nothing. */
const same = (a: HistoryValue, b: HistoryValue): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [left, right] = [Object.entries(a), b as Parts];
  return left.length === Object.keys(b).length && left.every(([name, value]) => same(value, right[name] ?? null));
};

const ofParts = (rule: FieldRule<unknown>, before: Parts, after: Parts): readonly Found[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((part) => {
    const [from, to] = [before[part] ?? null, after[part] ?? null];
    return same(from, to) ? [] : [{ rule, part, from, to }];
  });

type MemberRules = readonly (readonly [member: string, rules: readonly FieldRule<unknown>[]])[];

const membersOf = (rules: (typeof historyRules)[HistoryKind]): MemberRules =>
  Object.entries(rules as Readonly<Record<string, readonly FieldRule<unknown>[]>>).filter(
    ([, told]) => told.length > 0,
  );

const rulesByKind: Readonly<Record<HistoryKind, MemberRules>> = {
  license: membersOf(historyRules.license),
  user: membersOf(historyRules.user),
  channel: membersOf(historyRules.channel),
  campaign: membersOf(historyRules.campaign),
  creative: membersOf(historyRules.creative),
  contractor: membersOf(historyRules.contractor),
  placement: membersOf(historyRules.placement),
};

/** What became of the fields: a new entity has all that hold something, from nothing. */
const found = (kind: HistoryKind, before: object | null, after: object): readonly Found[] => {
  const [had, has] = [before as Readonly<Record<string, unknown>> | null, after as Readonly<Record<string, unknown>>];
  const all: Found[] = [];
  for (const [member, rules] of rulesByKind[kind]) {
    if (had !== null && had[member] === has[member]) continue;
    for (const rule of rules) {
      const to = rule.read(has[member]);
      if (rule.parts !== undefined) {
        all.push(...ofParts(rule, had === null ? noParts : (rule.read(had[member]) as Parts), to as Parts));
        continue;
      }
      const from = had === null ? (rule.name === deletedField ? false : null) : rule.read(had[member]);
      if (!same(from, to)) all.push({ rule, part: null, from, to });
    }
  }
  return all;
};

/** Of which entity the facts of these streams are told though they are not its own; their ids are the entity's. */
const entityOfFacts: Readonly<Record<string, 'user' | 'license'>> = {
  access: 'user',
  activation: 'license',
  keys: 'license',
  webhooks: 'license',
};

const namedBy = {
  user: 'name',
  creative: 'name',
  campaign: 'name',
  channel: 'name',
  contractor: 'adminUsername',
} as const satisfies Readonly<Record<NamedKind, string>>;

/** Milliseconds between a command's instant and the log's, within which the latter is not worth its place in every entry. */
const recordedSoon = 60_000;

const nameOf = (read: ReadKnown, licenceId: string, kind: NamedKind, id: HistoryValue): string | undefined => {
  if (typeof id !== 'string') return undefined;
  const row = knownSoftDeletable(read, { kind, id, licenceId });
  return row === null ? undefined : (row.data as unknown as Readonly<Record<string, string>>)[namedBy[kind]];
};

const told = (read: ReadKnown, licenceId: string, { rule, part, from, to }: Found): HistoryChange => {
  const field = part === null ? rule.name : `${rule.name}/${part}`;
  if (rule.seenBy === 'secret') return { field, from: null, to: null };
  const named = rule.value === 'plain' || rule.value === 'money' || rule.value === 'terms' ? null : rule.value;
  const name =
    rule.parts === undefined || rule.parts === 'text' ? undefined : nameOf(read, licenceId, rule.parts, part);
  const fromName = named === null ? undefined : nameOf(read, licenceId, named, from);
  const toName = named === null ? undefined : nameOf(read, licenceId, named, to);
  return {
    field,
    from,
    to,
    ...(name !== undefined && { name }),
    ...(fromName !== undefined && { fromName }),
    ...(toName !== undefined && { toName }),
  };
};

/** What people called the entity, and the campaign that it is of. */
const about = (read: ReadKnown, { kind, licenceId, after }: RowChange): Pick<HistoryRow, 'name' | 'campaignId'> => {
  switch (kind) {
    case 'license':
      return { name: after.teamName };
    case 'contractor':
      return { name: after.adminUsername };
    case 'campaign':
      return { name: after.name, campaignId: after.id };
    case 'placement': {
      const name = nameOf(read, licenceId, 'contractor', after.contractorId);
      return { ...(name !== undefined && { name }), campaignId: after.campaignId };
    }
    case 'user':
    case 'creative':
    case 'channel':
      return { name: after.name };
  }
};

const actorNameOf = (
  read: ReadKnown,
  { licenceId, actorId, keyName }: RecordedEvent['metadata'],
): string | undefined => (keyName === undefined ? nameOf(read, licenceId, 'user', actorId) : keyActorName(keyName));

type Making = { -readonly [Member in keyof HistoryRow]?: HistoryRow[Member] };
type Entry = Pick<HistoryRow, 'entity' | 'name' | 'campaignId' | 'changes' | 'facts'>;

const entryOf = (
  read: ReadKnown,
  { type, revision, recordedAt, metadata }: RecordedEvent,
  entry: Entry,
): HistoryRow => {
  const { licenceId, at, actorId, commandId, source, reason, causedBy } = metadata;
  const { entity, name, campaignId, changes, facts } = entry;
  const actorName = actorNameOf(read, metadata);
  const campaign =
    campaignId === undefined
      ? undefined
      : knownSoftDeletable(read, { kind: 'campaign', id: campaignId, licenceId })?.data;
  // Member by member, in the order in which they are stored: one entry is made for each event.
  const row: Making = { revision, at };
  if (Math.abs(Date.parse(recordedAt) - Date.parse(at)) > recordedSoon) row.recordedAt = recordedAt;
  row.actorId = actorId;
  if (actorName !== undefined) row.actorName = actorName;
  row.commandId = commandId;
  row.source = source;
  if (reason !== undefined) row.reason = reason;
  if (causedBy !== undefined) row.causedBy = causedBy;
  row.event = type;
  if (campaign !== undefined) row.campaignName = campaign.name;
  if (campaign?.status === 'COMPLETED' && entity.startsWith('placement:')) row.late = true;
  row.entity = entity;
  if (name !== undefined) row.name = name;
  if (campaignId !== undefined) row.campaignId = campaignId;
  row.changes = changes;
  if (facts !== undefined) row.facts = facts;
  return row as HistoryRow;
};

const ofFact = (read: ReadKnown, { category, id, event, facts }: Fact): HistoryRow => {
  const { licenceId } = event.metadata;
  const kind = entityOfFacts[category] ?? 'user';
  const name =
    kind === 'user'
      ? id === event.metadata.actorId
        ? actorNameOf(read, event.metadata)
        : nameOf(read, licenceId, 'user', id)
      : (read({ kind: 'license', id, licenceId }) ?? undefined)?.teamName;
  return entryOf(read, event, {
    entity: entityName(kind, id),
    ...(name !== undefined && { name }),
    changes: [],
    ...(facts !== null && { facts }),
  });
};

const ofRow = (read: ReadKnown, change: RowChange): HistoryRow => {
  const { kind, id, licenceId, before, after, event } = change;
  const changes = found(kind, before, after).map((one) => told(read, licenceId, one));
  return entryOf(read, event, { entity: entityName(kind, id), ...about(read, change), changes });
};

/** Adds what an event is told as; undefined = it is done already. */
const added = (
  set: WorkingSet,
  { position, metadata: { licenceId } }: RecordedEvent,
  entry: (read: ReadKnown) => HistoryRow,
): Promise<void> | undefined => {
  const add = (data: HistoryRow): void =>
    set.add({ kind: 'history', id: historyId(position), licenceId, position, scopes: [], data });
  const made = readingKnown(set, entry);
  if (made instanceof Promise) return made.then(add);
  add(made);
  return undefined;
};

/** Writes one entry for each event: who, when, and what from what to what, under the names of then. */
export const history: Projection = {
  name: 'history',
  version: 10,
  writes: ['history'],
  apply: (change, { set }) => added(set, change.event, (read) => ofRow(read, change)),
  facts: {
    of: Object.keys(entityOfFacts),
    apply: (fact, { set }) => added(set, fact.event, (read) => ofFact(read, fact)),
  },
};
