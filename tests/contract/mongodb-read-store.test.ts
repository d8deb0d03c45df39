import { randomUUID } from 'node:crypto';
import { declaredFields } from '@zakup/contracts/read-models';
import { aDocument, readStoreContractSuite, suiteDeclared } from '@zakup/read-store/contract-suite';
import { walksFor } from '@zakup/read-store/documents';
import { leasesContractSuite } from '@zakup/read-store/leases-contract-suite';
import { collectionOfKind } from '@zakup/read-store/mongodb/collections';
import { type MongoLeases, mongoLeases } from '@zakup/read-store/mongodb/mongo-leases';
import type { StoredLease } from '@zakup/read-store/mongodb/stored-lease';
import {
  type MongoReadStore,
  mongoReadStore,
  type MongoReadStoreOptions,
} from '@zakup/read-store/mongodb/mongo-read-store';
import { CorruptDocument, type DeclaredFields, ReadStoreUnavailable } from '@zakup/read-store/read-store';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';

const server = await mongoDbServer();
const run = randomUUID().slice(0, 8);
const client = new MongoClient(server.url('admin'));
const databases: string[] = [];

/** The URL of a database that nobody used before. */
const newDatabase = (): string => {
  const name = `zakup_test_${run}_${databases.length}`;
  databases.push(name);
  return name;
};

afterAll(async () => {
  if (server.kind === 'server') for (const name of databases) await client.db(name).dropDatabase();
  await client.close();
  await server.stop();
});

const title = `MongoDB (${server.kind})`;

readStoreContractSuite(title, async (declared) => {
  const store = await mongoReadStore({ url: server.url(newDatabase()), declared });
  return { store, end: () => store.close() };
});

leasesContractSuite(title, async () => {
  const url = server.url(newDatabase());
  const holders = new Map<string, MongoLeases>();
  return {
    of: async (holder) => {
      const leases = holders.get(holder) ?? (await mongoLeases({ url, holder, ttl: 600 }));
      holders.set(holder, leases);
      return leases;
    },
    // Somebody else's hand in the database: the holder's renewals find nothing any more, and no renewal is seen.
    stall: async (_holder, name) => {
      const database = client.db(databases.at(-1) ?? '');
      await database.collection<{ _id: string }>('leases').updateOne({ _id: name }, { $set: { token: 'taken away' } });
    },
    end: async () => {
      for (const leases of holders.values()) await leases.close();
    },
  };
});

