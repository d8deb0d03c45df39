import type { EventStore } from '@zakup/event-store/event-store';
import { describe, expect, test } from 'vitest';
import { appended, freshLicence } from './eventstoredb-events.ts';
import { standInWorld } from './eventstoredb-world.ts';

/** As many as would take a client minutes at 100 µs an event, were it to read them. */
const many = 40_000;

/** An own event, and behind it a great many of others; some of them in streams that could be own ones. */
const crowded = async (count = many) => {
  const world = await standInWorld();
  const store = await world.open();
  const { stream, write } = freshLicence();
  const { position } = appended(await store.append([write(stream())]));
  const others = (more: number): void => {
    for (let index = 0; index < more; index += 1) world.standIn.log.emit('other_placement-ff~1', 'Strange', {});
  };
  others(count);
  world.standIn.log.emit(`${world.namespace}_${stream()}`, 'Strange', {});
  others(10);
  const { traffic } = world.standIn;
  /** What has crossed the wire while the work was done. */
  const spent = async (work: () => Promise<unknown>) => {
    const before = { ...traffic };
    await work();
    return {
      reads: traffic.reads - before.reads,
      searches: traffic.searches - before.searches,
      events: traffic.eventsRead - before.eventsRead,
      considered: traffic.considered - before.considered,
    };
  };
  return { ...world, store, stream, write, position, others, traffic, spent };
};

const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('the last own event on a server of many (stand-in)', () => {
  test('EDB-91 the server looks for it: of tens of thousands of events of others a handful crosses the wire', async () => {
    const { store, position, spent } = await crowded();
    const first = await spent(async () => expect(await store.head()).toBe(position));
    expect(first.events).toBeLessThan(20);
    expect(first).toMatchObject({ searches: 1 });
    expect(first.considered).toBeGreaterThan(many);
  });

  test('EDB-92 later looks go no further back than the last one did', async () => {
    const { store, position, others, spent, stream, write, open } = await crowded();
    await store.head();
    others(1000);
    const later = await spent(async () => expect(await store.head()).toBe(position));
    expect(later.events).toBeLessThan(20);
    expect(later.considered).toBeLessThan(1100);
    const next = appended(await store.append([write(stream()), write(stream())])).position;
    others(1000);
    const found = await spent(async () => expect(await store.head()).toBe(next));
    expect(found.events).toBeLessThan(20);
    expect(found.considered).toBeLessThan(many / 4);
    const idle = await spent(async () => expect(await store.head()).toBe(next));
    expect(idle).toMatchObject({ reads: 1, searches: 0 });
    const empty = await open({ namespace: 'nobody' });
    expect(await empty.head()).toBe(0);
    others(10);
    const known = await spent(async () => expect(await empty.head()).toBe(0));
    expect(known.considered).toBeLessThan(20);
  });

  test('EDB-93 one look at a time: who asks meanwhile shares the next one, which sees what they had appended', async () => {
    const { store, position, faults, traffic, spent, stream, write } = await crowded();
    const { reached, release } = faults.holdSearches();
    const six = (): Promise<number[]> => Promise.all(Array.from({ length: 6 }, () => store.head()));
    const all = await spent(async () => {
      const before = six();
      await reached;
      const next = appended(await store.append([write(stream())])).position;
      const after = [six(), six()];
      expect(traffic.readsNow).toBe(1);
      release();
      expect(await before).toEqual(Array(6).fill(position));
      for (const heads of after) expect(await heads).toEqual(Array(6).fill(next));
    });
    expect(all.searches).toBe(1);
    expect(all.reads).toBeLessThan(6);
  });

  test('EDB-94 a look that nobody waits for any more is ended at the server, others go on', async () => {
    const { store, position, faults, traffic } = await crowded();
    const { reached, release } = faults.holdSearches();
    const [one, two] = [new AbortController(), new AbortController()];
    const asked = [refusal(store.head(one.signal)), refusal(store.head(two.signal))];
    await reached;
    one.abort();
    expect(await asked[0]).toMatchObject({ name: 'EventStoreUnavailable' });
    expect(traffic.readsNow).toBe(1);
    two.abort();
    expect(await asked[1]).toMatchObject({ name: 'EventStoreUnavailable' });
    await expect.poll(() => traffic.readsNow).toBe(0);
    expect(traffic.considered).toBeLessThan(many);
    expect(await refusal(store.head(one.signal))).toMatchObject({ name: 'EventStoreUnavailable' });
    const again = store.head();
    release();
    expect(await again).toBe(position);
  });

  test('EDB-95 a server that looks through much is waited for as long as it answers, and no longer', async () => {
    const { open, position, faults, traffic } = await crowded();
    const store = await open({ deadline: 100 });
    const search = faults.holdSearches();
    const waiting = store.head();
    await search.reached;
    const reads = traffic.reads;
    // Each is the question whether it is still there, put after another silence of the deadline.
    await expect.poll(() => traffic.reads, { interval: 10 }).toBeGreaterThan(reads + 3);
    search.release();
    expect(await waiting).toBe(position);

    const other = await open({ deadline: 100 });
    const { reached } = faults.holdSearches();
    const given = refusal(other.head());
    await reached;
    faults.refuse();
    expect(await given).toMatchObject({ name: 'EventStoreUnavailable' });
    await expect.poll(() => traffic.readsNow).toBe(0);
  });

  test('EDB-96 closing waits for no look', async () => {
    const { open, faults } = await crowded();
    const store: EventStore = await open();
    const { reached } = faults.holdSearches();
    const asked = refusal(store.head());
    await reached;
    await store.close();
    expect(await asked).toMatchObject({ name: 'EventStoreUnavailable' });
  });

  test('EDB-1020 closing waits for no look that has yet to begin either', async () => {
    const { open, faults, traffic } = await crowded();
    const store: EventStore = await open();
    const { reached } = faults.holdSearches();
    const asked = refusal(store.head());
    await reached;
    const searches = traffic.searches;
    const askedNext = refusal(store.head());
    await store.close();
    expect(await asked).toMatchObject({ name: 'EventStoreUnavailable' });
    expect(await askedNext).toMatchObject({ name: 'EventStoreUnavailable' });
    expect(traffic.searches).toBe(searches);
  });
});
