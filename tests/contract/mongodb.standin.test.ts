import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type ChangeStream,
  type ClientSession,
  type Collection,
  type Document,
  type Filter,
  MongoBulkWriteError,
  MongoClient,
  type MongoClientOptions,
  MongoNetworkError,
  MongoServerError,
} from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';
import { type MongoDbStandIn, startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';
import { carriedOut } from '../support/mongodb-standin/orders.ts';

interface Row {
  readonly _id: string;
  readonly n?: number;
  readonly name?: string;
  readonly licenceId?: string;
  readonly position?: number;
  readonly scopes?: readonly string[];
  readonly left?: readonly { readonly scope: string; readonly position: number }[];
  readonly part?: { readonly a?: number; readonly b?: number };
  readonly list?: readonly (number | { readonly a: number })[];
}
type Rows = Collection<Row>;

let standIn: MongoDbStandIn;
let client: MongoClient;
let names = 0;

const connected = async (url: string, options: MongoClientOptions = {}): Promise<MongoClient> => {
  const made = new MongoClient(url, { serverSelectionTimeoutMS: 5_000, ...options });
  await made.connect();
  return made;
};
const fresh = async (of: MongoClient = client): Promise<Rows> => {
  names += 1;
  return of.db().createCollection<Row>(`rows${names}`);
};
const failure = async (work: Promise<unknown>): Promise<MongoServerError> => {
  const error: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MongoServerError);
  return error as MongoServerError;
};
/** Does it until no connection is cut meanwhile. */
const through = async (work: () => Promise<unknown>): Promise<void> => {
  for (;;) {
    const error: unknown = await work().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error === null) return;
    if (!(error instanceof MongoNetworkError)) throw error;
  }
};
/** A stream that is open at the server and has seen nothing yet. */
const watching = async (rows: Rows, options: object = {}): Promise<ChangeStream<Row>> => {
  const stream = rows.watch<Row>([], { maxAwaitTimeMS: 50, ...options });
  expect(await stream.tryNext()).toBeNull();
  return stream;
};
const begun = (of: MongoClient = client): ClientSession => {
  const session = of.startSession();
  session.startTransaction({ readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } });
  return session;
};

beforeAll(async () => {
  standIn = await startMongoDbStandIn();
  client = await connected(standIn.url('zakup'));
});
afterAll(async () => {
  await client.close();
  await standIn.stop();
});

