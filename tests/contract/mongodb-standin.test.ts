import { MongoClient, type Collection } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MongoDbStandIn, startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';

interface Row {
  readonly _id: string;
  readonly n?: number;
  readonly licenceId?: string;
}

let standIn: MongoDbStandIn;
let client: MongoClient;
let names = 0;
const fresh = (): Collection<Row> => {
  names += 1;
  return client.db().collection<Row>(`rows${names}`);
};

beforeAll(async () => {
  standIn = await startMongoDbStandIn();
  client = new MongoClient(standIn.url('zakup'), { serverSelectionTimeoutMS: 5_000 });
  await client.connect();
});
afterAll(async () => {
  await client.close();
  await standIn.stop();
});

describe('reading and writing', () => {
  test('SM-1 a document is inserted, found, changed and deleted', async () => {
    const rows = fresh();
    expect(
      await rows.insertMany([
        { _id: 'a', n: 1 },
        { _id: 'b', n: 2 },
      ]),
    ).toMatchObject({ insertedCount: 2 });
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 1 });
    expect(await rows.updateOne({ _id: 'a' }, { $inc: { n: 5 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(
      await rows
        .find({ n: { $gte: 2 } })
        .sort({ n: -1 })
        .toArray(),
    ).toEqual([
      { _id: 'a', n: 6 },
      { _id: 'b', n: 2 },
    ]);
    expect(await rows.countDocuments({})).toBe(2);
    expect(await rows.deleteOne({ _id: 'a' })).toMatchObject({ deletedCount: 1 });
    expect(await rows.findOne({ _id: 'a' })).toBeNull();
  });

  test('SM-2 a transaction is seen as a whole after its commit', async () => {
    const rows = fresh();
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await rows.insertOne({ _id: 'a', n: 1 }, { session });
        expect(await rows.findOne({ _id: 'a' })).toBeNull();
        expect(await rows.findOne({ _id: 'a' }, { session })).toEqual({ _id: 'a', n: 1 });
      }),
    );
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 1 });
  });

  test('SM-3 a change stream tells of each change', async () => {
    const rows = fresh();
    const stream = rows.watch([], { fullDocument: 'updateLookup' });
    const first = stream.tryNext();
    expect(await first).toBeNull();
    await rows.updateOne({ _id: 'a' }, { $set: { n: 1 } }, { upsert: true });
    await rows.updateOne({ _id: 'a' }, { $set: { n: 2 } });
    expect(await stream.next()).toMatchObject({
      operationType: 'insert',
      documentKey: { _id: 'a' },
      fullDocument: { n: 1 },
    });
    expect(await stream.next()).toMatchObject({
      operationType: 'update',
      updateDescription: { updatedFields: { n: 2 } },
    });
    await stream.close();
  });
});
