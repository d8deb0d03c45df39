import { availableParallelism } from 'node:os';
import { CredentialsUnavailable } from '../credentials.ts';
import { type HashingTask, type HashingThread, hashingThread } from './hashing-thread.ts';

// Argon2id is the library's default algorithm; its enum is ambient and cannot be imported under isolated modules.
export interface HashingCost {
  /** KiB; at least 8. */
  readonly memoryCost: number;
  readonly timeCost: number;
}
const soundCost: HashingCost = { memoryCost: 19_456, timeCost: 2 };

/** A hash that no password has, of the same cost as real ones. */
const nobodysHash = ({ memoryCost, timeCost }: HashingCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Hashes computed at once on so many cores: two, but never on the last one, which answers. */
export const hashesAtOnce = (cores: number): number => Math.max(1, Math.min(2, cores - 1));

/** Longer than whoever asks first for a password lets tries stand in line: only then do others find it full. */
export const mostWaiting = 1000;

/** The cores are the process's, so that all its hashers share the threads and their line. */
const idle = Array.from({ length: hashesAtOnce(availableParallelism()) }, hashingThread);
const waiting: ((thread: HashingThread) => void)[] = [];

const itsTurn = async (): Promise<HashingThread> => {
  if (waiting.length >= mostWaiting) throw new CredentialsUnavailable('Too many passwords wait to be hashed');
  return new Promise((resolve) => {
    waiting.push(resolve);
  });
};

const inTurn = async (task: HashingTask): Promise<string | readonly boolean[]> => {
  const thread = idle.pop() ?? (await itsTurn());
  try {
    return await thread.run(task);
  } finally {
    const next = waiting.shift();
    if (next === undefined) idle.push(thread);
    else next(thread);
  }
};

/** The same letters can be typed as different code points. */
const typed = (password: string): string => password.normalize('NFC');

/**
 * Argon2id in threads of its own, as many at once as `hashesAtOnce` says; the rest wait in order, a thousand at most: further ones reject
 * with `CredentialsUnavailable`. Another cost than the sound one is for tests that sign in by the hundred.
 */
export const passwordHasher = (cost: HashingCost = soundCost) => ({
  /** `salt`: 16 bytes; without it random ones. */
  hash: async (password: string, salt?: Uint8Array): Promise<string> =>
    String(
      await inTurn({
        password: typed(password),
        options: { ...cost, parallelism: 1, ...(salt !== undefined && { salt }) },
      }),
    ),
  /** Of each hash whether it is the password's; after the time of one check for those of one salt, and when there is none. */
  matches: async (stored: readonly string[], password: string): Promise<readonly boolean[]> => {
    const asked = stored.length === 0 ? [nobodysHash(cost)] : stored;
    const answer = await inTurn({ password: typed(password), stored: asked });
    return stored.map((_, index) => answer[index] === true);
  },
});
