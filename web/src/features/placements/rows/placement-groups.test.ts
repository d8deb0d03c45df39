import { describe, expect, it } from 'vitest';
import { groupLineOf } from '../../../shared/table/grid-groups.ts';
import { groupText, mondayOf, placementGroups } from './placement-groups.ts';
import type { PlacementRow } from './placement-row.ts';

const row = (id: string, date: string, price: number, leads: number, over: object = {}): PlacementRow => {
  const placement = { id, date, price, leads, buyerId: 'anna', creativeId: 'c1', paymentStatus: 'paid', ...over };
  return {
    id,
    placement,
    decided: placement,
    counted: true,
    buyerName: placement.buyerId === 'anna' ? 'Анна' : 'Ян',
    creativeName: 'Ролик',
    ...over,
  } as unknown as PlacementRow;
};
const labels = (rows: readonly PlacementRow[]) => rows.map((one) => groupLineOf(one)?.label ?? one.id);
const all = new Set<string>();

describe('groups of placements', () => {
  it('VIW-2338 weeks begin on Monday, over the turn of a year too', () => {
    expect(['2026-11-16', '2026-11-22', '2026-11-23', '2027-01-01'].map(mondayOf)).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-11-23',
      '2026-12-28',
    ]);
  });

  it('VIW-2339 a group says how many rows it has, their sum, leads and CPL; what leaves does not count', () => {
    const nbsp = '\u00A0';
    const text = groupText([
      row('a', '2026-11-20', 5400.5, 30),
      row('b', '2026-11-21', 1000, 0),
      row('c', '2026-11-21', 9000, 5, { counted: false }),
    ]).replaceAll(nbsp, ' ');
    expect(text).toBe('3 размещения · 6 400,50 ₽ · Приход: 30 · CPL: 213,35 ₽');
    expect(groupText([row('a', '2026-11-20', 10, 0)])).toContain('CPL: —');
  });

  it('VIW-2340 weeks stand as days do in the order of the table, buyers by name; one that is closed has its line alone', () => {
    const rows = [row('a', '2026-11-20', 1, 1, { buyerId: 'yan' }), row('b', '2026-11-24', 1, 1)];
    const by = (grouping: 'buyer' | 'week', order: 'asc' | 'desc', closed = all) =>
      labels(placementGroups(grouping, { columnId: 'date', order }, closed, () => undefined).arrange(rows));
    expect(by('week', 'asc').filter((label) => label.length > 1)).toHaveLength(2);
    expect(by('week', 'asc')[1]).toBe('a');
    expect(by('week', 'desc')[1]).toBe('b');
    expect(by('buyer', 'asc')).toEqual(['Анна', 'b', 'Ян', 'a']);
    expect(by('buyer', 'asc', new Set(['buyer:anna']))).toEqual(['Анна', 'Ян', 'a']);
  });
});
