import { hash, verify } from '@node-rs/argon2';
import { CredentialsUnavailable } from './credentials.ts';

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

const mostAtOnce = 2;
/** Longer than whoever asks first for a password lets tries stand in line: only then do others find it full. */
const mostWaiting = 1000;

/**
 * Argon2id, two at once; the rest wait in order, a thousand at most: further ones reject with `CredentialsUnavailable`. Another cost than the sound one is for tests that sign in by the hundred. */
export const passwordHasher = (cost: HashingCost = soundCost) => {
  let running = 0;
  const waiting: (() => void)[] = [];

  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= mostAtOnce) {
      if (waiting.length >= mostWaiting) throw new CredentialsUnavailable('Too many passwords wait to be hashed');
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  // The same letters can be typed as different code points.
  const typed = (password: string): string => password.normalize('NFC');

  return {
    hash: (password: string): Promise<string> => inTurn(() => hash(typed(password), { ...cost, parallelism: 1 })),
    /** False, after the same time, when there is no hash. */
    matches: (stored: string | null, password: string): Promise<boolean> =>
      inTurn(async () => (await verify(stored ?? nobodysHash(cost), typed(password))) && stored !== null),
  };
};
