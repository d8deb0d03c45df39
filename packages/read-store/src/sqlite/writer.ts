import type { SqliteValue, Statement } from '@zakup/sqlite/engine';
import { declaredFor, lookupsFor, memberAt, scopePlaces, walksFor } from '../documents.ts';
import type { Commit, DeclaredFields, Position, ReadDocument } from '../read-store.ts';
import { type DocumentRow, rowOf } from './document-rows.ts';
import { member, type Tables, tieBreaker } from './schema.ts';

type Places = ReadonlyMap<string, Position | null>;

interface StoredRow {
  readonly key: number;
  readonly licence: string;
  readonly scopes: string;
  readonly left_scopes: string;
}

/** How documents of one kind are written. */
interface KindWriter {
  /** A document that stays in its scopes and under its lookups, and nothing else: SQLite writes every index of a column again that is set. */
  readonly changeInPlace: Statement;
  readonly find: Statement;
  readonly add: Statement;
  readonly change: Statement;
  /** Of a private kind that is walked, whose documents are hardly ever there before: one statement instead of the others. */
  readonly putPrivate: Statement | null;
  readonly lookups: readonly string[];
  readonly others: readonly string[];
}

const noPlaces: Places = new Map();

const placesIn = ({ scopes, left_scopes }: Pick<DocumentRow, 'scopes' | 'left_scopes'>): Places =>
  scopePlaces({
    scopes: JSON.parse(scopes) as ReadDocument['scopes'],
    left: JSON.parse(left_scopes) as ReadDocument['left'],
  });

const equalities = (columns: readonly string[]): string => columns.map((column) => `${column} = ?`).join(', ');

/** Writes whole commits on one connection, inside the caller's transaction. */
export const writer = (prepare: (sql: string) => Statement, tables: Tables, declared: DeclaredFields) => {
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
    const lookups = [...lookupsFor(declared, kind), ...walksFor(declared, kind)];
    const others = [...new Set([tieBreaker, ...declaredFor(declared, kind)])].filter((name) => !lookups.includes(name));
    const content = ['position', 'checksum', 'data', ...others.map(member)];
    const place = ['licence', 'deleted', 'scopes', 'left_scopes'];
    const columns = [...content, ...place, ...lookups.map(member), 'shared'];
    const same = [...place.map((column) => `${column} = ?`), ...lookups.map((field) => `${member(field)} IS ?`)];
    const made: KindWriter = {
      changeInPlace: prepare(
        `UPDATE ${documents} SET ${equalities(content)} WHERE kind = ? AND id = ? AND ${same.join(' AND ')}`,
      ),
      find: prepare(`SELECT key, licence, scopes, left_scopes FROM ${documents} WHERE kind = ? AND id = ?`),
      add: prepare(
        `INSERT INTO ${documents} (${columns.join(', ')}, kind, id)
         VALUES (${columns.map(() => '?').join(', ')}, ?, ?) RETURNING key`,
      ),
      putPrivate:
        walksFor(declared, kind).length === 0
          ? null
          : prepare(
              `INSERT INTO ${documents} (${columns.join(', ')}, kind, id) VALUES (${columns.map(() => '?').join(', ')}, ?, ?)
               ON CONFLICT (kind, id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
            ),
      change: prepare(`UPDATE ${documents} SET ${equalities(columns)} WHERE key = ?`),
      lookups,
      others,
    };
    kinds.set(kind, made);
    return made;
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

  return (commit: Commit): void => {
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

    const place = (key: number, licence: string, before: Places, now: Places): void => {
      for (const [scope, leftAt] of now)
        if (before.get(scope) !== leftAt) putEntry.run(scopeKey(licence, scope), key, leftAt);
      for (const scope of before.keys()) if (!now.has(scope)) removeEntry.run(scopeKey(licence, scope), key);
    };

    for (const doc of commit.docs) {
      const { kind, id, data } = doc;
      const row = rowOf(doc);
      const { changeInPlace, find, add, change, putPrivate, lookups, others } = ofKind(kind);
      const content: readonly SqliteValue[] = [
        row.position,
        row.checksum,
        row.data,
        ...others.map((field) => memberAt(data, field)),
      ];
      const standing: readonly SqliteValue[] = [
        row.licence,
        row.deleted,
        row.scopes,
        row.left_scopes,
        ...lookups.map((field) => memberAt(data, field)),
      ];
      if (putPrivate !== null) {
        putPrivate.run(...content, ...standing, 0, kind, id);
        continue;
      }
      if (changeInPlace.run(...content, kind, id, ...standing).changes !== 0) continue;
      const shared = doc.scopes.length + doc.left.length > 0 ? 1 : 0;
      const stored = find.get(kind, id) as StoredRow | undefined;
      if (stored === undefined) {
        const added = add.get(...content, ...standing, shared, kind, id) as { readonly key: number };
        place(added.key, row.licence, noPlaces, scopePlaces(doc));
        continue;
      }
      const { key } = stored;
      change.run(...content, ...standing, shared, key);
      const moved = stored.licence !== row.licence;
      if (moved) place(key, stored.licence, placesIn(stored), noPlaces);
      place(key, row.licence, moved ? noPlaces : placesIn(stored), scopePlaces(doc));
    }
    for (const { licenceId, scope } of commit.floors ?? []) {
      raiseFloor.run(commit.checkpoint.position, scopeKey(licenceId, scope));
    }
    const { partition, position, fence } = commit.checkpoint;
    setCheckpoint.run(partition, position, fence);
  };
};
