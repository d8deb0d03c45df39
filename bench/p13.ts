import { randomBytes, randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { EventToAppend } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { report, type Slice } from './world/figure.ts';
import { logServer } from './world/log-server.ts';

// P13: events per second with 64 appends in flight, through the adapter, beside a bare loop of the client on the same server.

const sliceCount = 7;
const sliceMs = 1000;
const inFlight = 64;

const server = await logServer();
const store = await eventStoreDbEventStore({ url: server.url, namespace: `bench${randomBytes(4).toString('hex')}` });
const client = EventStoreDBClient.connectionString(server.url);
const licenceId: string = randomUUID();

const nextEvent = (): EventToAppend => ({
  id: randomUUID(),
  type: 'PlacementPriceChanged',
  data: { price: 1_500_000, previous: 1_400_000, note: 'Договорились о скидке' },
  metadata: {
    licenceId,
    actorId: licenceId,
    source: 'screen',
    commandId: randomUUID(),
    requestHash: 'd1e8a70b5ccab1dc2f56bbf7e99f064a660c08e361a35751b9c483c88943d082',
    at: '2026-03-01T10:00:00.123Z',
    schemaVersion: 1,
  },
});

/** Events per second of 64 callers that wait for each answer, each appending to a stream of its own. */
const rate = async (append: (stream: string, revision: number) => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  let count = 0;
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      const stream = `placement-${licenceId}~${randomUUID()}`;
      for (let revision = 0; performance.now() - began < sliceMs; revision += 1) {
        await append(stream, revision);
        count += 1;
      }
    }),
  );
  return (count / (performance.now() - began)) * 1000;
};

const ours = (keyed: boolean) =>
  rate(async (stream, revision) => {
    const expectedRevision = revision === 0 ? 'no_stream' : revision - 1;
    const result = await store.append(
      [{ stream, expectedRevision, events: [nextEvent()] }],
      keyed ? { commandKey: randomUUID() } : {},
    );
    if (result.kind !== 'appended') throw new Error(`An append ended as ${result.kind}`);
  });

const beside = () =>
  rate((stream, revision) => {
    const { data, ...rest } = nextEvent();
    const event = jsonEvent({ ...rest, data: { ...data } });
    return client.appendToStream(stream, event, {
      expectedRevision: revision === 0 ? 'no_stream' : BigInt(revision - 1),
    });
  });

const slicesOf = async (keyed: boolean): Promise<readonly Slice[]> => {
  const slices: Slice[] = [];
  for (let index = 0; index < sliceCount; index += 1) slices.push({ ours: await ours(keyed), beside: await beside() });
  return slices;
};

// Node compiles hot code only by and by.
for (let index = 0; index < 2; index += 1) {
  await ours(false);
  await ours(true);
  await beside();
}
const common = { kind: 'rate', unit: 'events/s', on: server.kind } as const;
report([
  { row: 'P13', ...common, slices: await slicesOf(false) },
  { row: 'P13 keyed', ...common, slices: await slicesOf(true) },
]);
await store.close();
await client.dispose();
await server.close();
process.exit(0);
