import { compareTexts, compareValues, lookupsFor, type MemberValue, tieDirection } from '../documents.ts';
import type { DeclaredFields, Query, ReadDocument } from '../read-store.ts';
import { createYielder } from '@zakup/async/yielder';
import { topN } from '@zakup/async/sort-yielding';
import { type DocumentRow, rowColumns } from './document-rows.ts';
import { boundedSql, type QuerySql, querySql } from './query-sql.ts';
import type { Tables } from './schema.ts';
import { sortedKeys, sortedPageOf } from './sorted-page.ts';
import { passingCache, type Prepare, shortRead, type StoreConnection } from './store-connection.ts';

/** Where a query has to choose among more than this, others have their turn in between. */
const choiceAtOnce = 2_000;
const lastKey = Number.MAX_SAFE_INTEGER;

export interface QueryDeps {
  readonly connection: Pick<StoreConnection, 'prepare' | 'within' | 'inSnapshot'>;
  readonly declared: DeclaredFields;
  readonly tablesNow: (prepareOn: Prepare) => Tables;
  readonly toDocument: (row: DocumentRow) => ReadDocument;
}

interface Answer {
  readonly docs: readonly ReadDocument[];
  readonly total: number;
}

type SortedRow = readonly MemberValue[];

/** Of rows with the sort's members, the tie breaker and the id. */
const byMembers =
  (sort: NonNullable<Query['sort']>) =>
  (a: SortedRow, b: SortedRow): number => {
    for (let index = 0; index <= sort.length; index += 1) {
      const order = compareValues(a[index] ?? null, b[index] ?? null);
      if (order !== 0) return (sort[index]?.direction ?? tieDirection(sort)) === 'desc' ? -order : order;
    }
    const tie = compareTexts(String(a[sort.length + 1]), String(b[sort.length + 1]));
    return tieDirection(sort) === 'desc' ? -tie : tie;
  };

/** Documents that fit a query, which was checked, and how many there are on all pages: of one moment. */
export const queried = async (deps: QueryDeps, kind: string, query: Query): Promise<Answer> => {
  const { prepare, within, inSnapshot } = deps.connection;
  const { declared, tablesNow, toDocument } = deps;

  const documentsOf = async (prepareOn: Prepare, tables: Tables, keys: Iterable<number>) => {
    const one = prepareOn(`SELECT ${rowColumns} FROM ${tables.documents} WHERE key = ?`);
    const yieldIfDue = createYielder();
    const docs: ReadDocument[] = [];
    for (const key of keys) {
      docs.push(toDocument(one.get(key) as DocumentRow));
      await yieldIfDue();
    }
    return docs;
  };
  const totalOf = (prepareOn: Prepare, sql: QuerySql): number =>
    (prepareOn(sql.count).get(...sql.values) as { readonly total: number }).total;

  /** A page of many, or a long one, found by a lookup. */
  const inSlices = (lookup: string, { sort = [], offset = 0, limit = 0 }: Query): Promise<Answer> =>
    inSnapshot(async (prepareOn) => {
      const tables = tablesNow(prepareOn);
      prepareOn(passingCache).get();
      const sql = boundedSql(tables, kind, query, lookup);
      const [bound, count, slice] = [prepareOn(sql.bound), prepareOn(sql.count), prepareOn(sql.slice)];
      slice.setReturnArrays(true);
      const yieldIfDue = createYielder();
      const found: SortedRow[] = [];
      let total = 0;
      for (let after = -1; after < lastKey; ) {
        const last = bound.get(...sql.shared, after, choiceAtOnce - 1) as { readonly key: number } | undefined;
        const to = last?.key ?? lastKey;
        for (const row of slice.all(...sql.values, after, to, offset + limit)) found.push(row as SortedRow);
        total += (count.get(...sql.values, after, to) as { readonly total: number }).total;
        after = to;
        await yieldIfDue();
      }
      const first = await topN(found, offset + limit, byMembers(sort), yieldIfDue);
      const keys = first.slice(offset).map((row) => Number(row.at(-1)));
      return { docs: await documentsOf(prepareOn, tables, keys), total };
    });

  const lookup =
    query.includeDeleted === true
      ? undefined
      : lookupsFor(declared, kind).find((field) => (query.where?.[field] ?? null) !== null);
  if (query.limit !== undefined && query.limit > shortRead && lookup !== undefined) return inSlices(lookup, query);
  if (query.limit === undefined || query.limit > shortRead) {
    return inSnapshot(async (prepareOn) => {
      const tables = tablesNow(prepareOn);
      const sql = querySql(tables, kind, query);
      const rows = prepareOn(sql.selectKeys).all(...sql.values, ...sql.page) as readonly { readonly key: number }[];
      const docs = await documentsOf(
        prepareOn,
        tables,
        rows.map(({ key }) => key),
      );
      return { docs, total: totalOf(prepareOn, sql) };
    });
  }

  const sorted = sortedPageOf(declared, kind, query);
  const short = within('BEGIN', () => {
    const tables = tablesNow(prepare);
    const all = (rows: readonly unknown[]): ReadDocument[] => rows.map((row) => toDocument(row as DocumentRow));
    if (sorted !== null) {
      const one = prepare(`SELECT ${rowColumns} FROM ${tables.documents} WHERE key = ?`);
      const { keys, total } = sortedKeys(prepare, tables, sorted);
      return { docs: all(keys.map((key) => one.get(key))), total };
    }
    if (lookup !== undefined) {
      const { bound, shared } = boundedSql(tables, kind, query, lookup);
      if (prepare(bound).get(...shared, -1, choiceAtOnce) !== undefined) return lookup;
    }
    const sql = querySql(tables, kind, query);
    return { docs: all(prepare(sql.select).all(...sql.values, ...sql.page)), total: totalOf(prepare, sql) };
  });
  return typeof short === 'string' ? inSlices(short, query) : short;
};
