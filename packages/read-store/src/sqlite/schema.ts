import { checkFile } from '@zakup/sqlite/check-file';
import { type Database, openDatabase } from '@zakup/sqlite/engine';
import { UnusableFile } from '@zakup/sqlite/unusable-file';
import { declaredFor, lookupsFor, sortsFor, walksFor } from '../documents.ts';
import type { DeclaredFields, SortField } from '../read-store.ts';

/** Marks the file as a read store, so that another store's file given by mistake is refused. */
const applicationId = 0x5a4b5253;
const schemaVersion = 3;

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
export const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The kind as a literal: only then does SQLite use the index that holds this kind alone. */
export const kindIs = (kind: string): string => `kind = ${quoted(kind)}`;

const memberPrefix = 'data.';

/** The name of the column that holds a declared member of `data`, as queries compare it. */
export const memberColumn = (field: string): string => `${memberPrefix}${field}`;
export const member = (field: string): string => named(memberColumn(field));

/** Breaks ties in every query, so it has its column for every kind. */
export const tieBreaker = 'createdAt';

/** Fields that have a column, each once. */
const columnFields = (declared: DeclaredFields): readonly string[] => [
  ...new Set([tieBreaker, ...Object.keys(declared).flatMap((kind) => declaredFor(declared, kind))]),
];

/** Names of the tables of one generation; those of the first are plain. */
export interface Tables {
  readonly number: number;
  readonly documents: string;
  readonly entries: string;
  readonly scopes: string;
  readonly checkpoints: string;
}

export const tablesOf = (number: number): Tables => {
  const end = number === 0 ? '' : `_${number}`;
  return {
    number,
    documents: `documents${end}`,
    entries: `entries${end}`,
    scopes: `scopes${end}`,
    checkpoints: `checkpoints${end}`,
  };
};

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

const createIndexes = ({ documents }: Tables): string => `
  CREATE UNIQUE INDEX ${documents}_by_id ON ${documents} (kind, id);
  CREATE INDEX ${documents}_of_licence ON ${documents} (kind, licence, deleted, id);`;

/** By which changes are found: what nobody reads yet can be without it. */
const createPositions = ({ documents }: Tables): string => `
  CREATE INDEX IF NOT EXISTS ${documents}_by_position ON ${documents} (licence, position) WHERE shared = 1;`;

/** Entries say nothing of a document's position, so most changes of documents leave them as they are; what changed is found by position. */
const createRest = ({ scopes, entries, checkpoints }: Tables): string => `
  CREATE TABLE ${scopes} (
    key INTEGER PRIMARY KEY,
    licence TEXT NOT NULL,
    scope TEXT NOT NULL,
    floor INTEGER
  );
  CREATE UNIQUE INDEX ${scopes}_by_name ON ${scopes} (licence, scope);
  CREATE TABLE ${entries} (
    scope INTEGER NOT NULL,
    document INTEGER NOT NULL,
    left_at INTEGER,
    PRIMARY KEY (scope, document)
  ) WITHOUT ROWID;
  CREATE TABLE ${checkpoints} (
    partition TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    fence INTEGER NOT NULL
  ) WITHOUT ROWID;`;

const createFloor = `
  CREATE TABLE store_floor (position INTEGER NOT NULL);
  INSERT INTO store_floor VALUES (-1);`;

/** Which contents there are: one is `active`, at most one `next`, and what is read no more is `former` until its tables are gone. */
const createGenerations = `
  CREATE TABLE generations (number INTEGER PRIMARY KEY, version TEXT, state TEXT NOT NULL);
  INSERT INTO generations VALUES (0, NULL, 'active');`;

/** Empties a generation. */
export const emptied = ({ entries, documents, scopes, checkpoints }: Tables): string =>
  [entries, documents, scopes, checkpoints].map((table) => `DELETE FROM ${table};`).join(' ');

/** The store's floor at the highest checkpoint of these generations: nothing that was read from them before can be gone on from. */
export const raiseStoreFloor = (generations: readonly Tables[]): string =>
  generations
    .map(
      ({ checkpoints }) =>
        `UPDATE store_floor SET position = max(position, (SELECT coalesce(max(position), -1) FROM ${checkpoints}));`,
    )
    .join(' ');

/** The highest checkpoint that was ever held, also by a content that is gone; 0 for none. */
export const reachedPosition = ({ checkpoints }: Tables): string => `
  SELECT max(position, (SELECT coalesce(max(position), 0) FROM ${checkpoints}), 0) AS reached FROM store_floor`;

const pragma = (database: Database, name: string): unknown =>
  Object.values((database.prepare(`PRAGMA ${name}`).get() ?? {}) as Record<string, unknown>)[0];

/** Takes members into columns of their own, and leaves out those that are no longer declared. */
const syncColumns = (database: Database, tables: Tables, declared: DeclaredFields): void => {
  const { documents } = tables;
  const wanted = columnFields(declared);
  const columns = database.prepare(`PRAGMA table_info(${documents})`).all() as readonly { readonly name: string }[];
  const present = columns.flatMap(({ name }) =>
    name.startsWith(memberPrefix) ? [name.slice(memberPrefix.length)] : [],
  );
  if (present.length === wanted.length && wanted.every((field) => present.includes(field))) return;
  const extracted = wanted.map((field) => `json_extract(data, ${quoted(`$.${field}`)})`);
  const made = `${documents}_remade`;
  database.exec(`
    ${createDocuments(made, wanted)}
    INSERT INTO ${made} (${plainColumns}, ${wanted.map(member).join(', ')})
      SELECT ${plainColumns}, ${extracted.join(', ')} FROM ${documents};
    DROP TABLE ${documents};
    ALTER TABLE ${made} RENAME TO ${documents};
    ${createIndexes(tables)}`);
};

