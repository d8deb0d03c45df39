import { checkFile } from './check-file.ts';
import { type Database, openDatabase } from './engine.ts';
import { UnusableFile } from './unusable-file.ts';

/** What a store keeps in a file of its own, every commit of which is durable. */
export interface StoreFile {
  /** As in "this file is not a …". */
  readonly what: string;
  /** Marks the file as this store's, so that another store's file given by mistake is refused. */
  readonly applicationId: number;
  /** Of the present form, 1 or more; a file of a greater one is refused. */
  readonly schemaVersion: number;
  /** Makes the tables, within the transaction that marks a new file; called at each opening. */
  readonly prepare: (database: Database, given: { readonly isNew: boolean }) => void;
}

const pragma = (database: Database, name: string): unknown =>
  Object.values((database.prepare(`PRAGMA ${name}`).get() ?? {}) as Record<string, unknown>)[0];

const prepareFile = (file: string, { what, applicationId, schemaVersion, prepare }: StoreFile, database: Database) => {
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  // Without it nothing that was told to be kept need survive a power cut.
  if (pragma(database, 'synchronous') !== 2) throw new Error('the engine refuses synchronous=FULL');
  database.exec('BEGIN IMMEDIATE');
  const version = pragma(database, 'user_version');
  const isNew = version === 0 && database.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() === undefined;
  if (isNew) {
    database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
  } else if (pragma(database, 'application_id') !== applicationId) {
    throw new UnusableFile(file, 'foreign', `this file is not a ${what}`);
  } else if (typeof version !== 'number' || version > schemaVersion) {
    const reason = `written by a newer version (${String(version)}, this one knows ${schemaVersion})`;
    throw new UnusableFile(file, 'newer', reason);
  }
  prepare(database, { isNew });
  database.exec('COMMIT');
};

/**
 * Opens a store's file, made where it is absent; its folder must exist. Throws `UnusableFile` where the file is damaged, another store's, or
 * written by a newer version, else the engine's error.
 */
export const openStoreFile = (file: string, store: StoreFile): Database => {
  checkFile(file);
  const database = openDatabase(file);
  try {
    prepareFile(file, store, database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Puts a commit behind the one that was just made. A damaged last commit in a WAL cannot be told from one that a crash cut off; two lost
 * commits are damage for certain (`checkWalTail`). Never throws: what was to be kept is durable already.
 */
export const followCommit = (database: Database, { schemaVersion }: Pick<StoreFile, 'schemaVersion'>): void => {
  try {
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  } catch {
    // The commit before it stands.
  }
};
