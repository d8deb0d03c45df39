import type { Problem } from '@zakup/contracts/problems';
import type { Credentials } from '@zakup/credentials/credentials';
import { rateLimited } from '@zakup/domain/messages';

/** Failures that are let pass before an account waits at one address, and an address for every account (decisions.md 15). */
const perAccount = 5;
const perAddress = 30;
const windowMs = 15 * 60 * 1000;

/** Slows guessing down: only failures count, and none of another address lock an account's owner out. */
export interface GuessGuard {
  /** A 429 while this account at this address, or the address, has failed too often. */
  admit(): Promise<Problem | null>;
  failed(): Promise<void>;
  succeeded(): Promise<void>;
}

export const guessGuard = (
  credentials: Pick<Credentials, 'failures' | 'recordFailure' | 'clearFailures'>,
  { account, address, now }: { readonly account: string; readonly address: string; readonly now: number },
): GuessGuard => {
  const accountKey = `account:${account}@${address}`;
  const addressKey = `address:${address}`;
  return {
    async admit() {
      const since = now - windowMs;
      const spent =
        (await credentials.failures(accountKey, since)) >= perAccount ||
        (await credentials.failures(addressKey, since)) >= perAddress;
      if (!spent) return null;
      const seconds = windowMs / 1000;
      return { code: 'RATE_LIMITED', message: rateLimited(seconds), retryAfterSeconds: seconds };
    },
    async failed() {
      await credentials.recordFailure(accountKey, now);
      await credentials.recordFailure(addressKey, now);
    },
    succeeded: () => credentials.clearFailures(accountKey),
  };
};
