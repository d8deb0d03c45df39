import { createYielder } from '@zakup/async/yielder';
import { sortYielding } from '@zakup/async/sort-yielding';
import { byPositionKindAndId, needsReset, noFloor } from '../documents.ts';
import type { Changes, Position, ReadDocument, ReadStore, ScopeTaker } from '../read-store.ts';
import { type Bound, type ChangeRow, changedPages, presentCount, presentPages } from './changes-sql.ts';
import { storedCheckpoint } from './checkpoints.ts';
import { documentOf } from './document-rows.ts';
import type { Tables } from './schema.ts';
import { type Prepare, type StoreConnection, shortRead, sliceRows } from './store-connection.ts';

export type Gap = Parameters<ReadStore['changesSince']>[0];

interface StoredScope {
  readonly key: number;
  readonly floor: Position | null;
}

const storedScope = (
  prepareOn: Prepare,
  { scopes }: Tables,
  { licenceId, scope }: Pick<Gap, 'licenceId' | 'scope'>,
): StoredScope | undefined =>
  prepareOn(`SELECT key, floor FROM ${scopes} WHERE licence = ? AND scope = ?`).get(licenceId, scope) as
    | StoredScope
    | undefined;

/** What to read to answer a request for changes, as of the connection's snapshot. */
const planChanges = (prepareOn: Prepare, tables: Tables, request: Gap) => {
  const { licenceId, since, partition } = request;
  const position = storedCheckpoint(prepareOn, tables, partition)?.position ?? 0;
  const found = storedScope(prepareOn, tables, request);
  const store = prepareOn('SELECT position FROM store_floor').get() as { readonly position: Position };
  const floor = Math.max(found?.floor ?? noFloor, store.position);
  const reset = since !== undefined && needsReset(since, position, floor);
  const whole = since === undefined || reset;
  const pages =
    found === undefined
      ? null
      : whole
        ? presentPages(prepareOn, tables, found.key)
        : changedPages(prepareOn, tables, { licenceId, scopeKey: found.key, since });
  return { position, reset, pages };
};

/** What changed in a scope: at once when it is little, else in slices of one snapshot. */
export const changesIn = async (
  { file, prepare, within, inSnapshot }: StoreConnection,
  tablesNow: (prepareOn: Prepare) => Tables,
  request: Gap,
): Promise<Changes> => {
  const toChange = (row: ChangeRow): Changes['docs'][number] => ({
    doc: documentOf(file, row),
    gone: row.gone === 1,
    position: row.at,
  });
  const short = within('BEGIN', () => {
    const { pages, position, reset } = planChanges(prepare, tablesNow(prepare), request);
    if (pages === null) return { docs: [], position, reset };
    const { start, end } = pages;
    if (pages.bound(start, shortRead) !== null) return null;
    return { docs: pages.rows(start, end).map(toChange).sort(byPositionKindAndId), position, reset };
  });
  if (short !== null) return short;
  return inSnapshot(async (prepareOn) => {
    const { pages, position, reset } = planChanges(prepareOn, tablesNow(prepareOn), request);
    const docs: Changes['docs'][number][] = [];
    const yieldIfDue = createYielder({ long: true });
    if (pages === null) return { docs, position, reset };
    for (let from: Bound | null = pages.start; from !== null; ) {
      const to: Bound | null = pages.bound(from, sliceRows);
      for (const row of pages.rows(from, to ?? pages.end)) docs.push(toChange(row));
      from = to;
      await yieldIfDue();
    }
    return { docs: await sortYielding(docs, byPositionKindAndId, yieldIfDue), position, reset };
  });
};

/** Gives away the present content of a scope in slices of one snapshot. */
export const readScopeIn = (
  { file, inSnapshot }: StoreConnection,
  tablesNow: (prepareOn: Prepare) => Tables,
  request: Omit<Gap, 'since'>,
  { begun, take }: ScopeTaker,
): Promise<void> =>
  inSnapshot(async (prepareOn) => {
    const tables = tablesNow(prepareOn);
    const position = storedCheckpoint(prepareOn, tables, request.partition)?.position ?? 0;
    const key = storedScope(prepareOn, tables, request)?.key;
    if (key === undefined) return begun({ position, total: 0 });
    await begun({ position, total: presentCount(prepareOn, tables, key) });
    const pages = presentPages(prepareOn, tables, key);
    const yieldIfDue = createYielder({ long: true });
    for (let from: Bound | null = pages.start; from !== null; ) {
      const to: Bound | null = pages.bound(from, sliceRows);
      const docs = pages.rows(from, to ?? pages.end).map((row): ReadDocument => documentOf(file, row));
      if (docs.length > 0) await take(docs);
      from = to;
      await yieldIfDue();
    }
  });
