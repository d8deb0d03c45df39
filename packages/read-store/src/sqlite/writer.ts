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

/** Prepares how documents of one kind are written. */
const kindWriter = (prepare: Prepare, documents: string, declared: DeclaredFields, kind: string): KindWriter => {
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
  return {
    isPaged,
    changeInPlace: prepare(
      `UPDATE ${documents} SET ${equalities(content)} WHERE kind = ? AND id = ? AND ${same.join(' AND ')}`,
    ),
    find: prepare(
      `SELECT key, ${list(isPaged ? standing : ['licence', 'scopes', 'left_scopes'])} FROM ${documents} WHERE kind = ? AND id = ?`,
    ),
    add: prepare(`${insert} RETURNING key`),
    putPrivate:
      walksFor(declared, kind).length === 0 ? null : prepare(`${insert} ON CONFLICT (kind, id) DO UPDATE SET ${again}`),
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
};

/** Which documents are in which scopes, as one commit writes it. */
class ScopeEntries {
  readonly #statements: ScopeStatements;
  readonly #keys = new Map<string, number>();

  constructor(scopeStatements: ScopeStatements) {
    this.#statements = scopeStatements;
  }

  /** Moves the document of this key from the places before to those now. */
  put(key: number, licence: string, before: Places, now: Places): void {
    const { putEntry, removeEntry } = this.#statements;
    for (const [scope, leftAt] of now)
      if (before.get(scope) !== leftAt) putEntry.run(this.#key(licence, scope), key, leftAt);
    for (const scope of before.keys()) if (!now.has(scope)) removeEntry.run(this.#key(licence, scope), key);
  }

  raiseFloor(licence: string, scope: string, position: Position): void {
    this.#statements.raiseFloor.run(position, this.#key(licence, scope));
  }

  #key(licence: string, scope: string): number {
    const { scopeByName, addScope } = this.#statements;
    const name = `${licence}\0${scope}`;
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const { key } = (scopeByName.get(licence, scope) ?? addScope.get(licence, scope)) as { readonly key: number };
    this.#keys.set(name, key);
    return key;
  }
}

const scopeStatementsOf = (prepare: Prepare, { entries, scopes }: Tables) => ({
  scopeByName: prepare(`SELECT key FROM ${scopes} WHERE licence = ? AND scope = ?`),
  addScope: prepare(`INSERT INTO ${scopes} (licence, scope) VALUES (?, ?) RETURNING key`),
  raiseFloor: prepare(`UPDATE ${scopes} SET floor = max(coalesce(floor, 0), ?) WHERE key = ?`),
  putEntry: prepare(`INSERT OR REPLACE INTO ${entries} (scope, document, left_at) VALUES (?, ?, ?)`),
  removeEntry: prepare(`DELETE FROM ${entries} WHERE scope = ? AND document = ?`),
});
type ScopeStatements = ReturnType<typeof scopeStatementsOf>;

/** Writes whole commits on one connection, inside the caller's transaction. */
export class CommitWriter {
  readonly #prepare: Prepare;
  readonly #tables: Tables;
  readonly #declared: DeclaredFields;
  readonly #scopeStatements: ScopeStatements;
  readonly #setCheckpoint: Statement;
  readonly #kinds = new Map<string, KindWriter>();

  constructor(prepare: Prepare, tables: Tables, declared: DeclaredFields) {
    this.#prepare = prepare;
    this.#tables = tables;
    this.#declared = declared;
    this.#scopeStatements = scopeStatementsOf(prepare, tables);
    this.#setCheckpoint = prepare(
      `INSERT OR REPLACE INTO ${tables.checkpoints} (partition, position, fence) VALUES (?, ?, ?)`,
    );
  }

  /** `rows`: those of the commit's documents, in their order. A step for each; what comes before the last one is nothing by itself. */
  *write(commit: Commit, rows: Iterable<DocumentRow>): Generator<void, void> {
    if (commit.repair === true) this.#takeOut(commit);
    const entries = new ScopeEntries(this.#scopeStatements);
    let index = 0;
    for (const row of rows) {
      yield;
      this.#put(commit.docs[index] as ReadDocument, row, entries);
      index += 1;
    }
    const { partition, position, fence } = commit.checkpoint;
    for (const { licenceId, scope } of commit.floors ?? []) entries.raiseFloor(licenceId, scope, position);
    this.#setCheckpoint.run(partition, position, fence);
  }

  #ofKind(kind: string): KindWriter {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    const made = kindWriter(this.#prepare, this.#tables.documents, this.#declared, kind);
    this.#kinds.set(kind, made);
    return made;
  }

  /** What is stored may be damaged, also where it says that it is in scopes: it goes with every trace of it. */
  #takeOut({ docs }: Commit): void {
    const { entries, documents } = this.#tables;
    const keys = docs.flatMap(({ kind, id }) => {
      const stored = this.#ofKind(kind).find.get(kind, id) as StoredRow | undefined;
      return stored === undefined ? [] : [stored.key];
    });
    if (keys.length === 0) return;
    for (const [table, column] of [
      [entries, 'document'],
      [documents, 'key'],
    ] as const) {
      this.#prepare(`DELETE FROM ${table} WHERE ${column} IN (SELECT value FROM json_each(?))`).run(
        JSON.stringify(keys),
      );
    }
  }

  #put(doc: ReadDocument, row: DocumentRow, entries: ScopeEntries): void {
    const { kind, id, data } = doc;
    const { isPaged, changeInPlace, find, add, change, putPrivate, standing, lookups, others } = this.#ofKind(kind);
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
      return;
    }
    if (!isPaged && changeInPlace.run(...content, kind, id, ...stands).changes !== 0) return;
    const shared = doc.scopes.length + doc.left.length > 0 ? 1 : 0;
    const stored = find.get(kind, id) as StoredRow | undefined;
    if (stored === undefined) {
      const added = add.get(...content, ...stands, shared, kind, id) as { readonly key: number };
      entries.put(added.key, row.licence, noPlaces, scopePlaces(doc));
      return;
    }
    const { key } = stored;
    const values = [...stands, shared];
    const differing = standing.flatMap((column, at) => (isPaged && stored[column] === values[at] ? [] : [at]));
    const columns = differing.map((at) => standing[at] ?? '');
    change(columns).run(...content, ...differing.map((at) => values[at] ?? null), key);
    const moved = stored.licence !== row.licence;
    if (!moved && stored.scopes === row.scopes && stored.left_scopes === row.left_scopes) return;
    if (moved) entries.put(key, stored.licence, placesIn(stored), noPlaces);
    entries.put(key, row.licence, moved ? noPlaces : placesIn(stored), scopePlaces(doc));
  }
}
