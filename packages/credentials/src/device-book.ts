import type { RandomBytes } from './codes.ts';
import type { Credentials, Millis } from './credentials.ts';
import { hashToken, makeToken } from './secrets.ts';
import type { DeviceRow, Tables, WritableTables } from './tables.ts';

const day = 24 * 60 * 60_000;
/** From the last sign-in on. */
const life = 180 * day;
const mostPerAccount = 20;

type DeviceBook = Pick<Credentials, 'knowsDevice' | 'rememberDevice'> & {
  /** Within a transaction. */
  readonly forgetDevices: (inside: WritableTables, account: string) => Promise<void>;
};

/** The platform admin as an account, beside people's ids. */
export const adminAccount = (login: string): string => `admin/${login}`;

const keyOf = (device: string, account: string): string => hashToken(JSON.stringify([device, account]));

/** Which devices signed in to which accounts before. A device is a long random token, kept hashed. */
export const deviceBook = (tables: Tables, random: RandomBytes): DeviceBook => {
  const isLive = (row: DeviceRow | undefined, now: Millis): row is DeviceRow => row !== undefined && row.until > now;

  return {
    knowsDevice: async (token, account, now) => {
      const row = await tables.devices.get(keyOf(hashToken(token), account));
      return isLive(row, now);
    },

    rememberDevice: (given, account, now) =>
      tables.transaction(async ({ devices }) => {
        // Only tokens that were made here: one that somebody planted in the browser would be known to them.
        const own = given === null ? [] : await devices.by('device', hashToken(given));
        const token = given !== null && own.some((row) => isLive(row, now)) ? given : makeToken(random);
        const device = hashToken(token);
        const key = keyOf(device, account);
        const others = (await devices.by('account', account))
          .filter((row) => row.key !== key)
          .toSorted((a, b) => b.until - a.until);
        for (const [index, row] of others.entries())
          if (row.until <= now || index >= mostPerAccount - 1) await devices.remove(row.key);
        const until = now + life;
        await devices.put({ key, device, account, until });
        return { token, expiresAt: until };
      }),

    forgetDevices: ({ devices }, account) => devices.removeBy('account', account),
  };
};
