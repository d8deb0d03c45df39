import type { Problem } from '@zakup/contracts/problems';
import { rateLimited } from '@zakup/domain/messages';
import type { Request } from 'express';
import type { CommandDeps } from '../deps.ts';

/** Failures after which an account waits at one address, and after which an address lets no account fail twice (AUTH-24). */
const perAccount = 5;
const perAddress = 30;
const windowMs = 15 * 60 * 1000;

export type Attempted<Found> =
  | { readonly kind: 'right'; readonly found: Found }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** Slows guessing down: only failures count, and none of another address or another account locks anybody out. */
export interface GuessGuard {
  /**
   * Runs a check of a secret; null from it is a wrong one, answered with `wrong`. Refused unchecked with a 429 while the account has
   * failed too often at the request's address.
   */
  attempt<Found>(
    of: { readonly request: Request; readonly account: string; readonly wrong: Problem },
    check: (now: number) => Promise<Found | null>,
  ): Promise<Attempted<Found>>;
}

export const guessGuard = ({ credentials, now: clock }: Pick<CommandDeps, 'credentials' | 'now'>): GuessGuard => {
  const turns = new Map<string, Promise<void>>();

  /** One attempt per key at a time: many sent at once would all be checked before the first failure is counted. */
  const inTurn = async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const result = (turns.get(key) ?? Promise.resolve()).then(work);
    const over = result.then(
      () => undefined,
      () => undefined,
    );
    turns.set(key, over);
    try {
      return await result;
    } finally {
      if (turns.get(key) === over) turns.delete(key);
    }
  };

  const mustWait = async (accountKey: string, addressKey: string, since: number): Promise<boolean> => {
    const failed = await credentials.failures(accountKey, since);
    return failed >= perAccount || (failed > 0 && (await credentials.failures(addressKey, since)) >= perAddress);
  };

  return {
    attempt({ request, account, wrong }, check) {
      const address = request.ip ?? '';
      const accountKey = `account:${account}@${address}`;
      const addressKey = `address:${address}`;
      return inTurn(accountKey, async () => {
        const now = clock();
        if (await mustWait(accountKey, addressKey, now - windowMs)) {
          const seconds = windowMs / 1000;
          const problem = { code: 'RATE_LIMITED', message: rateLimited(seconds), retryAfterSeconds: seconds } as const;
          return { kind: 'refused', problem };
        }
        const found = await check(now);
        if (found !== null) {
          await credentials.clearFailures(accountKey);
          return { kind: 'right', found };
        }
        await credentials.recordFailure(accountKey, now);
        await credentials.recordFailure(addressKey, now);
        return { kind: 'refused', problem: wrong };
      });
    },
  };
};
