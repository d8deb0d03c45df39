import type { Database } from '@zakup/sqlite/engine';
import { followCommit, openStoreFile, type StoreFile } from '@zakup/sqlite/store-file';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import { CredentialsUnavailable } from '../credentials.ts';
import { serialQueue } from '@zakup/async/serial-queue';
import {
  ofEachTable,
  type ReadableTable,
  type ReadableTables,
  type Rows,
  type SessionRow,
  type Tables,
  type TableShape,
  tableShapes,
  type Value,
  type WritableTable,
  type WritableTables,
} from '../tables.ts';
import { walSync } from './wal-sync.ts';

/** Milliseconds between two looks for what other processes wrote. */
const lookEvery = 250;

const quoted = (name: string): string => `"${name}"`;

const createTable = (name: string, shape: TableShape<never>): string => {
  const columns = shape.columns.map(
    (column: string) => `${quoted(column)}${column === shape.key ? ' PRIMARY KEY' : ''}`,
  );
  const indexes = shape.indexed.map(
    (column: string) =>
      `CREATE INDEX IF NOT EXISTS ${quoted(`${name}_by_${column}`)} ON ${quoted(name)} (${quoted(column)});`,
  );
  return `CREATE TABLE IF NOT EXISTS ${quoted(name)} (${columns.join(', ')}) WITHOUT ROWID; ${indexes.join(' ')}`;
};

const statementsOf = <Row extends object>(database: Database, name: keyof Rows, shape: TableShape<Row>) => {
  const columns = shape.columns.map(quoted).join(', ');
  const places = shape.columns.map(() => '?').join(', ');
  const select = `SELECT ${columns} FROM ${quoted(name)}`;
  const one = database.prepare(`${select} WHERE ${quoted(shape.key)} = ?`);
  const every = database.prepare(select);
  const put = database.prepare(`INSERT OR REPLACE INTO ${quoted(name)} (${columns}) VALUES (${places})`);
  const remove = database.prepare(`DELETE FROM ${quoted(name)} WHERE ${quoted(shape.key)} = ?`);
  const indexed = new Map(
    shape.indexed.map((column) => [
      column,
      {
        select: database.prepare(`${select} WHERE ${quoted(column)} = ?`),
        remove: database.prepare(`DELETE FROM ${quoted(name)} WHERE ${quoted(column)} = ?`),
      },
    ]),
  );
  const indexOf = (column: keyof Row & string) => {
    const statements = indexed.get(column);
    if (statements === undefined) throw new Error(`Table ${name} has no index of ${column}`);
    return statements;
  };
  return {
    get: (key: string) => one.get(key) as Row | undefined,
    by: (column: keyof Row & string, value: string) => indexOf(column).select.all(value) as readonly Row[],
    all: () => every.all() as readonly Row[],
    put: (row: Row): void => {
      put.run(...shape.columns.map((column) => row[column] as Value));
    },
    remove: (key: string): void => {
      remove.run(key);
    },
    removeBy: (column: keyof Row & string, value: string): void => {
      indexOf(column).remove.run(value);
    },
  };
};

type Statements<Row extends object> = ReturnType<typeof statementsOf<Row>>;
type TableStatements = { readonly [Name in keyof Rows]: Statements<Rows[Name]> };

const insideTransaction = <Row extends object>(statements: Statements<Row>): WritableTable<Row> => ({
  get: async (key) => statements.get(key),
  by: async (column, value) => statements.by(column, value),
  all: async () => statements.all(),
  put: async (row) => statements.put(row),
  remove: async (key) => statements.remove(key),
  removeBy: async (column, value) => statements.removeBy(column, value),
});

// A session or a spent code that came back after a power cut would be a door.
const storeFile: StoreFile = {
  what: 'credential store',
  applicationId: 0x5a4b4352,
  schemaVersion: 1,
  prepare: (database) => {
    // Also in a file from before a table was added, which is empty there and unknown to who wrote the file.
    for (const [name, shape] of Object.entries(tableShapes)) database.exec(createTable(name, shape));
  },
};

