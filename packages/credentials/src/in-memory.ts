import type { Credentials } from './credentials.ts';
import { type CredentialsOptions, credentialsOnTables } from './credentials-on-tables.ts';
import { inMemoryTables } from './in-memory-tables.ts';

/** Credentials that end with the process, under the same rules as stored ones. Throws RangeError for a key under 32 bytes. */
export const inMemoryCredentials = (options: CredentialsOptions): Credentials =>
  credentialsOnTables(inMemoryTables(), options);
