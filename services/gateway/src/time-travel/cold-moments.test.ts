import {
  campaignCreated,
  contractorCreated,
  type Fact,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
} from '@zakup/projections/testing/given';
import type { AnyEvent } from '@zakup/domain/catalog';
import type { EventStore } from '@zakup/event-store/event-store';
import { afterEach, describe, expect, test } from 'vitest';
import { limits } from '../http/limits/limits.ts';
import { readGuard } from '../http/limits/read-guard.ts';
import { handTime } from '../testing/hand-time.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';
import { snapshotCache } from './snapshot-cache.ts';

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise(setImmediate);
};
const longLog = async () => {
  const log = testLog({ licence: licenceId });
  const append = (...facts: readonly [Fact, ...Fact[]]) => log.append(...facts);
  await append(['licence', licenceId, licenceIssued]);
  await append(['campaign', 'k', campaignCreated('k')]);
  await append(['contractor', 'c', contractorCreated('c')]);
  await append(['placement', 'p', placementAdded({ campaign: 'k', contractor: 'c', buyer: 'b' })]);
  for (let made = 0; made < 1_000; made += 50) {
    const prices = Array.from(
      { length: 50 },
      (_, index): AnyEvent => ({ type: 'PlacementPriceChanged', data: { price: rubles(made + index + 1) } }),
    );
    await append(['placement', 'p', ...(prices as [AnyEvent, ...AnyEvent[]])]);
  }
  return log.eventStore;
};

/** Reads of the licence's log wait from when it is said. */
const heldLog = (eventStore: Pick<EventStore, 'head' | 'readLicence'>) => {
  let isHeld = false;
  let waiting: (() => void)[] = [];
  return {
    eventStore: {
      head: () => eventStore.head(),
      read: async () => [],
      async readLicence(...asked: Parameters<EventStore['readLicence']>) {
        if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
        return eventStore.readLicence(...asked);
      },
    },
    hold: () => {
      isHeld = true;
    },
    letGo: () => {
      isHeld = false;
      const all = waiting;
      waiting = [];
      for (const go of all) go();
    },
  };
};

describe('moments that a licence has to be folded on to', { timeout: 60_000 }, () => {
  let world: World | null = null;
  afterEach(async () => {
    await world?.stop();
    world = null;
  });

  /** `asked`: moments for which folds were asked, in that order; `charged`: how many were paid for as such. */
  const begun = async (most: Parameters<typeof readGuard>[0] = {}) => {
    const log = heldLog(await longLog());
    const pasts = snapshotCache({ eventStore: log.eventStore, interval: 20 });
    const asked: number[] = [];
    const past: typeof pasts = {
      ...pasts,
      at: (licence, moment, signal) => {
        if (moment.by === 'position') asked.push(moment.position);
        return pasts.at(licence, moment, signal);
      },
    };
    const bound = readGuard(most);
    let paid = 0;
    const guard: typeof bound = {
      ...bound,
      charge: (asker, cost, before) => {
        if (cost === limits.coldCost) paid += 1;
        return bound.charge(asker, cost, before);
      },
    };
    const made = await startWorld({ deps: { eventStore: log.eventStore, past, guard } });
    world = made;
    const { token } = await made.signIn('owner');
    const at = (position: number) => made.get(`/campaigns?at=${position}`, token);
    return { ...log, made, token, asked, charged: () => paid, at };
  };

  test('LIM-1367 of twenty different moments that are asked for at once two are folded, the others wait and all are answered; reads of now do not wait', async () => {
    const { made, token, asked, charged, at, hold, letGo } = await begun(handTime());
    hold();
    const answers = Array.from({ length: 20 }, (_, index) => at(900 - index * 30));
    await until(() => charged() === 20);
    expect((await made.get('/campaigns', token)).status).toBe(200);
    expect(asked).toHaveLength(limits.costlyAtOnce);
    letGo();
    const told = await Promise.all(answers);
    expect(told.map(({ status, body }) => [status, (body as { at?: { position: number } }).at?.position])).toEqual(
      told.map((_, index) => [200, 900 - index * 30]),
    );
  });

  test('LIM-1373 a moment that waits too long for its turn is told to come again, as is the one for whom there is no room to wait; who comes again is answered', async () => {
    const time = handTime();
    const { asked, at, hold, letGo } = await begun({ ...time, most: { costlyWaiting: 2 } });
    hold();
    const answers = [900, 700, 500, 300].map(at);
    await until(() => asked.length === limits.costlyAtOnce && time.waiting(limits.longPatience) === 2);
    const fifth = await at(100);
    expect([fifth.status, fifth.headers.get('retry-after'), fifth.body.error]).toEqual([
      429,
      '3',
      'Ваша команда открывает сейчас слишком много сразу. Повторите через несколько секунд',
    ]);
    time.pass(limits.longPatience);
    const late = await Promise.race(answers);
    expect([late.status, late.body.code]).toEqual([429, 'RATE_LIMITED']);
    letGo();
    const told = await Promise.all(answers);
    expect(told.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 429, 429]);
    expect((await Promise.all([900, 700, 500, 300].map(at))).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await at(100)).status).toBe(200);
  });

  test('LIM-1368 one moment that twenty ask for at once is folded once, and goes on while one of them waits', async () => {
    const { made, token, asked, charged, at, hold, letGo } = await begun();
    hold();
    const first = new AbortController();
    const headers = { Authorization: `Bearer ${token}` };
    const gone = fetch(`${made.address}/api/campaigns?at=700`, { headers, signal: first.signal });
    await until(() => charged() === 1);
    const answers = Array.from({ length: 19 }, () => at(700));
    await until(() => charged() === 20);
    first.abort();
    await expect(gone).rejects.toThrow('aborted');
    letGo();
    const told = await Promise.all(answers);
    expect(new Set(told.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(told[0]?.status).toBe(200);
    expect(asked).toEqual([700]);
  });

  test('LIM-1369 a moment that has to be folded on to takes of the budget like a costly read; one that is known is paid like any other', async () => {
    const each = limits.cost.plain + limits.pastCost;
    const { at } = await begun({
      now: () => 0,
      most: { session: { perSecond: 1, burst: each * 3 + limits.coldCost } },
    });
    expect((await at(500)).status).toBe(200);
    expect((await at(500)).status).toBe(200);
    const refused = await at(900);
    expect([refused.status, refused.body.code]).toEqual([429, 'RATE_LIMITED']);
  });
});