const named = (file: string, error: unknown): Error => {
  const cause = unusableFile(file, error);
  return new Error(`Credential store ${cause.message}`, { cause });
};

/** Of an open file. A disk that is full and a lock of somebody else pass: whoever asks may come again. */
const failed = (file: string, error: unknown): Error => {
  const { fault } = unusableFile(file, error);
  const told = named(file, error);
  return fault === 'full' || fault === 'busy' ? new CredentialsUnavailable(told.message, { cause: told.cause }) : told;
};

/** Another engine under the tables: for tests of what it refuses. */
export type OpenCredentialFile = (file: string) => Database;
export const openCredentialFile: OpenCredentialFile = (file) => openStoreFile(file, storeFile);

/** Tables in a file, fsynced with each transaction. Throws an Error naming the file when it cannot be used. */
export const sqliteTables = (file: string, open: OpenCredentialFile = openCredentialFile): Tables => {
  const naming = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw named(file, error);
    }
  };
  const database = naming(() => open(file));
  const made = naming(() => ofEachTable((name, shape) => statementsOf(database, name, shape)) as TableStatements);
  const dataVersion = naming(() => database.prepare('PRAGMA data_version'));
  const version = (): number => (dataVersion.get() as { readonly data_version: number }).data_version;
  const turns = serialQueue();
  const wal = walSync(file);
  let durable: Promise<unknown> = Promise.resolve();
  const inside = ofEachTable((name) => insideTransaction(made[name])) as WritableTables;
  // The connection sees its own open transaction, so that others' reads wait for its end.
  const outside = <Row extends object>(statements: Statements<Row>): ReadableTable<Row> => ({
    get: (key) => turns.read(() => statements.get(key)),
    by: (column, value) => turns.read(() => statements.by(column, value)),
    all: () => turns.read(() => statements.all()),
  });

  const committed = async <Result>(
    work: (tables: WritableTables) => Promise<Result>,
    trifle: boolean,
  ): Promise<{ readonly result: Result; readonly synced: Promise<void> }> => {
    // Of two commits that are not durable a power cut may leave only the later one, which would look like damage (`checkWalTail`).
    await durable;
    try {
      database.exec(`PRAGMA synchronous = ${trifle ? 'NORMAL' : 'FULL'}`);
      database.exec('BEGIN IMMEDIATE');
      const result = await work(inside);
      database.exec('COMMIT');
      if (!trifle) followCommit(database, storeFile);
      const synced = trifle ? wal.sync() : Promise.resolve();
      durable = synced.catch(() => undefined);
      return { result, synced };
    } catch (error) {
      try {
        if (database.isTransaction) database.exec('ROLLBACK');
      } catch {
        // A full disk may have ended the transaction already; the first error is the one to tell.
      }
      throw failed(file, error);
    }
  };

  return {
    ...(ofEachTable((name) => outside(made[name])) as ReadableTables),
    transaction: async (work, { trifle = false } = {}) => {
      const { result, synced } = await turns.run(() => committed(work, trifle));
      try {
        // Behind the turn: who reads does not wait for it.
        await synced;
      } catch (error) {
        throw failed(file, error);
      }
      return result;
    },
    watchSessions: (watcher) => {
      let seen = version();
      const readAll = (): void => watcher.reading()(naming((): readonly SessionRow[] => made.sessions.all()));
      readAll();
      const watch = setInterval(() => {
        if (turns.isBusy()) return;
        const now = version();
        if (now === seen) return;
        seen = now;
        readAll();
      }, lookEvery);
      watch.unref();
      return { isExact: () => true, stop: () => clearInterval(watch) };
    },
    close: () =>
      turns.run(async () => {
        await durable;
        await wal.close();
        // Never waits for other connections: what stays in the WAL is read from there.
        database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
      }),
  };
};

/** Whether a file holds an admin, who is there from the first start on. Throws an Error naming the file when it cannot be used. */
export const holdsAdmin = (file: string): boolean => {
  try {
    const database = openStoreFile(file, storeFile);
    try {
      return database.prepare('SELECT 1 FROM admins LIMIT 1').get() !== undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    throw named(file, error);
  }
};
