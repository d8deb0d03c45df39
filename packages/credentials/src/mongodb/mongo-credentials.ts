import type { Credentials } from '../credentials.ts';
import { type CredentialsOptions, credentialsOnTables } from '../credentials-on-tables.ts';
import { type MongoTablesOptions, mongoTables } from './mongo-tables.ts';

/** `key` must be the same in every process that shares the store. */
export type MongoCredentialsOptions = CredentialsOptions & MongoTablesOptions;

/**
 * Credentials in MongoDB, shared by processes; every change is on a majority of the members before it resolves. Resolves when the ends of
 * sessions that other processes write are followed. Throws `CredentialsUnavailable` when the server is away, an Error when the URL, the
 * server's credentials, the kind of server or what is in the database does not fit, and RangeError for a key under 32 bytes.
 */
export const mongoCredentials = async (options: MongoCredentialsOptions): Promise<Credentials> => {
  const tables = await mongoTables(options);
  try {
    const credentials = credentialsOnTables(tables, options);
    await tables.following();
    return credentials;
  } catch (error) {
    await tables.close();
    throw error;
  }
};
