import type { Collection, Db, MongoClient } from 'mongodb';
import type { GenerationCollections } from './generation-collections.ts';
import type { ResyncBounds } from './resync-bounds.ts';
import { clearingId, type StoredCheckpoint, type StoredMeta } from './stored.ts';
import type { GenerationsRecord } from './stored-generations.ts';
import { inTransaction } from './transaction.ts';

/** Documents that one step of a clearing removes. */
const clearedAtOnce = 1_000;

export interface ClearingDeps {
  readonly client: MongoClient;
  readonly database: Db;
  readonly meta: Collection<StoredMeta>;
  readonly checkpoints: Collection<StoredCheckpoint>;
  readonly floors: ResyncBounds;
  readonly record: GenerationsRecord;
  readonly contents: GenerationCollections;
}

export interface Clearing {
  /** From when it resolves, whoever opens the store finishes what is begun here. */
  readonly begin: () => Promise<void>;
  /** Removes the documents of the active content. */
  readonly finish: () => Promise<void>;
  /** Finishes a clearing that was cut off, if one was. */
  readonly resume: () => Promise<void>;
}

/** Removes every document, floor and checkpoint of what readers see, in steps that another process may go on with. */
export const clearing = (deps: ClearingDeps): Clearing => {
  const { client, database, meta, checkpoints, floors, record, contents } = deps;

  /**
   * Removes what is there, as long as the mark of the clearing is. Several may clear at once, and the first to be done lets the folding
   * begin: each step writes the mark too, so that none removes what was folded since.
   */
  const removeAll = async (name: string): Promise<void> => {
    const collection = database.collection<{ readonly _id: string }>(name);
    for (;;) {
      const some = await collection.find({}, { projection: { _id: 1 }, limit: clearedAtOnce }).toArray();
      if (some.length === 0) return;
      const ids = some.map(({ _id }) => _id);
      const isCleared = await inTransaction(client, async (session) => {
        const { matchedCount } = await meta.updateOne({ _id: clearingId }, { $inc: { steps: 1 } }, { session });
        if (matchedCount === 0) return true;
        await collection.deleteMany({ _id: { $in: ids } }, { session });
        return false;
      });
      if (isCleared) return;
    }
  };

  const finish = async (): Promise<void> => {
    const { number } = (await record.read()).active;
    for (const kind of contents.sharedKinds) await removeAll(contents.documents(kind, number).collectionName);
    for (const name of await contents.privateNames(number)) await removeAll(name);
    await meta.deleteOne({ _id: clearingId });
  };

  return {
    // The mark first and in one step with the checkpoints: whoever finds it removes the documents before anything is folded.
    begin: () =>
      inTransaction(client, async (session) => {
        await floors.raise(session, await floors.reached({ session }));
        await checkpoints.deleteMany({}, { session });
        await meta.replaceOne({ _id: clearingId }, {}, { session, upsert: true });
      }),
    finish,
    resume: async () => {
      if ((await meta.findOne({ _id: clearingId })) !== null) await finish();
    },
  };
};
