import { randomUUID } from 'node:crypto';
import { noticeNames, type RebuildNotice, type SelfCheckNotice } from '@zakup/contracts/notices';
import { declaredFields } from '@zakup/contracts/read-models';
import { licenceChecks } from '@zakup/projections/licence-check';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
} from '@zakup/projections/testing/given';
import { storedOf } from '@zakup/projections/testing/stored';
import { projectionVersion } from '@zakup/projections/version';
import { supervisedProjector } from '@zakup/projector/supervised-projector';
import { rebuildAll } from '@zakup/projector/rebuild';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import { type ReadStore, ReadStoreUnavailable } from '@zakup/read-store/read-store';
import { reportingDamage } from '@zakup/service-kit/stores/damage-reports';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';

const server = await mongoDbServer();
const client = new MongoClient(server.url('admin'));
const run = randomUUID().slice(0, 8);
const databases: string[] = [];
const opened: ReadStore[] = [];
const running: { readonly stop: AbortController; readonly ended: Promise<unknown> }[] = [];

afterEach(async () => {
  for (const { stop } of running) stop.abort();
  await Promise.all(running.splice(0).map(({ ended }) => ended));
  for (const store of opened.splice(0)) await store.close();
});
afterAll(async () => {
  if (server.kind === 'server') for (const name of databases) await client.db(name).dropDatabase();
  await client.close();
  await server.stop();
});

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };

const filledLog = async () => {
  const log = testLog();
  await log.append(['licence', licenceId, licenceIssued]);
  await log.append(['contractor', 'masha', contractorCreated('masha')]);
  await log.append(['employee', 'bob', employeeCreated('bob', { salaryType: 'percentage', salaryRate: 10 })]);
  await log.append(['campaign', 'spring', campaignCreated('Весна')]);
  for (let n = 0; n < 5; n += 1) await log.append(['placement', `p${n}`, placementAdded(place, { price: rubles(n) })]);
  return log;
};
type FilledLog = Awaited<ReturnType<typeof filledLog>>;

const newStore = async (): Promise<{ readonly readStore: ReadStore; readonly database: Db }> => {
  const name = `zakup_care_${run}_${databases.length}`;
  databases.push(name);
  const readStore = await mongoReadStore({ url: server.url(name), declared: declaredFields });
  opened.push(readStore);
  return { readStore, database: client.db(name) };
};

const follow = ({ eventStore }: FilledLog, readStore: ReadStore, fence = 1, checkAfter = 1) => {
  const stop = new AbortController();
  const { ended } = supervisedProjector({
    eventStore,
    readStore,
    partition: 'all',
    fence,
    signal: stop.signal,
    now: Date.now,
    checkAfter,
  });
  const one = { stop, ended };
  running.push(one);
  return async (): Promise<void> => {
    stop.abort();
    await ended;
  };
};

/** Byte for byte, but for scopes that were left in between. */
const content = async (readStore: ReadStore) =>
  (await storedOf(readStore, licenceId)).map((doc) => ({ ...doc, left: [] }));

const fromScratch = async ({ eventStore }: FilledLog) => {
  const readStore = testReadStore();
  await rebuildAll({ eventStore, readStore, now: Date.now });
  return content(readStore);
};

