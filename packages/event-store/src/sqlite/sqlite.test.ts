import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { eventStoreContractSuite, sampleEvent } from '../contract-suite.ts';
import { sqliteLogReader } from './log-reads.ts';
import { sqliteEventStore } from './sqlite-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// One file for all: each test meets the events of those before it.
eventStoreContractSuite('SQLite', () => sqliteEventStore({ file: join(folder, 'events.db') }), { gapless: true });

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
