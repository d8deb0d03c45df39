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
const manyPages = 'PRAGMA cache_size = -65536';
/** Pages of the WAL after which a commit moves them into the file. */
const shortLog = 'PRAGMA wal_autocheckpoint = 1000';
/** Pages that a long write has changed go to the WAL with its steps, all but so many, so that its commit has few left to write. */
export const watchedWriting = `PRAGMA cache_size = -4096; ${shortLog}`;
/** Nobody waits for what is written beside; with fewer, pages of indexes would be read and written over and over. */
export const unwatchedWriting = `${manyPages}; ${shortLog}`;
/** What changes again and again is moved into the file less often, which holds the thread for longer. */
export const aloneWriting = `${manyPages}; PRAGMA wal_autocheckpoint = 8000`;
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
   * Takes the steps in one transaction on a connection of its own, so that others read what was before between them. `writing`: pragmas
   * that say how many pages it holds. To be called alone.
   */
  readonly inSteps: <Result>(work: (prepareOn: Prepare) => Generator<void, Result>, writing: string) => Promise<Result>;
  /** Runs the work in a transaction that this statement begins. */
  readonly within: <Result>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Result) => Result;
  /** Runs the work on a connection and in a read transaction of its own. */
  readonly inSnapshot: <Result>(work: (prepareOn: Prepare) => Promise<Result>) => Promise<Result>;
  readonly isOpen: () => boolean;
  /** Waits for what is being written, and for the snapshots that are being read. */
  readonly close: () => Promise<void>;
}

type Naming = <Result>(work: () => Result) => Result;

/** Ways to tell what goes wrong with the file under its name. */
const namedErrors = (file: string) => {
  const named = (error: unknown): Error => {
    if (error instanceof CorruptDocument) return error;
    const cause = unusableFile(file, error);
    return new Error(`Read store ${cause.message}`, { cause });
  };
  const naming: Naming = (work) => {
    try {
      return work();
    } catch (error) {
      throw named(error);
    }
  };
  return { named, naming };
};

const giveUp = (on: Database): void => {
  try {
    on.exec('ROLLBACK');
  } catch {
    // A full disk or a broken file may have ended the transaction already; the first error is the one to tell.
  }
};

/** One after the other, whatever becomes of the one before. */
const writeQueue = () => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
      const done = last.then(work);
      last = done.catch(() => undefined);
      return done;
    },
    /** What was given to it last. */
    last: () => last,
  };
};

const within = <Result>(database: Database, begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => Result): Result => {
  database.exec(begin);
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    giveUp(database);
    throw error;
  }
};

const inSteps = async <Result>(
  { database, prepare }: PreparedConnection,
  work: (prepareOn: Prepare) => Generator<void, Result>,
  writing: string,
): Promise<Result> => {
  database.exec(writing);
  database.exec('BEGIN IMMEDIATE');
  try {
    const steps = work(prepare);
    const yieldIfDue = createYielder();
    let step = steps.next();
    while (step.done !== true) {
      await yieldIfDue();
      step = steps.next();
    }
    database.exec('COMMIT');
    return step.value;
  } catch (error) {
    giveUp(database);
    throw error;
  }
};

/** Reads in transactions, each on a spare connection of its own. */
const snapshotReads = (open: () => PreparedConnection) => {
  const spare = spareConnections(open);
  const running = new Set<Promise<unknown>>();
  const read = async <Result>(work: (prepareOn: Prepare) => Promise<Result>): Promise<Result> => {
    const connection = spare.take();
    try {
      connection.database.exec(`${manyPages}; BEGIN`);
      return await work(connection.prepare);
    } finally {
      spare.giveBack(connection);
    }
  };
  return {
    run: async <Result>(work: (prepareOn: Prepare) => Promise<Result>): Promise<Result> => {
      const reading = read(work);
      running.add(reading);
      try {
        return await reading;
      } finally {
        running.delete(reading);
      }
    },
    /** Those that are under way. */
    running: (): readonly Promise<unknown>[] => [...running],
    close: () => spare.close(),
  };
};

/**
 * Opens or makes the file. Throws an Error naming it when it is corrupt, no read store, or written by a newer version. `readOnly`: beside
 * the one that has opened it and writes.
 */
export const storeConnection = (file: string, declared: DeclaredFields, readOnly = false): StoreConnection => {
  const { named, naming } = namedErrors(file);
  const database = naming(() => (readOnly ? connectForReading(file) : openSchema(file, declared)));
  const { prepare, version } = naming(() => ({
    prepare: statements(database),
    version: database.prepare('PRAGMA data_version'),
  }));
  const openApart = (): PreparedConnection => {
    const connection = readOnly ? connectForReading(file) : connect(file);
    return { database: connection, prepare: statements(connection) };
  };
  const snapshots = snapshotReads(openApart);
  const writes = writeQueue();
  let open = true;
  let apart: PreparedConnection | null = null;

  return {
    file,
    database,
    prepare,
    dataVersion: () => (version.get() as { readonly data_version: number }).data_version,

    answer: async (work) => {
      if (!open) throw new Error(`Read store ${file} is closed`);
      try {
        return await work();
      } catch (error) {
        throw named(error);
      }
    },

    within: (begin, work) => within(database, begin, work),
    alone: writes.run,

    inSteps: async (work, writing) => {
      apart ??= openApart();
      return inSteps(apart, work, writing);
    },

    inSnapshot: snapshots.run,
    isOpen: () => open,

    close: async () => {
      if (!open) return;
      open = false;
      await Promise.allSettled([writes.last(), ...snapshots.running()]);
      naming(() => {
        apart?.database.close();
        snapshots.close();
        // Never waits for other connections: what stays in the WAL is read from there.
        if (!readOnly) database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
      });
    },
  };
};
