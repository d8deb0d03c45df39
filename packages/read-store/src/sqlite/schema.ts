import { checkFile } from '@zakup/sqlite/check-file';
import { type Database, openDatabase } from '@zakup/sqlite/engine';
import { UnusableFile } from '@zakup/sqlite/unusable-file';
import { declaredFor, lookupsFor } from '../documents.ts';
import type { DeclaredFields } from '../read-store.ts';

/** Marks the file as a read store, so that another store's file given by mistake is refused. */
const applicationId = 0x5a4b5253;
const schemaVersion = 2;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The kind as a literal: only then does SQLite use the index that holds this kind alone. */
export const kindIs = (kind: string): string => `kind = ${quoted(kind)}`;

const memberPrefix = 'data.';

/** The column that holds a declared member of `data`, as queries compare it. */
export const member = (field: string): string => named(`${memberPrefix}${field}`);

/** Breaks ties in every query, so it has its column for every kind. */
export const tieBreaker = 'createdAt';

/** Fields that have a column, each once. */
const columnFields = (declared: DeclaredFields): readonly string[] => [
  ...new Set([tieBreaker, ...Object.keys(declared).flatMap((kind) => declaredFor(declared, kind))]),
];

/** Members stand before `data`, so that filters and sorts do not read through large documents. */
const createDocuments = (name: string, fields: readonly string[]): string => `
  CREATE TABLE ${name} (
    key INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    licence TEXT NOT NULL,
    position INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    shared INTEGER NOT NULL,
    ${fields.map((field) => `${member(field)},`).join(' ')}
    scopes TEXT NOT NULL,
    left_scopes TEXT NOT NULL,
    checksum INTEGER NOT NULL,
    data TEXT
  );`;

const plainColumns = 'key, kind, id, licence, position, deleted, shared, scopes, left_scopes, checksum, data';

const createIndexes = `
  CREATE UNIQUE INDEX documents_by_id ON documents (kind, id);
  CREATE INDEX documents_by_licence ON documents (kind, licence, deleted);
  CREATE INDEX documents_by_position ON documents (licence, position) WHERE shared = 1;`;

/** Entries say nothing of a document's position, so most changes of documents leave them as they are; what changed is found by position. */
const otherTables = `
  CREATE TABLE scopes (
    key INTEGER PRIMARY KEY,
    licence TEXT NOT NULL,
    scope TEXT NOT NULL,
    floor INTEGER
  );
  CREATE UNIQUE INDEX scopes_by_name ON scopes (licence, scope);
  CREATE TABLE entries (
    scope INTEGER NOT NULL,
    document INTEGER NOT NULL,
    left_at INTEGER,
    PRIMARY KEY (scope, document)
  ) WITHOUT ROWID;
  CREATE TABLE checkpoints (
    partition TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    fence INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE store_floor (position INTEGER NOT NULL);
  INSERT INTO store_floor VALUES (-1);`;

/** Empties the store; nothing that was read from it before can be gone on from. */
export const clearAll = `
  UPDATE store_floor SET position = max(position, (SELECT coalesce(max(position), -1) FROM checkpoints));
  DELETE FROM entries; DELETE FROM documents; DELETE FROM scopes; DELETE FROM checkpoints;`;

/** The highest checkpoint that was ever held, also by a content that is gone; 0 for none. */
export const reachedPosition = `
  SELECT max(position, (SELECT coalesce(max(position), 0) FROM checkpoints), 0) AS reached FROM store_floor`;

const pragma = (database: Database, name: string): unknown =>
  Object.values((database.prepare(`PRAGMA ${name}`).get() ?? {}) as Record<string, unknown>)[0];

