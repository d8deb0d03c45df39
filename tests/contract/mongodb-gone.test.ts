import { randomUUID } from 'node:crypto';
import { aDocument, suiteDeclared } from '@zakup/read-store/contract-suite';
import { type MongoReadStore, mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import { ReadStoreUnavailable } from '@zakup/read-store/read-store';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';

const server = await mongoDbServer();
const partition = 'all';

describe(`Read models that somebody else takes away (MongoDB: ${server.kind})`, () => {
  const client = new MongoClient(server.url('admin'));
  const opened: MongoReadStore[] = [];
  const databases: Db[] = [];

  const newDatabase = (): Db => {
    const database = client.db(`zakup_gone_${randomUUID().slice(0, 8)}`);
    databases.push(database);
    return database;
  };
  const open = async ({ databaseName }: Db): Promise<MongoReadStore> => {
    const store = await mongoReadStore({ url: server.url(databaseName), declared: suiteDeclared });
    opened.push(store);
    return store;
  };
  const step = (store: MongoReadStore, position: number, fence = 1) =>
    store.commit({ docs: [aDocument(`at-${position}`, position)], checkpoint: { partition, position, fence } });

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  afterAll(async () => {
    if (server.kind === 'server') for (const database of databases) await database.dropDatabase();
    await client.close();
    await server.stop();
  });

  it('MRS-50 a checkpoint that was dropped is not written on as if nothing were missing; the writer begins anew', async () => {
    const database = newDatabase();
    const store = await open(database);
    await step(store, 1);
    for (const name of ['checkpoints', 'floors', 'placements']) await database.dropCollection(name);
    await expect(step(store, 2)).rejects.toThrow(ReadStoreUnavailable);
    expect(await store.checkpoint(partition)).toBeNull();
    expect(await store.get('placement', 'at-2')).toBeNull();
    expect((await database.collection('placements').indexes()).length).toBeGreaterThan(1);
    expect(await step(store, 1)).toEqual({ kind: 'committed' });
    expect(await step(store, 2)).toEqual({ kind: 'committed' });
  });

  it('MRS-51 a checkpoint that was put back is told, and gone on from; one that a later holder moved is a lost lease', async () => {
    const database = newDatabase();
    const store = await open(database);
    await step(store, 5);
    const checkpoints = database.collection<{ _id: string }>('checkpoints');
    await checkpoints.updateOne({ _id: partition }, { $set: { position: 3 } });
    await expect(step(store, 6)).rejects.toThrow('was left at 5 and is at 3');
    expect(await step(store, 4)).toEqual({ kind: 'committed' });
    await checkpoints.updateOne({ _id: partition }, { $set: { position: 0, fence: 2 } });
    expect(await step(store, 5)).toEqual({ kind: 'lost_lease', fence: 2 });
  });

  it('MRS-52 who clears goes on from the beginning, and no other process may after it', async () => {
    const database = newDatabase();
    const [store, late] = [await open(database), await open(database)];
    await step(late, 7);
    await store.clear();
    expect(await step(store, 0, 2)).toEqual({ kind: 'committed' });
    await store.clear();
    await expect(step(late, 8)).rejects.toThrow(ReadStoreUnavailable);
    expect(await step(store, 1, 2)).toEqual({ kind: 'committed' });
  });

  it.skipIf(server.faults === null)(
    'MRS-53 of several that finish a clearing none removes what was folded after the first was done (stand-in)',
    async () => {
      const database = newDatabase();
      const store = await open(database);
      await step(store, 1);
      const meta = database.collection<{ _id: string }>('meta');
      const placements = database.collection<{ _id: string }>('placements');
      await meta.insertOne({ _id: 'clearing' });
      const session = client.startSession();
      session.startTransaction();
      // The first to be done folds the same document again, while the other one is about to remove it.
      await placements.updateOne({ _id: 'at-1' }, { $set: { folded: 'again' } }, { session });
      const removals = (): number => server.faults?.counts().commands['delete'] ?? 0;
      const before = removals();
      const finishing = open(database);
      await expect.poll(removals).toBeGreaterThan(before);
      await meta.deleteOne({ _id: 'clearing' });
      await session.commitTransaction();
      await session.endSession();
      await finishing;
      expect(await placements.findOne({ _id: 'at-1' })).toMatchObject({ folded: 'again' });
    },
  );
});
