import type { DeclaredFields } from '../read-store.ts';
import { openDatabase, type SqliteDatabase } from './engine.ts';

/** Marks the file as a read store, so that another store's file given by mistake is refused. */
const applicationId = 0x5a4b5253;
const schemaVersion = 1;

/** Entries hold only numbers and are ordered by scope and position: what changed in a scope is one range of them. */
const tables = `
  CREATE TABLE documents (
    key INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    licence TEXT NOT NULL,
    position INTEGER NOT NULL,
    deleted INTEGER NOT NULL,
    scopes TEXT NOT NULL,
    left_scopes TEXT NOT NULL,
    data TEXT,
    checksum INTEGER NOT NULL
  );
  CREATE UNIQUE INDEX documents_by_id ON documents (kind, id);
  CREATE INDEX documents_by_licence ON documents (kind, licence, deleted);
  CREATE TABLE scopes (
    key INTEGER PRIMARY KEY,
    licence TEXT NOT NULL,
    scope TEXT NOT NULL,
    floor INTEGER
  );
  CREATE UNIQUE INDEX scopes_by_name ON scopes (licence, scope);
  CREATE TABLE entries (
    scope INTEGER NOT NULL,
    position INTEGER NOT NULL,
    document INTEGER NOT NULL,
    gone INTEGER NOT NULL,
    PRIMARY KEY (scope, position, document)
  ) WITHOUT ROWID;
  CREATE TABLE checkpoints (
    partition TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    fence INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The kind as a literal: only then does SQLite use the index that holds this kind alone. */
export const kindIs = (kind: string): string => `kind = ${quoted(kind)}`;

/** A declared member of `data`, written exactly as its index has it. */
export const member = (field: string): string => `json_extract(data, ${quoted(`$.${field}`)})`;

const pragma = (database: SqliteDatabase, name: string): unknown =>
  Object.values((database.prepare(`PRAGMA ${name}`).get() ?? {}) as Record<string, unknown>)[0];

const indexPrefix = 'declared:';

const syncIndexes = (database: SqliteDatabase, declared: DeclaredFields): void => {
  const wanted = new Map<string, string>();
  for (const [kind, fields] of Object.entries(declared)) {
    for (const field of fields) {
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

const prepare = (database: SqliteDatabase, declared: DeclaredFields): void => {
  const version = pragma(database, 'user_version');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  if (version === 0 && isEmpty) {
    database.exec(`${tables} PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
  } else if (pragma(database, 'application_id') !== applicationId) {
    throw new Error('this file is not a read store');
  } else if (typeof version !== 'number' || version > schemaVersion) {
    throw new Error(`written by a newer version (${String(version)}, this one knows ${schemaVersion})`);
  }
  syncIndexes(database, declared);
};

/** A connection with the store's settings; every error is the engine's. */
export const connect = (file: string): SqliteDatabase => {
  const database = openDatabase(file);
  try {
    // A power cut may take the last commits from a WAL at NORMAL, but each one whole. Documents and checkpoint are one transaction, so
    // the projector finds the earlier checkpoint and folds the lost tail again from the log, which is the part that is fsynced.
    database.exec(`
      PRAGMA busy_timeout = 5000;
      PRAGMA page_size = 8192;
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA wal_autocheckpoint = 4000;
      PRAGMA cache_size = -65536;
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/** Opens the file, makes its tables when it is new and its indexes when other fields were declared. */
export const openSchema = (file: string, declared: DeclaredFields): SqliteDatabase => {
  const database = connect(file);
  try {
    database.exec('BEGIN IMMEDIATE');
    prepare(database, declared);
    database.exec('COMMIT');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};
