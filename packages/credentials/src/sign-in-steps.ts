import type { RandomBytes } from './codes.ts';
import type { Credentials, Millis } from './credentials.ts';
import { hashToken, makeToken } from './secrets.ts';
import type { SignInStepRow, Tables, WritableTables } from './tables.ts';

const life = 5 * 60_000;
/** Of one account at once: people have few devices, and who knows a password may not fill the store. */
const mostOfOne = 10;

type SignInSteps = Pick<Credentials, 'openSignInStep' | 'signInStep' | 'passSignInStep' | 'endSignInStep'> & {
  /** Within a transaction. */
  readonly forgetSteps: (inside: WritableTables, userId: string) => Promise<void>;
};

/** What lies between a right password and a session, where a second factor is asked for. */
export const signInSteps = (tables: Tables, random: RandomBytes): SignInSteps => {
  const isLive = (row: SignInStepRow | undefined, now: Millis): row is SignInStepRow =>
    row !== undefined && row.expiresAt > now;

  return {
    openSignInStep: ({ userId, licenceId, via, endOldest, passwordChangeOnly, knownDevice }, now, lasting = life) =>
      tables.transaction(async (inside) => {
        const earlier = (await inside.signInSteps.by('userId', userId)).toSorted((a, b) => b.expiresAt - a.expiresAt);
        for (const [index, row] of earlier.entries())
          if (!isLive(row, now) || index >= mostOfOne - 1) await inside.signInSteps.remove(row.hash);
        const token = makeToken(random);
        await inside.signInSteps.put({
          hash: hashToken(token),
          userId,
          licenceId,
          via,
          endOldest: endOldest ? 1 : 0,
          passwordChangeOnly: passwordChangeOnly ? 1 : 0,
          knownDevice: knownDevice ? 1 : 0,
          expiresAt: now + lasting,
          passed: 0,
        });
        return { token, expiresAt: now + lasting };
      }),

    signInStep: async (token, now) => {
      const row = await tables.signInSteps.get(hashToken(token));
      if (!isLive(row, now)) return null;
      const { userId, licenceId, via } = row;
      return {
        userId,
        licenceId,
        via,
        endOldest: row.endOldest === 1,
        passwordChangeOnly: row.passwordChangeOnly === 1,
        knownDevice: row.knownDevice === 1,
        passed: row.passed === 1,
      };
    },

    passSignInStep: (token) =>
      tables.transaction(async (inside) => {
        const row = await inside.signInSteps.get(hashToken(token));
        if (row !== undefined) await inside.signInSteps.put({ ...row, passed: 1 });
      }),

    endSignInStep: (token) =>
      tables.transaction(async (inside) => {
        const hash = hashToken(token);
        if ((await inside.signInSteps.get(hash)) === undefined) return false;
        await inside.signInSteps.remove(hash);
        return true;
      }),

    forgetSteps: (inside, userId) => inside.signInSteps.removeBy('userId', userId),
  };
};
