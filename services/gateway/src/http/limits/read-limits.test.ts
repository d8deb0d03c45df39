import { kopecks } from '@zakup/domain/money';
import type { ReadStore } from '@zakup/read-store/read-store';
import { afterEach, describe, expect, test } from 'vitest';
import { handTime } from '../../testing/hand-time.ts';
import { campaignRow, contractorRow, docOf, licenceRow, placementRow, userRow } from '../../testing/rows.ts';
import { licenceId, startWorld, type World } from '../../testing/world.ts';
import { limits } from './limits.ts';
import { type ReadGuardOptions, readGuard } from './read-guard.ts';

const doc = docOf(licenceId);

/** A read store in which reads of placements wait, and are counted, from when it is told. */
const heldStore = () => {
  let waiting: (() => void)[] = [];
  let isHeld = false;
  let began = 0;
  const gate = async (kind: string): Promise<void> => {
    if (kind !== 'placement' || !isHeld) return;
    began += 1;
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const over = (store: ReadStore): ReadStore => ({
    ...store,
    query: async (kind, query) => {
      await gate(kind);
      return store.query(kind, query);
    },
    readEach: async (kind, query, take) => {
      await gate(kind);
      return store.readEach(kind, query, take);
    },
  });
  return {
    over,
    hold: () => {
      isHeld = true;
    },
    /** How many reads began while they were held. */
    began: () => began,
    letGo: () => {
      isHeld = false;
      const all = waiting;
      waiting = [];
      for (const go of all) go();
    },
  };
};

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise(setImmediate);
};

describe('what one licence may ask', { timeout: 30_000 }, () => {
  let world: World | null = null;
  afterEach(async () => {
    await world?.stop();
    world = null;
  });

  const begun = async (options: ReadGuardOptions, store = heldStore()) => {
    const guard = readGuard(options);
    const made = await startWorld({ deps: { guard }, over: store.over });
    world = made;
    await made.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      ...['one', 'two', 'three', 'four'].map((id) => doc.campaign(campaignRow({ id }))),
      doc.contractor(contractorRow({ id: 'kot', nick: 'kot', adminUsername: '@kot' })),
      doc.placement(placementRow({ id: 'p1', campaignId: 'campaign', contractorId: 'kot' })),
    );
    const { token } = await made.signIn('owner');
    return { ...store, guard, made, token };
  };
  const lineage = (campaign: string): string => `/campaigns/${campaign}/lineage?figure=spent`;

  test('LIM-1350 reads take of the budgets of their session and licence what they cost; above it 429, with the seconds until it is enough', async () => {
    const time = handTime();
    const { made, token } = await begun({ ...time, most: { session: { perSecond: 2, burst: 25 } } });
    expect((await made.get(lineage('one'), token)).status).toBe(200);
    expect((await made.get(lineage('two'), token)).status).toBe(200);
    const refused = await made.get(lineage('three'), token);
    expect([refused.status, refused.headers.get('retry-after'), refused.body.code, refused.body.error]).toEqual([
      429,
      '3',
      'RATE_LIMITED',
      'Слишком много запросов подряд. Повторите через несколько секунд',
    ]);
    expect((await made.get('/campaigns', token)).status).toBe(200);
    const colleague = await made.signIn('lead');
    expect((await made.get(lineage('three'), colleague.token)).status).toBe(200);
    // That plain read took a point of what was told.
    time.pass(3_500);
    expect((await made.get(lineage('three'), token)).status).toBe(200);
  });

  test('LIM-1351 many sessions of a licence share its budget, and leave that of another licence alone', async () => {
    const { made, token } = await begun({ ...handTime(), most: { licence: { perSecond: 1, burst: 20 } } });
    const other = docOf('0b-other');
    expect((await made.get(lineage('one'), token)).status).toBe(200);
    expect((await made.get(lineage('two'), (await made.signIn('lead')).token)).status).toBe(200);
    expect((await made.get('/campaigns', (await made.signIn('buyer')).token)).status).toBe(429);
    await made.commit(other.license(licenceRow({ id: '0b-other' })), other.user(userRow({ id: 'foreigner' })));
    const foreigner = await made.signIn('foreigner', { licenceId: '0b-other' });
    expect((await made.get('/campaigns', foreigner.token)).status).toBe(200);
  });

  test('LIM-1352 two costly reads of a licence go on at once, the others wait a little and are told to come again; plain reads do not wait', async () => {
    const time = handTime();
    const { made, token, hold, began, letGo } = await begun(time);
    hold();
    const asked = ['campaign', 'one', 'two', 'three'].map((id) => made.get(lineage(id), token));
    await until(() => began() === 2 && time.waiting(limits.patience) === 2);
    expect((await made.get('/campaigns', token)).status).toBe(200);
    expect(began()).toBe(2);
    time.pass(limits.patience);
    const late = await Promise.race(asked);
    expect([late.status, late.headers.get('retry-after'), late.body.error]).toEqual([
      429,
      '3',
      'Сейчас готовится слишком много отчётов вашей команды. Повторите через несколько секунд',
    ]);
    letGo();
    expect((await Promise.all(asked)).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 200, 429, 429,
    ]);
    expect((await made.get(lineage('three'), token)).status).toBe(200);
  });

  test('LIM-1353 twenty who ask the same at once are answered by one reading; who sees less is answered apart', async () => {
    const { made, token, hold, began, letGo } = await begun(handTime());
    const lead = (await made.signIn('buyer')).token;
    hold();
    const asked = Array.from({ length: 20 }, () => made.get(lineage('campaign'), token));
    const other = made.get(lineage('campaign'), lead);
    await until(() => began() === 2);
    letGo();
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect((await other).status).toBe(200);
    expect(began()).toBe(2);
  });

  test('LIM-1354 a change makes the next answer another one, and what is kept is kept for a short time', async () => {
    const time = handTime();
    const { made, token, hold, began, letGo } = await begun(time);
    const spent = async (): Promise<string> => JSON.stringify((await made.get(lineage('campaign'), token)).body.data);
    const first = await spent();
    hold();
    expect(await spent()).toBe(first);
    expect(began()).toBe(0);
    letGo();
    await made.commit(doc.placement(placementRow({ id: 'p2', campaignId: 'campaign', price: kopecks(777_00) })));
    expect(await spent()).not.toBe(first);
  });

  test('LIM-1355 a session takes eight files at once, the ninth is told to wait; one that ended makes room', async () => {
    const { made, token, hold, letGo } = await begun({ ...handTime(), most: { costlyAtOnce: 100 } });
    const file = async (): Promise<readonly [number, string | null]> => {
      const headers = { Authorization: `Bearer ${token}` };
      const path = '/api/campaigns/campaign/lineage/export?figure=spent&format=csv';
      const response = await fetch(`${made.address}${path}`, { headers });
      await response.arrayBuffer();
      return [response.status, response.headers.get('retry-after')];
    };
    hold();
    const asked = Array.from({ length: limits.filesOfSession + 1 }, file);
    expect(await Promise.race(asked)).toEqual([429, '3']);
    letGo();
    const statuses = (await Promise.all(asked)).map(([status]) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(limits.filesOfSession);
    expect(await file()).toEqual([200, null]);
  });
});
