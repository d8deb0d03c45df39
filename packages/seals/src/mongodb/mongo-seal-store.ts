/**
 * Seals in MongoDB, shared by processes, in collections of their own. A seal's key is its licence and number, and what was inserted under
 * one is never replaced: of two that follow the same seal the server takes one.
 */
import { Binary, type Collection } from 'mongodb';
import { followsSeal } from '../follows.ts';
import type { SealStore, StoredSeal } from '../seal-store.ts';
import { rowOf, saltOf, sealOf, type SealRow } from '../stored-text.ts';
import { connectMongo } from '@zakup/mongodb/connection';
import { isRefused } from '@zakup/mongodb/errors';
import { isDuplicateKey, sealError } from './errors.ts';

interface StoredRow extends SealRow {
  readonly _id: string;
}
interface StoredSalt {
  /** The licence. */
  readonly _id: string;
  readonly key: Binary;
}
interface StoredKey {
  /** The fingerprint. */
  readonly _id: string;
  readonly publicKey: string;
  readonly since: string;
}
interface StoredProgress {
  readonly _id: 'progress';
  readonly followed: number;
  readonly fence: number;
  readonly version: number;
}

const bytesOf = ({ key }: StoredSalt): Uint8Array | null =>
  (key as unknown) instanceof Binary ? Uint8Array.from(key.buffer) : null;

const layoutVersion = 1;

export interface MongoSealStoreOptions {
  /** Servers, credentials and database, as for the read store. */
  readonly url: string;
}

/**
 * Connects first; every write is on a majority of the members before it resolves. Throws `SealsUnavailable` when the server is away, and an
 * Error when URL, credentials, kind of server or the version of what is there do not fit.
 */
export const mongoSealStore = async ({ url }: MongoSealStoreOptions): Promise<SealStore> => {
  const { client, database, where } = await connectMongo({ url, store: 'seal store', journal: true, seen: sealError });
  const seals: Collection<StoredRow> = database.collection<StoredRow>('seals');
  const salts = database.collection<StoredSalt>('seal_salts');
  const keys = database.collection<StoredKey>('seal_keys');
  const progress = database.collection<StoredProgress>('seal_progress');

  const asked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw sealError(where, error);
    }
  };
  /** What is inserted once; somebody else's that is there already stays. */
  const inserted = async (insert: () => Promise<unknown>): Promise<boolean> => {
    try {
      await insert();
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };
  const storedProgress = async (): Promise<StoredProgress> =>
    (await progress.findOne({ _id: 'progress' })) ?? {
      _id: 'progress',
      followed: 0,
      fence: 0,
      version: layoutVersion,
    };
  /** Raises the fence; the one that is there when it is greater. */
  const fenced = async (fence: number): Promise<number | null> => {
    const { matchedCount } = await progress.updateOne({ _id: 'progress', fence: { $lte: fence } }, { $set: { fence } });
    return matchedCount > 0 ? null : (await storedProgress()).fence;
  };
  const last = async (licenceId: string): Promise<StoredSeal | null> => {
    const [row] = await seals.find({ licenceId }).sort({ number: -1 }).limit(1).toArray();
    return row === undefined ? null : sealOf(row, where);
  };

  try {
    const there = await storedProgress();
    if (there.version > layoutVersion) {
      throw new Error(
        `Seal store ${where}: written by a newer version (${there.version}, this one knows ${layoutVersion})`,
      );
    }
    await inserted(() => progress.insertOne(there));
    await seals.createIndex({ licenceId: 1, number: 1 }, { name: 'by_licence', unique: true });
    await seals.createIndex({ position: -1 }, { name: 'by_position' });
  } catch (error) {
    await client.close().catch(() => undefined);
    if (isRefused(error)) throw new Error(`${where} does not accept the credentials`, { cause: error });
    throw sealError(where, error);
  }

  return {
    last: (licenceId) => asked(() => last(licenceId)),
    read: (licenceId, { after = 0, limit = 500 } = {}) =>
      asked(async () => {
        const query = seals.find({ licenceId, number: { $gt: after } }).sort({ licenceId: 1, number: 1 });
        return (await query.limit(limit).toArray()).map((row) => sealOf(row, where));
      }),
    add: (next, fence) =>
      asked(async () => {
        const seen = await fenced(fence);
        if (seen !== null) return { kind: 'lost_lease', fence: seen };
        const before = await last(next.seal.licenceId);
        if (!followsSeal(before, next)) return { kind: 'not_next', last: before };
        const row = rowOf(next);
        return (await inserted(() => seals.insertOne({ _id: `${row.licenceId}~${row.number}`, ...row })))
          ? { kind: 'added' }
          : { kind: 'not_next', last: await last(row.licenceId) };
      }),
    licences: () =>
      asked(async () => {
        const groups = await seals.aggregate<{ readonly _id: string }>([{ $group: { _id: '$licenceId' } }]).toArray();
        return groups.map(({ _id }) => _id);
      }),
    saltKey: (licenceId, fresh) =>
      asked(async () => {
        const kept = await salts.findOne({ _id: licenceId });
        if (kept !== null) return saltOf(bytesOf(kept), where, licenceId);
        const made = fresh();
        await inserted(() => salts.insertOne({ _id: licenceId, key: new Binary(made) }));
        // Somebody else's may have been first.
        const stored = await salts.findOne({ _id: licenceId });
        return stored === null ? made : saltOf(bytesOf(stored), where, licenceId);
      }),
    addKey: ({ fingerprint, publicKey, since }) =>
      asked(async () => {
        await inserted(() => keys.insertOne({ _id: fingerprint, publicKey, since }));
      }),
    keys: () =>
      asked(async () => {
        const all = await keys.find({}).sort({ since: 1, _id: 1 }).toArray();
        return all.map(({ _id, publicKey, since }) => ({ fingerprint: _id, publicKey, since }));
      }),
    followed: () => asked(async () => (await storedProgress()).followed),
    follow: (position, fence) =>
      asked(async () => {
        await progress.updateOne(
          { _id: 'progress', fence: { $lte: fence } },
          { $set: { fence }, $max: { followed: position } },
        );
      }),
    reached: () =>
      asked(async () => (await seals.find({}).sort({ position: -1 }).limit(1).toArray())[0]?.position ?? 0),
    fence: () => asked(async () => (await storedProgress()).fence),
    close: () => client.close().catch(() => undefined),
  };
};