describe('the stand-in for MongoDB: reading and writing', () => {
  test('SIM-1 documents are inserted, found, changed and deleted, each with its counts', async () => {
    const rows = await fresh();
    const [a, b] = [
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2 },
    ];
    expect(await rows.insertMany([a, b])).toMatchObject({ insertedCount: 2 });
    expect(await rows.findOne({ _id: 'a' })).toEqual(a);
    expect(await rows.updateOne({ _id: 'a' }, { $inc: { n: 5 } })).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await rows.updateOne({ _id: 'a' }, { $set: { n: 6 } })).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
    expect(await rows.find({ n: { $gte: 2 } }, { sort: { n: -1 } }).toArray()).toEqual([{ _id: 'a', n: 6 }, b]);
    expect(await rows.countDocuments({ n: { $lt: 6 } })).toBe(1);
    expect(await rows.updateMany({}, { $unset: { n: '' } })).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
    expect(await rows.deleteOne({ _id: 'a' })).toMatchObject({ deletedCount: 1 });
    expect(await rows.deleteMany({})).toMatchObject({ deletedCount: 1 });
    expect(await rows.findOne({})).toBeNull();
  });

  test('SIM-2 a bulk of many goes on behind a failure unless it is ordered', async () => {
    const rows = await fresh();
    await rows.insertOne({ _id: 'b' });
    const inserts = ['a', 'b', 'c'].map((_id) => ({ insertOne: { document: { _id } } }));
    const ordered = await rows.bulkWrite(inserts).catch((error: unknown) => error);
    expect(ordered).toBeInstanceOf(MongoBulkWriteError);
    expect(await rows.countDocuments({})).toBe(2);
    const unordered = await rows.bulkWrite(inserts, { ordered: false }).catch((error: unknown) => error);
    expect(unordered).toMatchObject({ code: 11000, insertedCount: 1, writeErrors: { length: 2 } });
    expect(await rows.countDocuments({})).toBe(3);
  });

  test('SIM-3 an upsert takes what its filter fixes, and tells the new id', async () => {
    const rows = await fresh();
    const update = { $set: { n: 1 }, $setOnInsert: { name: 'new' } };
    expect(await rows.updateOne({ _id: 'a', licenceId: '3f' }, update, { upsert: true })).toMatchObject({
      matchedCount: 0,
      upsertedId: 'a',
      upsertedCount: 1,
    });
    await rows.updateOne({ _id: 'a' }, { $set: { n: 2 }, $setOnInsert: { name: 'newer' } }, { upsert: true });
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', licenceId: '3f', n: 2, name: 'new' });
    await rows.replaceOne({ _id: 'b' }, { n: 3 }, { upsert: true });
    expect(await rows.findOne({ _id: 'b' })).toEqual({ _id: 'b', n: 3 });
  });

  test('SIM-4 operators of an update do what a server does, also on missing members', async () => {
    const rows = await fresh();
    await rows.insertOne({ _id: 'a', part: { a: 1 } });
    await rows.updateOne({ _id: 'a' }, { $push: { list: { $each: [1, 2, 3], $slice: -2 } }, $max: { n: 5 } });
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', part: { a: 1 }, list: [2, 3], n: 5 });
    await rows.updateOne(
      { _id: 'a' },
      { $addToSet: { list: { $each: [3, 4] } }, $min: { n: 2 }, $set: { 'part.b': 7 }, $unset: { 'part.a': '' } },
    );
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', part: { b: 7 }, list: [2, 3, 4], n: 2 });
    await rows.updateOne({ _id: 'a' }, { $pull: { list: { $gte: 3 } } });
    expect((await rows.findOne({ _id: 'a' }))?.list).toEqual([2]);
    await rows.updateOne({ _id: 'a' }, [{ $set: { n: { $add: ['$n', '$part.b'] } } }]);
    expect((await rows.findOne({ _id: 'a' }))?.n).toBe(9);
    expect(await failure(rows.updateOne({ _id: 'a' }, { $mul: { n: 2 } }))).toMatchObject({ code: 9 });
    expect(await failure(rows.updateOne({ _id: 'a' }, { $set: { _id: 'b' } }))).toMatchObject({ code: 66 });
  });

  test('SIM-5 one is found and changed in one step, seen before or after', async () => {
    const rows = await fresh();
    expect(await rows.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } })).toBeNull();
    const options = { upsert: true, returnDocument: 'after' } as const;
    expect(await rows.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }, options)).toEqual({ _id: 'a', n: 1 });
    expect(await rows.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } })).toEqual({ _id: 'a', n: 1 });
    expect(await rows.findOneAndDelete({}, { sort: { n: 1 } })).toEqual({ _id: 'a', n: 2 });
  });

  test('SIM-6 values sort as BSON does: by type, text by code points', async () => {
    const rows = client.db().collection<{ _id: number; v?: unknown }>('sorted');
    const values = [true, 'я', 'a', '\u{1F600}', '\uFF5E', 2.5, 10, -3, null, new Date(5), { a: 1 }, [0]];
    await rows.insertMany(values.map((v, at) => ({ _id: at, v })));
    await rows.insertOne({ _id: 99 });
    const sorted = await rows.find({}, { sort: { v: 1, _id: 1 } }).toArray();
    const expected = [null, undefined, -3, [0], 2.5, 10, 'a', 'я', '\uFF5E', '\u{1F600}', { a: 1 }, true, new Date(5)];
    expect(sorted.map(({ v }) => v)).toEqual(expected);
    expect(await rows.countDocuments({ v: null })).toBe(2);
    expect(await rows.countDocuments({ v: { $gt: 0 } })).toBe(2);
  });

  test('SIM-7 a long answer comes in batches; a killed cursor is not found', async () => {
    const rows = await fresh();
    await rows.insertMany(Array.from({ length: 250 }, (_, n) => ({ _id: `r${n}`, n })));
    const all = await rows.find({}, { sort: { n: -1 }, batchSize: 40 }).toArray();
    expect(all.map(({ n }) => n)).toEqual(Array.from({ length: 250 }, (_, n) => 249 - n));
    expect(
      await rows.find({}, { sort: { n: 1 }, skip: 100, limit: 2, projection: { n: 1, _id: 0 } }).toArray(),
    ).toEqual([{ n: 100 }, { n: 101 }]);
    const before = standIn.faults.counts().cursors;
    const cursor = rows.find({}, { batchSize: 10 });
    await cursor.next();
    const { cursors } = standIn.faults.counts();
    expect(cursors).toBe(before + 1);
    const id = cursor.id;
    await cursor.close();
    expect(standIn.faults.counts().cursors).toBe(before);
    expect(await failure(client.db().command({ getMore: id, collection: rows.collectionName }))).toMatchObject({
      code: 43,
    });
  });

  test('SIM-8 a pipeline joins, unites and groups', async () => {
    const [rows, others] = [await fresh(), await fresh()];
    await rows.insertMany([
      { _id: 'a', n: 1, name: 'x' },
      { _id: 'b', n: 2, name: 'x' },
      { _id: 'c', n: 9, name: 'y' },
    ]);
    await others.insertOne({ _id: 'x', n: 100 });
    const grouped = await rows
      .aggregate([
        { $match: { n: { $lt: 9 } } },
        { $unionWith: { coll: others.collectionName, pipeline: [{ $set: { name: 'z' } }] } },
        { $group: { _id: '$name', sum: { $sum: '$n' } } },
        { $sort: { _id: 1 } },
      ])
      .toArray();
    expect(grouped).toEqual([
      { _id: 'x', sum: 3 },
      { _id: 'z', sum: 100 },
    ]);
    const lookup = { from: others.collectionName, localField: 'name', foreignField: '_id', as: 'found' };
    const joined = await rows.aggregate([{ $match: { _id: 'a' } }, { $lookup: lookup }]).toArray();
    expect(joined).toEqual([{ _id: 'a', n: 1, name: 'x', found: [{ _id: 'x', n: 100 }] }]);
    expect(await rows.aggregate([{ $match: {} }, { $skip: 1 }, { $count: 'all' }]).toArray()).toEqual([{ all: 2 }]);
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 1, name: 'x' });
    expect(await others.findOne({})).toEqual({ _id: 'x', n: 100 });
  });

  test('SIM-9 a command that nobody sends is not there', async () => {
    expect(await failure(client.db().command({ mapReduce: 'rows' }))).toMatchObject({
      code: 59,
      codeName: 'CommandNotFound',
    });
  });
});

