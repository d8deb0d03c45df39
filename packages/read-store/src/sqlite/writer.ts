import type { SqliteValue, Statement } from '@zakup/sqlite/engine';
import { declaredFor, lookupsFor, memberAt, scopePlaces, sortsFor, walksFor } from '../documents.ts';
import type { Commit, DeclaredFields, Position, ReadDocument } from '../read-store.ts';
import type { DocumentRow } from './document-rows.ts';
import { memberColumn, named, type Tables, tieBreaker } from './schema.ts';
import type { Prepare } from './store-connection.ts';

type Places = ReadonlyMap<string, Position | null>;

interface StoredRow {
  readonly key: number;
  readonly licence: string;
  readonly scopes: string;
  readonly left_scopes: string;
  /** The other standing columns, of a kind that is paged. */
  readonly [column: string]: unknown;
}

/** How documents of one kind are written. */
interface KindWriter {
  /** Its documents are paged by members that change often, so that each has many indexes. */
  readonly isPaged: boolean;
  /** A document that stays in its scopes and under its lookups, and nothing else: SQLite writes every index of a column again that is set. */
  readonly changeInPlace: Statement;
  readonly find: Statement;
  readonly add: Statement;
  /** Sets the content, and of the standing columns only these. */
  readonly change: (some: readonly string[]) => Statement;
  /** Of a private kind that is walked, whose documents are hardly ever there before: one statement instead of the others. */
  readonly putPrivate: Statement | null;
  /** Columns that say where a document is found, and so have indexes. */
  readonly standing: readonly string[];
  readonly lookups: readonly string[];
  readonly others: readonly string[];
}

const noPlaces: Places = new Map();

const placesIn = ({ scopes, left_scopes }: Pick<DocumentRow, 'scopes' | 'left_scopes'>): Places =>
  scopePlaces({
    scopes: JSON.parse(scopes) as ReadDocument['scopes'],
    left: JSON.parse(left_scopes) as ReadDocument['left'],
  });

const list = (columns: readonly string[]): string => columns.map(named).join(', ');
const equalities = (columns: readonly string[]): string => columns.map((column) => `${named(column)} = ?`).join(', ');
const place = ['licence', 'deleted', 'scopes', 'left_scopes'];

