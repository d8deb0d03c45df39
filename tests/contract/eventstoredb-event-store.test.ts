import { randomBytes, randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { eventStoreContractSuite } from '@zakup/event-store/contract-suite';
import type { EventStore } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { afterAll } from 'vitest';
import { eventStoreDbServer } from '../support/eventstoredb-server.ts';

const server = await eventStoreDbServer();
const stranger = EventStoreDBClient.connectionString(server.url);
afterAll(async () => {
  await stranger.dispose();
  await server.stop();
});

const [, username = 'admin', password = 'changeit'] = /:\/\/([^:@/]*):([^@/]*)@/.exec(server.url) ?? [];
// Credentials in a call keep it out of the batch stream, which a client shares with all others of its process.
const alone = { credentials: { username: decodeURIComponent(username), password: decodeURIComponent(password) } };
const strange = () =>
  jsonEvent({ type: 'SomethingElse', data: { amount: 1 }, metadata: { $correlationId: randomUUID() } });
const strangersWrite = async (stream: string): Promise<void> => {
  await stranger.appendToStream(stream, strange(), alone);
};

/** Somebody else writes whenever the suite does: another installation, the server itself, and one who knows our names. */
const disturbed = (store: EventStore): EventStore => {
  let count = 0;
  const others = [
    () => `other_placement-${randomUUID()}~${randomUUID()}`,
    () => `$stats-${randomUUID()}`,
    () => `placement-${randomUUID()}~${randomUUID()}`,
  ];
  return {
    ...store,
    async append(...append) {
      count += 1;
      const other = others[count % others.length]?.() ?? '';
      const [result] = await Promise.all([store.append(...append), strangersWrite(other)]);
      return result;
    },
  };
};

/** Position of the last event on the server, whoever wrote it. */
const endOfServer = async (): Promise<number> => {
  let end = 0;
  for await (const { event } of stranger.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 })) {
    end = Number(event?.position.commit ?? 0);
  }
  return end;
};

/** A server that is shared may hold much from before. Nothing of a fresh namespace lies there, so that none of it need be looked through. */
const fromNow = (store: EventStore, now: number): EventStore => ({
  ...store,
  readLicence: (licenceId, range = {}) =>
    store.readLicence(licenceId, { ...range, after: Math.max(now, range.after ?? 0) }),
  subscribe: (options) => store.subscribe({ ...options, after: Math.max(now, options.after) }),
});

const isReal = server.kind === 'server';
let namespace = '';
/** Milliseconds: how fast a busy machine answers is not what the suite is about. */
const deadline = 30_000;
eventStoreContractSuite(
  `EventStoreDB (${server.kind})`,
  async () => {
    namespace = `t${randomBytes(8).toString('hex')}`;
    const now = isReal ? await endOfServer() : 0;
    return fromNow(disturbed(await eventStoreDbEventStore({ url: server.url, namespace, deadline })), now);
  },
  {
    atomicAcrossStreams: false,
    modelRuns: 10,
    stranger: (stream) => strangersWrite(`${namespace}_${stream}`),
  },
);