describe('the stand-in for MongoDB: collections and indexes', () => {
  test('SIM-10 a unique index refuses a second one, naming pattern and value; sparse and partial ones look at theirs', async () => {
    const rows = await fresh();
    await rows.createIndexes([
      { key: { licenceId: 1, name: 1 }, name: 'named', unique: true, partialFilterExpression: { n: 1 } },
      { key: { position: 1 }, name: 'sparse', unique: true, sparse: true },
    ]);
    await rows.insertOne({ _id: 'a', licenceId: '3f', name: 'x', n: 1 });
    await rows.insertOne({ _id: 'b', licenceId: '3f', name: 'x', n: 2 });
    const error = await failure(rows.insertOne({ _id: 'c', licenceId: '3f', name: 'x', n: 1 }));
    expect(error).toMatchObject({
      code: 11000,
      keyPattern: { licenceId: 1, name: 1 },
      keyValue: { licenceId: '3f', name: 'x' },
    });
    expect(await failure(rows.updateOne({ _id: 'b' }, { $set: { n: 1 } }))).toMatchObject({ code: 11000 });
    await rows.updateOne({ _id: 'a' }, { $set: { position: 1 } });
    expect(await failure(rows.updateOne({ _id: 'b' }, { $set: { position: 1 } }))).toMatchObject({ code: 11000 });
    await rows.deleteOne({ _id: 'a' });
    await rows.updateOne({ _id: 'b' }, { $set: { position: 1, n: 1 } });
    expect(await failure(rows.insertOne({ _id: 'b' }))).toMatchObject({
      code: 11000,
      keyPattern: { _id: 1 },
      keyValue: { _id: 'b' },
    });
  });

  test('SIM-11 a unique index is not made over doubles; one is not made twice in two ways', async () => {
    const rows = await fresh();
    await rows.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
    expect(await failure(rows.createIndex({ n: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    await rows.createIndex({ n: 1 }, { name: 'by n' });
    await rows.createIndex({ n: 1 }, { name: 'by n' });
    expect(await failure(rows.createIndex({ n: 1 }, { name: 'other' }))).toMatchObject({ code: 85 });
    expect(await failure(rows.createIndex({ name: 1 }, { name: 'by n' }))).toMatchObject({ code: 86 });
    expect((await rows.listIndexes().toArray()).map(({ name }: { name: string }) => name)).toEqual(['_id_', 'by n']);
    await rows.dropIndex('by n');
    expect(await failure(rows.dropIndex('by n'))).toMatchObject({ code: 27 });
    expect(await failure(client.db().collection('nowhere').listIndexes().toArray())).toMatchObject({ code: 26 });
  });

  test('SIM-12 indexes answer what a look at every document answers', async () => {
    const [indexed, plain] = [await fresh(), await fresh()];
    await indexed.createIndexes([
      { key: { licenceId: 1, scopes: 1, position: 1 }, name: 'scope' },
      { key: { licenceId: 1, 'left.scope': 1, 'left.position': 1 }, name: 'left' },
      { key: { licenceId: 1, n: 1, _id: 1 }, name: 'n' },
    ]);
    const docs = Array.from({ length: 600 }, (_, at): Row => {
      const hash = (at * 7919) % 601;
      return {
        _id: `r${at}`,
        licenceId: hash % 3 === 0 ? '3f' : '4a',
        ...(hash % 5 === 0 ? {} : { n: hash % 40 }),
        position: hash,
        scopes: hash % 2 === 0 ? ['w'] : ['w', `c${hash % 7}`],
        left:
          hash % 4 === 0
            ? [
                { scope: 'c1', position: hash },
                { scope: 'c2', position: 600 - hash },
              ]
            : [],
      };
    });
    for (const rows of [indexed, plain]) {
      await rows.insertMany(docs);
      await rows.updateMany({ position: { $lt: 100 } }, { $inc: { n: 3 } });
      await rows.deleteMany({ position: { $gt: 580 } });
    }
    const filters: readonly Filter<Document>[] = [
      { licenceId: '3f', scopes: 'c3', position: { $gt: 200 } },
      { licenceId: '4a', scopes: 'w', position: { $gte: 50, $lt: 300 } },
      { licenceId: { $in: ['3f', '4a', '5b'] }, n: { $lte: 6 } },
      { $and: [{ licenceId: '4a' }, { n: null }] },
      { $and: [{ licenceId: '4a' }, { n: { $ne: null } }, { n: { $gte: 10, $lte: 20 } }] },
      {
        $or: [
          { licenceId: '3f', scopes: 'c1', position: { $gt: 100 } },
          { licenceId: '3f', left: { $elemMatch: { scope: 'c1', position: { $gt: 100 } } } },
        ],
      },
      { licenceId: '3f', n: { $in: [1, 2, 39] } },
      { licenceId: '3f', name: { $exists: false }, _id: /^r1/ },
    ];
    for (const filter of filters) {
      for (const sort of [
        { n: 1, _id: 1 },
        { n: -1, _id: -1 },
        { position: 1, _id: 1 },
      ] as const) {
        for (const page of [{}, { skip: 5, limit: 20 }]) {
          const [mine, theirs] = await Promise.all(
            [indexed, plain].map((rows) => rows.find(filter as Filter<Row>, { sort, ...page }).toArray()),
          );
          expect(mine).toEqual(theirs);
        }
      }
      expect(await indexed.countDocuments(filter as Filter<Row>)).toBeGreaterThan(0);
    }
  });

  test('SIM-13 collections are made, listed and dropped', async () => {
    const database = client.db('other');
    await database.createCollection('one');
    await database.createCollection('one');
    await database.collection('two').insertOne({ a: 1 });
    const listed = await database.listCollections({ name: /^t/ }, { nameOnly: true }).toArray();
    expect(listed).toEqual([{ name: 'two', type: 'collection' }]);
    await database.collection('two').drop();
    expect((await database.listCollections().toArray()).map(({ name }) => name)).toEqual(['one']);
    await database.dropDatabase();
    expect(await database.listCollections().toArray()).toEqual([]);
  });
});

describe('the stand-in for MongoDB: views and names', () => {
  const database = (): ReturnType<MongoClient['db']> => client.db('names');
  const command = (body: Document): Promise<unknown> => database().command(body);
  const renamed = (from: string, to: string, more: Document = {}): Promise<unknown> =>
    client.db('admin').command({ renameCollection: `names.${from}`, to: `names.${to}`, ...more });

  beforeAll(async () => {
    for (const name of ['one', 'two']) await database().collection<Row>(name).insertOne({ _id: name });
    await database().createCollection('view', { viewOn: 'one', pipeline: [] });
  });

  test('SIM-1140 a view shows what it looks at, is pointed elsewhere in one step, and may look at nothing', async () => {
    const view = database().collection<Row>('view');
    expect(await view.find().toArray()).toEqual([{ _id: 'one' }]);
    expect([await view.countDocuments({}), await view.aggregate().toArray()]).toEqual([1, [{ _id: 'one' }]]);
    await command({ collMod: 'view', viewOn: 'two', pipeline: [] });
    expect(await view.findOne()).toEqual({ _id: 'two' });
    await command({ collMod: 'view', viewOn: 'nowhere', pipeline: [] });
    expect(await view.findOne()).toBeNull();
    await command({ collMod: 'view', viewOn: 'one', pipeline: [] });
    const [listed] = await database().listCollections({ name: 'view' }).toArray();
    expect(listed).toMatchObject({ type: 'view', options: { viewOn: 'one', pipeline: [] } });
  });

  test.each([
    ['made over a collection', { create: 'one', viewOn: 'two', pipeline: [] }, 48],
    ['made over a view that looks elsewhere', { create: 'view', viewOn: 'two', pipeline: [] }, 48],
    ['made as a collection over a view', { create: 'view' }, 48],
    ['made of itself', { create: 'self', viewOn: 'self', pipeline: [] }, 5],
    ['made of no name', { create: 'empty', viewOn: '', pipeline: [] }, 2],
    ['made without what it looks at', { create: 'empty', pipeline: [] }, 72],
    ['pointed elsewhere, but a collection', { collMod: 'one', viewOn: 'two', pipeline: [] }, 72],
    ['pointed elsewhere, but not there', { collMod: 'nowhere', viewOn: 'two', pipeline: [] }, 26],
    ['pointed elsewhere by half', { collMod: 'view', viewOn: 'two' }, 72],
    ['pointed at itself', { collMod: 'view', viewOn: 'view', pipeline: [] }, 5],
    ['given indexes', { createIndexes: 'view', indexes: [{ key: { n: 1 }, name: 'n' }] }, 166],
    ['asked for indexes', { listIndexes: 'view' }, 166],
    ['freed of indexes', { dropIndexes: 'view', index: '*' }, 166],
  ] as const)('SIM-1141 what cannot be %s is refused as a server refuses it', async (_, body, code) => {
    expect(await failure(command(body))).toMatchObject({ code });
    expect(await database().collection('view').findOne()).toEqual({ _id: 'one' });
  });

  test('SIM-1142 nothing is written through a view; made again as it is, it is there', async () => {
    const view = database().collection<Row>('view');
    expect(await failure(view.insertOne({ _id: 'three' }))).toMatchObject({ code: 166 });
    expect(await failure(view.deleteMany({}))).toMatchObject({ code: 166 });
    await database().createCollection('view', { viewOn: 'one', pipeline: [] });
    expect(await view.findOne()).toEqual({ _id: 'one' });
  });

  test('SIM-1143 a collection is renamed with its documents and indexes, over another one only when it may', async () => {
    const rows = database().collection<Row>('old');
    await rows.createIndex({ n: 1 }, { name: 'by n' });
    await rows.insertMany(Array.from({ length: 30 }, (_, n) => ({ _id: `r${n}`, n })));
    const cursor = rows.find({}, { batchSize: 10 });
    await cursor.next();
    for (const [from, to, more, code] of [
      ['nowhere', 'new', {}, 26],
      ['view', 'new', {}, 166],
      ['old', 'one', {}, 48],
      ['old', 'view', { dropTarget: true }, 48],
      ['old', 'old', {}, 20],
    ] as const) {
      expect(await failure(renamed(from, to, more))).toMatchObject({ code });
    }
    expect(await failure(command({ renameCollection: 'names.old', to: 'names.new' }))).toMatchObject({ code: 13 });
    await renamed('old', 'new');
    const moved = database().collection<Row>('new');
    expect([await moved.countDocuments({}), await rows.countDocuments({})]).toEqual([30, 0]);
    expect((await moved.listIndexes().toArray()).map(({ name }: { name: string }) => name)).toEqual(['_id_', 'by n']);
    expect(await failure(cursor.toArray())).toMatchObject({ code: 175 });
    await rows.insertOne({ _id: 'late' });
    await renamed('old', 'new', { dropTarget: true });
    expect(await moved.find().toArray()).toEqual([{ _id: 'late' }]);
  });

  test('SIM-1144 a renaming waits for open transactions, is refused in one, and ends the streams of both names', async () => {
    const rows = await fresh();
    const name = rows.collectionName;
    const stream = await watching(rows);
    const session = begun();
    await rows.insertOne({ _id: 'a' }, { session });
    let isDone = false;
    const rename = async (): Promise<void> => {
      await client.db('admin').command({ renameCollection: `zakup.${name}`, to: `zakup.${name}.later` });
      isDone = true;
    };
    const renaming = rename();
    expect(await rows.findOne()).toBeNull();
    expect(isDone).toBe(false);
    await session.commitTransaction();
    await renaming;
    expect(await client.db().collection(`${name}.later`).findOne()).toEqual({ _id: 'a' });
    expect([await stream.next(), await stream.next(), await stream.next()]).toMatchObject([
      { operationType: 'insert' },
      { operationType: 'rename', to: { db: 'zakup', coll: `${name}.later` } },
      { operationType: 'invalidate' },
    ]);
    session.startTransaction();
    const inside = client
      .db('admin')
      .command({ renameCollection: `zakup.${name}.later`, to: `zakup.${name}` }, { session });
    expect(await failure(inside)).toMatchObject({ code: 263 });
    await session.endSession();
    await stream.close();
  });

  test('SIM-1145 views and names outlive the process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'standin-'));
    const data = join(folder, 'journal');
    const first = await startMongoDbStandIn({ data });
    const one = await connected(first.url('zakup'));
    await one.db().collection<Row>('rows').insertOne({ _id: 'a' });
    await one.db().createCollection('view', { viewOn: 'rows', pipeline: [] });
    await one.db().renameCollection('rows', 'rows.g0');
    await one.db().command({ collMod: 'view', viewOn: 'rows.g0', pipeline: [] });
    await one.close();
    await first.stop();
    const second = await startMongoDbStandIn({ data });
    const two = await connected(second.url('zakup'));
    expect(await two.db().collection('view').findOne()).toEqual({ _id: 'a' });
    expect(await two.db().collection('rows').findOne()).toBeNull();
    await two.close();
    await second.stop();
    await rm(folder, { recursive: true });
  });
});

describe('the stand-in for MongoDB: transactions', () => {
  test('SIM-14 nobody else sees anything before the commit, nor ever what was aborted', async () => {
    const rows = await fresh();
    const session = begun();
    await rows.insertOne({ _id: 'a', n: 1 }, { session });
    await rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
    expect(await rows.findOne({ _id: 'a' })).toBeNull();
    expect(await rows.find({ n: 2 }, { session }).toArray()).toEqual([{ _id: 'a', n: 2 }]);
    await session.commitTransaction();
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 2 });
    session.startTransaction();
    await rows.deleteMany({}, { session });
    expect(await rows.countDocuments({}, { session })).toBe(0);
    await session.abortTransaction();
    expect(await rows.countDocuments({})).toBe(1);
    await session.endSession();
  });

  test('SIM-15 a transaction reads the moment of its beginning, also through indexes', async () => {
    const rows = await fresh();
    await rows.createIndex({ n: 1 });
    await rows.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
    const session = begun();
    expect(await rows.countDocuments({ n: 1 }, { session })).toBe(2);
    await rows.updateOne({ _id: 'a' }, { $set: { n: 2 } });
    await rows.deleteOne({ _id: 'b' });
    await rows.insertOne({ _id: 'c', n: 1 });
    expect(await rows.find({ n: 1 }, { session }).toArray()).toEqual([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 1 },
    ]);
    expect(await rows.find({ n: 2 }, { session }).toArray()).toEqual([]);
    await session.commitTransaction();
    expect(await rows.find({ n: 1 }).toArray()).toEqual([{ _id: 'c', n: 1 }]);
    expect(await rows.find({ n: 2 }).toArray()).toEqual([{ _id: 'a', n: 2 }]);
    await session.endSession();
  });

  test('SIM-16 what changed since the beginning, or is being written, is a write conflict', async () => {
    const rows = await fresh();
    await rows.insertOne({ _id: 'a', n: 1 });
    const [first, second] = [begun(), begun()];
    await rows.findOne({ _id: 'a' }, { session: first });
    await rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: second });
    const beside = await failure(rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session: first }));
    expect(beside).toMatchObject({ code: 112, codeName: 'WriteConflict' });
    expect(beside.hasErrorLabel('TransientTransactionError')).toBe(true);
    expect(await failure(rows.findOne({ _id: 'a' }, { session: first }))).toMatchObject({ code: 251 });
    await first.abortTransaction();
    first.startTransaction();
    await rows.findOne({ _id: 'a' }, { session: first });
    await second.commitTransaction();
    expect(await failure(rows.deleteOne({ _id: 'a' }, { session: first }))).toMatchObject({ code: 112 });
    await first.abortTransaction();
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 2 });
    await Promise.all([first.endSession(), second.endSession()]);
  });

  test('SIM-17 two that insert the same key meet in a conflict; a key that was there is a duplicate', async () => {
    const rows = await fresh();
    await rows.createIndex({ name: 1 }, { unique: true, sparse: true });
    await rows.insertOne({ _id: 'old', name: 'old' });
    const [first, second] = [begun(), begun()];
    await rows.insertOne({ _id: 'a', name: 'x' }, { session: first });
    expect(await failure(rows.insertOne({ _id: 'b', name: 'x' }, { session: second }))).toMatchObject({ code: 112 });
    await second.abortTransaction();
    second.startTransaction();
    expect(await failure(rows.insertOne({ _id: 'a' }, { session: second }))).toMatchObject({ code: 112 });
    await second.abortTransaction();
    second.startTransaction();
    const duplicate = await failure(rows.insertOne({ _id: 'b', name: 'old' }, { session: second }));
    expect(duplicate).toMatchObject({ code: 11000, keyValue: { name: 'old' } });
    expect(duplicate.hasErrorLabel('TransientTransactionError')).toBe(false);
    await second.abortTransaction();
    await rows.updateOne({ _id: 'old' }, { $set: { name: 'older' } }, { session: first });
    await rows.insertOne({ _id: 'new', name: 'old' }, { session: first });
    await first.commitTransaction();
    expect(await rows.countDocuments({})).toBe(3);
    await Promise.all([first.endSession(), second.endSession()]);
  });

  test('SIM-18 a write without a transaction waits for one that is open', async () => {
    const rows = await fresh();
    await rows.insertOne({ _id: 'a', n: 1 });
    const session = begun();
    await rows.updateOne({ _id: 'a' }, { $inc: { n: 10 } }, { session });
    const waiting = rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 1 });
    expect(await failure(rows.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 5 } }, { maxTimeMS: 30 }))).toMatchObject({
      code: 50,
    });
    await session.commitTransaction();
    expect(await waiting).toMatchObject({ modifiedCount: 1 });
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 12 });
    await session.endSession();
  });

  test('SIM-19 many transactions on one document each count once', async () => {
    const rows = await fresh();
    await rows.insertOne({ _id: 'a', n: 0 });
    await Promise.all(
      Array.from({ length: 10 }, () =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            const { n = 0 } = (await rows.findOne({ _id: 'a' }, { session })) ?? {};
            await rows.updateOne({ _id: 'a' }, { $set: { n: n + 1 } }, { session });
          }),
        ),
      ),
    );
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 10 });
  });

  test('SIM-39 a transaction that stays open too long is gone, and what it held is free', async () => {
    const impatient = await startMongoDbStandIn({ transactionLifetime: 50 });
    const mine = await connected(impatient.url('zakup'));
    const rows = await fresh(mine);
    const session = begun(mine);
    await rows.insertOne({ _id: 'a', n: 1 }, { session });
    await rows.insertOne({ _id: 'a', n: 2 });
    const late = await failure(rows.findOne({}, { session }));
    expect(late).toMatchObject({ code: 251, codeName: 'NoSuchTransaction' });
    expect(late.hasErrorLabel('TransientTransactionError')).toBe(true);
    await session.abortTransaction();
    expect(await rows.find({}).toArray()).toEqual([{ _id: 'a', n: 2 }]);
    await session.endSession();
    await mine.close();
    await impatient.stop();
  });

  test('SIM-20 a snapshot session reads one moment with all its finds', async () => {
    const [rows, others] = [await fresh(), await fresh()];
    await rows.insertOne({ _id: 'a', n: 1 });
    const session = client.startSession({ snapshot: true });
    expect(await rows.findOne({ _id: 'a' }, { session })).toEqual({ _id: 'a', n: 1 });
    await rows.updateOne({ _id: 'a' }, { $set: { n: 2 } });
    await others.insertOne({ _id: 'b' });
    expect(await rows.find({}, { session }).toArray()).toEqual([{ _id: 'a', n: 1 }]);
    expect(await others.countDocuments({}, { session })).toBe(0);
    expect(await rows.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 2 });
    await session.endSession();
  });

  test('SIM-41 every view that is open sees its own moment through an index, whatever is written and swept up meanwhile', async () => {
    const rows = await fresh();
    await rows.createIndex({ n: 1, _id: 1 });
    const views: { readonly session: ClientSession; readonly seen: readonly Row[] }[] = [];
    const look = (session?: ClientSession): Promise<readonly Row[]> =>
      rows
        .find({ n: { $gte: 0 } }, { sort: { n: 1, _id: 1 }, ...(session === undefined ? {} : { session }) })
        .toArray();
    for (let step = 0; step < 400; step += 1) {
      const id = `r${(step * 7) % 23}`;
      if (step % 5 === 4) await rows.deleteOne({ _id: id });
      else await rows.replaceOne({ _id: id }, { n: (step * 31) % 17 }, { upsert: true });
      if (step % 20 === 10) {
        const session = step % 40 === 10 ? begun() : client.startSession({ snapshot: true });
        views.push({ session, seen: await look(session) });
      }
      const oldest = views[0];
      if (oldest === undefined || step % 60 !== 59) continue;
      expect(await look(oldest.session)).toEqual(oldest.seen);
      await oldest.session.endSession();
      views.shift();
    }
    for (const { session, seen } of views) {
      expect(await look(session)).toEqual(seen);
      await session.endSession();
    }
    // By a computed order, which no index gives.
    const plain = rows.aggregate([{ $set: { order: '$n' } }, { $sort: { order: 1, _id: 1 } }, { $unset: 'order' }]);
    expect(await look()).toEqual(await plain.toArray());
  });
});

