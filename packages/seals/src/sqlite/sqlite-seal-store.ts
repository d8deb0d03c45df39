import type { Database } from '@zakup/sqlite/engine';
import { followCommit, openStoreFile, type StoreFile } from '@zakup/sqlite/store-file';
import { unusableFile } from '@zakup/sqlite/unusable-file';
import { followsSeal } from '../follows.ts';
import {
  type KnownSealKey,
  CorruptSalt,
  CorruptSeal,
  type SealStore,
  SealsUnavailable,
  type StoredSeal,
} from '../seal-store.ts';
import { rowOf, saltOf, sealOf, type SealRow } from '../stored-text.ts';

const schema = `
  CREATE TABLE seals (
    licenceId TEXT NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL, stream TEXT NOT NULL,
    revision INTEGER NOT NULL, text TEXT NOT NULL, checksum TEXT NOT NULL,
    PRIMARY KEY (licenceId, number)
  ) WITHOUT ROWID;
  CREATE INDEX seals_by_position ON seals (position);
  CREATE TRIGGER seals_are_not_changed BEFORE UPDATE ON seals BEGIN SELECT RAISE(ABORT, 'a seal never changes'); END;
  CREATE TRIGGER seals_are_not_removed BEFORE DELETE ON seals BEGIN SELECT RAISE(ABORT, 'a seal never goes'); END;
  CREATE TABLE salts (licenceId TEXT PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID;
  CREATE TABLE keys (place INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, publicKey TEXT NOT NULL, since TEXT NOT NULL);
  CREATE TABLE progress (id INTEGER PRIMARY KEY CHECK (id = 1), followed INTEGER NOT NULL, fence INTEGER NOT NULL);
  INSERT INTO progress VALUES (1, 0, 0);`;

// A seal that was shown and is gone after a power cut would be made a second time, and differ.
const storeFile: StoreFile = {
  what: 'store of seals',
  applicationId: 0x5a4b534c,
  schemaVersion: 1,
  prepare: (database, { isNew }) => {
    if (isNew) database.exec(schema);
  },
};

const unavailable = (file: string, error: unknown): Error => {
  if (error instanceof CorruptSeal || error instanceof CorruptSalt || error instanceof SealsUnavailable) return error;
  const cause = unusableFile(file, error);
  return new SealsUnavailable(`Seal store ${cause.message}`, { cause });
};

interface Progress {
  readonly followed: number;
  readonly fence: number;
}

const columns = 'licenceId, number, position, stream, revision, text, checksum';

const statementsOf = (database: Database) => ({
  last: database.prepare(`SELECT ${columns} FROM seals WHERE licenceId = ? ORDER BY number DESC LIMIT 1`),
  range: database.prepare(`SELECT ${columns} FROM seals WHERE licenceId = ? AND number > ? ORDER BY number LIMIT ?`),
  add: database.prepare(`INSERT INTO seals (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`),
  licences: database.prepare('SELECT DISTINCT licenceId FROM seals'),
  reached: database.prepare('SELECT max(position) AS position FROM seals'),
  salt: database.prepare('SELECT key FROM salts WHERE licenceId = ?'),
  addSalt: database.prepare('INSERT INTO salts (licenceId, key) VALUES (?, ?)'),
  keys: database.prepare('SELECT fingerprint, publicKey, since FROM keys ORDER BY place'),
  addKey: database.prepare('INSERT OR IGNORE INTO keys (fingerprint, publicKey, since) VALUES (?, ?, ?)'),
  progress: database.prepare('SELECT followed, fence FROM progress'),
  note: database.prepare('UPDATE progress SET followed = ?, fence = ?'),
});

/**
 * Seals in a SQLite file of their own; each is fsynced before it resolves, and the file itself refuses to change or remove one. Throws
 * `SealsUnavailable` naming the file when it is corrupt, no store of seals, or written by a newer version.
 */
export const sqliteSealStore = ({ file }: { readonly file: string }): SealStore => {
  const naming = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw unavailable(file, error);
    }
  };
  const database = naming(() => openStoreFile(file, storeFile));
  let open = true;
  const statements = naming(() => statementsOf(database));

  const asked = async <Result>(work: () => Result): Promise<Result> => {
    if (!open) throw new SealsUnavailable(`Seal store ${file} is closed`);
    return naming(work);
  };
  const transaction = <Result>(work: () => Result): Promise<Result> =>
    asked(() => {
      try {
        database.exec('BEGIN IMMEDIATE');
        const result = work();
        database.exec('COMMIT');
        return result;
      } catch (error) {
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    });
  const last = (licenceId: string): StoredSeal | null => {
    const row = statements.last.get(licenceId) as SealRow | undefined;
    return row === undefined ? null : sealOf(row, file);
  };
  const progress = (): Progress => statements.progress.get() as Progress;

  return {
    last: (licenceId) => asked(() => last(licenceId)),
    read: (licenceId, { after = 0, limit = 500 } = {}) =>
      asked(() =>
        (statements.range.all(licenceId, after, limit) as readonly SealRow[]).map((row) => sealOf(row, file)),
      ),
    async add(next, fence) {
      const result = await transaction(() => {
        const seen = progress();
        if (fence < seen.fence) return { kind: 'lost_lease', fence: seen.fence } as const;
        if (fence > seen.fence) statements.note.run(seen.followed, fence);
        const before = last(next.seal.licenceId);
        if (!followsSeal(before, next)) return { kind: 'not_next', last: before } as const;
        const { licenceId, number, position, stream, revision, text, checksum } = rowOf(next);
        statements.add.run(licenceId, number, position, stream, revision, text, checksum);
        return { kind: 'added' } as const;
      });
      if (result.kind === 'added') followCommit(database, storeFile);
      return result;
    },
    licences: () =>
      asked(() =>
        (statements.licences.all() as readonly Pick<SealRow, 'licenceId'>[]).map(({ licenceId }) => licenceId),
      ),
    async saltKey(licenceId, fresh) {
      const kept = (): Uint8Array | undefined => {
        const row = statements.salt.get(licenceId) as { readonly key: unknown } | undefined;
        return row === undefined ? undefined : saltOf(row.key, file, licenceId);
      };
      const known = await asked(kept);
      if (known !== undefined) return known;
      const key = await transaction(() => {
        const there = kept();
        if (there !== undefined) return there;
        const made = fresh();
        statements.addSalt.run(licenceId, made);
        return made;
      });
      followCommit(database, storeFile);
      return key;
    },
    async addKey({ fingerprint, publicKey, since }) {
      await asked(() => statements.addKey.run(fingerprint, publicKey, since));
    },
    keys: () => asked(() => statements.keys.all() as readonly KnownSealKey[]),
    followed: () => asked(() => progress().followed),
    follow: (position, fence) =>
      transaction(() => {
        const seen = progress();
        if (fence >= seen.fence) statements.note.run(Math.max(seen.followed, position), fence);
      }),
    reached: () => asked(() => (statements.reached.get() as { readonly position: number | null }).position ?? 0),
    fence: () => asked(() => progress().fence),
    async close() {
      if (!open) return;
      open = false;
      naming(() => {
        // Never waits for other connections: what stays in the WAL is read from there.
        database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
      });
    },
  };
};

/** Whether a file holds a seal. Throws `SealsUnavailable` naming the file when it cannot be used. */
export const holdsSeal = (file: string): boolean => {
  try {
    const database = openStoreFile(file, storeFile);
    try {
      return database.prepare('SELECT 1 FROM seals LIMIT 1').get() !== undefined;
    } finally {
      database.close();
    }
  } catch (error) {
    throw unavailable(file, error);
  }
};
