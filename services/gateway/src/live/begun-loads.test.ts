import { resolveTerms } from '@zakup/domain/analytics/earnings';
import { kopecks } from '@zakup/domain/money';
import { CorruptDocument, type ReadStore } from '@zakup/read-store/read-store';
import { jsonLog } from '@zakup/service-kit/log';
import { afterEach, describe, expect, test } from 'vitest';
import { readGuard } from '../http/limits/read-guard.ts';
import { limits } from '../http/limits/limits.ts';
import { handTime } from '../testing/hand-time.ts';
import type { LiveClient } from '../testing/live-client.ts';
import { campaignRow, docOf, earningsRow, placementRow } from '../testing/rows.ts';
import { threadInPlace } from '../testing/thread-in-place.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const scope = 'campaign:campaign';
const rows = 1_200;

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise(setImmediate);
};

/** Reads of scopes that stop behind their first documents until they are let go, or break off there. */
const heldReads = () => {
  let error: Error | null = null;
  let isHeld = true;
  let waiting: { readonly of: string; readonly go: () => void }[] = [];
  let [begun, ended] = [0, 0];
  return {
    over: (store: ReadStore): ReadStore => ({
      ...store,
      async readScope(request, taker) {
        begun += 1;
        try {
          await store.readScope(request, {
            begun: (content) => taker.begun(content),
            async take(docs) {
              await taker.take(docs);
              if (isHeld) await new Promise<void>((go) => waiting.push({ of: request.scope, go }));
              if (error !== null) throw error;
            },
          });
        } finally {
          ended += 1;
        }
      },
    }),
    begun: () => begun,
    ended: () => ended,
    breakOff: (how: Error | null): void => {
      isHeld = false;
      error = how;
    },
    letGo: (): void => {
      isHeld = false;
      for (const { go } of waiting.splice(0)) go();
    },
    /** One that is held goes on until its next documents. */
    pass: (name: string): void => {
      const all = waiting;
      waiting = all.filter(({ of }) => of !== name);
      for (const { of, go } of all) if (of === name) go();
    },
  };
};

/** Counts reads of all of the campaign. */
const wholeReads = () => {
  let count = 0;
  return {
    over: (store: ReadStore): ReadStore => ({
      ...store,
      changesSince(request) {
        if (request.scope === scope && request.since === undefined) count += 1;
        return store.changesSince(request);
      },
      readScope(request, taker) {
        count += 1;
        return store.readScope(request, taker);
      },
    }),
    count: () => count,
  };
};

const left = (client: LiveClient, name: string): Promise<unknown> =>
  new Promise((resolve) => client.socket.emit('unsubscribe', { scope: name }, resolve));

