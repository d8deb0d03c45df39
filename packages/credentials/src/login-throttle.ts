import { type BackOff, backOff } from '@zakup/async/back-off';
import { serialQueue } from '@zakup/async/serial-queue';
import type { Credentials, Millis, Try, TryBegun } from './credentials.ts';
import { hashToken } from './secrets.ts';
import type { ReadableTables, Tables, TryRow, WritableTables } from './tables.ts';

const minute = 60_000;
const shortWindow = 15 * minute;
const longWindow = 24 * 60 * minute;
/** Failures after which an account waits at one place, and after which an address lets no account fail twice (AUTH-24). */
const perPlace = 5;
const perAddress = 30;
/** Failures of an account, wherever from, after which devices it does not know wait; how long at first, and at most (AUTH-25). */
const perAccount = 10;
const waits: BackOff = { first: 5 * minute, longest: 2 * 60 * minute };
/** Failures of a door behind which all secrets are guessed at once, wherever from, after which devices that are not known wait (AUTH-24). */
const perDoor = 50;

const mostTimes = 50;
export const mostTries = 20_000;

/** A flood is written down try by try; one that is forgotten is one more for whoever can damage the file. */
const oneTry = { trifle: true } as const;

interface Keys {
  /** Of the account at this address or on this device. */
  readonly place: string;
  readonly address: string;
  /** The account, or the door, over all addresses. */
  readonly overall: string;
}

const keyed = (...parts: readonly string[]): string => hashToken(JSON.stringify(parts));
const eraKey = (account: string): string => keyed('era', account);

/** `era`: what makes the keys other ones when the account's failures were forgotten. */
const keysOf = ({ account, address, device, everywhere }: Try, era: string): Keys => ({
  place: device === null ? keyed('place', era, account, address) : keyed('device', era, account, device),
  address: keyed('address', address),
  overall: keyed(everywhere, era, account),
});

const timesOf = (row: TryRow | undefined, since: Millis): readonly Millis[] => {
  const times: unknown = row === undefined ? [] : JSON.parse(row.times);
  return Array.isArray(times) ? times.filter((at): at is Millis => typeof at === 'number' && at >= since) : [];
};

/** Failures by what they are counted for, oldest first. */
interface Failures {
  readonly place: readonly Millis[];
  readonly address: readonly Millis[];
  readonly overall: readonly Millis[];
}

const over = (times: readonly Millis[], most: number): Millis => (times.at(-most) ?? -Infinity) + shortWindow;

const afterFailuresOf = {
  account: (failures: readonly Millis[]): Millis => {
    const beyond = failures.length - perAccount;
    const growing = backOff(waits, Math.max(0, beyond));
    return beyond < 0 ? -Infinity : (failures.at(-1) ?? -Infinity) + growing;
  },
  door: (failures: readonly Millis[]): Millis => over(failures, perDoor),
} as const;

/** The instant from which on a further try is allowed; not after now = at once. */
const waitUntil = ({ place, address, overall }: Failures, { device, everywhere }: Try): Millis => {
  const atPlace = over(place, perPlace);
  if (device !== null) return atPlace;
  // As long as the account has failed here, and the address too often.
  const atAddress = Math.min(over(place, 1), over(address, perAddress));
  return Math.max(atPlace, atAddress, afterFailuresOf[everywhere](overall));
};

/** Which rows there are, so that their number stays bounded: those with the fewest failures go first, of these the oldest. */
const rowsKept = (most: number) => {
  const levels = [1, 2, perPlace, perAccount].map((atLeast) => ({ atLeast, keys: new Set<string>() }));
  const size = (): number => levels.reduce((sum, { keys }) => sum + keys.size, 0);
  const drop = (key: string): void => {
    for (const { keys } of levels) keys.delete(key);
  };
  return {
    drop,
    keep: (key: string, failures: number): void => {
      drop(key);
      levels.findLast(({ atLeast }) => failures >= atLeast)?.keys.add(key);
    },
    /** What is too much. */
    surplus: (): readonly string[] => {
      const surplus: string[] = [];
      const count = size() - most;
      for (const { keys } of levels) {
        for (const key of keys) {
          if (surplus.length >= count) return surplus;
          surplus.push(key);
        }
      }
      return surplus;
    },
  };
};

/** What failures of a second factor count for: apart from the password's, which a right password forgives. */
export const secondFactorAccount = (account: string): string => `second factor/${account}`;

