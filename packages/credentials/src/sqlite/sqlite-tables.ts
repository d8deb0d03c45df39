import { checkFile } from '@zakup/sqlite/check-file';
import { type Database, openDatabase } from '@zakup/sqlite/engine';
import { UnusableFile, unusableFile } from '@zakup/sqlite/unusable-file';
import { type Rows, type Table, type Tables, type TableShape, tableShapes, type Value } from '../tables.ts';

/** Marks the file as a credential store, so that another store's file given by mistake is refused. */
const applicationId = 0x5a4b4352;
const schemaVersion = 1;

const quoted = (name: string): string => `"${name}"`;

const createTable = (name: string, shape: TableShape<never>): string => {
  const columns = shape.columns.map(
    (column: string) => `${quoted(column)}${column === shape.key ? ' PRIMARY KEY' : ''}`,
  );
  const indexes = shape.indexed.map(
    (column: string) => `CREATE INDEX ${quoted(`${name}_by_${column}`)} ON ${quoted(name)} (${quoted(column)});`,
  );
  return `CREATE TABLE ${quoted(name)} (${columns.join(', ')}) WITHOUT ROWID; ${indexes.join(' ')}`;
};

const sqliteTable = <Row extends object>(database: Database, name: keyof Rows, shape: TableShape<Row>): Table<Row> => {
  const columns = shape.columns.map(quoted).join(', ');
  const places = shape.columns.map(() => '?').join(', ');
  const select = `SELECT ${columns} FROM ${quoted(name)}`;
  const one = database.prepare(`${select} WHERE ${quoted(shape.key)} = ?`);
  const every = database.prepare(select);
  const put = database.prepare(`INSERT OR REPLACE INTO ${quoted(name)} (${columns}) VALUES (${places})`);
  const remove = database.prepare(`DELETE FROM ${quoted(name)} WHERE ${quoted(shape.key)} = ?`);
  const indexed = new Map(
    shape.indexed.map((column) => [column, database.prepare(`${select} WHERE ${quoted(column)} = ?`)]),
  );
  return {
    get: (key) => one.get(key) as Row | undefined,
    by: (column, value) => {
      const statement = indexed.get(column);
      if (statement === undefined) throw new Error(`Table ${name} has no index of ${column}`);
      return statement.all(value) as readonly Row[];
    },
    all: () => every.all() as readonly Row[],
    put: (row) => {
      put.run(...shape.columns.map((column) => row[column] as Value));
    },
    remove: (key) => {
      remove.run(key);
    },
  };
};

const pragma = (database: Database, name: string): unknown =>
  Object.values((database.prepare(`PRAGMA ${name}`).get() ?? {}) as Record<string, unknown>)[0];

const prepareFile = (file: string, database: Database): void => {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  // A session or a spent code that came back after a power cut would be a door; without FULL there is no promise to keep.
  if (pragma(database, 'synchronous') !== 2) throw new Error('the engine refuses synchronous=FULL');
  database.exec('BEGIN IMMEDIATE');
  const version = pragma(database, 'user_version');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  if (version === 0 && isEmpty) {
    for (const [name, shape] of Object.entries(tableShapes)) database.exec(createTable(name, shape));
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
  } else if (pragma(database, 'application_id') !== applicationId) {
    throw new UnusableFile(file, 'foreign', 'this file is not a credential store');
  } else if (typeof version !== 'number' || version > schemaVersion) {
    const reason = `written by a newer version (${String(version)}, this one knows ${schemaVersion})`;
    throw new UnusableFile(file, 'newer', reason);
  }
  database.exec('COMMIT');
};

const opened = (file: string): Database => {
  checkFile(file);
  const database = openDatabase(file);
  try {
    prepareFile(file, database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * A commit behind each one that matters. A damaged last commit in a WAL cannot be told from one that a crash cut off, and without it an
 * ended session would be open again; two lost commits are damage for certain (`checkWalTail`).
 */
const follow = (database: Database): void => {
  try {
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  } catch {
    // What was to be kept is durable already.
  }
};

/** Tables in a file, fsynced with each transaction. Throws an Error naming the file when it cannot be used. */
export const sqliteTables = (file: string): Tables => {
  const named = (error: unknown): Error => {
    const cause = unusableFile(file, error);
    return new Error(`Credential store ${cause.message}`, { cause });
  };
  const naming = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw named(error);
    }
  };
  const database = naming(() => opened(file));
  const tables = naming(() => ({
    passwords: sqliteTable<Rows['passwords']>(database, 'passwords', tableShapes.passwords),
    sessions: sqliteTable<Rows['sessions']>(database, 'sessions', tableShapes.sessions),
    refreshTokens: sqliteTable<Rows['refreshTokens']>(database, 'refreshTokens', tableShapes.refreshTokens),
    codes: sqliteTable<Rows['codes']>(database, 'codes', tableShapes.codes),
    tickets: sqliteTable<Rows['tickets']>(database, 'tickets', tableShapes.tickets),
    admins: sqliteTable<Rows['admins']>(database, 'admins', tableShapes.admins),
  }));
  const dataVersion = naming(() => database.prepare('PRAGMA data_version'));

  return {
    ...tables,
    transaction: (work) =>
      naming(() => {
        database.exec('BEGIN IMMEDIATE');
        try {
          const result = work();
          database.exec('COMMIT');
          follow(database);
          return result;
        } catch (error) {
          try {
            database.exec('ROLLBACK');
          } catch {
            // A full disk may have ended the transaction already; the first error is the one to tell.
          }
          throw error;
        }
      }),
    version: () => (dataVersion.get() as { readonly data_version: number }).data_version,
    close: () => {
      // Never waits for other connections: what stays in the WAL is read from there.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
};