describe('a load that is answered when it has begun', { timeout: 60_000 }, () => {
  let given: { readonly world: World; readonly end: () => Promise<void> } | null = null;
  afterEach(async () => {
    await given?.end();
    given = null;
  });

  const givenWorld = async (more: Parameters<typeof startWorld>[0] = {}) => {
    const reads = heldReads();
    const { thread, stops } = threadInPlace(() => ({ ...world.deps, readStore: reads.over(world.readStore) }));
    const here = wholeReads();
    const world: World = await startWorld({
      ...more,
      over: here.over,
      deps: { ...more?.deps, thread, past: thread.past },
    });
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      ...Array.from({ length: rows }, (_, index) => doc.placement(placementRow({ id: `p${index}` }))),
    );
    given = {
      world,
      async end() {
        reads.letGo();
        await thread.close();
        await world.stop();
      },
    };
    const enter = async (who: string): Promise<LiveClient> => world.connect((await world.signIn(who)).token);
    return { world, enter, stops, ...reads, readHere: here.count };
  };

  test('LV-2445 it is answered and its first documents come while the others are being read, at one position; what is committed meanwhile comes after it', async () => {
    const { world, enter, letGo, ended } = await givenWorld();
    const client = await enter('owner');
    const position = world.head();
    expect(await client.subscribe(scope)).toEqual({ ok: true, position, reset: false });
    await client.until(() => client.messages.length > 0);
    expect(client.messages[0]).toMatchObject({
      scope,
      position,
      last: false,
      progress: { sent: 250, total: rows + 1 },
    });
    expect(ended()).toBe(0);
    const later = await world.commit(doc.placement(placementRow({ id: 'p7', leads: 77 })));
    letGo();
    await client.until(() => client.replica(scope).position === later);
    const load = client.messages.slice(0, client.messages.findIndex(({ last }) => last) + 1);
    expect(new Set(load.map((message) => message.position))).toEqual(new Set([position]));
    const sent = load.map(({ progress }) => progress?.sent ?? null);
    expect(sent).toEqual([250, 500, 750, 1_000, null]);
    expect(client.replica(scope).docs.size).toBe(rows + 1);
    expect(client.replica(scope).docs.get('placement p7')).toMatchObject({ position: later, doc: { leads: 77 } });
  });

  test('LV-2446 who comes while it is being read gets the same from its beginning, without another read', async () => {
    const { enter, letGo, begun } = await givenWorld();
    const [first, second] = [await enter('owner'), await enter('owner')];
    await first.subscribe(scope);
    await first.until(() => first.messages.length > 0);
    await second.subscribe(scope);
    letGo();
    for (const client of [first, second]) await client.until(() => client.replica(scope).docs.size === rows + 1);
    expect(second.received).toEqual(first.received);
    expect(begun()).toBe(1);
  });

  test('LV-2447 where it breaks off the client is to ask anew, and is told why there is none; once there is, it has all of it', async () => {
    const { enter, breakOff } = await givenWorld();
    const client = await enter('owner');
    breakOff(new CorruptDocument('store', 'placement', 'p9', licenceId));
    expect(await client.subscribe(scope)).toMatchObject({ ok: true });
    await client.until(() => client.resets.length > 0);
    for (let asked = 0; asked < 2; asked += 1)
      expect(await client.subscribe(scope)).toMatchObject({ ok: false, problem: { code: 'UNAVAILABLE' } });
    expect(client.resets).toEqual([scope]);
    expect(client.replica(scope).position).toBeNull();
    breakOff(null);
    expect(await client.subscribe(scope)).toMatchObject({ ok: true });
    await client.until(() => client.replica(scope).docs.size === rows + 1);
  });

  test('LV-2448 its turn lasts until all of it is read, and ends when nobody waits for it any more', async () => {
    const { world, enter, stops, pass, letGo, begun, ended } = await givenWorld({
      deps: { guard: readGuard(handTime()) },
    });
    const ids = ['two', 'three'];
    await world.commit(...ids.map((id) => doc.campaign(campaignRow({ id }))));
    const [client, other] = [await enter('owner'), await enter('lead')];
    await client.subscribe(scope);
    await other.subscribe('campaign:two');
    const third = other.subscribe('campaign:three');
    await until(() => begun() === limits.scopesAtOnce);
    await left(other, 'campaign:four');
    expect(begun()).toBe(limits.scopesAtOnce);
    await left(client, scope);
    await until(() => stops() === 1);
    pass(scope);
    await until(() => ended() > 0);
    expect(await third).toMatchObject({ ok: true });
    letGo();
    await other.until(() => other.replica('campaign:three').docs.size === 1);
  });

  test('LV-2450 who leaves in the middle of it, or before its turn, is no failure in the log', async () => {
    const failures: unknown[] = [];
    const log = { ...jsonLog({ level: 'silent' }), error: (...of: unknown[]) => void failures.push(of) };
    const { world, enter, stops, letGo, begun, ended } = await givenWorld({
      deps: { guard: readGuard(handTime()), log: log as World['deps']['log'] },
    });
    await world.commit(...['two', 'three'].map((id) => doc.campaign(campaignRow({ id }))));
    const client = await enter('owner');
    await client.subscribe(scope);
    await client.subscribe('campaign:two');
    const third = client.subscribe('campaign:three');
    await until(() => begun() === limits.scopesAtOnce);
    for (const name of ['campaign:three', 'campaign:two', scope]) await left(client, name);
    await until(() => stops() === limits.scopesAtOnce);
    letGo();
    expect(await third).toMatchObject({ ok: false });
    await until(() => ended() === limits.scopesAtOnce);
    expect(await client.subscribe(scope)).toMatchObject({ ok: true });
    await client.until(() => client.replica(scope).docs.size === rows + 1);
    expect(failures).toEqual([]);
  });

  test('LV-2451 who left a scope before its load began is not told who is in it', async () => {
    const { world, enter, pass, letGo, begun } = await givenWorld({ deps: { guard: readGuard(handTime()) } });
    const [client, other] = [await enter('owner'), await enter('lead')];
    const three = 'campaign:three';
    await world.commit(...['two', 'three'].map((id) => doc.campaign(campaignRow({ id }))));
    await client.subscribe(three);
    await until(() => begun() === 1);
    pass(three);
    await client.until(() => client.replica(three).docs.size === 1);
    const focus = { placementId: 'p1', field: 'price', mode: 'editing' } as const;
    client.socket.emit('presence', { scope: three, focus });
    await client.until(() => client.presences.length > 0);
    await world.commit(doc.placement(placementRow({ id: 'new', campaignId: 'three' })));
    await client.until(() => client.replica(three).docs.size === 2);
    for (const name of [scope, 'campaign:two']) await client.subscribe(name);
    const entered = other.subscribe(three);
    await left(other, three);
    letGo();
    expect(await entered).toMatchObject({ ok: true });
    expect(await other.subscribe('campaign:two')).toMatchObject({ ok: true });
    expect(other.presences).toEqual([]);
    expect(await other.subscribe(three)).toMatchObject({ ok: true });
    await other.until(() => other.presences.length > 0);
  });

  const terms = resolveTerms(null, { salaryType: 'percentage', salaryRate: 10, performanceThreshold: null });
  const earned = doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer', terms }));
  const priced = (id: string, price: number) => doc.placement(placementRow({ id, price: kopecks(price) }));
  interface Line {
    readonly placementId: string;
    readonly price: number;
  }
  const pricesOf = (client: LiveClient): ReadonlyMap<string, number> => {
    const told = client.replica(scope).docs.get('earnings campaign:buyer')?.doc as { counted: readonly Line[] };
    return new Map(told.counted.map(({ placementId, price }) => [placementId, price]));
  };

  test('LV-2591 what changes while it is read and afterwards is told with all lines of the earnings, for which the serving thread reads nothing again', async () => {
    const { world, enter, letGo, begun, readHere } = await givenWorld();
    await world.commit(earned);
    const client = await enter('owner');
    await client.subscribe(scope);
    await client.until(() => client.messages.length > 0);
    await world.commit(priced('p7', 700), earned);
    letGo();
    for (const price of [800, 900]) {
      const later = await world.commit(priced('p8', price), earned);
      await client.until(() => client.replica(scope).position === later);
      expect(pricesOf(client).size).toBe(rows);
      expect(pricesOf(client).get('p7')).toBe(7);
      expect(pricesOf(client).get('p8')).toBe(price / 100);
    }
    expect([begun(), readHere()]).toEqual([1, 0]);
    expect(client.misfits).toEqual([]);
  });

  test('LV-2592 who goes on from a position gets the lines too, read once by the other thread', async () => {
    const { world, enter, letGo, begun, readHere } = await givenWorld();
    letGo();
    const since = await world.commit(earned);
    const client = await enter('owner');
    await client.subscribe(scope, since);
    for (const price of [800, 900]) {
      const later = await world.commit(priced('p8', price), earned);
      await client.until(() => client.replica(scope).position === later);
      expect(pricesOf(client).size).toBe(rows);
      expect(pricesOf(client).get('p8')).toBe(price / 100);
    }
    expect([begun(), readHere()]).toEqual([1, 0]);
  });
});