describe('the stand-in for MongoDB: change streams', () => {
  test('SIM-21 each change is told in the order of the commits, with what it needs', async () => {
    const rows = await fresh();
    const stream = await watching(rows, { fullDocument: 'updateLookup' });
    await rows.insertOne({ _id: 'a', n: 1, part: { a: 1, b: 2 } });
    await rows.updateOne({ _id: 'a' }, { $set: { 'part.a': 5 }, $unset: { n: '' } });
    await rows.replaceOne({ _id: 'a' }, { n: 3 });
    await rows.deleteOne({ _id: 'a' });
    const told = [await stream.next(), await stream.next(), await stream.next(), await stream.next()];
    expect(told).toMatchObject([
      { operationType: 'insert', fullDocument: { _id: 'a', n: 1 }, ns: { db: 'zakup', coll: rows.collectionName } },
      {
        operationType: 'update',
        updateDescription: { updatedFields: { 'part.a': 5 }, removedFields: ['n'] },
        fullDocument: null,
      },
      { operationType: 'replace', fullDocument: { _id: 'a', n: 3 } },
      { operationType: 'delete', documentKey: { _id: 'a' } },
    ]);
    await stream.close();
  });

  test('SIM-22 all of a transaction is told after its commit, in its order', async () => {
    const rows = await fresh();
    const stream = await watching(rows);
    const session = begun();
    await rows.insertOne({ _id: 'a' }, { session });
    await rows.insertOne({ _id: 'b' }, { session });
    await rows.insertOne({ _id: 'c' });
    await session.commitTransaction();
    const told = [await stream.next(), await stream.next(), await stream.next()];
    expect(told).toMatchObject(['c', 'a', 'b'].map((_id) => ({ documentKey: { _id } })));
    await session.endSession();
    await stream.close();
  });

  test('SIM-23 it goes on behind a token, or at a time, and passes what its pipeline passes', async () => {
    const rows = await fresh();
    const stream = await watching(rows);
    await rows.insertMany([{ _id: 'a' }, { _id: 'b' }]);
    const { _id: token, clusterTime } = await stream.next();
    await stream.close();
    await rows.insertOne({ _id: 'c', n: 1 });
    const resumed = rows.watch([{ $match: { 'fullDocument.n': 1 } }], { resumeAfter: token });
    expect(await resumed.next()).toMatchObject({ documentKey: { _id: 'c' } });
    await resumed.close();
    const timed = rows.watch(
      [{ $match: { 'documentKey._id': { $ne: 'a' } } }],
      clusterTime === undefined ? {} : { startAtOperationTime: clusterTime },
    );
    expect(await timed.next()).toMatchObject({ documentKey: { _id: 'b' } });
    await timed.close();
    const lost = rows.watch([], { resumeAfter: { _data: '8200' } });
    expect(await failure(lost.next())).toMatchObject({ code: 286 });
  });

  test('SIM-24 a whole database is watched; a dropped collection ends its stream', async () => {
    const database = client.db('watched');
    const rows = await database.createCollection<Row>('rows');
    const [all, one] = [database.watch([], { maxAwaitTimeMS: 50 }), await watching(rows)];
    expect(await all.tryNext()).toBeNull();
    await rows.insertOne({ _id: 'a' });
    await database.collection<Row>('more').insertOne({ _id: 'b' });
    await rows.drop();
    expect([await all.next(), await all.next(), await all.next()]).toMatchObject([
      { operationType: 'insert', ns: { coll: 'rows' } },
      { operationType: 'insert', ns: { coll: 'more' } },
      { operationType: 'drop', ns: { coll: 'rows' } },
    ]);
    expect([await one.next(), await one.next(), await one.next()]).toMatchObject([
      { operationType: 'insert' },
      { operationType: 'drop' },
      { operationType: 'invalidate' },
    ]);
    await Promise.all([all.close(), one.close()]);
  });

  test('SIM-25 waiting for a change asks the server once a time, and ends with the change', async () => {
    const rows = await fresh();
    const stream = rows.watch([], { maxAwaitTimeMS: 20_000 });
    const next = stream.next();
    const asked = (): number => standIn.faults.counts().commands['getMore'] ?? 0;
    await expect.poll(asked).toBeGreaterThan(0);
    const before = asked();
    await rows.insertOne({ _id: 'a' });
    expect(await next).toMatchObject({ operationType: 'insert' });
    expect(asked() - before).toBeLessThanOrEqual(1);
    const later = stream.next().catch((error: unknown) => error);
    await expect.poll(asked).toBeGreaterThan(before);
    await stream.close();
    expect(await later).toBeInstanceOf(Error);
  });
});

