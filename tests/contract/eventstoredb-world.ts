import { randomBytes, randomUUID } from 'node:crypto';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import type {
  AppendResult,
  EventStore,
  EventToAppend,
  RecordedEvent,
  StreamWrite,
  SubscriptionMessage,
} from '@zakup/event-store/event-store';
import {
  eventStoreDbEventStore,
  type EventStoreDbEventStoreOptions,
} from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { onTestFinished } from 'vitest';
import { startEventStoreDbStandIn, type StandInOptions } from '../support/eventstoredb-standin/stand-in.ts';

/** A stand-in of its own with stores on it, each of which could be a process; all are closed after the test. */
export const standInWorld = async (options: StandInOptions = {}) => {
  const standIn = await startEventStoreDbStandIn(options);
  const namespace = `t${randomBytes(6).toString('hex')}`;
  const stores: EventStore[] = [];
  onTestFinished(async () => {
    standIn.faults.allow();
    await Promise.all(stores.map((store) => store.close()));
    await standIn.stop();
  });
  return {
    standIn,
    faults: standIn.faults,
    namespace,
    open: async (more: Partial<EventStoreDbEventStoreOptions> = {}): Promise<EventStore> => {
      const store = await eventStoreDbEventStore({ url: standIn.url, namespace, ...more });
      stores.push(store);
      return store;
    },
  };
};

/** Fresh names of one licence. */
export const freshLicence = () => {
  const licenceId: string = randomUUID();
  const stream = (category = 'placement') => `${category}-${licenceId}~${randomUUID()}`;
  const event = (type?: string, data?: EventToAppend['data']) => sampleEvent(licenceId, type, data);
  const write = (
    to: string,
    expectedRevision: StreamWrite['expectedRevision'] = 'no_stream',
    count = 1,
  ): StreamWrite => ({
    stream: to,
    expectedRevision,
    events: Array.from({ length: count }, () => event()) as [EventToAppend, ...EventToAppend[]],
  });
  return { licenceId, stream, event, write };
};

export const appended = (result: AppendResult): Extract<AppendResult, { kind: 'appended' }> => {
  if (result.kind !== 'appended') throw new Error(`Expected an append, got ${JSON.stringify(result)}`);
  return result;
};

export const idsOf = (events: readonly EventToAppend[]): readonly string[] => events.map(({ id }) => id);
export const idsOfWrites = (writes: readonly StreamWrite[]): readonly string[] =>
  writes.flatMap(({ events }) => idsOf(events));

/** Follows a store until `enough` says so. */
export const followed = async (
  store: EventStore,
  options: { readonly after: number; readonly partitions?: readonly string[]; readonly maxBatch?: number },
  enough: (events: readonly RecordedEvent[], message: SubscriptionMessage) => boolean,
): Promise<readonly RecordedEvent[]> => {
  const stop = new AbortController();
  const events: RecordedEvent[] = [];
  for await (const message of store.subscribe({ ...options, signal: stop.signal })) {
    if (message.kind === 'events') events.push(...message.events);
    if (enough(events, message)) stop.abort();
  }
  return events;
};
