import { activationCodes } from './activation-codes.ts';
import type { RandomBytes } from './codes.ts';
import type { Credentials, PasswordRecord } from './credentials.ts';
import { failureCounts } from './failure-counts.ts';
import { type HashingCost, passwordHasher } from './password-hasher.ts';
import { makeToken, sameText } from './secrets.ts';
import { sessionBook } from './session-book.ts';
import type { Tables } from './tables.ts';

export interface CredentialsOptions {
  /** At least 32 secret bytes, kept apart from the store and the same at each start; another key makes live activation codes wrong. */
  readonly key: Uint8Array;
  readonly random: RandomBytes;
  /** Of passwords; for tests. Default: Argon2id with 19 MiB and two passes. */
  readonly hashing?: HashingCost;
}

/** The rules of the port over any tables. */
export const credentialsOnTables = (tables: Tables, { key, random, hashing }: CredentialsOptions): Credentials => {
  const hasher = passwordHasher(hashing);
  const failures = failureCounts();
  const codes = activationCodes(tables, key, random);
  const { stop, endForPassword, ...sessions } = sessionBook(tables, random);
  let open = true;

  const put = (record: PasswordRecord, hash: string): void =>
    tables.passwords.put({ ...record, temporary: record.temporary ? 1 : 0, hash });

  return {
    ...sessions,
    ...codes,

    setPassword: async (record, password, ending) => {
      const hash = await hasher.hash(password);
      if (ending === undefined) tables.transaction(() => put(record, hash));
      else endForPassword(record.userId, ending, () => put(record, hash));
    },

    setFirstPassword: async (record, password) => {
      if (tables.passwords.get(record.userId) !== undefined) return false;
      const hash = await hasher.hash(password);
      return tables.transaction(() => {
        if (tables.passwords.get(record.userId) !== undefined) return false;
        put(record, hash);
        return true;
      });
    },

    checkPassword: async (userId, password, now) => {
      const row = userId === null ? undefined : tables.passwords.get(userId);
      const matches = await hasher.matches(row?.hash ?? null, password);
      if (!matches || row === undefined) return { kind: 'wrong' };
      // Another password may have been set while this one was checked.
      if (tables.passwords.get(row.userId)?.hash !== row.hash) return { kind: 'wrong' };
      if (row.temporary === 1 && row.validUntil !== null && row.validUntil <= now) return { kind: 'wrong' };
      const { licenceId, validUntil } = row;
      return { kind: 'right', record: { userId: row.userId, licenceId, temporary: row.temporary === 1, validUntil } };
    },

    removePassword: async (userId) => tables.transaction(() => tables.passwords.remove(userId)),

    setAdmin: async (login, password) => {
      const hash = await hasher.hash(password);
      tables.transaction(() => {
        for (const admin of tables.admins.all()) tables.admins.remove(admin.login);
        tables.admins.put({ login, hash, stamp: makeToken(random) });
      });
    },
    hasAdmin: async () => tables.admins.all().length > 0,
    checkAdmin: async (login, password) => {
      const admin = tables.admins.all()[0];
      const matches = await hasher.matches(admin?.hash ?? null, password);
      return sameText(admin?.login ?? '', login) && matches;
    },
    adminStamp: async () => tables.admins.all()[0]?.stamp ?? null,

    recordFailure: async (failed, now) => failures.record(failed, now),
    failures: async (failed, since) => failures.count(failed, since),
    clearFailures: async (failed) => failures.clear(failed),

    close: async () => {
      if (!open) return;
      open = false;
      stop();
      tables.close();
    },
  };
};
