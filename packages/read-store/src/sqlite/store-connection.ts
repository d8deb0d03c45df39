import type { Database, Statement } from '@zakup/sqlite/engine';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import { CorruptDocument, type DeclaredFields } from '../read-store.ts';
import { createYielder } from '@zakup/async/yielder';
import { connect, connectForReading, openSchema } from './schema.ts';
import { spareConnections } from './spare-connections.ts';

/** More rows than this are read on a connection of their own, in slices between which other work runs. */
export const shortRead = 1_000;
export const sliceRows = 100;
/** Who reads each document looks at every page once: what is kept of them is of no use. */
export const passingCache = 'PRAGMA cache_size = -2048';
/** Pages that a long write has changed go to the WAL with its steps, all but so many, so that its commit has few left to write. */
export const watchedCache = 'PRAGMA cache_size = -4096';
/** Nobody waits for what is written beside; with fewer, pages of indexes would be read and written over and over. */
export const unwatchedCache = 'PRAGMA cache_size = -65536';
const keptStatements = 512;

/** A statement of one connection by its text. */
export type Prepare = (sql: string) => Statement;

/** A connection with its statements. */
interface PreparedConnection {
  readonly database: Database;
  readonly prepare: Prepare;
}

const statements = (database: Database): Prepare => {
  const kept = new Map<string, Statement>();
  return (sql) => {
    const known = kept.get(sql);
    if (known !== undefined) return known;
    if (kept.size >= keptStatements) kept.clear();
    const statement = database.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
};

export interface StoreConnection {
  readonly file: string;
  /** Of the connection on which everything is written, and whatever is short is read. */
  readonly database: Database;
  /** Its statements, kept by their text. */
  readonly prepare: Prepare;
  /** Another one each time that another connection has committed. */
  readonly dataVersion: () => number;
  /** Does the work unless the store is closed; what it throws is told with the name of the file. */
  readonly answer: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
  /** Writes wait for one another: each has the file's only write lock, and a long one keeps it over several turns. */
  readonly alone: <Result>(work: () => Result | Promise<Result>) => Promise<Result>;
  /**
   * Takes the steps in one transaction on a connection of its own, so that others read what was before between them. `cache`: the pragma
   * of the pages that it holds. To be called alone.
   */
  readonly inSteps: <Result>(work: (prepareOn: Prepare) => Generator<void, Result>, cache: string) => Promise<Result>;
  /** Runs the work in a transaction that this statement begins. */
  readonly within: <Result>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Result) => Result;
  /** Runs the work on a connection and in a read transaction of its own. */
  readonly inSnapshot: <Result>(work: (prepareOn: Prepare) => Promise<Result>) => Promise<Result>;
  readonly isOpen: () => boolean;
  /** Waits for what is being written, and for the snapshots that are being read. */
  readonly close: () => Promise<void>;
}

/**
 * Opens or makes the file. Throws an Error naming it when it is corrupt, no read store, or written by a newer version. `readOnly`: beside
 * the one that has opened it and writes.
 */
export const storeConnection = (file: string, declared: DeclaredFields, readOnly = false): StoreConnection => {
  const named = (error: unknown): Error => {
    if (error instanceof CorruptDocument) return error;
    const cause = unusableFile(file, error);
    return new Error(`Read store ${cause.message}`, { cause });
  };
  const naming = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw named(error);
    }
  };

  const database = naming(() => (readOnly ? connectForReading(file) : openSchema(file, declared)));
  const { prepare, version } = naming(() => ({
    prepare: statements(database),
    version: database.prepare('PRAGMA data_version'),
  }));
  const snapshots = new Set<Promise<unknown>>();
  let open = true;
  let apart: PreparedConnection | null = null;
  let lastWrite: Promise<unknown> = Promise.resolve();

  const openApart = (): PreparedConnection => {
    const connection = readOnly ? connectForReading(file) : connect(file);
    return { database: connection, prepare: statements(connection) };
  };
  const spare = spareConnections(openApart);

  const giveUp = (on: Database): void => {
    try {
      on.exec('ROLLBACK');
    } catch {
      // A full disk or a broken file may have ended the transaction already; the first error is the one to tell.
    }
  };

  const ensureOpen = (): void => {
    if (!open) throw new Error(`Read store ${file} is closed`);
  };

  return {
    file,
    database,
    prepare,
    dataVersion: () => (version.get() as { readonly data_version: number }).data_version,

    answer: async (work) => {
      ensureOpen();
      try {
        return await work();
      } catch (error) {
        throw named(error);
      }
    },

    within: (begin, work) => {
      database.exec(begin);
      try {
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        giveUp(database);
        throw error;
      }
    },

    alone: (work) => {
      const done = lastWrite.then(work);
      lastWrite = done.catch(() => undefined);
      return done;
    },

    inSteps: async (work, cache) => {
      apart ??= openApart();
      const on = apart;
      on.database.exec(cache);
      on.database.exec('BEGIN IMMEDIATE');
      try {
        const steps = work(on.prepare);
        const yieldIfDue = createYielder();
        let step = steps.next();
        while (step.done !== true) {
          await yieldIfDue();
          step = steps.next();
        }
        on.database.exec('COMMIT');
        return step.value;
      } catch (error) {
        giveUp(on.database);
        throw error;
      }
    },

    inSnapshot: async (work) => {
      const run = async () => {
        const connection = spare.take();
        try {
          connection.database.exec(`${unwatchedCache}; BEGIN`);
          return await work(connection.prepare);
        } finally {
          spare.giveBack(connection);
        }
      };
      const running = run();
      snapshots.add(running);
      try {
        return await running;
      } finally {
        snapshots.delete(running);
      }
    },

    isOpen: () => open,

    close: async () => {
      if (!open) return;
      open = false;
      await Promise.allSettled([lastWrite, ...snapshots]);
      naming(() => {
        apart?.database.close();
        spare.close();
        // Never waits for other connections: what stays in the WAL is read from there.
        if (!readOnly) database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
      });
    },
  };
};