/** Writes whole commits on one connection, inside the caller's transaction. */
export const writer = (prepare: Prepare, tables: Tables, declared: DeclaredFields) => {
  const { documents, entries, scopes, checkpoints } = tables;
  const scopeByName = prepare(`SELECT key FROM ${scopes} WHERE licence = ? AND scope = ?`);
  const addScope = prepare(`INSERT INTO ${scopes} (licence, scope) VALUES (?, ?) RETURNING key`);
  const raiseFloor = prepare(`UPDATE ${scopes} SET floor = max(coalesce(floor, 0), ?) WHERE key = ?`);
  const putEntry = prepare(`INSERT OR REPLACE INTO ${entries} (scope, document, left_at) VALUES (?, ?, ?)`);
  const removeEntry = prepare(`DELETE FROM ${entries} WHERE scope = ? AND document = ?`);
  const setCheckpoint = prepare(`INSERT OR REPLACE INTO ${checkpoints} (partition, position, fence) VALUES (?, ?, ?)`);

  const kinds = new Map<string, KindWriter>();
  const ofKind = (kind: string): KindWriter => {
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const sorts = sortsFor(declared, kind).map(({ sort }) => sort);
    const isPaged = sorts.length > 0;
    const indexed = [...lookupsFor(declared, kind), ...walksFor(declared, kind), ...sorts];
    // Every index of a sort has the tie breaker too.
    const lookups = [...new Set(isPaged ? [...indexed, tieBreaker] : indexed)];
    const others = [...new Set([tieBreaker, ...declaredFor(declared, kind)])].filter((name) => !lookups.includes(name));
    const content = ['position', 'checksum', 'data', ...others.map(memberColumn)];
    const found = lookups.map(memberColumn);
    const standing = [...place, ...found, 'shared'];
    const columns = [...content, ...standing];
    const same = [...place.map((column) => `${column} = ?`), ...found.map((column) => `${named(column)} IS ?`)];
    const insert = `INSERT INTO ${documents} (${list(columns)}, kind, id) VALUES (${columns.map(() => '?').join(', ')}, ?, ?)`;
    const again = columns.map((column) => `${named(column)} = excluded.${named(column)}`).join(', ');
    const changes = new Map<string, Statement>();
    const kindWriter: KindWriter = {
      isPaged,
      changeInPlace: prepare(
        `UPDATE ${documents} SET ${equalities(content)} WHERE kind = ? AND id = ? AND ${same.join(' AND ')}`,
      ),
      find: prepare(
        `SELECT key, ${list(isPaged ? standing : ['licence', 'scopes', 'left_scopes'])} FROM ${documents} WHERE kind = ? AND id = ?`,
      ),
      add: prepare(`${insert} RETURNING key`),
      putPrivate:
        walksFor(declared, kind).length === 0
          ? null
          : prepare(`${insert} ON CONFLICT (kind, id) DO UPDATE SET ${again}`),
      change: (some) => {
        const name = some.join();
        const made = changes.get(name);
        if (made !== undefined) return made;
        const statement = prepare(`UPDATE ${documents} SET ${equalities([...content, ...some])} WHERE key = ?`);
        changes.set(name, statement);
        return statement;
      },
      standing,
      lookups,
      others,
    };
    kinds.set(kind, kindWriter);
    return kindWriter;
  };

  /** What is stored may be damaged, also where it says that it is in scopes: it goes with every trace of it. */
  const takeOut = ({ docs }: Commit): void => {
    const keys = docs.flatMap(({ kind, id }) => {
      const stored = ofKind(kind).find.get(kind, id) as StoredRow | undefined;
      return stored === undefined ? [] : [stored.key];
    });
    if (keys.length === 0) return;
    for (const [table, column] of [
      [entries, 'document'],
      [documents, 'key'],
    ] as const) {
      prepare(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`).run(JSON.stringify(keys));
    }
  };

  /** `rows`: those of the commit's documents, in their order. A step for each; what comes before the last one is nothing by itself. */
  return function* write(commit: Commit, rows: readonly DocumentRow[]): Generator<void, void> {
    if (commit.repair === true) takeOut(commit);
    const scopeKeys = new Map<string, number>();
    const scopeKey = (licence: string, scope: string): number => {
      const name = `${licence}\0${scope}`;
      const known = scopeKeys.get(name);
      if (known !== undefined) return known;
      const { key } = (scopeByName.get(licence, scope) ?? addScope.get(licence, scope)) as { readonly key: number };
      scopeKeys.set(name, key);
      return key;
    };

    const putIn = (key: number, licence: string, before: Places, now: Places): void => {
      for (const [scope, leftAt] of now)
        if (before.get(scope) !== leftAt) putEntry.run(scopeKey(licence, scope), key, leftAt);
      for (const scope of before.keys()) if (!now.has(scope)) removeEntry.run(scopeKey(licence, scope), key);
    };

    for (const [index, row] of rows.entries()) {
      yield;
      const doc = commit.docs[index] as ReadDocument;
      const { kind, id, data } = doc;
      const { isPaged, changeInPlace, find, add, change, putPrivate, standing, lookups, others } = ofKind(kind);
      const content: readonly SqliteValue[] = [
        row.position,
        row.checksum,
        row.data,
        ...others.map((field) => memberAt(data, field)),
      ];
      const stands: readonly SqliteValue[] = [
        row.licence,
        row.deleted,
        row.scopes,
        row.left_scopes,
        ...lookups.map((field) => memberAt(data, field)),
      ];
      if (putPrivate !== null) {
        putPrivate.run(...content, ...stands, 0, kind, id);
        continue;
      }
      if (!isPaged && changeInPlace.run(...content, kind, id, ...stands).changes !== 0) continue;
      const shared = doc.scopes.length + doc.left.length > 0 ? 1 : 0;
      const stored = find.get(kind, id) as StoredRow | undefined;
      if (stored === undefined) {
        const added = add.get(...content, ...stands, shared, kind, id) as { readonly key: number };
        putIn(added.key, row.licence, noPlaces, scopePlaces(doc));
        continue;
      }
      const { key } = stored;
      const values = [...stands, shared];
      const differing = standing.flatMap((column, at) => (isPaged && stored[column] === values[at] ? [] : [at]));
      const columns = differing.map((at) => standing[at] ?? '');
      change(columns).run(...content, ...differing.map((at) => values[at] ?? null), key);
      const moved = stored.licence !== row.licence;
      if (!moved && stored.scopes === row.scopes && stored.left_scopes === row.left_scopes) continue;
      if (moved) putIn(key, stored.licence, placesIn(stored), noPlaces);
      putIn(key, row.licence, moved ? noPlaces : placesIn(stored), scopePlaces(doc));
    }
    for (const { licenceId, scope } of commit.floors ?? []) {
      raiseFloor.run(commit.checkpoint.position, scopeKey(licenceId, scope));
    }
    const { partition, position, fence } = commit.checkpoint;
    setCheckpoint.run(partition, position, fence);
  };
};