describe('the stand-in for MongoDB: credentials', () => {
  test('SIM-26 the right password opens it, everything else is refused as a server refuses it', async () => {
    const guarded = await startMongoDbStandIn({ credentials: { user: 'zakup', password: 'p=ss, wörd' } });
    const url = (auth: string): string => guarded.url('zakup').replace('//', `//${auth}`).concat('&authSource=admin');
    const right = await connected(url(`zakup:${encodeURIComponent('p=ss, wörd')}@`));
    expect(await right.db().command({ ping: 1 })).toMatchObject({ ok: 1 });
    await right.close();
    for (const auth of ['zakup:wrong@', 'nobody:wrong@']) {
      expect(await failure(connected(url(auth)))).toMatchObject({ code: 18, codeName: 'AuthenticationFailed' });
    }
    const without = await connected(guarded.url('zakup'));
    expect(await failure(without.db().collection('rows').findOne({}))).toMatchObject({ code: 13 });
    await without.close();
    await guarded.stop();
  });
});

describe('the stand-in for MongoDB: misbehaviour on order', () => {
  /** A stand-in and client of their own. */
  const own = async (options: MongoClientOptions = {}) => {
    const server = await startMongoDbStandIn();
    const mine = await connected(server.url('zakup'), { heartbeatFrequencyMS: 500, ...options });
    return {
      server,
      faults: server.faults,
      mine,
      rows: await fresh(mine),
      end: async () => {
        await mine.close();
        await server.stop();
      },
    };
  };

  test('SIM-27 a write cut before its answer is sent again and done once, carried out or not', async () => {
    const { faults, rows, end } = await own();
    for (const how of ['carried out', 'not carried out'] as const) {
      faults.dropDuring('update', 1, how);
      await rows.updateOne({ _id: how }, { $inc: { n: 1 } }, { upsert: true });
      expect(await rows.findOne({ _id: how })).toEqual({ _id: how, n: 1 });
    }
    faults.dropDuring('find');
    expect(await rows.countDocuments({})).toBe(2);
    expect(await rows.find({}).toArray()).toHaveLength(2);
    await end();
  });

  test('SIM-28 a commit cut before its answer is sent again and done once; a write inside makes it begin anew', async () => {
    const { faults, mine, rows, end } = await own();
    let runs = 0;
    const add = (): Promise<void> =>
      mine.withSession((session) =>
        session.withTransaction(async () => {
          runs += 1;
          await rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session, upsert: true });
        }),
      );
    faults.dropDuring('commitTransaction', 1, 'carried out');
    await add();
    expect([runs, await rows.findOne({})]).toEqual([1, { _id: 'a', n: 1 }]);
    faults.dropDuring('commitTransaction');
    await add();
    expect([runs, await rows.findOne({})]).toEqual([2, { _id: 'a', n: 2 }]);
    faults.conflict(2);
    await add();
    expect([runs, await rows.findOne({})]).toEqual([5, { _id: 'a', n: 3 }]);
    await end();
  });

  test('SIM-29 without retries the driver tells of the cut connection', async () => {
    const { faults, rows, end } = await own({ retryWrites: false, retryReads: false });
    faults.dropDuring('insert', 2, 'carried out');
    await rows.insertOne({ _id: 'a' });
    await expect(rows.insertOne({ _id: 'b' })).rejects.toThrow(MongoNetworkError);
    expect(await rows.countDocuments({})).toBe(2);
    await end();
  });

  test('SIM-30 dropped connections are made anew, and streams go on where they were', async () => {
    const { faults, rows, end } = await own();
    const stream = await watching(rows);
    await rows.insertOne({ _id: 'a' });
    expect(await stream.next()).toMatchObject({ documentKey: { _id: 'a' } });
    const next = stream.next();
    faults.drop();
    // Where its monitor notices first, the driver leaves a cut write to its caller, without a label.
    await through(() => rows.replaceOne({ _id: 'b' }, {}, { upsert: true }));
    expect(await next).toMatchObject({ documentKey: { _id: 'b' } });
    await stream.close();
    await end();
  });

  test('SIM-31 a new primary is waited for: writes come through, streams go on, open transactions are gone', async () => {
    const { faults, mine, rows, end } = await own();
    const stream = await watching(rows);
    const session = begun(mine);
    await rows.insertOne({ _id: 'lost' }, { session });
    const back = faults.stepDown(200);
    await rows.insertOne({ _id: 'a' });
    const late = await failure(session.commitTransaction());
    expect(late).toMatchObject({ code: 251 });
    expect(late.hasErrorLabel('TransientTransactionError')).toBe(true);
    expect(await stream.next()).toMatchObject({ documentKey: { _id: 'a' } });
    await back;
    expect(await rows.countDocuments({})).toBe(1);
    await session.endSession();
    await stream.close();
    await end();
  });

  test('SIM-32 while it refuses nothing is acknowledged; allowed again it serves', async () => {
    const { faults, rows, end } = await own({ serverSelectionTimeoutMS: 300 });
    for (const as of ['shutting down', 'secondary'] as const) {
      faults.refuse(as);
      const refused = await rows.insertOne({ _id: as }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Error);
      faults.allow();
      await expect.poll(() => rows.findOne({}).catch(() => 'away')).toBeNull();
    }
    await end();
  });

  test('SIM-33 restarted it keeps data and answers, not cursors; streams go on', async () => {
    const { server, faults, rows, end } = await own();
    await rows.insertMany(Array.from({ length: 300 }, (_, n) => ({ _id: `r${n}`, n })));
    const stream = await watching(rows);
    const cursor = rows.find({}, { batchSize: 10 });
    await cursor.next();
    const { port } = server;
    await faults.restart(50);
    expect(server.port).toBe(port);
    expect(faults.counts().cursors).toBe(0);
    await rows.insertOne({ _id: 'a' });
    expect(await rows.countDocuments({})).toBe(301);
    expect(await stream.next()).toMatchObject({ documentKey: { _id: 'a' } });
    await expect(cursor.toArray()).rejects.toThrow(/cursor id \d+ not found/);
    await stream.close();
    await end();
  });

  test('SIM-34 ended streams are opened again by the driver, unless the history is lost', async () => {
    const { faults, rows, end } = await own();
    const stream = await watching(rows);
    faults.endChangeStreams();
    await rows.insertOne({ _id: 'a' });
    expect(await stream.next()).toMatchObject({ documentKey: { _id: 'a' } });
    const next = stream.next();
    next.catch(() => undefined);
    faults.endChangeStreams('history lost');
    expect(await failure(next)).toMatchObject({ code: 286 });
    const anew = await watching(rows);
    await rows.insertOne({ _id: 'b' });
    expect(await anew.next()).toMatchObject({ documentKey: { _id: 'b' } });
    await anew.close();
    await end();
  });

  test('SIM-35 a delay slows every command, and one with a time limit fails at it', async () => {
    const { faults, rows, end } = await own();
    faults.delay(60);
    const before = performance.now();
    await rows.findOne({});
    expect(performance.now() - before).toBeGreaterThan(50);
    expect(await failure(rows.findOne({}, { maxTimeMS: 20 }))).toMatchObject({ code: 50 });
    faults.delay(0);
    await end();
  });

  test('SIM-36 orders are taken as lines, and an unknown one is told all there are', async () => {
    const { faults, rows, end } = await own();
    expect(await carriedOut(faults, 'drop-during insert 1 after')).toBe('done: drop-during insert 1 after');
    await rows.insertOne({ _id: 'a' });
    expect(await rows.countDocuments({})).toBe(1);
    expect(JSON.parse(await carriedOut(faults, 'counts'))).toMatchObject({ commands: { insert: 2 } });
    for (const line of ['delay 0', 'conflict 0', 'refuse secondary', 'allow', 'step-down 1', 'restart', 'drop']) {
      expect(await carriedOut(faults, line)).toBe(`done: ${line}`);
    }
    await expect(carriedOut(faults, 'explode')).rejects.toThrow('known: delay <ms>, drop,');
    await expect(carriedOut(faults, 'delay')).rejects.toThrow('a number is missing');
    await end();
  });
});

