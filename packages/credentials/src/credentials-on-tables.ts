import { activationCodes } from './activation-codes.ts';
import { adminEntries } from './admin-entries.ts';
import { adminLogin } from './admin-login.ts';
import { adminSessions } from './admin-sessions.ts';
import type { RandomBytes } from './codes.ts';
import type { Credentials } from './credentials.ts';
import { deliveryBook } from './delivery-book.ts';
import { deviceBook } from './device-book.ts';
import { loginThrottle } from './login-throttle.ts';
import { keyBook } from './key-book.ts';
import { type HashingCost, passwordHasher } from './hashing/password-hasher.ts';
import { passwordBook } from './password-book.ts';
import { secondFactorBook } from './second-factor-book.ts';
import { sessionService } from './session-service.ts';
import { signInSteps } from './sign-in-steps.ts';
import type { Tables } from './tables.ts';
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
  const forgetting = { forgetDevices, forgetTriesIn, forgetSteps };

  return {
    ...sessions,
    ...codes,
    ...devices,
    ...guesses,
    ...secondFactors,
    ...steps,
    ...ofAdmin,
    ...entries,
    ...keyBook(tables, random),
    webhooks: deliveryBook(tables),
    ...takingBook(tables, random),
    ...passwordBook({ tables, key, hasher, endForPassword, ...forgetting }),
    ...adminLogin({ tables, random, hasher, forgetAdminSessions, ...forgetting }),

    resetSecondFactor: async (account) => {
      if ((await secondFactors.secondFactorOf(account)) === null) return false;
      let removed = false;
      await endForPassword(account, { reason: 'revoked' }, async (inside) => {
        removed = await removeIn(inside, account);
      });
      return removed;
    },

    rememberChat: (handle, chat) => tables.transaction(({ chats }) => chats.put({ handle: handleOf(handle), chat })),
    sealHeads: () => tables.sealHeads.all(),
    noteSealHead: ({ licenceId, number, hash, position }) =>
      tables.transaction(
        async (inside) => {
          if (number <= ((await inside.sealHeads.get(licenceId))?.number ?? 0)) return;
          await inside.sealHeads.put({ licenceId, number, hash, position });
        },
        // Whoever seals notes it again where it is gone, and nobody who signs in shall wait for the disk because of it.
        { trifle: true },
      ),
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
