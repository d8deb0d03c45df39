import { hash } from 'node:crypto';
import { checkFile } from '@zakup/sqlite/check-file';
import type { Database } from '@zakup/sqlite/engine';
import { openDatabase } from '@zakup/sqlite/engine';
import { UnusableFile, unusableFile } from '@zakup/sqlite/unusable-file';
import type { Position } from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';

const schemaVersion = 1;
const pageSize = 8192;
// About 64 MB of WAL: rare enough that a checkpoint is not felt, small enough that a restart reads it at once.
const checkpointPages = 8000;

const schema = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL);
  CREATE INDEX streams_by_checksum ON streams (checksum);
  CREATE TABLE names (id INTEGER PRIMARY KEY, text TEXT NOT NULL, checksum INTEGER NOT NULL);
  CREATE INDEX names_by_checksum ON names (checksum);
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    licence INTEGER NOT NULL,
    payload BLOB NOT NULL
  );
  CREATE UNIQUE INDEX events_by_stream ON events (stream, revision);
  CREATE INDEX events_by_licence ON events (licence);
  CREATE TABLE commands (
    key BLOB PRIMARY KEY,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL
  ) WITHOUT ROWID;
`;

/** What a command key is stored as: 16 bytes of its SHA-256. */
export const storedKey = (commandKey: string): Uint8Array =>
  Buffer.from(hash('sha256', commandKey, 'hex').slice(0, 32), 'hex');

/** An `EventStoreUnavailable` that names the file, for whatever the engine threw; its cause is an `UnusableFile`. */
export const unavailable = (file: string, error: unknown): EventStoreUnavailable => {
  if (error instanceof EventStoreUnavailable) return error;
  const cause = unusableFile(file, error);
  return new EventStoreUnavailable(`Event log ${cause.message}`, { cause });
};

const pragma = (db: Database, name: string): unknown => {
  const row = db.prepare(`PRAGMA ${name}`).get() as Record<string, unknown> | undefined;
  return row?.[name];
};

const mustBe = (file: string, what: string, actual: unknown, wanted: unknown) => {
  if (actual !== wanted) {
    throw new UnusableFile(file, 'other', `${what} is ${String(actual)} and cannot be set to ${String(wanted)}`);
  }
};

/**
 * Throws `UnusableFile` where a log has views or triggers: none of ours has, and what somebody put there would run with each read or append.
 */
export const refuseOwnCode = (db: Database, file: string): void => {
  const { count } = db
    .prepare("SELECT count(*) AS count FROM sqlite_schema WHERE type IN ('view', 'trigger')")
    .get() as {
    readonly count: number;
  };
  if (count > 0) throw new UnusableFile(file, 'foreign', 'has views or triggers');
};

/** The durability settings in force on a connection, as read back from it. */
export interface EngineSettings {
  readonly journalMode: string;
  /** 2 = FULL. */
  readonly synchronous: number;
  readonly pageSize: number;
  readonly walAutocheckpoint: number;
}

/** The settings in force. */
export const engineSettings = (db: Database): EngineSettings => ({
  journalMode: String(pragma(db, 'journal_mode')),
  synchronous: Number(pragma(db, 'synchronous')),
  pageSize: Number(pragma(db, 'page_size')),
  walAutocheckpoint: Number(pragma(db, 'wal_autocheckpoint')),
});

/**
 * Opens the log for its only writer, creating it where it is absent. Throws `EventStoreUnavailable` naming the file when it is
 * damaged, cannot be written, is of a newer version, or cannot be made durable.
 */
export const openForWriting = (file: string): Database => {
  let db: Database | undefined;
  try {
    checkFile(file);
    db = openDatabase(file);
    db.exec(`PRAGMA page_size = ${pageSize}`);
    db.exec('PRAGMA journal_mode = WAL');
    // After the journal mode: an engine may go back to NORMAL with it.
    db.exec('PRAGMA synchronous = FULL');
    db.exec(`PRAGMA wal_autocheckpoint = ${checkpointPages}`);
    db.exec('PRAGMA cache_size = -65536');
    const settings = engineSettings(db);
    mustBe(file, 'journal_mode', settings.journalMode, 'wal');
    mustBe(file, 'synchronous', settings.synchronous, 2);
    mustBe(file, 'wal_autocheckpoint', settings.walAutocheckpoint, checkpointPages);

    const version = Number(pragma(db, 'user_version'));
    if (version > schemaVersion) {
      const reason = `is of version ${version}, newer than version ${schemaVersion} that this program knows`;
      throw new UnusableFile(file, 'newer', reason);
    }
    refuseOwnCode(db, file);
    if (version === 0) {
      const { tables } = db.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
      if (tables > 0) throw new UnusableFile(file, 'foreign', 'is a database of another kind');
      mustBe(file, 'page_size', settings.pageSize, pageSize);
      db.exec(`BEGIN IMMEDIATE; ${schema} PRAGMA user_version = ${schemaVersion}; COMMIT`);
    }
    return db;
  } catch (error) {
    db?.close();
    throw unavailable(file, error);
  }
};

/** Opens the log for reading beside its writer. */
export const openForReading = (file: string): Database => {
  let db: Database | undefined;
  try {
    db = openDatabase(file, { readOnly: true });
    db.exec('PRAGMA query_only = 1; PRAGMA cache_size = -32768');
    refuseOwnCode(db, file);
    return db;
  } catch (error) {
    db?.close();
    throw unavailable(file, error);
  }
};

/** Position of the last event in a file that nobody writes, 0 where there is none. Throws `EventStoreUnavailable` naming the file. */
export const storedHead = (file: string): Position => {
  const db = openForReading(file);
  try {
    if (Number(pragma(db, 'user_version')) === 0) return 0;
    const { head } = db.prepare('SELECT max(position) AS head FROM events').get() as { readonly head: number | null };
    return head ?? 0;
  } catch (error) {
    throw unavailable(file, error);
  } finally {
    db.close();
  }
};