describe('the stand-in for MongoDB: as a process of its own', () => {
  const script = fileURLToPath(new URL('../../scripts/standin-mongodb.ts', import.meta.url));
  const started = async (file: string) => {
    const child = spawn(process.execPath, ['--import', 'tsx', script, '--file', file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    return { child, url, gone: once(child, 'exit') };
  };

  test('SIM-37 killed, it loses nothing that it has answered: documents, indexes, places in a stream @deep', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'standin-'));
    const file = join(folder, 'journal');
    const first = await started(file);
    expect(first.url).toMatch(/^mongodb:\/\/127\.0\.0\.1:\d+\/zakup\?replicaSet=rs0$/);
    const one = await connected(first.url);
    const rows = one.db().collection<Row>('rows');
    await rows.createIndex({ name: 1 }, { unique: true });
    const stream = rows.watch<Row>([], { maxAwaitTimeMS: 50 });
    await stream.tryNext();
    await rows.insertOne({ _id: 'a', name: 'x', n: 1 });
    const { _id: token } = await stream.next();
    await one.withSession((session) =>
      session.withTransaction(async () => {
        await rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session });
        await rows.insertOne({ _id: 'b', name: 'y' }, { session });
      }),
    );
    first.child.kill('SIGKILL');
    await first.gone;
    await one.close();

    const second = await started(file);
    const two = await connected(second.url);
    const again = two.db().collection<Row>('rows');
    expect(await again.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 'a', name: 'x', n: 2 },
      { _id: 'b', name: 'y' },
    ]);
    expect(await failure(again.insertOne({ _id: 'c', name: 'y' }))).toMatchObject({ code: 11000 });
    const resumed = again.watch([], { resumeAfter: token });
    expect([await resumed.next(), await resumed.next()]).toMatchObject([
      { operationType: 'update', updateDescription: { updatedFields: { n: 2 } } },
      { operationType: 'insert', documentKey: { _id: 'b' } },
    ]);
    await resumed.close();
    await two.close();
    second.child.kill('SIGTERM');
    expect((await second.gone)[0]).toBe(0);
    await rm(folder, { recursive: true });
  });
});

