import { randomBytes, randomUUID } from 'node:crypto';
import { eventStoreContractSuite } from '@zakup/event-store/contract-suite';
import type { EventStore } from '@zakup/event-store/event-store';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { sharedServer } from './eventstoredb-shared.ts';

const { url, kind, end, strangersWrite } = await sharedServer();

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

/** A server that is shared may hold much from before. Nothing of a fresh namespace lies there, so that none of it need be looked through. */
const fromNow = (store: EventStore, now: number): EventStore => ({
  ...store,
  readLicence: (licenceId, range = {}) =>
    store.readLicence(licenceId, { ...range, after: Math.max(now, range.after ?? 0) }),
  subscribe: (options) => store.subscribe({ ...options, after: Math.max(now, options.after) }),
});

const isReal = kind === 'server';
let namespace = '';
/** Milliseconds: how fast a busy machine answers is not what the suite is about. */
const deadline = 30_000;
eventStoreContractSuite(
  `EventStoreDB (${kind})`,
  async () => {
    namespace = `t${randomBytes(8).toString('hex')}`;
    const now = isReal ? await end() : 0;
    return fromNow(disturbed(await eventStoreDbEventStore({ url, namespace, deadline })), now);
  },
  {
    atomicAcrossStreams: false,
    modelRuns: 10,
    stranger: async (stream) => void (await strangersWrite(`${namespace}_${stream}`)),
  },
);
