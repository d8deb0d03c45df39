import type { SqliteValue } from '@zakup/sqlite/engine';
import { memberValue, type MemberValue, sortsFor } from '../documents.ts';
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
  const value = member(field.sort);
  const index = named(sortIndex(tables, kind, field));
  const all = `FROM ${tables.documents} INDEXED BY ${index}
    WHERE ${kindIs(kind)} AND deleted = 0 AND licence = ? AND ${member(field.within)} = ?`;
  const order = [...new Set([value, member(tieBreaker)]), 'id'];
  const ties = [member(tieBreaker), 'id'].join(', ');
  return {
    count: `SELECT count(*) AS total ${all}`,
    rising: `SELECT key ${all} ORDER BY ${order.join(', ')} LIMIT ? OFFSET ?`,
    /** The rising order from its other end. */
    fromEnd: `SELECT key ${all} ORDER BY ${order.map((column) => `${column} DESC`).join(', ')} LIMIT ? OFFSET ?`,
    /** The value that stands at a place, counted from the least or from the greatest. */
    valueUp: `SELECT ${value} AS value ${all} ORDER BY ${value} LIMIT 1 OFFSET ?`,
    valueDown: `SELECT ${value} AS value ${all} ORDER BY ${value} DESC LIMIT 1 OFFSET ?`,
    greater: `SELECT count(*) AS total ${all} AND ${value} > ?`,
    notNull: `SELECT count(*) AS total ${all} AND ${value} IS NOT NULL`,
    /** Null for none, and where only nulls are less. */
    next: `SELECT max(${value}) AS value ${all} AND ${value} < ?`,
    /** Of one value. */
    group: `SELECT key ${all} AND ${value} = ? ORDER BY ${ties} LIMIT ? OFFSET ?`,
    groupOfNull: `SELECT key ${all} AND ${value} IS NULL ORDER BY ${ties} LIMIT ? OFFSET ?`,
  };
};

type Key = { readonly key: number };

/**
 * Keys of the page's documents in its order, and how many documents there are on all pages. An index is walked from its nearer end. As ties
 * rise by creation whichever way the values go, falling values are taken one by one, each with what shares it.
 */
export const sortedKeys = (
  prepareOn: Prepare,
  tables: Tables,
  page: SortedPage,
): { readonly keys: readonly number[]; readonly total: number } => {
  const sql = sortedSql(tables, page);
  const { shared, offset, limit } = page;
  const countOf = (statement: string, ...values: readonly SqliteValue[]): number =>
    (prepareOn(statement).get(...shared, ...values) as { readonly total: number }).total;
  const keysOf = (statement: string, ...values: readonly SqliteValue[]): readonly number[] =>
    (prepareOn(statement).all(...shared, ...values) as readonly Key[]).map(({ key }) => key);
  const valueOf = (statement: string, ...values: readonly SqliteValue[]): MemberValue =>
    (prepareOn(statement).get(...shared, ...values) as { readonly value: MemberValue }).value;

  const total = countOf(sql.count);
  const end = Math.min(offset + limit, total);
  if (offset >= end) return { keys: [], total };
  const isNearEnd = offset > total / 2;

  if (page.direction === 'asc') {
    const keys = isNearEnd
      ? keysOf(sql.fromEnd, end - offset, total - end).toReversed()
      : keysOf(sql.rising, end - offset, offset);
    return { keys, total };
  }

  let value = isNearEnd ? valueOf(sql.valueUp, total - 1 - offset) : valueOf(sql.valueDown, offset);
  let passed = offset - (value === null ? countOf(sql.notNull) : countOf(sql.greater, value));
  const keys: number[] = [];
  for (;;) {
    const missing = end - offset - keys.length;
    if (value === null) return { keys: [...keys, ...keysOf(sql.groupOfNull, missing, passed)], total };
    keys.push(...keysOf(sql.group, value, missing, passed));
    if (keys.length === end - offset) return { keys, total };
    value = valueOf(sql.next, value);
    passed = 0;
  }
};