describe('the stand-in for MongoDB: what a file keeps', () => {
  test('SIM-40 a commit is answered again by the next one on the same file, whose unfinished end is cut off', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'standin-'));
    const data = join(folder, 'journal');
    const first = await startMongoDbStandIn({ data });
    const mine = await connected(first.url('zakup'));
    const rows = await fresh(mine);
    const session = begun(mine);
    await rows.updateOne({ _id: 'a' }, { $inc: { n: 1 } }, { session, upsert: true });
    await session.commitTransaction();
    await first.stop();
    await appendFile(data, Buffer.from([200, 0, 0, 0, 2, 65]));

    const second = await startMongoDbStandIn({ data, port: first.port });
    await session.commitTransaction();
    await rows.insertOne({ _id: 'b' });
    await second.stop();
    const third = await startMongoDbStandIn({ data, port: first.port });
    expect(await rows.find({}).toArray()).toEqual([{ _id: 'a', n: 1 }, { _id: 'b' }]);
    await session.endSession();
    await mine.close();
    await third.stop();
    await rm(folder, { recursive: true });
  });
});

describe('the stand-in for MongoDB: which server tests talk to', () => {
  test('SIM-38 the one that is named, with the database put in; else the stand-in, unless a real one is required', async () => {
    const named = await mongoDbServer({ MONGODB_URL: 'mongodb://u:p@a:1,b:2/old?replicaSet=rs0' });
    expect([named.kind, named.faults, named.url('new')]).toEqual([
      'server',
      null,
      'mongodb://u:p@a:1,b:2/new?replicaSet=rs0&authSource=old',
    ]);
    // Whoever the credentials belong to is still looked up where the URL said.
    for (const [given, put] of [
      ['mongodb://u:p@a:1', 'mongodb://u:p@a:1/new?authSource=admin'],
      ['mongodb://u:p@a:1/?directConnection=true', 'mongodb://u:p@a:1/new?directConnection=true&authSource=admin'],
      ['mongodb://u:p@a:1/old?authSource=users', 'mongodb://u:p@a:1/new?authSource=users'],
    ] as const) {
      expect((await mongoDbServer({ MONGODB_URL: given })).url('new')).toBe(put);
    }
    expect((await mongoDbServer({ MONGODB_URL: 'mongodb://a:1' })).url('new')).toBe('mongodb://a:1/new');
    await expect(mongoDbServer({ REQUIRE_SERVERS: 'eventstoredb, mongodb' })).rejects.toThrow(
      'REQUIRE_SERVERS names mongodb, but MONGODB_URL is not set',
    );
    const other = await mongoDbServer({ REQUIRE_SERVERS: 'eventstoredb' });
    expect(other.kind).toBe('stand-in');
    await other.stop();
  });
});
