import { yieldToEventLoop } from '@zakup/async/event-loop';
import { type HistoryEntry, type HistoryRow, type HistoryView, presentHistory } from '@zakup/contracts/history';
import type { AuditQuery } from '@zakup/contracts/requests/history.queries';
import { containing } from '@zakup/domain/search-text';
import type { ReadDocument, ReadStore, Walk } from '@zakup/read-store/read-store';

export interface AuditPage {
  readonly entries: readonly HistoryEntry[];
  /** Id of the last entry that was looked at; null = there are no more. */
  readonly after: string | null;
}

/** Entries looked at between two turns of the event loop. */
const slice = 250;
/** Entries looked at for one page, at least, before it is answered short. */
const most = 10_000;
/** Clocks of commands may be so far ahead of the log's. */
const skew = 24 * 60 * 60 * 1000;

const rowOf = ({ data }: ReadDocument): HistoryRow => data as unknown as HistoryRow;

/** Fewest entries first: one of them is found by an index, the others are compared. */
const lookups = [
  ['command', 'commandId'],
  ['entity', 'entity'],
  ['campaign', 'campaignId'],
  ['person', 'actorId'],
] as const satisfies readonly (readonly [keyof AuditQuery, keyof HistoryRow])[];

const whereOf = (query: AuditQuery): Pick<Walk, 'where'> => {
  for (const [name, field] of lookups) {
    const value = query[name];
    if (value !== undefined) return { where: { field, value } };
  }
  return {};
};

/** Every text and number in a value. */
const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

/** Of what the viewer sees alone: what is hidden cannot be guessed by searching. */
const says = (entry: HistoryEntry, isWanted: (text: string) => boolean): boolean => {
  const { actor, entity, campaign, reason, changes, facts } = entry;
  const texts = textsIn([
    actor.name,
    entity.name,
    campaign?.name,
    reason,
    facts,
    changes.map(({ from, to, name, fromName, toName }) => [from, to, name, fromName, toName]),
  ]);
  return texts.some(isWanted);
};

const touches = (row: HistoryRow, field: string): boolean =>
  row.changes.some((change) => change.field === field || change.field.startsWith(`${field}/`));

const fits = (row: HistoryRow, query: AuditQuery): boolean =>
  lookups.every(([name, field]) => query[name] === undefined || row[field] === query[name]) &&
  (query.source === undefined || row.source === query.source) &&
  (query.from === undefined || row.at >= query.from) &&
  (query.to === undefined || row.at <= query.to) &&
  (query.field === undefined || touches(row, query.field));

/**
 * Entries of a licence that fit, newest first. What no index answers is looked for in a bounded stretch of the history: then the page is
 * short and goes on after it.
 */
export const auditPage = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  licenceId: string,
  query: AuditQuery,
  { start, view }: { readonly start: string | null; readonly view: HistoryView },
): Promise<AuditPage> => {
  const { search = '' } = query;
  const isWanted = containing(search);
  const oldest = query.from === undefined ? '' : new Date(Date.parse(query.from) - skew).toISOString();
  const entries: HistoryEntry[] = [];
  let after = start;
  for (let looked = 0; looked < most; looked += slice) {
    const docs = await readStore.scanIndex('history', {
      licenceId,
      ...whereOf(query),
      direction: 'desc',
      ...(after !== null && { after }),
      limit: slice,
    });
    for (const doc of docs) {
      const row = rowOf(doc);
      if ((row.recordedAt ?? row.at) < oldest) return { entries, after: null };
      const entry = fits(row, query) ? presentHistory(doc.position, row, view) : null;
      if (entry !== null && (search === '' || says(entry, isWanted))) {
        if (entries.length === query.limit) return { entries, after };
        entries.push(entry);
      }
      after = doc.id;
    }
    if (docs.length < slice) return { entries, after: null };
    await yieldToEventLoop();
  }
  return { entries, after };
};

/** All entries of one entity, oldest first. */
export const entriesOf = async (
  readStore: Pick<ReadStore, 'scanIndex'>,
  licenceId: string,
  entity: string,
  view: HistoryView,
): Promise<readonly HistoryEntry[]> => {
  const entries: HistoryEntry[] = [];
  for (let after: string | undefined; ; ) {
    const where = { field: 'entity', value: entity };
    const docs = await readStore.scanIndex('history', {
      licenceId,
      where,
      direction: 'asc',
      ...(after !== undefined && { after }),
      limit: slice,
    });
    entries.push(...docs.map((doc) => presentHistory(doc.position, rowOf(doc), view)));
    after = docs.at(-1)?.id;
    if (docs.length < slice) return entries;
    await yieldToEventLoop();
  }
};
