import { randomBytes } from 'node:crypto';
import type { EventStore } from '@zakup/event-store/event-store';
import {
  eventStoreDbEventStore,
  type EventStoreDbEventStoreOptions,
} from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { onTestFinished } from 'vitest';
import { startEventStoreDbStandIn, type StandInOptions } from '../support/eventstoredb-standin/stand-in.ts';

/** A stand-in of its own, for what no server does on order, with stores on it, each of which could be a process; all are closed after the test. */
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
