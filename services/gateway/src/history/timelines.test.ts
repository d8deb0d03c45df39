import { type HistoryRow, historyId } from '@zakup/contracts/history';
import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { JsonObject } from '@zakup/read-store/read-store';
import { describe, expect, test } from 'vitest';
import { timelines } from './timelines.ts';

const licenceId = '0a-licence';
const whole = { licenceId, campaignId: null };
const summer = { licenceId, campaignId: 'summer' };

const storeOf = () => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const add = (position: number, at: string, campaignId?: string, licence = licenceId): Promise<unknown> => {
    const data: HistoryRow = {
      revision: 0,
      at,
      actorId: 'u1',
      commandId: '00000000-0000-4000-8000-000000000001',
      source: 'screen',
      event: 'PlacementPriceChanged',
      entity: 'placement:p1',
      ...(campaignId !== undefined && { campaignId }),
      changes: [],
    };
    const doc = { kind: 'history', licenceId: licence, scopes: [], left: [], deleted: false, id: historyId(position) };
    return readStore.commit({
      docs: [{ ...doc, position, data: data as unknown as JsonObject }],
      checkpoint: { partition: 'all', position, fence: 1 },
    });
  };
  return { readStore, add };
};

describe('how much happened when', () => {
  test('TSL-1 events are counted by day at UTC+3, of a campaign its own only, and never another licence', async () => {
    const { readStore, add } = storeOf();
    await add(3, '2026-11-13T20:59:00.000Z', 'summer');
    await add(4, '2026-11-13T21:00:00.000Z');
    await add(5, '2026-11-14T10:00:00.000Z', 'summer', 'another');
    await add(9, '2026-11-14T12:00:00.000Z', 'summer');
    const { of } = timelines(readStore);
    expect((await of(whole, null)).days).toEqual([
      { day: '2026-11-13', count: 1, first: 3, last: 3 },
      { day: '2026-11-14', count: 2, first: 4, last: 9 },
    ]);
    expect((await of(summer, null)).days.map(({ count }) => count)).toEqual([1, 1]);
    expect((await of({ licenceId, campaignId: 'winter' }, { by: 'time', time: 0 })).days).toEqual([]);
  });

  test('TSL-2 a position is the event up to it, with the one before and the one after', async () => {
    const { readStore, add } = storeOf();
    for (const position of [3, 6, 9]) await add(position, `2026-11-14T10:0${position}:00.000Z`, 'summer');
    const { of } = timelines(readStore);
    const beside = async (around: number) => {
      const { at, previous, next } = await of(summer, { by: 'position', position: around });
      return [previous, at, next].map((event) => event?.position ?? null);
    };
    expect(await beside(6)).toEqual([3, 6, 9]);
    expect(await beside(7)).toEqual([3, 6, 9]);
    expect(await beside(3)).toEqual([null, 3, 6]);
    expect(await beside(2)).toEqual([null, null, 3]);
    expect(await beside(50)).toEqual([6, 9, null]);
    expect((await of(summer, { by: 'position', position: 6 })).previous).toEqual({
      position: 3,
      at: '2026-11-14T10:03:00.000Z',
    });
  });

  test('TSL-4 a time is the last event up to it, on its day or before it', async () => {
    const { readStore, add } = storeOf();
    for (let position = 10; position < 60; position += 3)
      await add(position, `2026-11-14T10:${String(position - 10).padStart(2, '0')}:00.000Z`);
    await add(100, '2026-11-17T10:00:00.000Z');
    const { of } = timelines(readStore);
    const at = async (time: string) => (await of(whole, { by: 'time', time: Date.parse(time) })).at?.position ?? null;
    expect(await at('2026-11-13T10:00:00.000Z')).toBe(null);
    expect(await at('2026-11-14T09:59:59.999Z')).toBe(null);
    expect(await at('2026-11-14T10:00:00.000Z')).toBe(10);
    expect(await at('2026-11-14T10:20:59.000Z')).toBe(28);
    expect(await at('2026-11-14T10:21:00.000Z')).toBe(31);
    expect(await at('2026-11-15T10:00:00.000Z')).toBe(58);
    expect(await at('2026-11-17T09:00:00.000Z')).toBe(58);
    expect(await at('2026-12-17T09:00:00.000Z')).toBe(100);
  });

  test('TSL-3 what came since is counted on, also where a clock went back over midnight, and nothing twice', async () => {
    const { readStore, add } = storeOf();
    const { of } = timelines(readStore, 1);
    for (let position = 1; position <= 1_200; position += 1) await add(position, '2026-11-14T10:00:00.000Z');
    expect((await of(whole, null)).days).toEqual([{ day: '2026-11-14', count: 1_200, first: 1, last: 1_200 }]);
    expect(await Promise.all([of(whole, null), of(summer, null), of(whole, null)])).toHaveLength(3);
    await add(1_201, '2026-11-15T10:00:00.000Z');
    await add(1_202, '2026-11-14T20:59:59.000Z');
    expect((await of(whole, null)).days.at(-1)).toEqual({ day: '2026-11-15', count: 2, first: 1_201, last: 1_202 });
  });
});