describe(`read models in MongoDB (${server.kind}) that are looked after`, () => {
  it('SCK-50 damaged, missing and surplus documents are found after a change and put right', async () => {
    const log = await filledLog();
    const { readStore, database } = await newStore();
    follow(log, readStore);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(9);
    const placements = database.collection<{ _id: string }>('placements');
    await placements.updateOne({ _id: 'p1' }, { $set: { 'data.price': 1 } });
    await placements.deleteOne({ _id: 'p2' });
    const stray = await placements.findOne({ _id: 'p3' });
    await placements.insertOne({ ...stray, _id: 'stray' });
    await database.collection('contractor_totals').updateMany({}, { $set: { scopes: 'nowhere' } });
    await log.append(['placement', 'p4', { type: 'PlacementPriceChanged', data: { price: rubles(77) } }]);
    const healed = async () => ((await readStore.notice(noticeNames.selfCheck)) as SelfCheckNotice | null)?.healed;
    await expect.poll(healed).toBeGreaterThanOrEqual(3);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(10);
    const checks = licenceChecks({ eventStore: log.eventStore, readStore, partition: 'all' });
    await expect.poll(async () => (await checks.check(licenceId)).differences).toEqual([]);
    expect(await content(readStore)).toEqual(await fromScratch(log));
    const changes = await readStore.changesSince({ licenceId, scope: 'campaign:spring', since: 9, partition: 'all' });
    expect(changes.reset).toBe(true);
  });

  it('SCK-1046 damage that a reader of another process meets is put right though nothing changes', async () => {
    const log = await filledLog();
    const { readStore, database } = await newStore();
    const other = await mongoReadStore({ url: server.url(databases.at(-1) ?? ''), declared: declaredFields });
    opened.push(other);
    const reader = reportingDamage({ readStore: other, log: { error: () => undefined, warn: () => undefined } });
    // By itself it would compare nothing while the test runs.
    follow(log, readStore, 1, 3_600_000);
    await expect.poll(async () => (await other.checkpoint('all'))?.position).toBe(9);
    const right = await content(other);
    const placements = database.collection<{ _id: string }>('placements');
    await placements.updateOne({ _id: 'p1' }, { $set: { 'data.price': 1 } });
    const read = () => reader.query('placement', { licenceId });
    await expect(read()).rejects.toThrow(ReadStoreUnavailable);
    const total = () =>
      read().then(
        (found) => found.total,
        () => null,
      );
    await expect.poll(total).toBe(5);
    expect(await content(other)).toEqual(right);
  });

  it('RB-40 asked for by another process, they are built anew beside, and all processes read the new ones', async () => {
    const log = await filledLog();
    const { readStore } = await newStore();
    const other = await mongoReadStore({ url: server.url(databases.at(-1) ?? ''), declared: declaredFields });
    opened.push(other);
    follow(log, readStore);
    await expect.poll(async () => (await other.checkpoint('all'))?.position).toBe(9);
    await other.note(noticeNames.rebuildRequest, { id: 'r', at: Date.now() });
    const done = async () => ((await other.notice(noticeNames.rebuild)) as RebuildNotice | null)?.finishedAt ?? null;
    await expect.poll(done).not.toBeNull();
    expect((await other.generations()).active).toEqual({ number: 1, version: projectionVersion });
    await log.append(['placement', 'p4', { type: 'PlacementPriceChanged', data: { price: rubles(77) } }]);
    await expect.poll(async () => (await other.get('placement', 'p4'))?.data?.['price']).toBe(rubles(77));
    expect(await content(other)).toEqual(await fromScratch(log));
  });

  it('RB-1157 rebuilt by hand, the named collections show what is read, at once and from then on', async () => {
    const log = await filledLog();
    const { readStore, database } = await newStore();
    const stop = follow(log, readStore, 1, 3_600_000);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(9);
    await stop();
    const totals = database.collection('contractor_totals');
    await totals.updateMany({}, { $set: { 'data.nick': 'nobody' } });
    await rebuildAll({ eventStore: log.eventStore, readStore, now: Date.now });
    const read = await readStore.query('contractor', { licenceId });
    expect(await totals.find().toArray()).toMatchObject(read.docs.map(({ id, data }) => ({ _id: id, data })));
    expect(read.docs[0]?.data?.['nick']).not.toBe('nobody');
    follow(log, readStore, 2, 3_600_000);
    await log.append(['placement', 'p4', { type: 'PlacementPriceChanged', data: { price: rubles(77) } }]);
    const placements = database.collection<{ _id: string }>('placements');
    await expect.poll(() => placements.findOne({ _id: 'p4' })).toMatchObject({ data: { price: rubles(77) } });
  });

  it('PJ-63 put back from yesterday, they are folded on to the same state, and who has read further begins anew', async () => {
    const log = await filledLog();
    const { readStore, database } = await newStore();
    const stop = follow(log, readStore);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(9);
    await stop();
    const names = (await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const backup = await Promise.all(
      names.map(async (name) => [name, await database.collection(name).find().toArray()] as const),
    );
    const again = follow(log, readStore, 2);
    for (let n = 0; n < 5; n += 1) await log.append(['placement', `p${n}`, { type: 'PlacementMarkedPaid', data: {} }]);
    await expect.poll(async () => (await readStore.checkpoint('all'))?.position).toBe(14);
    await again();
    for (const [name, docs] of backup) {
      await database.collection(name).deleteMany({});
      if (docs.length > 0) await database.collection(name).insertMany(docs);
    }
    const restored = await mongoReadStore({ url: server.url(databases.at(-1) ?? ''), declared: declaredFields });
    opened.push(restored);
    const since = { licenceId, scope: 'workspace', since: 14, partition: 'all' };
    expect((await restored.changesSince(since)).reset).toBe(true);
    follow(log, restored, 3);
    await expect.poll(async () => (await restored.checkpoint('all'))?.position).toBe(14);
    expect(await restored.changesSince(since)).toEqual({ docs: [], position: 14, reset: false });
    expect(await content(restored)).toEqual(await fromScratch(log));
  });
});