/** Takes members into columns of their own, and leaves out those that are no longer declared. */
const syncColumns = (database: Database, declared: DeclaredFields): void => {
  const wanted = columnFields(declared);
  const columns = database.prepare('PRAGMA table_info(documents)').all() as readonly { readonly name: string }[];
  const present = columns.flatMap(({ name }) =>
    name.startsWith(memberPrefix) ? [name.slice(memberPrefix.length)] : [],
  );
  if (present.length === wanted.length && wanted.every((field) => present.includes(field))) return;
  const extracted = wanted.map((field) => `json_extract(data, ${quoted(`$.${field}`)})`);
  database.exec(`
    ${createDocuments('documents_next', wanted)}
    INSERT INTO documents_next (${plainColumns}, ${wanted.map(member).join(', ')})
      SELECT ${plainColumns}, ${extracted.join(', ')} FROM documents;
    DROP TABLE documents;
    ALTER TABLE documents_next RENAME TO documents;
    ${createIndexes}`);
};

const indexPrefix = 'lookup:';

const syncIndexes = (database: Database, declared: DeclaredFields): void => {
  const wanted = new Map<string, string>();
  for (const kind of Object.keys(declared)) {
    for (const field of lookupsFor(declared, kind)) {
      const name = `${indexPrefix}${kind}:${field}`;
      const columns = `licence, ${member(field)}, deleted`;
      wanted.set(name, `CREATE INDEX ${named(name)} ON documents (${columns}) WHERE ${kindIs(kind)}`);
    }
  }
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'index'").all() as readonly {
    readonly name: string;
  }[];
  for (const { name } of rows) {
    if (!name.startsWith(indexPrefix)) continue;
    if (!wanted.delete(name)) database.exec(`DROP INDEX ${named(name)}`);
  }
  for (const create of wanted.values()) database.exec(create);
};

const makeTables = (database: Database, declared: DeclaredFields): void =>
  database.exec(`
    ${createDocuments('documents', columnFields(declared))} ${createIndexes} ${otherTables}
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);

/** The first version's content is folded again from the log, which must still reach as far: the floor keeps how far that was. */
const replaceFirstVersion = (database: Database, declared: DeclaredFields): void => {
  const { reached } = database.prepare('SELECT coalesce(max(position), -1) AS reached FROM checkpoints').get() as {
    readonly reached: number;
  };
  database.exec('DROP TABLE entries; DROP TABLE documents; DROP TABLE scopes; DROP TABLE checkpoints;');
  makeTables(database, declared);
  database.exec(`UPDATE store_floor SET position = ${reached}`);
};

const prepare = (file: string, database: Database, declared: DeclaredFields): void => {
  const version = pragma(database, 'user_version');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  if (version === 0 && isEmpty) {
    makeTables(database, declared);
  } else if (pragma(database, 'application_id') !== applicationId) {
    throw new UnusableFile(file, 'foreign', 'this file is not a read store');
  } else if (typeof version !== 'number' || version > schemaVersion) {
    const reason = `written by a newer version (${String(version)}, this one knows ${schemaVersion})`;
    throw new UnusableFile(file, 'newer', reason);
  } else if (version < schemaVersion) {
    replaceFirstVersion(database, declared);
  }
  syncColumns(database, declared);
  syncIndexes(database, declared);
};

/** A connection with the store's settings; every error is the engine's. */
export const connect = (file: string): Database => {
  const database = openDatabase(file);
  try {
    // A power cut may take the last commits from a WAL at NORMAL, but each one whole. Documents and checkpoint are one transaction, so
    // the projector finds the earlier checkpoint and folds the lost tail again from the log, which is the part that is fsynced.
    // The commit that fills the WAL also moves it into the file, on this thread: small portions keep that commit short.
    database.exec(`
      PRAGMA page_size = 8192;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 1000;
      PRAGMA cache_size = -65536;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Opens the file, makes its tables when it is new and its indexes when other fields were declared. */
export const openSchema = (file: string, declared: DeclaredFields): Database => {
  checkFile(file);
  const database = connect(file);
  try {
    database.exec('BEGIN IMMEDIATE');
    prepare(file, database, declared);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};
