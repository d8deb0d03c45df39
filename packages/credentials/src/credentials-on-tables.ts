import { activationCodes } from './activation-codes.ts';
import { adminEntries } from './admin-entries.ts';
import { adminSessions } from './admin-sessions.ts';
import type { RandomBytes } from './codes.ts';
import type { Credentials, NewPassword } from './credentials.ts';
import { adminAccount, deviceBook } from './device-book.ts';
import { loginThrottle } from './login-throttle.ts';
import { type HashingCost, passwordHasher } from './hashing/password-hasher.ts';
import { secondFactorBook } from './second-factor-book.ts';
import { makeToken, saltOf, sameText } from './secrets.ts';
import { sessionService } from './session-service.ts';
import { signInSteps } from './sign-in-steps.ts';
import type { Tables, WritableTables } from './tables.ts';
import { takingBook } from './taking-book.ts';

export interface CredentialsOptions {
  /** At least 32 secret bytes, kept apart from the store and the same at each start; another key makes live activation codes and second factors wrong. */
  readonly key: Uint8Array;
  readonly random: RandomBytes;
  /** Milliseconds after which a session that nobody used is over; absent = none is before its end. */
  readonly sessionIdle?: number | undefined;
  /** Of passwords; for tests. Default: Argon2id with 19 MiB and two passes. */
  readonly hashing?: HashingCost;
}

const handleOf = (handle: string): string => handle.trim().replace(/^@/u, '').toLowerCase();

/** The rules of the port over any tables. */
export const credentialsOnTables = (
  tables: Tables,
  { key, random, hashing, sessionIdle }: CredentialsOptions,
): Credentials => {
  const hasher = passwordHasher(hashing);
  const { forgetDevices, ...devices } = deviceBook(tables, random);
  const { forgetTriesIn, ...guesses } = loginThrottle(tables);
  const codes = activationCodes(tables, key, random);
  const { removeIn, ...secondFactors } = secondFactorBook(tables, key, random, forgetTriesIn);
  const { forgetSteps, ...steps } = signInSteps(tables, random);
  const { noteAdminSignIn, ...entries } = adminEntries(tables);
  const { forgetAdminSessions, ...ofAdmin } = adminSessions(tables, random, { noteAdminSignIn });
  const { stop, endForPassword, ...sessions } = sessionService(tables, random, sessionIdle);
  let open = true;

  const put = async (
    inside: WritableTables,
    { userId, licenceId, temporary, validUntil }: NewPassword,
    hash: string,
  ): Promise<void> => {
    await inside.passwords.put({ userId, licenceId, temporary: temporary ? 1 : 0, validUntil, hash });
    await forgetDevices(inside, userId);
    await forgetTriesIn(inside, userId);
    await forgetSteps(inside, userId);
  };
  const hashOf = ({ typedWith }: NewPassword, password: string): Promise<string> =>
    hasher.hash(password, typedWith === undefined ? undefined : saltOf(key, typedWith));
  const theAdmin = async () => (await tables.admins.all())[0];

  return {
    ...sessions,
    ...codes,
    ...devices,
    ...guesses,
    ...secondFactors,
    ...steps,
    ...ofAdmin,
    ...entries,
    ...takingBook(tables, random),

    setPassword: async (record, password, ending) => {
      const hash = await hashOf(record, password);
      const work = (inside: WritableTables): Promise<void> => put(inside, record, hash);
      await (ending === undefined ? tables.transaction(work) : endForPassword(record.userId, ending, work));
    },

    setFirstPassword: async (record, password) => {
      if ((await tables.passwords.get(record.userId)) !== undefined) return false;
      const hash = await hashOf(record, password);
      return tables.transaction(async (inside) => {
        if ((await inside.passwords.get(record.userId)) !== undefined) return false;
        await put(inside, record, hash);
        return true;
      });
    },

    checkPassword: async (userIds, password, now) => {
      const found = await Promise.all(userIds.map((userId) => tables.passwords.get(userId)));
      const rows = found.filter((row) => row !== undefined);
      const matches = await hasher.matches(
        rows.map(({ hash }) => hash),
        password,
      );
      const [row, ...more] = rows.filter((_, index) => matches[index] === true);
      if (row === undefined || more.length > 0) return { kind: 'wrong' };
      // Another password may have been set while this one was checked.
      if ((await tables.passwords.get(row.userId))?.hash !== row.hash) return { kind: 'wrong' };
      if (row.temporary === 1 && row.validUntil !== null && row.validUntil <= now) return { kind: 'wrong' };
      const { licenceId, validUntil } = row;
      return { kind: 'right', record: { userId: row.userId, licenceId, temporary: row.temporary === 1, validUntil } };
    },

    resetSecondFactor: async (account) => {
      if ((await secondFactors.secondFactorOf(account)) === null) return false;
      let removed = false;
      await endForPassword(account, { reason: 'revoked' }, async (inside) => {
        removed = await removeIn(inside, account);
      });
      return removed;
    },

    removePassword: (userId) =>
      tables.transaction(async (inside) => {
        await inside.passwords.remove(userId);
        await forgetSteps(inside, userId);
        await forgetDevices(inside, userId);
      }),

    setAdmin: async (login, password) => {
      const hash = await hasher.hash(password);
      await tables.transaction(
        async (inside) => {
          for (const { login: earlier } of await inside.admins.all()) {
            await inside.admins.remove(earlier);
            await forgetDevices(inside, adminAccount(earlier));
            await forgetSteps(inside, adminAccount(earlier));
            if (earlier !== login) await inside.secondFactors.remove(adminAccount(earlier));
          }
          await forgetTriesIn(inside, adminAccount(login));
          await forgetAdminSessions(inside);
          await inside.admins.put({ login, hash, stamp: makeToken(random) });
        },
        { turn: 'admin' },
      );
    },
    hasAdmin: async () => (await theAdmin()) !== undefined,
    checkAdmin: async (login, password) => {
      const admin = await theAdmin();
      const [matches = false] = await hasher.matches(admin === undefined ? [] : [admin.hash], password);
      return sameText(admin?.login ?? '', login) && matches;
    },
    adminStamp: async () => (await theAdmin())?.stamp ?? null,

    rememberChat: (handle, chat) => tables.transaction(({ chats }) => chats.put({ handle: handleOf(handle), chat })),
    sealHeads: () => tables.sealHeads.all(),
    noteSealHead: ({ licenceId, number, hash, position }) =>
      tables.transaction(async (inside) => {
        if (number <= ((await inside.sealHeads.get(licenceId))?.number ?? 0)) return;
        await inside.sealHeads.put({ licenceId, number, hash, position });
      }),
    forgetSealHeads: () =>
      tables.transaction(async (inside) => {
        for (const { licenceId } of await inside.sealHeads.all()) await inside.sealHeads.remove(licenceId);
      }),
    chatOf: async (handle) => (await tables.chats.get(handleOf(handle)))?.chat ?? null,

    close: async () => {
      if (!open) return;
      open = false;
      await stop();
      await tables.close();
    },
  };
};
