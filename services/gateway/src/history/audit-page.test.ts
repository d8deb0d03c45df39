import { type HistoryRow, historyId } from '@zakup/contracts/history';
import { declaredFields } from '@zakup/contracts/read-models';
import { auditQuery } from '@zakup/contracts/requests/history.queries';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { JsonObject } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorAfter, startOf } from './audit-cursor.ts';
import { auditPage } from './audit-page.ts';

const licenceId = '0a-licence';
const open = { people: true, termsOf: null };
const begin = Date.parse('2026-01-01T00:00:00.000Z');
const instant = (minute: number): string => new Date(begin + minute * 60_000).toISOString();

const rowAt = (position: number, more: Partial<HistoryRow> = {}): HistoryRow => ({
  revision: 0,
  at: instant(position),
  recordedAt: instant(position),
  actorId: `u${position % 3}`,
  actorName: `Пётр ${position % 3}`,
  commandId: `00000000-0000-4000-8000-${String(position % 50).padStart(12, '0')}`,
  source: position % 4 === 0 ? 'paste' : 'screen',
  event: 'PlacementPriceChanged',
  entity: `placement:p${position % 5}`,
  name: '@Seller',
  ...(position % 2 === 0 && { campaignId: `k${position % 4}` }),
  changes: [{ field: position % 3 === 0 ? 'price' : 'leads', from: null, to: position }],
  ...more,
});

const storeWith = async (rows: readonly HistoryRow[]) => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  let position = 0;
  const add = async (more: readonly HistoryRow[], licence = licenceId): Promise<void> => {
    const docs = more.map((data) => {
      position += 1;
      const fields = { kind: 'history', licenceId: licence, scopes: [], left: [], deleted: false } as const;
      return { ...fields, id: historyId(position), position, data: data as unknown as JsonObject };
    });
    await readStore.commit({ docs, checkpoint: { partition: 'all', position, fence: 1 } });
  };
  await add(rows);
  return { readStore, add };
};

type Given = Readonly<Record<string, string>>;

/** Every page of a list, and what each of them held. */
const walked = async (
  readStore: Awaited<ReturnType<typeof storeWith>>['readStore'],
  given: Given,
  between: () => Promise<void> = async () => undefined,
): Promise<readonly (readonly number[])[]> => {
  const pages: (readonly number[])[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = auditQuery.parse({ ...given, ...(cursor !== undefined && { cursor }) });
    const start = startOf(licenceId, query);
    if (start === undefined) throw new Error('The cursor is of another list');
    const { entries, after } = await auditPage(readStore, licenceId, query, { start, view: open });
    pages.push(entries.map(({ position }) => position));
    if (after === null) return pages;
    cursor = cursorAfter(licenceId, query, after);
    await between();
  }
};

describe('the audit, page by page', () => {
  it('AUD-1 all pages together are all that fits, newest first, each once, whatever comes in meanwhile', async () => {
    const filter = fc.record(
      {
        person: fc.constantFrom('u0', 'u1', 'nobody'),
        entity: fc.constantFrom('placement:p1', 'placement:p4', 'campaign:p1'),
        campaign: fc.constantFrom('k0', 'k2', 'none'),
        field: fc.constantFrom('price', 'leads', 'date'),
        source: fc.constantFrom('paste', 'screen', 'undo'),
        command: fc.integer({ min: 1, max: 50 }).map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
        from: fc.integer({ min: 0, max: 90 }).map(instant),
        to: fc.integer({ min: 0, max: 90 }).map(instant),
        search: fc.constantFrom('петр 1', '@SELLER', '17', 'нет'),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 20 }), fc.nat(90), async (given, limit, count) => {
        const rows = Array.from({ length: count }, (_, index) => rowAt(index + 1));
        const { readStore, add } = await storeWith(rows);
        const says = (row: HistoryRow, text: string): boolean =>
          [row.actorName ?? '', row.name ?? '', ...row.changes.map(({ to }) => JSON.stringify(to))].some((one) =>
            one.toLowerCase().replaceAll('ё', 'е').includes(text.toLowerCase()),
          );
        const wanted = rows
          .map((row, index) => ({ row, position: index + 1 }))
          .filter(
            ({ row }) =>
              (given.person ?? row.actorId) === row.actorId &&
              (given.entity ?? row.entity) === row.entity &&
              (given.campaign ?? row.campaignId) === row.campaignId &&
              (given.source ?? row.source) === row.source &&
              (given.command ?? row.commandId) === row.commandId &&
              (given.field ?? row.changes[0]?.field) === row.changes[0]?.field &&
              row.at >= (given.from ?? '') &&
              row.at <= (given.to ?? 'z') &&
              says(row, given.search ?? ''),
          )
          .map(({ position }) => position)
          .toReversed();
        const pages = await walked(readStore, { ...given, limit: String(limit) }, () => add([rowAt(count + 7)]));
        expect(pages.flat()).toEqual(wanted);
        expect(pages.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('AUD-2 what is rare is looked for in bounded stretches: a short page says where to go on', async () => {
    const { readStore } = await storeWith(
      Array.from({ length: 21_000 }, (_, index) => rowAt(index + 1, index === 3 ? { source: 'import' } : {})),
    );
    const pages = await walked(readStore, { source: 'import' });
    expect(pages).toEqual([[], [], [4]]);
    expect((await walked(readStore, { person: 'u1', limit: '200' })).flat()).toHaveLength(7_000);
  });

  it('AUD-3 nothing is looked for long before the asked time, by the clock of the log', async () => {
    const { readStore } = await storeWith(Array.from({ length: 21_000 }, (_, index) => rowAt(index + 1)));
    expect(await walked(readStore, { from: instant(20_990), source: 'undo' })).toEqual([[]]);
    const late = rowAt(30_000, { at: instant(1) });
    const { readStore: withLate } = await storeWith([rowAt(1), late, rowAt(30_001)]);
    expect(await walked(withLate, { from: instant(0), to: instant(2) })).toEqual([[2, 1]]);
    expect(await walked(withLate, { from: '2026-01-01', to: '2026-01-01' })).toEqual([[2, 1]]);
  });

  it('AUD-4 another licence’s entries are not there, and its cursors are not taken', async () => {
    const { readStore, add } = await storeWith([rowAt(1)]);
    await add([rowAt(2)], '0b-other');
    expect(await walked(readStore, {})).toEqual([[1]]);
    const query = auditQuery.parse({ person: 'u1' });
    const cursor = cursorAfter('0b-other', query, historyId(2));
    expect(startOf(licenceId, { ...query, cursor })).toBeUndefined();
    const own = cursorAfter(licenceId, query, historyId(2));
    expect(startOf(licenceId, { ...query, cursor: own })).toBe(historyId(2));
    expect(startOf(licenceId, { ...query, cursor: own, limit: 7 })).toBe(historyId(2));
    expect(startOf(licenceId, { ...query, person: 'u2', cursor: own })).toBeUndefined();
    expect(startOf(licenceId, { ...query, cursor: own.replace('2-', '1-') })).toBeUndefined();
  });
});
