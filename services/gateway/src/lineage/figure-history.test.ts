import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HistoryChange, historyId, type HistoryRow } from '@zakup/contracts/history';
import { declaredFields } from '@zakup/contracts/read-models';
import type { DocumentReader, JsonObject, ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { describe, expect, it, onTestFinished } from 'vitest';
import { bonusHistory } from './bonus-history.ts';
import { figureHistory, type FigureHistoryQuery } from './figure-history.ts';
import { newestFirst } from './newest-first.ts';

const licenceId = '0a-licence';

interface Told {
  readonly entity: string;
  readonly campaignId?: string;
  readonly changes: readonly HistoryChange[];
}

const change = (field: string, from: HistoryChange['from'], to: HistoryChange['to']): HistoryChange => ({
  field,
  from,
  to,
});
const added = (campaignId: string, id: string, contractorId: string): Told => ({
  entity: `placement:${id}`,
  campaignId,
  changes: [change('contractorId', null, contractorId), change('price', null, 100)],
});
const repriced = (campaignId: string, id: string, to: number): Told => ({
  entity: `placement:${id}`,
  campaignId,
  changes: [change('price', 100, to)],
});
const removed = (campaignId: string, id: string): Told => ({
  entity: `placement:${id}`,
  campaignId,
  changes: [change('deleted', false, true)],
});

/** A history of these, and how many entries were read of it. */
const given = async (told: readonly Told[]) => {
  const folder = mkdtempSync(join(tmpdir(), 'figures-'));
  const store = sqliteReadStore({ file: join(folder, 'read.db'), declared: declaredFields });
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const docs = told.map((one, index) => {
    const row: HistoryRow = {
      revision: 0,
      at: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
      actorId: 'owner',
      commandId: 'c',
      source: 'screen',
      event: 'X',
      ...one,
    };
    const position = index + 1;
    const data = row as unknown as JsonObject;
    return {
      kind: 'history',
      id: historyId(position),
      licenceId,
      scopes: [],
      left: [],
      position,
      deleted: false,
      data,
    };
  });
  for (let from = 0; from < docs.length; from += 1_000)
    await store.commit({
      docs: docs.slice(from, from + 1_000),
      checkpoint: { partition: 'all', position: from + 1_000, fence: 1 },
    });
  const counts = { entries: 0, reads: 0 };
  const readStore: Pick<ReadStore, 'scanIndex'> = {
    scanIndex: async (...request) => {
      const page = await store.scanIndex(...request);
      counts.reads += 1;
      counts.entries += page.length;
      return page;
    },
  };
  return { readStore, counts, to: docs.length };
};

const ofContractor = (to: number, more: Partial<FigureHistoryQuery> = {}): FigureHistoryQuery => ({
  licenceId,
  campaignIds: [],
  everywhere: true,
  to,
  narrowed: [{ fields: ['contractorId'], has: ({ contractorId }) => contractorId === 'kot', movedAway: 'Перенесено' }],
  fields: new Set(['price']),
  only: null,
  counted: new Set(),
  view: { people: true, termsOf: null },
  ...more,
});
const positions = (moved: readonly { readonly position: number }[]) => moved.map(({ position }) => position);

describe('what moved a figure', () => {
  it('RSL-30 over hundreds of campaigns nothing newer is ever missed, in whichever campaign it is', async () => {
    const campaigns = Array.from({ length: 200 }, (_, index) => `k${index}`);
    const early = campaigns.flatMap((id) =>
      Array.from({ length: 60 }, (_, index) => added(id, `${id}-${index}`, 'kot')),
    );
    const late = [repriced('k199', 'k199-1', 5), removed('k150', 'k150-7'), repriced('k198', 'k198-3', 7)];
    const { readStore, counts, to } = await given([...early, ...late]);
    const counted = new Set(early.map(({ entity }) => entity.slice('placement:'.length)));
    counted.delete('k150-7');
    for (const everywhere of [true, false]) {
      counts.entries = 0;
      const history = await figureHistory(readStore, ofContractor(to, { campaignIds: campaigns, counted, everywhere }));
      expect(positions(history.moved)).toEqual(Array.from({ length: 10 }, (_, index) => to - index));
      expect(history.complete).toBe(false);
      expect(counts.entries).toBeLessThan(25_000);
    }
  });

  it('RSL-31 what was removed moved the figure, also where nothing of the contractor is left', async () => {
    const { readStore, to } = await given([
      added('a', 'one', 'kot'),
      added('b', 'two', 'kot'),
      added('b', 'other', 'pes'),
      removed('b', 'two'),
      removed('b', 'other'),
      repriced('b', 'other', 3),
      { entity: 'campaign:c', campaignId: 'c', changes: [change('deleted', false, true)] },
      { entity: 'campaign:b', campaignId: 'b', changes: [change('deleted', false, true)] },
      { entity: 'license:l', changes: [change('deleted', false, true)] },
    ]);
    const history = await figureHistory(readStore, ofContractor(to, { campaignIds: ['a'], counted: new Set(['one']) }));
    expect(positions(history.moved)).toEqual([8, 4, 2, 1]);
    expect(history.leftOut).toEqual([expect.objectContaining({ placementId: 'two', reason: 'Размещение удалено' })]);
    expect(history.complete).toBe(true);
  });

  it('RSL-32 a placement moves the figure only while it is the contractor’s', async () => {
    const { readStore, to } = await given([
      added('a', 'one', 'pes'),
      repriced('a', 'one', 2),
      { ...added('a', 'one', ''), changes: [change('contractorId', 'pes', 'kot')] },
      repriced('a', 'one', 4),
      { ...added('a', 'one', ''), changes: [change('contractorId', 'kot', 'pes')] },
      repriced('a', 'one', 6),
    ]);
    const history = await figureHistory(readStore, ofContractor(to, { campaignIds: ['a'] }));
    expect(positions(history.moved)).toEqual([5, 4, 3]);
    expect(history.leftOut).toEqual([expect.objectContaining({ placementId: 'one', reason: 'Перенесено' })]);
  });

  it('RSL-33 campaigns are read together, newest first, and little further than is taken', async () => {
    const campaigns = Array.from({ length: 200 }, (_, index) => `k${index}`);
    const told = Array.from({ length: 8_000 }, (_, index) => added(`k${(index * 7) % 200}`, `p${index}`, 'kot'));
    const { readStore, counts, to } = await given(told);
    const seen: number[] = [];
    for await (const { position } of newestFirst(readStore, licenceId, campaigns, historyId(to + 1))) {
      seen.push(position);
      if (seen.length === 50) break;
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, index) => to - index));
    expect(counts.entries).toBeLessThanOrEqual(2_100);
    const all: number[] = [];
    for await (const { position } of newestFirst(readStore, licenceId, campaigns, historyId(to + 1)))
      all.push(position);
    expect(all).toEqual(Array.from({ length: to }, (_, index) => to - index));
  });

  it('RSL-34 a placement that left is told though the rest of it was told too long ago to be looked at', async () => {
    const early = ['kot', 'pes'].map((contractorId) => added('a', contractorId, contractorId));
    const between = Array.from({ length: 10_050 }, (_, index): Told => {
      return { entity: `placement:n${index}`, campaignId: 'a', changes: [change('leads', 0, 5)] };
    });
    const late = ['kot', 'pes'].map((id) => repriced('a', id, 500));
    const { readStore, to } = await given([...early, ...between, ...late]);
    const rows = early.map(({ entity }) => {
      const id = entity.slice('placement:'.length);
      return { kind: 'placement', id, licenceId, data: { contractorId: id, price: 500 } } as unknown as ReadDocument;
    });
    const history = await figureHistory(
      readStore,
      ofContractor(to, {
        campaignIds: ['a'],
        everywhere: false,
        narrowed: [
          ...ofContractor(to).narrowed,
          { fields: ['price'], has: ({ price }) => price <= 200, movedAway: 'Изменена цена' },
        ],
        documents: { getMany: async (_, ids) => rows.filter(({ id }) => ids.includes(id)) },
      }),
    );
    expect(positions(history.moved)).toEqual([to - 1]);
    expect(history.leftOut.map(({ placementId, reason }) => [placementId, reason])).toEqual([['kot', 'Изменена цена']]);
  });

  it('RSL-35 a bonus tells of a placement that was added too long ago to be looked at, and not of somebody else’s', async () => {
    const early = ['mine', 'theirs'].map((id) => added('a', id, 'kot'));
    const between = Array.from({ length: 10_050 }, (_, index): Told => {
      return { entity: `placement:n${index}`, campaignId: 'a', changes: [change('category', 'a', 'b')] };
    });
    const late = ['mine', 'theirs'].map((id) => repriced('a', id, 500));
    const { readStore, to } = await given([...early, ...between, ...late]);
    const docs = ['mine', 'theirs'].map((id) => {
      const data = { id, campaignId: 'a', buyerId: id === 'mine' ? 'me' : 'they', date: '2026-01-01' };
      return { kind: 'placement', id, licenceId, data } as unknown as ReadDocument;
    });
    const documents: DocumentReader = {
      get: async () => null,
      getMany: async () => [],
      query: async () => ({ docs: [], total: 0 }),
      readEach: async (kind, { where }, take) => {
        if (kind === 'placement') await take(docs.filter(({ data }) => data?.['buyerId'] === where?.['buyerId']));
      },
    };
    const told = async (from: string) => {
      const query = { licenceId, userId: 'me', terms: null, campaignIds: ['a'], to, view: ofContractor(to).view };
      const { moved } = await bonusHistory({ documents, readStore }, { ...query, selection: { campaign: 'a', from } });
      return positions(moved);
    };
    expect(await told('2026-01-01')).toEqual([to - 1]);
    expect(await told('2026-01-02')).toEqual([]);
  });
});