describe(`MongoDB read store (${server.kind})`, () => {
  const opened: { close(): Promise<void> }[] = [];
  const open = async (name: string, declared: DeclaredFields = suiteDeclared): Promise<MongoReadStore> => {
    const store = await mongoReadStore({ url: server.url(name), declared });
    opened.push(store);
    return store;
  };
  const raw = (name: string): Db => client.db(name);
  const partition = '3f';
  const changes = (store: MongoReadStore, since?: number) =>
    store.changesSince({
      licenceId: '3flicence',
      scope: 'campaign:1',
      partition,
      ...(since === undefined ? {} : { since }),
    });

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  it('MRS-1 every kind of read model has a collection with a name of its own', () => {
    const shared = Object.keys(declaredFields).filter((kind) => walksFor(declaredFields, kind).length === 0);
    expect(Object.keys(collectionOfKind).toSorted()).toEqual(shared.toSorted());
    expect(new Set(Object.values(collectionOfKind)).size).toBe(Object.keys(collectionOfKind).length);
  });

  it('MRS-2 a contractor can be read by a person in contractor_totals', async () => {
    const name = newDatabase();
    const store = await open(name, declaredFields);
    const totals = { spent: 150_000, leads: 12, placements: 2, days: { '2025-01-02': 2 }, campaigns: { c1: 2 } };
    const data = { nick: 'реклама', createdAt: '2025-01-01T00:00:00.000Z', totals };
    const scopes = ['workspace', 'campaign:c1'];
    await store.commit({
      docs: [aDocument('k1', 4, { kind: 'contractor', scopes, data })],
      checkpoint: { partition, position: 5, fence: 2 },
    });
    const found = await raw(name).collection('contractor_totals').findOne();
    expect(found).toEqual({
      _id: 'k1',
      licenceId: '3flicence',
      scopes,
      left: [],
      position: 4,
      deleted: false,
      data,
      checksum: expect.any(Number),
    });
    expect(await raw(name).collection('checkpoints').findOne()).toEqual({
      _id: partition,
      position: 5,
      fence: 2,
      commit: expect.any(String),
      updatedAt: expect.any(Date),
    });
  });

  it('MRS-3 another process sees documents, checkpoint and floors, and so does a later one', async () => {
    const name = newDatabase();
    const [store, other] = [await open(name), await open(name)];
    await store.commit({
      docs: [aDocument('a', 3)],
      checkpoint: { partition, position: 3, fence: 4 },
      floors: [{ licenceId: '3flicence', scope: 'campaign:1' }],
    });
    for (const reader of [other, await open(name)]) {
      expect(await reader.get('placement', 'a')).toEqual(aDocument('a', 3));
      expect(await reader.checkpoint(partition)).toEqual({ partition, position: 3, fence: 4 });
      expect(await changes(reader, 3)).toMatchObject({ position: 3, reset: true });
      expect(await reader.reached()).toBe(3);
    }
  });

  it('MRS-4 commits of another process commitSignal, and those before the watch are told once it begins', async () => {
    const name = newDatabase();
    const [writer, reader] = [await open(name), await open(name)];
    const commit = (position: number, fence = 1) =>
      writer.commit({ docs: [], checkpoint: { partition, position, fence } });
    await commit(1);
    const seen: number[] = [];
    reader.onCommit((commitSignal) => seen.push(commitSignal.position));
    await expect.poll(() => seen).toEqual([1]);
    for (let position = 2; position <= 20; position += 1) await commit(position);
    await commit(20, 2);
    await expect.poll(() => seen).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 20]);
  });

  it('MRS-5 writers in two processes: each step is taken once, and the old fence never again', async () => {
    const name = newDatabase();
    const [old, fresh] = [await open(name), await open(name)];
    let position = 0;
    for (const step of [1, 2, 3, 4, 5]) {
      const results = await Promise.all(
        [old, fresh].map((store, index) =>
          store.commit({
            docs: [aDocument('a', step, { data: { price: index } }), aDocument(`${step}-${index}`, step)],
            checkpoint: { partition, position: step, fence: 1 },
          }),
        ),
      );
      expect(results.map(({ kind }) => kind).toSorted()).toEqual(['committed', 'older_checkpoint']);
      const winner = results.findIndex(({ kind }) => kind === 'committed');
      expect((await old.get('placement', 'a'))?.data).toEqual({ price: winner });
      expect(await old.get('placement', `${step}-${1 - winner}`)).toBeNull();
      position = step;
    }
    const steps = await Promise.all([
      fresh.commit({ docs: [aDocument('b', 6)], checkpoint: { partition, position: position + 1, fence: 2 } }),
      old.commit({ docs: [aDocument('c', 7)], checkpoint: { partition, position: position + 2, fence: 1 } }),
    ]);
    expect(steps[0]?.kind === 'committed' || steps[1]?.kind === 'committed').toBe(true);
    await fresh.commit({ docs: [], checkpoint: { partition, position: 9, fence: 2 } });
    expect(await old.commit({ docs: [aDocument('d', 10)], checkpoint: { partition, position: 10, fence: 1 } })).toEqual(
      {
        kind: 'lost_lease',
        fence: 2,
      },
    );
    expect(await old.get('placement', 'd')).toBeNull();
  });

  it('MRS-6 a changed document is CorruptDocument, naming database and document; others can be read', async () => {
    const name = newDatabase();
    const store = await open(name);
    const docs = ['a', 'b', 'c'].map((id, index) => aDocument(id, index + 1));
    await store.commit({ docs, checkpoint: { partition, position: 3, fence: 1 } });
    const placements = raw(name).collection<{ _id: string }>('placements');
    await placements.updateOne({ _id: 'b' }, { $set: { 'data.price': 7 } });
    await expect(store.get('placement', 'b')).rejects.toThrow(CorruptDocument);
    await expect(store.getMany('placement', ['a', 'b'])).rejects.toThrow(name);
    await expect(store.query('placement', {})).rejects.toThrow('placement/b');
    await expect(changes(store)).rejects.toThrow(CorruptDocument);
    expect(await store.get('placement', 'a')).toEqual(docs[0]);
    await placements.updateOne({ _id: 'a' }, { $set: { scopes: ['campaign:2'] } });
    await placements.updateOne({ _id: 'c' }, { $unset: { left: '' } });
    for (const id of ['a', 'c']) await expect(store.get('placement', id)).rejects.toThrow(CorruptDocument);
  });

  it('MRS-7 an index under a known name that is another one is refused by name, absent ones are made', async () => {
    const name = newDatabase();
    await raw(name).collection('placements').createIndex({ licenceId: 1 }, { name: 'scope' });
    await expect(open(name)).rejects.toThrow(/placements .*"scope".*licenceId/);
    await raw(name).collection('placements').dropIndex('scope');
    await open(name);
    const indexes = await raw(name).collection('placements').indexes();
    expect(indexes.map((index) => index.name ?? '').toSorted()).toEqual([
      '_id_',
      'created',
      'left',
      'licence',
      'lookup campaignId',
      'lookup terms.rate',
      'scope',
      'sort campaignId createdAt',
      'sort campaignId price',
    ]);
    await open(name);
  });

  it('MRS-8 an index with an option that changes what it does is refused too', async () => {
    const name = newDatabase();
    await raw(name)
      .collection('placements')
      .createIndex({ licenceId: 1, 'data.campaignId': 1 }, { name: 'lookup campaignId', unique: true });
    await expect(open(name)).rejects.toThrow(/"lookup campaignId".*unique/);
  });

  it('MRS-9 a store of a newer schema is refused', async () => {
    const name = newDatabase();
    await (await open(name)).close();
    await raw(name)
      .collection<{ _id: string }>('meta')
      .updateOne({ _id: 'schema' }, { $set: { version: 99 } });
    await expect(open(name)).rejects.toThrow(/newer version.*99/);
  });

  it('MRS-10 a clearing that was cut off is finished by whoever opens the store next', async () => {
    const name = newDatabase();
    const store = await open(name);
    const docs = [aDocument('a', 1), aDocument('p', 2, { kind: 'parked', scopes: [] })];
    await store.commit({ docs, checkpoint: { partition, position: 2, fence: 1 } });
    await raw(name).collection<{ _id: string }>('meta').insertOne({ _id: 'clearing' });
    const next = await open(name);
    expect(await next.get('placement', 'a')).toBeNull();
    expect(await next.get('parked', 'p')).toBeNull();
    expect(await raw(name).collection<{ _id: string }>('meta').findOne({ _id: 'clearing' })).toBeNull();
  });

  it('MRS-11 clear leaves what is not of the read store', async () => {
    const name = newDatabase();
    const store = await open(name);
    await raw(name).collection<{ _id: string }>('sessions').insertOne({ _id: 'kept' });
    const docs = [aDocument('a', 1), aDocument('p', 2, { kind: 'contractor_use', scopes: [] })];
    await store.commit({ docs, checkpoint: { partition, position: 2, fence: 1 } });
    await store.clear();
    expect(await store.get('contractor_use', 'p')).toBeNull();
    expect(await store.reached()).toBe(2);
    expect(await raw(name).collection('sessions').countDocuments()).toBe(1);
  });

  it('MRS-12 private kinds need no declaration, but are in no scope', async () => {
    const store = await open(newDatabase());
    const parked = aDocument('p', 1, { kind: 'parked', scopes: [] });
    await store.commit({ docs: [parked], checkpoint: { partition, position: 1, fence: 1 } });
    expect((await store.query('parked', {})).docs).toEqual([parked]);
    const shared = aDocument('q', 2, { kind: 'parked' });
    await expect(store.commit({ docs: [shared], checkpoint: { partition, position: 2, fence: 1 } })).rejects.toThrow(
      /parked\/q.*not declared/,
    );
  });

  it('MRS-13 what JSON and BSON tell apart comes back as JSON has it', async () => {
    const store = await open(newDatabase());
    const data = {
      zero: -0,
      large: Number.MAX_SAFE_INTEGER,
      small: -2_147_483_649,
      fraction: 0.1 + 0.2,
      absent: undefined,
      'dotted.name': { $dollar: 1, '': 'empty' },
      nested: [[], {}, [null, { deep: [1.5] }]],
      odd: 'half \ud83d of a pair',
      escaped: 'back\\ud83dslash',
    };
    await store.commit({ docs: [aDocument('a', 1, { data })], checkpoint: { partition, position: 1, fence: 1 } });
    const { absent: _, ...kept } = data;
    expect((await store.get('placement', 'a'))?.data).toEqual({ ...kept, zero: 0, odd: 'half \ufffd of a pair' });
  });

  it('MRS-14 a server that is away, or a wrong URL, is said at opening without the password', async () => {
    const away =
      'mongodb://zakup:secret@127.0.0.1:1/zakup?replicaSet=rs0&serverSelectionTimeoutMS=200&authSource=admin';
    const failure = await mongoReadStore({ url: away, declared: suiteDeclared }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReadStoreUnavailable);
    expect(String(failure)).toMatch(/127\.0\.0\.1:1\/zakup: /);
    expect(String(failure)).not.toContain('secret');
    for (const url of ['mongodb://127.0.0.1:1', 'mongodb://zakup:secret@/x', 'http://127.0.0.1:1/zakup']) {
      const wrong = await mongoReadStore({ url, declared: suiteDeclared }).catch((error: unknown) => error);
      expect(String(wrong)).toMatch(/URL of the read store on MongoDB cannot be used/);
      expect(String(wrong)).not.toContain('secret');
    }
    await expect(mongoLeases({ url: away, holder: 'one' })).rejects.toThrow(ReadStoreUnavailable);
  });

  it('MRS-16 a lease that is renewed is nobody else’s, however long it is waited for', async () => {
    const name = newDatabase();
    const [one, two] = await Promise.all(
      ['one', 'two'].map(async (holder) => {
        const leases = await mongoLeases({ url: server.url(name), holder, ttl: 3000 });
        opened.push(leases);
        return leases;
      }),
    );
    const forEver = new AbortController().signal;
    const first = await one?.acquire('3f', forEver);
    let taken = false;
    const waiting = two?.acquire('3f', forEver).then((lease) => {
      taken = true;
      return lease;
    });
    const renewals = async (): Promise<unknown> =>
      (await raw(name).collection<StoredLease>('leases').findOne({ _id: '3f' }))?.renewals;
    // A third more than its time to live.
    await expect.poll(renewals).toBeGreaterThanOrEqual(4);
    expect([first?.lost.aborted, taken]).toEqual([false, false]);
    await first?.release();
    expect((await waiting)?.fence).toBe((first?.fence ?? 0) + 1);
  });

  it('MRS-17 the plain names show what is read now from when another content has taken the place', async () => {
    const name = newDatabase();
    const [store, other] = [await open(name), await open(name)];
    const plain = raw(name).collection<{ _id: string }>('placements');
    const at = (position: number) => ({ partition, position, fence: 1 });
    await store.commit({ docs: [aDocument('old', 3)], checkpoint: at(3) });
    for (const [round, id] of ['first', 'second'].entries()) {
      const next = await store.beginNext(`v${round}`);
      await next.commit({ docs: [aDocument(id, 4)], checkpoint: at(4) });
      expect(await other.get('placement', id)).toBeNull();
      expect(await next.promote(1)).toEqual({ kind: 'committed' });
      expect(await other.get('placement', id)).toEqual(aDocument(id, 4));
      expect((await other.query('placement', {})).docs.map((doc) => doc.id)).toEqual([id]);
      expect(await plain.find().toArray()).toMatchObject([{ _id: id }]);
    }
    expect(await other.get('placement', 'old')).toBeNull();
    // What is former is kept for a minute, for reads of other processes that began before.
    expect(await store.purge()).toBe(false);
    expect(await raw(name).collection('placements.g0').findOne()).toMatchObject({ _id: 'old' });
    expect(await plain.find().toArray()).toMatchObject([{ _id: 'second' }]);
    const later = await mongoReadStore({
      url: server.url(name),
      declared: suiteDeclared,
      now: () => Date.now() + 61_000,
    });
    opened.push(later);
    expect(await later.purge()).toBe(true);
    expect(await plain.find().toArray()).toMatchObject([{ _id: 'second' }]);
    const left = await raw(name).listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    expect(left.map((one) => one.name).filter((one) => one.startsWith('placements'))).toEqual(['placements.g2']);
    expect((await changes(await open(name), 3)).docs.map(({ doc }) => doc.id)).toEqual(['second']);
  });

  it('MRS-1040 a content that takes the place of one into which nothing was folded is under the plain names at once', async () => {
    const name = newDatabase();
    const [store, other] = [await open(name), await open(name)];
    // As a rebuild on an empty database begins: only its fence is there.
    await store.commit({ docs: [], checkpoint: { partition, position: 0, fence: 1 } });
    const next = await store.beginNext('v1');
    await next.commit({ docs: [aDocument('first', 4)], checkpoint: { partition, position: 4, fence: 1 } });
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    expect(await store.purge()).toBe(true);
    const plain = raw(name).collection<{ _id: string }>('placements');
    expect(await plain.findOne()).toMatchObject({ _id: 'first' });
    expect(await other.get('placement', 'first')).toEqual(aDocument('first', 4));
    await store.commit({ docs: [aDocument('second', 5)], checkpoint: { partition, position: 5, fence: 1 } });
    expect(await plain.findOne({ _id: 'second' })).toMatchObject({ position: 5 });
    expect((await changes(other, 4)).docs.map(({ doc }) => doc.id)).toEqual(['first', 'second']);
  });

  it('MRS-1146 a rebuild of everything shows under the plain names at once, whatever was read there before', async () => {
    const name = newDatabase();
    const store = await open(name, declaredFields);
    await store.commit({
      docs: [aDocument('k', 4, { kind: 'contractor' }), aDocument('p', 4, { kind: 'parked', scopes: [] })],
      checkpoint: { partition, position: 4, fence: 1 },
    });
    const next = await store.beginNext('v1');
    const rebuilt = aDocument('k', 4, { kind: 'contractor', data: { nick: 'новый' } });
    await next.commit({ docs: [rebuilt], checkpoint: { partition, position: 4, fence: 1 } });
    await next.promote(1);
    expect(await raw(name).collection('contractor_totals').findOne()).toMatchObject({ data: { nick: 'новый' } });
    const listed = await raw(name).listCollections({ type: 'view' }, { nameOnly: true }).toArray();
    expect(listed.map((one) => one.name).toSorted()).toEqual(Object.values(collectionOfKind).toSorted());
    // Also for whoever starts now: nothing is left to do, and nothing is undone.
    await (await open(name, declaredFields)).close();
    expect(await raw(name).collection('contractor_totals').findOne()).toMatchObject({ data: { nick: 'новый' } });
  });

  it('MRS-1147 taking a place that is taken by it already is no failure: the answer to the first may be lost', async () => {
    const store = await open(newDatabase());
    const next = await store.beginNext('v1');
    await next.commit({ docs: [aDocument('a', 1)], checkpoint: { partition, position: 1, fence: 1 } });
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    await store.commit({ docs: [aDocument('b', 2)], checkpoint: { partition, position: 2, fence: 1 } });
    expect(await next.promote(1)).toEqual({ kind: 'committed' });
    expect((await store.checkpoint(partition))?.position).toBe(2);
    expect((await store.query('placement', {})).total).toBe(2);
    expect((await store.generations()).active.number).toBe(1);
  });

  it('MRS-18 a version before generations refuses a database whose content was replaced', async () => {
    const name = newDatabase();
    const store = await open(name);
    const versionOf = async () =>
      (await raw(name).collection<{ _id: string; version: number }>('meta').findOne({ _id: 'schema' }))?.version;
    expect(await versionOf()).toBe(1);
    await (await store.beginNext('v')).promote(1);
    expect(await versionOf()).toBe(2);
  });

  it('MRS-40 a checkpoint that bears the name of the commit is its own, whatever the driver said of it', async () => {
    const url = server.url(newDatabase());
    const named = async (more: Partial<MongoReadStoreOptions> = {}) => {
      const store = await mongoReadStore({ url, declared: suiteDeclared, ...more });
      opened.push(store);
      return store;
    };
    const newId = () => 'the commit';
    const [store, same, other] = [await named({ newId }), await named({ newId }), await named()];
    const commit = (to: MongoReadStore) =>
      to.commit({ docs: [aDocument('a', 1)], checkpoint: { partition, position: 1, fence: 1 } });
    await commit(store);
    expect(await commit(same)).toEqual({ kind: 'committed' });
    expect(await commit(other)).toEqual({ kind: 'older_checkpoint', stored: 1 });
    expect((await other.get('placement', 'a'))?.position).toBe(1);
  });

  it('MRS-15 after closing everything is refused, and no commitSignal comes', async () => {
    const store = await open(newDatabase());
    await store.close();
    await expect(store.get('placement', 'a')).rejects.toThrow(/closed/);
    await expect(store.commit({ docs: [], checkpoint: { partition, position: 1, fence: 1 } })).rejects.toThrow(
      /closed/,
    );
    store.onCommit(() => undefined)();
  });
});
