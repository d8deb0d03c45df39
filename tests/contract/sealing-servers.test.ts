import { randomBytes } from 'node:crypto';
import type { EventStore } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { runSealing } from '@zakup/projector/sealing/run-sealing';
import { checkLicence } from '@zakup/seals/check-licence';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { mongoSealStore } from '@zakup/seals/mongodb/mongo-seal-store';
import type { SealStore } from '@zakup/seals/seal-store';
import { sampleEvent, testKey, testSalt } from '@zakup/seals/testing/sealed';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';
import { sharedServer } from './eventstoredb-shared.ts';

const { kind, installation } = await sharedServer();
const mongo = await mongoDbServer();
afterAll(() => mongo.stop());

const openSeals = async (url: string): Promise<SealStore> => {
  const store = await mongoSealStore({ url });
  onTestFinished(() => store.close());
  return store;
};

const tenMinutes = 10 * 60_000;

/** Appends events of two licences and of nobody, one after the other. */
const fill = async (eventStore: EventStore, from: number, to: number): Promise<void> => {
  for (let number = from; number <= to; number += 1) {
    const put = (licenceId: string, stream: string, id: number) =>
      eventStore.append([{ stream, expectedRevision: 'any', events: [sampleEvent(licenceId, id)] }]);
    await put('3f1', `placement-3f1~${number % 3}`, number);
    await put('4a1', 'placement-4a1~1', 1_000 + number);
    await put('3f1', 'authcode-77~77', 2_000 + number);
  }
};

/** Seals what is due after `later` milliseconds, as a process that begins and ends. */
const sealAll = async (eventStore: EventStore, seals: SealStore, later: number, total: number): Promise<void> => {
  const sealing = runSealing({
    eventStore,
    seals,
    key: testKey,
    fence: 1,
    now: () => Date.now() + later,
    random: () => testSalt,
    signal: new AbortController().signal,
  });
  await expect.poll(async () => (await seals.last('3f1'))?.seal.total).toBe(total);
  await expect.poll(async () => (await seals.last('4a1'))?.seal.total).toBe(total);
  await sealing.stop();
};

describe(`sealing on EventStoreDB (${kind}) and MongoDB (${mongo.kind})`, () => {
  test('SEAL-60 gives seals that the log fits, over restarts, as an embedded one does', async () => {
    const world = await installation();
    const url = mongo.url(`zakup_sealing_${randomBytes(6).toString('hex')}`);
    const servers = { eventStore: await world.open(), seals: await openSeals(url) };
    const embedded = { eventStore: inMemoryEventStore({ clock: Date.now }), seals: inMemorySealStore() };
    for (const { eventStore, seals } of [servers, embedded]) {
      await fill(eventStore, 1, 7);
      await sealAll(eventStore, seals, tenMinutes, 7);
      await fill(eventStore, 8, 12);
      await sealAll(eventStore, seals, 2 * tenMinutes, 12);
    }
    for (const licenceId of ['3f1', '4a1']) {
      const [one, two] = [await servers.seals.read(licenceId), await embedded.seals.read(licenceId)];
      expect(one.map(({ seal }) => seal.total)).toEqual([7, 12]);
      expect(two.map(({ seal }) => seal.total)).toEqual([7, 12]);
      // Places and instants of the two logs are not alike, and are sealed.
      expect(one.map(({ seal }) => seal.chain)).not.toEqual(two.map(({ seal }) => seal.chain));
      expect(one.map(({ position }) => position)).not.toEqual(two.map(({ position }) => position));
      const keys = await servers.seals.keys();
      expect(await checkLicence({ ...servers, keys }, licenceId)).toEqual({
        events: 12,
        seals: 2,
        unsealed: 0,
        fault: null,
      });
    }
  });

  test('SEAL-61 two processes that both seal make one chain, whichever was faster', async () => {
    const world = await installation();
    const url = mongo.url(`zakup_sealing_${randomBytes(6).toString('hex')}`);
    const stores = [await openSeals(url), await openSeals(url)];
    const logs = [await world.open(), await world.open()];
    const [eventStore] = logs;
    const [seals] = stores;
    if (eventStore === undefined || seals === undefined) throw new Error('Nothing was opened');
    for (const round of [1, 2, 3]) {
      await fill(eventStore, round * 4 - 3, round * 4);
      await Promise.all(logs.map((log, index) => sealAll(log, stores[index] ?? seals, round * tenMinutes, round * 4)));
    }
    for (const licenceId of ['3f1', '4a1']) {
      const all = await seals.read(licenceId);
      expect(all.map(({ seal }) => seal.number)).toEqual(all.map((_, index) => index + 1));
      expect(await checkLicence({ eventStore, seals, keys: [testKey] }, licenceId)).toMatchObject({
        events: 12,
        fault: null,
      });
    }
  });
});