type GuessBook = Pick<Credentials, 'beginTry' | 'takeTryBack' | 'forgetTries'> & {
  /** As `forgetTries`, within a transaction. */
  readonly forgetTriesIn: (inside: WritableTables, account: string) => Promise<void>;
};

const eraOf = async ({ tries }: ReadableTables, account: string): Promise<string> =>
  (await tries.get(eraKey(account)))?.times ?? '';

const lookUp = async (inside: ReadableTables, attempt: Try, now: Millis) => {
  const keys = keysOf(attempt, await eraOf(inside, attempt.account));
  const { tries } = inside;
  const failures: Failures = {
    place: timesOf(await tries.get(keys.place), now - shortWindow),
    address: timesOf(await tries.get(keys.address), now - shortWindow),
    overall: timesOf(await tries.get(keys.overall), now - longWindow),
  };
  return { keys, failures };
};

/** A row as it was written, with how many failures are in it. */
type Written = readonly [key: string, failures: number];

const put = async ({ tries }: WritableTables, key: string, times: readonly Millis[]): Promise<Written> => {
  if (times.length === 0) await tries.remove(key);
  else await tries.put({ key, times: JSON.stringify(times.slice(-mostTimes)) });
  return [key, times.length];
};

const write = async (
  inside: WritableTables,
  keys: Keys,
  { place, address, overall }: Failures,
): Promise<readonly Written[]> => [
  await put(inside, keys.place, place),
  await put(inside, keys.address, address),
  await put(inside, keys.overall, overall),
];

const forgetTriesIn = async (inside: WritableTables, account: string): Promise<void> => {
  const [era = 0] = timesOf(await inside.tries.get(eraKey(account)), 0);
  await inside.tries.put({ key: eraKey(account), times: JSON.stringify([era + 1]) });
};

const verdictOf = (failures: Failures, attempt: Try, now: Millis): TryBegun => {
  const until = waitUntil(failures, attempt);
  return until > now ? { kind: 'wait', until } : { kind: 'begun' };
};

/** Counts failed tries in the tables, so that all processes see them and a restart forgives none. */
export const loginThrottle = (tables: Tables, most = mostTries): GuessBook => {
  const kept = rowsKept(most);
  let known: Promise<void> | null = null;
  const readRows = async (): Promise<void> => {
    for (const row of await tables.tries.all()) kept.keep(row.key, timesOf(row, -Infinity).length);
  };
  const rowsKnown = async (): Promise<void> => {
    known ??= readRows();
    try {
      await known;
    } catch (error) {
      // The store is away for a moment; the next one who asks tries again.
      known = null;
      throw error;
    }
  };

  // Tries of one address write a common row; within a process they need not make each other begin again.
  const queue = serialQueue();

  const remember = (written: readonly Written[]): void => {
    for (const [key, failures] of written) {
      if (failures === 0) kept.drop(key);
      else kept.keep(key, failures);
    }
  };

  return {
    beginTry: async (attempt, now) => {
      // Whoever must wait is told so without a write.
      const before = verdictOf((await lookUp(tables, attempt, now)).failures, attempt, now);
      if (before.kind === 'wait') return before;
      await rowsKnown();
      return queue.run(async () => {
        const surplus = kept.surplus();
        const { verdict, written } = await tables.transaction(async (inside) => {
          const { keys, failures } = await lookUp(inside, attempt, now);
          const found = verdictOf(failures, attempt, now);
          if (found.kind === 'wait') return { verdict: found, written: [] };
          for (const key of surplus) await inside.tries.remove(key);
          const more = {
            place: [...failures.place, now],
            address: [...failures.address, now],
            overall: [...failures.overall, now],
          };
          return { verdict: found, written: await write(inside, keys, more) };
        }, oneTry);
        if (verdict.kind === 'begun') for (const key of surplus) kept.drop(key);
        remember(written);
        return verdict;
      });
    },

    takeTryBack: (attempt, at, now) =>
      queue.run(async () => {
        const without = (times: readonly Millis[]): readonly Millis[] => {
          const index = times.indexOf(at);
          return index === -1 ? times : times.toSpliced(index, 1);
        };
        remember(
          await tables.transaction(async (inside) => {
            const { keys, failures } = await lookUp(inside, attempt, now);
            const { address, overall } = failures;
            return write(inside, keys, { place: [], address: without(address), overall: without(overall) });
          }, oneTry),
        );
      }),

    forgetTriesIn,
    forgetTries: (account) => tables.transaction((inside) => forgetTriesIn(inside, account)),
  };
};