/** What the names of a generation's declared indexes begin with. */
const indexPrefix = ({ number }: Tables): string => (number === 0 ? 'lookup:' : `lookup ${number}:`);

/** The index that finds a kind's documents by a lookup. */
export const lookupIndex = (tables: Tables, kind: string, field: string): string =>
  `${indexPrefix(tables)}${kind}:${field}`;

/** The index that holds a kind's present documents in the order of a declared sort. */
export const sortIndex = (tables: Tables, kind: string, { sort, within }: SortField): string =>
  `${indexPrefix(tables)}${kind}:${within}:by:${sort}`;

/** Members that a sort's index holds in their order: those of ties too. */
export const sortColumns = (sort: string): string => [...new Set([sort, tieBreaker])].map(member).join(', ');

/** Makes the indexes for readers that a generation is without, and drops those of fields that are declared no more. */
export const syncIndexes = (database: Database, tables: Tables, declared: DeclaredFields): void => {
  const { documents } = tables;
  const prefix = indexPrefix(tables);
  const wanted = new Map<string, string>();
  for (const kind of Object.keys(declared)) {
    for (const field of lookupsFor(declared, kind)) {
      const name = lookupIndex(tables, kind, field);
      const columns = `licence, ${member(field)}, deleted`;
      wanted.set(name, `CREATE INDEX ${named(name)} ON ${documents} (${columns}) WHERE ${kindIs(kind)}`);
    }
    for (const field of walksFor(declared, kind)) {
      const name = `${prefix}${kind}:${field}:id`;
      const some = `${kindIs(kind)} AND ${member(field)} IS NOT NULL`;
      wanted.set(
        name,
        `CREATE INDEX ${named(name)} ON ${documents} (licence, ${member(field)}, deleted, id) WHERE ${some}`,
      );
    }
    for (const field of sortsFor(declared, kind)) {
      const name = sortIndex(tables, kind, field);
      const columns = `licence, ${member(field.within)}, ${sortColumns(field.sort)}, id`;
      const some = `${kindIs(kind)} AND deleted = 0`;
      wanted.set(name, `CREATE INDEX ${named(name)} ON ${documents} (${columns}) WHERE ${some}`);
    }
  }
  const rows = database.prepare("SELECT name FROM sqlite_master WHERE type = 'index'").all() as readonly {
    readonly name: string;
  }[];
  for (const { name } of rows) {
    if (!name.startsWith(prefix)) continue;
    if (!wanted.delete(name)) database.exec(`DROP INDEX ${named(name)}`);
  }
  for (const create of wanted.values()) database.exec(create);
  database.exec(createPositions(tables));
};

/** Makes the tables of one generation, with the indexes that filling it needs. */
export const createTables = (database: Database, tables: Tables, declared: DeclaredFields): void => {
  database.exec(
    `${createDocuments(tables.documents, columnFields(declared))} ${createIndexes(tables)} ${createRest(tables)}`,
  );
};

export const dropTables = ({ documents, entries, scopes, checkpoints }: Tables): string =>
  [documents, entries, scopes, checkpoints].map((table) => `DROP TABLE IF EXISTS ${table};`).join(' ');

const first = tablesOf(0);

const makeStore = (database: Database, declared: DeclaredFields): void => {
  createTables(database, first, declared);
  syncIndexes(database, first, declared);
  database.exec(`${createFloor} ${createGenerations}
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
};

/** The first version's content is folded again from the log, which must still reach as far: the floor keeps how far that was. */
const replaceFirstVersion = (database: Database, declared: DeclaredFields): void => {
  const { reached } = database.prepare('SELECT coalesce(max(position), -1) AS reached FROM checkpoints').get() as {
    readonly reached: number;
  };
  database.exec('DROP TABLE entries; DROP TABLE documents; DROP TABLE scopes; DROP TABLE checkpoints;');
  makeStore(database, declared);
  database.exec(`UPDATE store_floor SET position = ${reached}`);
};

/** The second version knew one content, and no order of a licence's documents. */
const addGenerations = (database: Database): void =>
  database.exec(`
    DROP INDEX documents_by_licence;
    CREATE INDEX documents_of_licence ON documents (kind, licence, deleted, id);
    ${createGenerations} PRAGMA user_version = ${schemaVersion};`);

/** Numbers of the generations that have tables. */
const present = (database: Database): readonly number[] =>
  (database.prepare("SELECT number FROM generations WHERE state <> 'former'").all() as { number: number }[]).map(
    ({ number }) => number,
  );

const prepare = (file: string, database: Database, declared: DeclaredFields): void => {
  const version = pragma(database, 'user_version');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  if (version === 0 && isEmpty) {
    makeStore(database, declared);
  } else if (pragma(database, 'application_id') !== applicationId) {
    throw new UnusableFile(file, 'foreign', 'this file is not a read store');
  } else if (typeof version !== 'number' || version > schemaVersion) {
    const reason = `written by a newer version (${String(version)}, this one knows ${schemaVersion})`;
    throw new UnusableFile(file, 'newer', reason);
  } else if (version === 1) {
    replaceFirstVersion(database, declared);
  } else if (version < schemaVersion) {
    addGenerations(database);
  }
  database.exec('CREATE TABLE IF NOT EXISTS notices (name TEXT PRIMARY KEY, data TEXT NOT NULL) WITHOUT ROWID');
  for (const number of present(database)) {
    syncColumns(database, tablesOf(number), declared);
    syncIndexes(database, tablesOf(number), declared);
  }
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

/** A connection that only reads, beside the one that keeps the file. The file must have been opened by that one before. */
export const connectForReading = (file: string): Database => {
  const database = openDatabase(file, { readOnly: true });
  try {
    database.exec('PRAGMA query_only = 1; PRAGMA cache_size = -65536');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};
