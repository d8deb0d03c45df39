import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventStoreContractSuite, sampleEvent } from '../contract-suite.ts';
import { sqliteLogFollower } from './log-follower.ts';
import { sqliteLogReader } from './log-reads.ts';
import { sqliteEventStore } from './sqlite-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// One file for all: each test meets the events of those before it.
eventStoreContractSuite('SQLite', () => sqliteEventStore({ file: join(folder, 'events.db') }), {
  gapless: true,
  oneStore: true,
});

test('THR-2750 who follows a log beside its store is given what the store has told of and no more, and appends nothing', async () => {
  const file = join(folder, 'told.db');
  const store = await sqliteEventStore({ file });
  const append = () =>
    store.append([{ stream: 'placement-licence~one', expectedRevision: 'any', events: [sampleEvent('licence')] }]);
  await append();
  await append();
  const follower = sqliteLogFollower({ file, published: 1 });
  const over = new AbortController();
  const given: (number | 'caught_up')[] = [];
  const following = (async () => {
    for await (const message of follower.subscribe({ after: 0, signal: over.signal }))
      given.push(...(message.kind === 'caught_up' ? [message.kind] : message.events.map(({ position }) => position)));
  })();
  await expect.poll(() => given).toEqual([1, 'caught_up']);
  expect(await follower.head()).toBe(2);
  const told: number[] = [];
  const stop = store.onPublished((position) => {
    told.push(position);
    follower.published(position);
  });
  await append();
  await expect.poll(() => given).toEqual([1, 'caught_up', 2, 3]);
  expect(told).toEqual([2, 3]);
  stop();
  await append();
  follower.published(2);
  expect(told).toEqual([2, 3]);
  const refused = follower.append([
    { stream: 'placement-licence~one', expectedRevision: 'any', events: [sampleEvent('licence')] },
  ]);
  await expect(refused).rejects.toThrow('is only read here');
  over.abort();
  await following;
  await follower.close();
  await expect(follower.head()).rejects.toThrow('is closed');
  await store.close();
});

test('THR-1632 who only reads a log beside its store reads what it would, as soon as it is acknowledged', async () => {
  const file = join(folder, 'read.db');
  const store = await sqliteEventStore({ file });
  const reader = sqliteLogReader({ file });
  const stream = 'placement-licence~one';
  for (let count = 1; count <= 20; count += 1) {
    const event = sampleEvent('licence', 'PlacementLeadsChanged', { from: count - 1, to: count });
    await store.append([{ stream, expectedRevision: 'any', events: [event] }]);
    expect(await reader.head()).toBe(count);
  }
  expect(await reader.read(stream)).toEqual(await store.read(stream));
  const backwards = { direction: 'backwards', from: 12, to: 4, limit: 5 } as const;
  expect(await reader.read(stream, backwards)).toEqual(await store.read(stream, backwards));
  expect(await reader.read('placement-licence~none')).toEqual([]);
  const some = { after: 3, to: 17 };
  expect(await reader.readLicence('licence', some)).toEqual(await store.readLicence('licence', some));
  reader.close();
  await expect(reader.read(stream)).rejects.toThrow('is closed');
  await store.close();
});
