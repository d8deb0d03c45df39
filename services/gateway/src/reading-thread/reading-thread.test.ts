import { noticeNames } from '@zakup/contracts/notices';
import { noSums } from '@zakup/domain/analytics/sums';
import { resolveTerms } from '@zakup/domain/analytics/earnings';
import { kopecks } from '@zakup/domain/money';
import { CorruptDocument, type ReadStore } from '@zakup/read-store/read-store';
import { afterEach, describe, expect, test } from 'vitest';
import { analyticsRow, campaignRow, contractorRow, docOf, earningsRow, placementRow } from '../testing/rows.ts';
import type { LiveClient } from '../testing/live-client.ts';
import { threadInPlace } from '../testing/thread-in-place.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise(setImmediate);
};

/** A gateway whose costly answers a thread makes, from this store. */
const givenWorld = async (
  over: (store: ReadStore) => ReadStore = (store) => store,
  now: () => number = () => performance.now(),
) => {
  const notes: string[] = [];
  const inPlace = threadInPlace(
    () => ({ ...world.deps, readStore: over(world.readStore) }),
    async (name) => void notes.push(name),
    now,
  );
  const { thread } = inPlace;
  const world: World = await startWorld({ deps: { thread, past: thread.past } });
  await world.commit(
    doc.campaign(campaignRow({ id: 'campaign' })),
    ...Array.from({ length: 3 }, (_, index) =>
      doc.placement(placementRow({ id: `p${index}`, campaignId: 'campaign' })),
    ),
  );
  const { token } = await world.signIn('owner');
  return { ...inPlace, notes, world, token };
};

