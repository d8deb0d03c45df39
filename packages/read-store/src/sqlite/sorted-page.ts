import type { SqliteValue } from '@zakup/sqlite/engine';
import { memberValue, sortsFor } from '../documents.ts';
import type { DeclaredFields, Query, SortField } from '../read-store.ts';
import { kindIs, member, named, sortIndex, type Tables, tieBreaker } from './schema.ts';
import type { Prepare } from './store-connection.ts';

/** A page of all that shares one value, in a declared order. */
export interface SortedPage {
  readonly kind: string;
  readonly field: SortField;
  readonly direction: 'asc' | 'desc';
  /** Of the licence, and of the member that the documents share. */
  readonly shared: readonly SqliteValue[];
  readonly offset: number;
  readonly limit: number;
}

/** The query as a page in a declared order; null = it is none, as it leaves some of them out or has another order. */
export const sortedPageOf = (declared: DeclaredFields, kind: string, query: Query): SortedPage | null => {
  const { licenceId, where = {}, among = {}, range = {}, sort = [], offset = 0, limit, includeDeleted } = query;
  const [first] = sort;
  const [condition, ...more] = Object.entries(where);
  const others = sort.length - 1 + more.length + Object.keys(among).length + Object.keys(range).length;
  if (first === undefined || condition === undefined || others > 0) return null;
  if (licenceId === undefined || limit === undefined || includeDeleted === true) return null;
  const [within, wanted] = [condition[0], memberValue(condition[1])];
  const field = sortsFor(declared, kind).find((one) => one.sort === first.field && one.within === within);
  if (field === undefined || wanted === null) return null;
  return { kind, field, direction: first.direction, shared: [licenceId, wanted], offset, limit };
};

/** The statements of one order; each begins with the two values that the documents share. */
export const sortedSql = (tables: Tables, { kind, field }: Pick<SortedPage, 'kind' | 'field'>) => {
  const index = named(sortIndex(tables, kind, field));
  const all = `FROM ${tables.documents} INDEXED BY ${index}
    WHERE ${kindIs(kind)} AND deleted = 0 AND licence = ? AND ${member(field.within)} = ?`;
  const order = [...new Set([member(field.sort), member(tieBreaker)]), 'id'];
  return {
    count: `SELECT count(*) AS total ${all}`,
    asc: `SELECT key ${all} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`,
    desc: `SELECT key ${all} ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} LIMIT ? OFFSET ?`,
  };
};

/** Keys of the page's documents in its order, and how many documents there are on all pages. The index is walked from its nearer end. */
export const sortedKeys = (
  prepareOn: Prepare,
  tables: Tables,
  { kind, field, direction, shared, offset, limit }: SortedPage,
): { readonly keys: readonly number[]; readonly total: number } => {
  const sql = sortedSql(tables, { kind, field });
  const { total } = prepareOn(sql.count).get(...shared) as { readonly total: number };
  const end = Math.min(offset + limit, total);
  if (offset >= end) return { keys: [], total };
  const keysOf = (statement: string, passed: number): readonly number[] =>
    (prepareOn(statement).all(...shared, end - offset, passed) as readonly { readonly key: number }[]).map(
      ({ key }) => key,
    );
  if (offset <= total / 2) return { keys: keysOf(sql[direction], offset), total };
  return { keys: keysOf(sql[direction === 'asc' ? 'desc' : 'asc'], total - end).toReversed(), total };
};
