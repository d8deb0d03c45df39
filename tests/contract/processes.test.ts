import { hidingCodes } from '@zakup/command/pipeline/hidden-codes';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decideOn } from '@zakup/command/pipeline/decide-on';
import { partialWrites } from '@zakup/command/compensation/partial-writes';
import { handleCommand } from '@zakup/command/pipeline/handle-command';
import { runProcesses } from '@zakup/command/processes/run-processes';
import { streamCache } from '@zakup/command/pipeline/stream-cache';
import { testClock } from '@zakup/command/testing/test-clock';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import type { EventStore } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';

const day = 24 * 60 * 60_000;
const begin = '2030-01-01T00:00:00.000Z';

const issue = async (kept: EventStore, licenceId: string): Promise<void> => {
  const command = {
    type: 'IssueLicence',
    licenseKey: 'LICENSE-AB12-CD34-EF56-GH78',
    teamName: 'Команда',
    ownerName: 'Ольга',
    ownerEmail: 'olga@example.org',
    ownerTelegram: '@olga',
    expiresAt: '2030-02-10T00:00:00.000Z',
    features: [],
    maxConcurrentSessions: 10,
  } as const;
  const envelope = {
    licenceId,
    actorId: 'admin',
    commandId: randomUUID(),
    requestHash: () => '',
    source: 'api',
    at: begin,
  } as const;
  const eventStore = hidingCodes(kept, testCodes);
  const handled = await handleCommand(
    { eventStore, cache: streamCache(eventStore), partialWrites },
    envelope,
    { entity: licenceDecider, id: licenceId },
    (session) => decideOn({ session }, licenceDecider, licenceId, command, {}),
  );
  expect(handled.kind).toBe('done');
};

/** What stands in the streams of five licences when two copies began at once after a long pause, and when they began anew. */
const recordedTwice = async (first: EventStore, second: EventStore): Promise<readonly (readonly string[])[]> => {
  const clock = testClock(begin);
  const licences = Array.from({ length: 5 }, () => randomBytes(8).toString('hex'));
  for (const id of licences) await issue(first, id);
  clock.advance(100 * day);
  const start = (kept: EventStore) =>
    runProcesses({
      eventStore: hidingCodes(kept, testCodes),
      partialWrites,
      now: clock.now,
      signal: new AbortController().signal,
      log: { info: () => undefined, warn: () => undefined },
    });
  const recorded = () =>
    Promise.all(licences.map(async (id) => (await second.read(`licence-${id}~${id}`)).map(({ type }) => type)));
  const found: (readonly string[])[] = [];
  for (let times = 0; times < 2; times += 1) {
    const copies = [start(first), start(second)];
    await Promise.all(copies.map(({ caughtUp }) => caughtUp));
    found.push(...(await recorded()));
    await Promise.all(copies.map((copy) => copy.stop()));
  }
  return found;
};

const notices = Array.from({ length: 3 }, () => 'LicenceExpiryNoticed');
const onceEach = Array.from({ length: 10 }, () => [
  'LicenceIssued',
  ...notices,
  'LicenceGraceStarted',
  'LicenceExpired',
]);

describe('processes on stores that last', () => {
  test('PRC-20 SQLite: two copies at once, and again after a restart of the store, do everything once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zakup-processes-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'events.db');
    const store = await sqliteEventStore({ file });
    expect(await recordedTwice(store, store)).toEqual(onceEach);
    const head = await store.head();
    await store.close();
    const again = await sqliteEventStore({ file });
    onTestFinished(() => again.close());
    const clock = testClock('2031-01-01T00:00:00.000Z');
    const processes = runProcesses({
      eventStore: hidingCodes(again, testCodes),
      partialWrites,
      now: clock.now,
      signal: new AbortController().signal,
      log: { info: () => undefined, warn: () => undefined },
    });
    await processes.caughtUp;
    await processes.stop();
    expect(await again.head()).toBe(head);
  });

  test('PRC-21 EventStoreDB: two processes with a connection each do everything once', async () => {
    const server = await eventStoreDbServer();
    const namespace = `t${randomBytes(8).toString('hex')}`;
    const [first, second] = [
      await eventStoreDbEventStore({ url: server.url, namespace }),
      await eventStoreDbEventStore({ url: server.url, namespace }),
    ];
    onTestFinished(async () => {
      await Promise.all([first.close(), second.close()]);
      await server.stop();
    });
    expect(await recordedTwice(first, second)).toEqual(onceEach);
  });
});
