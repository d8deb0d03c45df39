/**
 * How changes of a scope are read: pages of what may belong to the answer, each with a bound that says how far it reached, so that
 * no page costs more than its size whatever the scope or the gap.
 */
import type { SqliteValue, Statement } from '@zakup/sqlite/engine';
import type { Position } from '../read-store.ts';
import { type DocumentRow, rowColumns } from './document-rows.ts';
import type { Tables } from './schema.ts';

export interface ChangeRow extends DocumentRow {
  readonly at: Position;
  readonly gone: number;
}

/** Where a page ends: of positions and keys, or of keys alone. */
export type Bound = readonly SqliteValue[];

export interface ChangePages {
  /** The end of the page of so many candidates after `from`; null = fewer are left. */
  readonly bound: (from: Bound, count: number) => Bound | null;
  readonly rows: (from: Bound, to: Bound) => readonly ChangeRow[];
  readonly start: Bound;
  readonly end: Bound;
}

const columns = rowColumns
  .split(', ')
  .map((column) => `d.${column}`)
  .join(', ');
const lastKey = Number.MAX_SAFE_INTEGER;

const presentSql = ({ entries, documents }: Tables) => ({
  bound: `SELECT document FROM ${entries} WHERE scope = ? AND document > ? ORDER BY document LIMIT 1 OFFSET ?`,
  rows: `
    SELECT d.position AS at, 0 AS gone, ${columns}
    FROM ${entries} e CROSS JOIN ${documents} d ON d.key = e.document
    WHERE e.scope = ? AND e.document > ? AND e.document <= ? AND e.left_at IS NULL AND d.deleted = 0`,
});

const inLicence = 'licence = ? AND shared = 1 AND (position, key) > (?, ?)';

export const changedSql = ({ entries, documents }: Tables) => ({
  bound: `SELECT position, key FROM ${documents} WHERE ${inLicence} ORDER BY position, key LIMIT 1 OFFSET ?`,
  /** A document leaves a scope by a change of its own, so it stands above whatever it left after `since`. */
  rows: `
    SELECT coalesce(e.left_at, d.position) AS at, e.left_at IS NOT NULL OR d.deleted AS gone, ${columns}
    FROM ${documents} d CROSS JOIN ${entries} e ON e.document = d.key
    WHERE d.licence = ? AND d.shared = 1 AND (d.position, d.key) > (?, ?) AND (d.position, d.key) <= (?, ?)
      AND e.scope = ? AND coalesce(e.left_at, d.position) > ?`,
});

type Prepare = (sql: string) => Statement;

/** How many documents are in the scope at most: one that was deleted may be among its entries. */
export const presentCount = (prepare: Prepare, { entries }: Tables, scopeKey: number): number =>
  (
    prepare(`SELECT count(*) AS total FROM ${entries} WHERE scope = ? AND left_at IS NULL`).get(scopeKey) as {
      readonly total: number;
    }
  ).total;

/** Everything that is in the scope now. */
export const presentPages = (prepare: Prepare, tables: Tables, scopeKey: number): ChangePages => {
  const sql = presentSql(tables);
  const [bound, rows] = [prepare(sql.bound), prepare(sql.rows)];
  return {
    start: [-1],
    end: [lastKey],
    bound: (from, count) => {
      const found = bound.get(scopeKey, ...from, count - 1) as { readonly document: number } | undefined;
      return found === undefined ? null : [found.document];
    },
    rows: (from, to) => rows.all(scopeKey, ...from, ...to) as readonly ChangeRow[],
  };
};

/** What changed in the scope after a position: looked for among all that changed in the licence. */
export const changedPages = (
  prepare: Prepare,
  tables: Tables,
  { licenceId, scopeKey, since }: { readonly licenceId: string; readonly scopeKey: number; readonly since: Position },
): ChangePages => {
  const sql = changedSql(tables);
  const [bound, rows] = [prepare(sql.bound), prepare(sql.rows)];
  return {
    start: [since, lastKey],
    end: [lastKey, lastKey],
    bound: (from, count) => {
      const found = bound.get(licenceId, ...from, count - 1) as
        | { readonly position: number; readonly key: number }
        | undefined;
      return found === undefined ? null : [found.position, found.key];
    },
    rows: (from, to) => rows.all(licenceId, ...from, ...to, scopeKey, since) as readonly ChangeRow[],
  };
};
