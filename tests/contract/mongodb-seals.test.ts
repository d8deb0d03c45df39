import { randomBytes } from 'node:crypto';
import { sealStoreContractSuite } from '@zakup/seals/contract-suite';
import { mongoSealStore } from '@zakup/seals/mongodb/mongo-seal-store';
import type { SealStore } from '@zakup/seals/seal-store';
import { sealAfter } from '@zakup/seals/testing/sealed';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import { MongoClient } from 'mongodb';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';

const server = await mongoDbServer();
afterAll(() => server.stop());

const dropped = async (url: string): Promise<void> => {
  const client = new MongoClient(url);
  await client.db().dropDatabase();
  await client.close();
};
const newUrl = (): string => server.url(`zakup_seals_${randomBytes(6).toString('hex')}`);

sealStoreContractSuite(`MongoDB (${server.kind})`, async () => {
  const url = newUrl();
  const stores: SealStore[] = [];
  const open = async (): Promise<SealStore> => {
    const store = await mongoSealStore({ url });
    stores.push(store);
    return store;
  };
  return {
    store: await open(),
    another: open,
    end: async () => {
      for (const store of stores) await store.close();
      await dropped(url);
    },
  };
});

const opened = async (): Promise<{ readonly url: string; readonly store: SealStore }> => {
  const url = newUrl();
  const store = await mongoSealStore({ url });
  onTestFinished(async () => {
    await store.close();
    await dropped(url);
  });
  return { url, store };
};

test('SEAL-14 read models that are made anew leave the seals of the same database alone', async () => {
  const { url, store } = await opened();
  const first = sealAfter(null, '3f1');
  await store.add(first, 1);
  const readStore = await mongoReadStore({ url, declared: {} });
  await readStore.clear();
  await readStore.close();
  expect(await store.last('3f1')).toEqual(first);
});

test('SEAL-15 a seal that was damaged is told by its place', async () => {
  const { url, store } = await opened();
  await store.add(sealAfter(null, '3f1'), 1);
  const client = new MongoClient(url);
  await client
    .db()
    .collection('seals')
    .updateOne({}, { $set: { position: 5 } });
  await client.close();
  await expect(store.last('3f1')).rejects.toMatchObject({ name: 'CorruptSeal', number: 1 });
});

test('SEAL-16 a server that is away is told as such, and a write whose answer was lost is there once', async () => {
  const { faults } = server;
  const { store } = await opened();
  const first = sealAfter(null, '3f1');
  faults?.dropDuring('insert', 1, 'carried out');
  expect(await store.add(first, 1)).toEqual({ kind: 'added' });
  expect(await store.read('3f1')).toEqual([first]);
  if (faults === null) return;
  faults.refuse();
  await expect(store.last('3f1')).rejects.toMatchObject({ name: 'SealsUnavailable' });
  faults.allow();
  await expect.poll(() => store.last('3f1').catch(() => null)).toEqual(first);
});

test('SEAL-17 a URL that names no database, and what a newer version wrote, are refused', async () => {
  await expect(mongoSealStore({ url: 'mongodb://user:hunter2@localhost:1' })).rejects.toThrow('names no database');
  const { url } = await opened();
  const client = new MongoClient(url);
  await client
    .db()
    .collection('seal_progress')
    .updateOne({}, { $set: { version: 2 } });
  await client.close();
  await expect(mongoSealStore({ url })).rejects.toThrow('written by a newer version');
});