describe('the thread that makes costly answers, seen by whoever asks', () => {
  let given: Awaited<ReturnType<typeof givenWorld>>;
  afterEach(async () => {
    await given.thread.close();
    await given.world.stop();
  });
  const lineage = '/campaigns/campaign/lineage?figure=spent';

  /** Reads of placements wait from when it is said. */
  const held = () => {
    let waiting: (() => void)[] = [];
    let isHeld = true;
    let aborted = 0;
    return {
      over: (store: ReadStore): ReadStore => ({
        ...store,
        async readEach(kind, query, take) {
          if (isHeld) await new Promise<void>((go) => waiting.push(go));
          await store.readEach(kind, query, async (docs) => {
            try {
              await take(docs);
            } catch (error) {
              aborted += 1;
              throw error;
            }
          });
        },
      }),
      reading: () => waiting.length,
      aborted: () => aborted,
      letGo: () => {
        isHeld = false;
        for (const go of waiting) go();
        waiting = [];
      },
    };
  };

  test('THR-1623 once nobody waits for an answer, the thread reads no further for it', async () => {
    const reads = held();
    given = await givenWorld(reads.over);
    const { world, token } = given;
    const stop = new AbortController();
    const headers = { Authorization: `Bearer ${token}` };
    const asked = fetch(`${world.address}/api${lineage}`, { headers, signal: stop.signal });
    await until(() => reads.reading() === 1);
    stop.abort();
    await expect(asked).rejects.toThrow('aborted');
    await until(() => given.stops() === 1);
    reads.letGo();
    await until(() => reads.aborted() === 1);
    expect((await world.get(lineage, token)).status).toBe(200);
  });

  test('THR-1624 who waits when the thread ends is told to come again, and is answered by the next one', async () => {
    const reads = held();
    given = await givenWorld(reads.over);
    const { world, token, end, starts } = given;
    const asked = world.get(lineage, token);
    await until(() => reads.reading() === 1);
    end();
    const refused = await asked;
    expect([refused.status, refused.headers.get('retry-after'), refused.body.code]).toEqual([503, '2', 'UNAVAILABLE']);
    reads.letGo();
    expect((await world.get(lineage, token)).status).toBe(200);
    expect(starts()).toBe(2);
  });

  test('THR-2763 threads that end one soon after the other are started later each time, up to half a minute, and who asks meanwhile is told to come again', async () => {
    let at = 0;
    given = await givenWorld(undefined, () => at);
    const { world, token, end, starts } = given;
    let asked = 0;
    const status = async (): Promise<number> => {
      asked += 1;
      return (await world.get(`${lineage}&priceTo=${asked}`, token)).status;
    };
    const told: (readonly number[])[] = [];
    const waits = [0, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000];
    for (const wait of waits) {
      expect(await status()).toBe(200);
      end();
      at += Math.max(0, wait - 1);
      const early = wait === 0 ? 503 : await status();
      at += 1;
      told.push([early, starts()]);
    }
    expect(told).toEqual(waits.map((_, index) => [503, index + 1]));
    expect(await status()).toBe(200);
    at += 60_000;
    end();
    expect(await status()).toBe(200);
  });

  test('THR-1625 damage that the thread meets is noted by whoever writes, and answered as everywhere; whatever else fails is no answer either', async () => {
    let error: Error = new CorruptDocument('store', 'placement', 'p1', licenceId);
    given = await givenWorld((store) => ({
      ...store,
      readEach: async () => {
        throw error;
      },
    }));
    const { world, token, notes } = given;
    expect((await world.get(lineage, token)).status).toBe(503);
    expect(notes).toEqual([noticeNames.damage]);
    error = new Error('Something else');
    const other = await world.get(lineage, token);
    expect([other.status, other.body.code]).toEqual([500, 'INTERNAL']);
    expect(given.starts()).toBe(1);
  });

  test('THR-1626 once it is closed it is not started again, and who asks is told to come again', async () => {
    given = await givenWorld();
    const { world, token, thread, starts } = given;
    thread.begin();
    expect(starts()).toBe(1);
    expect((await world.get(lineage, token)).status).toBe(200);
    await thread.close();
    thread.begin();
    expect((await world.get(`${lineage}&priceTo=1`, token)).status).toBe(503);
    expect(starts()).toBe(1);
  });

  /** What is sent to whoever opens both scopes, by a WebSocket and by polling, and then to all while things change. */
  const received = async (world: World) => {
    const terms = resolveTerms(null, { salaryType: 'percentage', salaryRate: 10, performanceThreshold: null });
    const of = { campaignId: 'campaign', contractorId: 'shop' };
    await world.commit(
      ...Array.from({ length: 600 }, (_, index) =>
        doc.placement(placementRow({ id: `long${index}`, buyerId: 'buyer', price: kopecks(index), leads: 1, ...of })),
      ),
      doc.contractor(contractorRow({ id: 'shop' })),
      doc.analytics(analyticsRow({ campaignId: 'campaign' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer', terms })),
    );
    const clients: LiveClient[] = [];
    for (const userId of ['owner', 'buyer'])
      for (const transports of [['websocket'], ['polling']])
        clients.push(await world.connect((await world.signIn(userId)).token, { transports, patches: true }));
    const scopes = ['campaign:campaign', 'contractor:shop'];
    const reached = (position: number) =>
      Promise.all(
        clients.map((client) => client.until(() => scopes.every((name) => client.replica(name).position === position))),
      );
    for (const client of clients)
      for (const scope of scopes) {
        await client.subscribe(scope);
        await client.until(() => client.replica(scope).position === world.head());
      }
    for (const price of [7, 8]) {
      const changed = placementRow({ id: 'long3', buyerId: 'buyer', price: kopecks(price), leads: 1, ...of });
      const total = { ...noSums, spent: kopecks(price), placements: 600 };
      await reached(
        await world.commit(
          doc.placement(changed),
          doc.analytics(analyticsRow({ campaignId: 'campaign', total })),
          doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer', terms })),
        ),
      );
    }
    return clients.map(({ received: all, misfits }) => ({
      misfits,
      byScope: scopes.map((name) => all.filter(({ scope }) => scope === name)),
    }));
  };
  type Received = Awaited<ReturnType<typeof received>>;

  /** A load is in no order, and may be in other parts. */
  const withOrderedLoads = (clients: Received) =>
    clients.map(({ misfits, byScope }) => ({
      misfits,
      byScope: byScope.map((all) => {
        const end = all.findIndex(({ last }) => last) + 1;
        const [load, live] = [all.slice(0, end), all.slice(end)];
        const keyOf = ({ kind, id }: { kind: string; id: string }): string => `${kind} ${id}`;
        const docs = load.flatMap((message) => message.docs).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        return { docs, at: new Set(load.map(({ position }) => position)), live };
      }),
    }));

  test('THR-1630 whole scopes that the thread reads and writes are sent as this one would, to each what they may see, and go on by patches', async () => {
    given = await givenWorld();
    const byThread = await received(given.world);
    expect(given.starts()).toBe(1);
    const plain = await startWorld();
    await plain.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      ...Array.from({ length: 3 }, (_, index) =>
        doc.placement(placementRow({ id: `p${index}`, campaignId: 'campaign' })),
      ),
    );
    const here = await received(plain);
    await plain.stop();
    expect(withOrderedLoads(byThread)).toEqual(withOrderedLoads(here));
    expect(here.map(({ misfits }) => misfits)).toEqual([[], [], [], []]);
    expect(JSON.stringify(here[0]?.byScope[0]?.at(-1))).toContain('"patch"');
    const sentWith = ([client]: Received) =>
      client?.byScope.map((all) => all.map(({ progress }) => progress?.sent ?? null).slice(0, 4));
    expect(sentWith(here)).toEqual([
      [250, 500, null, null],
      [250, 500, null, null],
    ]);
    // Earnings, which may be long, have a part of their own.
    expect(sentWith(byThread)).toEqual([
      [250, 500, 605, null],
      [250, 500, null, null],
    ]);
  });
});
