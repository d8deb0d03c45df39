import { keyedSerialQueue } from '@zakup/async/serial-queue';
import type { Problem } from '@zakup/contracts/problems';
import type { Try } from '@zakup/credentials/credentials';
import { chosenCodesOf } from '@zakup/credentials/login-throttle';
import { rateLimited } from '@zakup/domain/sign-in-messages';
import type { CommandDeps } from '../deps.ts';

/** Claims the code that a person gives to a colleague; the problem when it is taken, or when they gave too many that were. */
export type ClaimAsGuess = (userId: string, claim: () => Promise<Problem | null>) => Promise<Problem | null>;

const attemptOf = (userId: string): Try => ({
  account: chosenCodesOf(userId),
  address: '',
  // Its own failures alone count: 5 in 15 minutes.
  device: 'chosen codes',
  everywhere: 'account',
});

/**
 * That a code is taken tells whoever gave it a code of a colleague, which may open more than theirs: such an answer is a guess that was
 * right. After five of them no more codes are taken from that person for a quarter of an hour (AUTH-37); codes made here always are.
 */
export const chosenCodeGuesses = ({ credentials, now: clock }: Pick<CommandDeps, 'credentials' | 'now'>) => {
  // Else many sent at once would all be looked at before the first is counted.
  const inTurn = keyedSerialQueue();
  return {
    /** A request is decided anew when it loses a race: it counts once. */
    ofOneRequest: (): ClaimAsGuess => {
      let isCounted = false;
      return (userId, claim) =>
        inTurn(userId, async () => {
          const [attempt, now] = [attemptOf(userId), clock()];
          const allowed = isCounted ? null : await credentials.mayTry(attempt, now);
          if (allowed?.kind === 'wait') {
            const retryAfterSeconds = Math.max(1, Math.ceil((allowed.until - now) / 1000));
            return { code: 'RATE_LIMITED', message: rateLimited(retryAfterSeconds), retryAfterSeconds };
          }
          const taken = await claim();
          if (taken !== null && !isCounted) {
            isCounted = true;
            await credentials.beginTry(attempt, now);
          }
          return taken;
        });
    },
  };
};
