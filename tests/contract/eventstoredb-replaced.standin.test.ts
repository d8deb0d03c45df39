import { randomBytes, randomUUID } from 'node:crypto';
import type { EventStore, StreamWrite } from '@zakup/event-store/event-store';
import {
  eventStoreDbEventStore,
  type EventStoreDbEventStoreOptions,
} from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type EventStoreDbStandIn, startEventStoreDbStandIn } from '../support/eventstoredb-standin/stand-in.ts';
import { standInLog } from '../support/eventstoredb-standin/stand-in-log.ts';
import { appended, freshLicence, idsOf } from './eventstoredb-events.ts';

/** One address with one of two logs behind it, and stores on it that outlive the change. */
const replaceableWorld = async () => {
  const [right, other] = [standInLog({}), standInLog({})];
  const namespace = `t${randomBytes(6).toString('hex')}`;
  let standIn: EventStoreDbStandIn = await startEventStoreDbStandIn({ log: right });
  const { port, url } = standIn;
  const stores: EventStore[] = [];
  onTestFinished(async () => {
    standIn.faults.allow();
    await Promise.all(stores.map((store) => store.close()));
    await standIn.stop();
  });
  return {
    right,
    other,
    faults: () => standIn.faults,
    begin: async (log: typeof right): Promise<void> => {
      await standIn.stop();
      standIn = await startEventStoreDbStandIn({ port, log });
    },
    open: async (more: Partial<EventStoreDbEventStoreOptions> = {}): Promise<EventStore> => {
      const store = await eventStoreDbEventStore({ url, namespace, ...more });
      stores.push(store);
      return store;
    },
  };
};

/** Asks until the store answers again. */
const headOf = (store: EventStore): Promise<number> =>
  vi.waitFor(() => store.head(), { timeout: 30_000, interval: 10 });

const appendMany = async (store: EventStore, count: number): Promise<number> => {
  const { stream, write } = freshLicence();
  let last = 0;
  for (let made = 0; made < count; made += 1) last = appended(await store.append([write(stream())])).position;
  return last;
};

/** Two writes, of which only the plan was made when the process ended. */
const leftOpen = async ({ open, faults }: Awaited<ReturnType<typeof replaceableWorld>>) => {
  const store = await open();
  const { stream, write } = freshLicence();
  const writes: [StreamWrite, StreamWrite] = [write(stream()), write(stream('nick'))];
  const pause = faults().pauseAfter(0, /_placement-/);
  const outcome = store.append(writes, { commandKey: randomUUID() }).catch((error: Error) => error.name);
  await pause.reached;
  faults().drop();
  expect(await outcome).toBe('EventStoreUnavailable');
  pause.release();
  return { store, writes };
};

describe('EventStoreDB with another log in the place of the one it was (stand-in)', () => {
  test('EDB-63 the head is that of the log that is there, whatever was known of the other one', async () => {
    const { right, other, begin, open } = await replaceableWorld();
    const store = await open();
    const own = await appendMany(store, 3);
    expect(await store.head()).toBe(own);
    await begin(other);
    await headOf(store);
    const foreign = await appendMany(store, 20);
    expect(await store.head()).toBe(foreign);
    expect(foreign).toBeGreaterThan(own);
    // Its end is behind that of the other one, its last own event is not.
    for (let made = 0; made < 200; made += 1) right.emit('other-1', 'Strange', { made });
    await begin(right);
    expect(await headOf(store)).toBe(own);
    await begin(standInLog({}));
    expect(await headOf(store)).toBe(0);
    await begin(right);
    expect(await Promise.all([headOf(store), headOf(store), headOf(store)])).toEqual([own, own, own]);
  });

  test('EDB-64 plans that were left open in it are finished once it is back, however far the other one went', async () => {
    const world = await replaceableWorld();
    const { right, other, begin, open } = world;
    let finished = 0;
    await begin(other);
    for (let made = 0; made < 1_000; made += 1) other.emit('other-1', 'Strange', { made });
    await leftOpen(world);
    await begin(right);
    await open({
      finishPlans: true,
      planPatience: 0,
      onLeftPlan: (what) => void (finished += what === 'finished' ? 1 : 0),
    });
    await begin(other);
    await vi.waitFor(() => expect(finished).toBe(1), { timeout: 30_000 });
    await begin(right);
    const { store, writes } = await leftOpen(world);
    await vi.waitFor(() => expect(finished).toBe(2), { timeout: 30_000 });
    for (const { stream, events } of writes) expect(idsOf(await store.read(stream))).toEqual(idsOf(events));
  });
});
