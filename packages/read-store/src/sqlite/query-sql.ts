import type { SqliteValue } from '@zakup/sqlite/engine';
import { memberValue, tieDirection } from '../documents.ts';
import type { Query, Walk } from '../read-store.ts';
import { rowColumns } from './document-rows.ts';
import { kindIs, lookupIndex, member, named, type Tables, tieBreaker } from './schema.ts';

export interface QuerySql {
  readonly select: string;
  readonly selectKeys: string;
  readonly count: string;
  readonly values: readonly SqliteValue[];
  /** Limit and offset, which only the selects take, after `values`. */
  readonly page: readonly [limit: number, offset: number];
}

interface Conditions {
  readonly conditions: readonly string[];
  readonly values: readonly SqliteValue[];
}

const conditionsOf = (kind: string, query: Query): Conditions => {
  const conditions = [kindIs(kind)];
  const values: SqliteValue[] = [];
  if (query.licenceId !== undefined) {
    conditions.push('licence = ?');
    values.push(query.licenceId);
  }
  if (query.includeDeleted !== true) conditions.push('deleted = 0');
  for (const [field, wanted] of Object.entries(query.where ?? {})) {
    const value = memberValue(wanted);
    conditions.push(value === null ? `${member(field)} IS NULL` : `${member(field)} = ?`);
    if (value !== null) values.push(value);
  }
  for (const [field, wanted] of Object.entries(query.among ?? {})) {
    conditions.push(`${member(field)} IN (SELECT value FROM json_each(?))`);
    values.push(JSON.stringify(wanted));
  }
  for (const [field, { min, max }] of Object.entries(query.range ?? {})) {
    conditions.push(`${member(field)} IS NOT NULL`);
    if (min !== undefined) {
      conditions.push(`${member(field)} >= ?`);
      values.push(min);
    }
    if (max !== undefined) {
      conditions.push(`${member(field)} <= ?`);
      values.push(max);
    }
  }
  return { conditions, values };
};

const way = (direction: 'asc' | 'desc'): string => (direction === 'asc' ? 'ASC' : 'DESC');

const orderOf = ({ sort = [] }: Query): string => {
  const ties = way(tieDirection(sort));
  return [
    ...sort.map(({ field, direction }) => `${member(field)} ${way(direction)}`),
    `${member(tieBreaker)} ${ties}`,
    `id ${ties}`,
  ].join(', ');
};

/** The text depends on the query's shape alone, so that prepared statements can be kept. */
export const querySql = ({ documents }: Tables, kind: string, query: Query): QuerySql => {
  const { conditions, values } = conditionsOf(kind, query);
  const ordered = `ORDER BY ${orderOf(query)} LIMIT ? OFFSET ?`;
  const from = `FROM ${documents} WHERE ${conditions.join(' AND ')}`;
  return {
    select: `SELECT ${rowColumns} ${from} ${ordered}`,
    selectKeys: `SELECT key ${from} ${ordered}`,
    count: `SELECT count(*) AS total ${from}`,
    values,
    page: [query.limit ?? -1, query.offset ?? 0],
  };
};

/**
 * Slices of what fits, each of so many that share the value of one lookup, however few of them fit. `bound` takes, after `shared`, the key
 * before the slice and how many less one; `count` and `slice` take, after `values`, that key and the last one, and `slice` how many at most.
 */
export const boundedSql = (tables: Tables, kind: string, query: Query, lookup: string) => {
  const { conditions, values } = conditionsOf(kind, query);
  const narrow = conditionsOf(kind, {
    ...query,
    where: { [lookup]: query.where?.[lookup] ?? null },
    among: {},
    range: {},
  });
  const order = orderOf(query);
  const members = [...(query.sort ?? []).map(({ field }) => member(field)), member(tieBreaker), 'id', 'key'];
  // By the lookup alone: an index in the query's order would be gone through from its beginning for every slice.
  const from = `FROM ${tables.documents} INDEXED BY ${named(lookupIndex(tables, kind, lookup))} WHERE`;
  const inSlice = `${from} ${conditions.join(' AND ')} AND key > ? AND key <= ?`;
  return {
    bound: `SELECT key ${from} ${narrow.conditions.join(' AND ')} AND key > ? ORDER BY key LIMIT 1 OFFSET ?`,
    shared: narrow.values,
    count: `SELECT count(*) AS total ${inSlice}`,
    /** The first ones in the query's order: arrays of the sort's members, the tie breaker, the id and the key. */
    slice: `SELECT ${members.join(', ')} ${inSlice} ORDER BY ${order} LIMIT ?`,
    values,
  };
};

/** One slice of everything that fits, in the order of the keys: after `values` it takes the last key before it and how many rows. */
export const eachSql = (
  { documents }: Tables,
  kind: string,
  query: Query,
): { readonly select: string; readonly values: Conditions['values'] } => {
  const { conditions, values } = conditionsOf(kind, query);
  const select = `SELECT key, ${rowColumns} FROM ${documents} WHERE ${conditions.join(' AND ')} AND key > ? ORDER BY key LIMIT ?`;
  return { select, values };
};

/** A page in the order of the ids. The text depends on the walk's shape alone. */
export const walkSql = (
  documents: string,
  kind: string,
  { licenceId, where, direction, after, limit }: Walk,
): { readonly select: string; readonly values: readonly SqliteValue[] } => {
  const conditions = [kindIs(kind), 'licence = ?', 'deleted = 0'];
  const values: SqliteValue[] = [licenceId];
  if (where !== undefined) {
    conditions.push(`${member(where.field)} = ?`);
    values.push(where.value);
  }
  if (after !== undefined) {
    conditions.push(direction === 'asc' ? 'id > ?' : 'id < ?');
    values.push(after);
  }
  const order = direction === 'asc' ? 'ASC' : 'DESC';
  const select = `SELECT ${rowColumns} FROM ${documents} WHERE ${conditions.join(' AND ')} ORDER BY id ${order} LIMIT ?`;
  return { select, values: [...values, limit] };
};
