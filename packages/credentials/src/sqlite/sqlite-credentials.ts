import type { Credentials } from '../credentials.ts';
import { type CredentialsOptions, credentialsOnTables } from '../credentials-on-tables.ts';
import { sqliteTables } from './sqlite-tables.ts';

export interface SqliteCredentialsOptions extends CredentialsOptions {
  /** Path of the database; made when absent, its folder must exist. */
  readonly file: string;
}

/**
 * Credentials in a SQLite file of their own; every change is fsynced before it resolves. Throws an Error naming the file when it is corrupt,
 * no credential store, or written by a newer version, and RangeError for a key under 32 bytes.
 */
export const sqliteCredentials = ({ file, ...options }: SqliteCredentialsOptions): Credentials => {
  const tables = sqliteTables(file);
  try {
    return credentialsOnTables(tables, options);
  } catch (error) {
    void tables.close();
    throw error;
  }
};
