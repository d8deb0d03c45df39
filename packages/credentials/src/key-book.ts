import type { RandomBytes } from './codes.ts';
import type { ApiKey, Credentials, Millis } from './credentials.ts';
import { hashToken, makeToken } from './secrets.ts';
import type { ApiKeyRow, Tables } from './tables.ts';

/** What the secret of a key begins with: no access token does. */
export const keySecretPrefix = 'zk_';
/** Characters of the secret by which people tell keys apart: of its 256 random bits it leaves more than 200 unknown. */
const shownLength = keySecretPrefix.length + 6;
const touchEvery = 60_000;

type KeyBook = Pick<Credentials, 'addKey' | 'keysOf' | 'keyOfSecret' | 'key' | 'removeKey'>;

const keyOf = ({ id, licenceId, name, access, prefix, createdAt, expiresAt, lastUsedAt }: ApiKeyRow): ApiKey => ({
  id,
  licenceId,
  name,
  access,
  prefix,
  createdAt,
  expiresAt,
  lastUsedAt,
});

const isOver = ({ expiresAt }: ApiKeyRow, now: Millis): boolean => expiresAt !== null && expiresAt <= now;

/** Keys of programs, a row each: few, and looked up in the store at every call, so that a removal counts everywhere at once. */
export const keyBook = (tables: Tables, random: RandomBytes): KeyBook => {
  /** Another call may have removed it meanwhile. */
  const touch = (id: string, now: Millis): Promise<void> =>
    tables.transaction(
      async ({ apiKeys }) => {
        const row = await apiKeys.get(id);
        if (row === undefined || (row.lastUsedAt ?? 0) >= now) return;
        await apiKeys.put({ ...row, lastUsedAt: now });
      },
      { trifle: true },
    );

  return {
    addKey: ({ id, licenceId, name, access, createdAt, expiresAt }) =>
      tables.transaction(async ({ apiKeys }) => {
        if ((await apiKeys.get(id)) !== undefined) return null;
        const secret = `${keySecretPrefix}${makeToken(random)}`;
        const prefix = secret.slice(0, shownLength);
        const made = { id, licenceId, name, access, prefix, createdAt, expiresAt, lastUsedAt: null };
        await apiKeys.put({ ...made, hash: hashToken(secret) });
        return { key: made, secret };
      }),

    keysOf: async (licenceId) =>
      (await tables.apiKeys.by('licenceId', licenceId))
        .map(keyOf)
        .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)),

    keyOfSecret: async (secret, now) => {
      if (!secret.startsWith(keySecretPrefix)) return null;
      const [row] = await tables.apiKeys.by('hash', hashToken(secret));
      if (row === undefined || isOver(row, now)) return null;
      // A disk that is full keeps nobody from reading.
      if (now - (row.lastUsedAt ?? 0) >= touchEvery) await touch(row.id, now).catch(() => undefined);
      return keyOf(row);
    },

    key: async (id, now) => {
      const row = await tables.apiKeys.get(id);
      return row === undefined || isOver(row, now) ? null : keyOf(row);
    },

    removeKey: (licenceId, id) =>
      tables.transaction(async ({ apiKeys }) => {
        const row = await apiKeys.get(id);
        if (row === undefined || row.licenceId !== licenceId) return false;
        await apiKeys.remove(id);
        return true;
      }),
  };
};
