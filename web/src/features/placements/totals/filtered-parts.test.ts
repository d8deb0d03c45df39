import { anyStatus } from '@zakup/domain/views/view-parameters';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import { type FilteredFigure, partsOf } from './filtered-parts.ts';
import { filteredRows, filteredSums, sumsOf } from './filtered-totals.tsx';
import {
  fitsFilters,
  isInSight,
  type PlacementFilters,
  whyUnfit,
  withoutFilters,
} from '../filters/placement-filters.ts';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';

/** Numbers from 0 to 1 that a seed makes, the same ones each time. */
const numbersOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const names: Names = { contractors: new Map(), users: new Map(), creatives: new Map() };

/** Filters of which each is on or off, as somebody might set them. */
const filtersOf = (next: () => number): PlacementFilters => {
  const set = (value: string): string => (next() < 0.3 ? value : '');
  const chosen = (value: string): readonly string[] => (next() < 0.3 ? [value] : []);
  return {
    ...withoutFilters,
    search: set('kot'),
    paymentStatus: chosen('paid'),
    dateFrom: set('2026-11-03'),
    dateTo: set('2026-11-07'),
    priceFrom: set('1000,50'),
    status: chosen(anyStatus),
  };
};

/** Rows of which some have something on its way: what they show is then another than what is decided of them. */
const rowsOf = (next: () => number, count: number): readonly PlacementRow[] =>
  Array.from({ length: count }, (_, index) => {
    const made = (): PlacementWire =>
      placementDocument({
        id: `p${index}`,
        contractorId: 'c',
        creativeId: 'cr',
        buyerId: 'anna',
        category: 'Кулинария',
        format: '1/24',
        date: `2026-11-${String(1 + Math.floor(next() * 9)).padStart(2, '0')}`,
        price: Math.floor(next() * 1_000_000) / 100,
        leads: next() < 0.3 ? 0 : Math.floor(next() * 50),
        paymentStatus: next() < 0.5 ? 'paid' : 'unpaid',
        status: next() < 0.2 ? 'REMOVED_EARLY' : 'PENDING',
      });
    const decided = made();
    const isMoving = next() < 0.3;
    return {
      id: decided.id,
      kind: isMoving && next() < 0.3 ? 'new' : 'stored',
      placement: isMoving ? made() : decided,
      decided,
      counted: !isMoving || next() < 0.7,
      entries: isMoving ? [{ state: { kind: 'rejected' }, body: {} }] : [],
      nick: next() < 0.5 ? '@kot' : '@pes',
      buyerName: '',
      creativeName: '',
    } as unknown as PlacementRow;
  });

describe('what stands behind totals of a filter', () => {
  it('FTP-1 each row counts or says why not, and those that count are the total to the kopeck', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const next = numbersOf(seed);
      const all = rowsOf(next, Math.floor(next() * 40));
      const filters = filtersOf(next);
      const fits = fitsFilters(filters, null, names);
      const moving = all.filter(({ entries }) => entries.length > 0);
      const fitting = filteredRows(all.filter(isInSight(fits)), moving, fits);
      const shown = sumsOf(fitting);
      const of = (figure: FilteredFigure) => {
        const { counted, leftOut } = partsOf(figure, fitting, all, whyUnfit(filters, null, names));
        const ids = [...counted, ...leftOut].map(({ row }) => row.id);
        expect([ids.length, new Set(ids).size]).toEqual([all.length, all.length]);
        // Each says which of the filters it fails, or what else keeps it out.
        expect(leftOut.filter(({ note }) => note === '' || note === 'Не подходит под фильтр')).toEqual([]);
        let [kopecks, leads] = [0, 0];
        for (const { row } of counted) {
          kopecks += Math.round(row.decided.price * 100);
          leads += row.decided.leads;
        }
        return { count: counted.length, spent: kopecks / 100, leads };
      };
      expect(of('placements').count).toBe(fitting.length);
      expect(of('spent')).toMatchObject({ spent: shown.spent, leads: shown.leads });
      expect(of('paid').spent).toBe(shown.paid);
      expect(of('unpaid').spent).toBe(shown.unpaid);
      expect(of('leads').leads).toBe(shown.leads);
    }
  });

  it('GRD-3010 totals of a filter that are kept while rows change are those of all its rows', () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const next = numbersOf(seed);
      const kept = filteredSums();
      const fits = fitsFilters(filtersOf(next), null, names);
      let all = rowsOf(next, 20 + Math.floor(next() * 20));
      let shown = all.filter(isInSight(fits));
      for (let step = 0; step < 8; step += 1) {
        // In some places other rows, as the server changes them; then some come or go.
        const others = rowsOf(next, all.length);
        all = step === 5 ? all.slice(2) : all.map((row, at) => (next() < 0.2 ? (others[at] ?? row) : row));
        shown =
          next() < 0.5 ? shown.map((row, at) => (next() < 0.2 ? (all[at] ?? row) : row)) : all.filter(isInSight(fits));
        const moving = all.filter(({ entries }) => entries.length > 0);
        const { spent, paid, leads, placements } = kept(shown, moving, fits);
        const fitting = filteredRows(shown, moving, fits);
        const wanted = sumsOf(fitting);
        expect([spent / 100, paid / 100, leads]).toEqual([wanted.spent, wanted.paid, wanted.leads]);
        expect(placements).toBe(fitting.filter(({ counted }) => counted).length);
      }
    }
  });

  it('FTP-2 the newest stand first, and each that does not count has its own reason', () => {
    const [old, late, unpaid, gone] = [
      { id: 'a', date: '2026-11-01', paymentStatus: 'paid' },
      { id: 'b', date: '2026-11-09', paymentStatus: 'paid' },
      { id: 'c', date: '2026-11-05', paymentStatus: 'unpaid' },
      { id: 'd', date: '2026-11-06', paymentStatus: 'paid' },
    ].map((one) => ({ id: one.id, counted: one.id !== 'd', decided: { price: 1, leads: 2, ...one } }) as PlacementRow);
    if (!old || !late || !unpaid || !gone) throw new Error('four rows');
    const other = { ...old, id: 'e' };
    const all = [old, late, unpaid, gone, other];
    const { counted, leftOut } = partsOf('paid', [old, late, unpaid], all, ({ id }) => (id === 'e' ? 'Снято' : null));
    expect(counted.map(({ row }) => row.id)).toEqual(['b', 'a']);
    expect(leftOut.map(({ row, note }) => [row.id, note])).toEqual([
      ['d', 'Ещё не записано или удаляется'],
      ['c', 'Не оплачено'],
      ['e', 'Снято'],
    ]);
  });
});
