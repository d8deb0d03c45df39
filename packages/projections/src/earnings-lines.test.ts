import type { EarningsRow } from '@zakup/contracts/read-models';
import { type CountedLine, earningsOf, type LeftOutLine, resolveTerms } from '@zakup/domain/analytics/earnings';
import { noEarningsSums, noTally } from '@zakup/domain/analytics/earnings-sums';
import { kopecks } from '@zakup/domain/money';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EarningsLines } from './earnings-lines.ts';

const rowOf = (salaryType: string, salaryRate: number, countZeroLeads: boolean): EarningsRow => ({
  campaignId: 'k',
  userId: 'ann',
  terms: resolveTerms(null, { salaryType, salaryRate, performanceThreshold: kopecks(20) }),
  budget: kopecks(0),
  spent: kopecks(0),
  earnings: kopecks(0),
  countedTotal: noTally,
  zeroLeads: noTally,
  countZeroLeads,
  sums: noEarningsSums,
});

/** Lines, and how many of them were made. */
const counting = () => {
  let made = 0;
  const asIs = <Line extends CountedLine | LeftOutLine>(line: Line): Line => {
    made += 1;
    return line;
  };
  const lines = new EarningsLines({ counted: asIs<CountedLine>, leftOut: asIs<LeftOutLine> });
  return { lines, made: () => made };
};

const step = fc.record({
  /** One, a few, or more than are put in their places one by one. */
  changes: fc.array(
    fc.record({ id: fc.nat(99), price: fc.nat(60), leads: fc.nat(3), there: fc.integer({ min: 0, max: 3 }) }),
    { minLength: 1, maxLength: 150, size: 'max' },
  ),
  row: fc.constantFrom(
    rowOf('performance', 10, true),
    rowOf('performance', 10, true),
    rowOf('performance', 10, false),
    rowOf('percentage', 15, false),
  ),
});

describe('the lines of one person’s earnings', () => {
  it('LV-2593 after whatever changed they are those that all placements give, in order; what did not change is the object that it was', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
        const { lines } = counting();
        const rows = new Map<string, { placementId: string; price: ReturnType<typeof kopecks>; leads: number }>();
        let before = new Map<string, CountedLine | LeftOutLine>();
        let basis = '';
        for (const { changes, row } of steps) {
          const touched = new Set<string>();
          for (const { id: number, price, leads, there } of changes) {
            const id = `p${String(number).padStart(2, '0')}`;
            touched.add(id);
            if (there === 0) {
              lines.remove(id);
              rows.delete(id);
              continue;
            }
            lines.set({ id, price: kopecks(price), leads });
            rows.set(id, { placementId: id, price: kopecks(price), leads });
          }
          const all = [...rows.values()].toSorted((a, b) => (a.placementId < b.placementId ? -1 : 1));
          const { campaignId, userId, budget } = row;
          const told = await lines.told(row);
          expect(told).toEqual({ campaignId, userId, budget, ...earningsOf(row.terms, all, row) });
          const now = new Map([...told.counted, ...told.leftOut].map((line) => [line.placementId, line]));
          const isSameBasis = basis === JSON.stringify([row.terms, row.countZeroLeads]);
          const untouched = [...before].filter(([id]) => isSameBasis && !touched.has(id));
          expect(untouched.filter(([id, line]) => now.get(id) !== line)).toEqual([]);
          before = now;
          basis = JSON.stringify([row.terms, row.countZeroLeads]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('LV-2594 of thousands only the one that changed is made anew, and what was told before stays as it was', async () => {
    const { lines, made } = counting();
    const row = rowOf('performance', 10, false);
    for (let number = 0; number < 5_000; number += 1)
      lines.set({ id: `p${String(number).padStart(4, '0')}`, price: kopecks(number % 50), leads: number % 3 });
    const first = await lines.told(row);
    expect(made()).toBe(5_000);
    const sum = first.counted.length;
    lines.set({ id: 'p0001', price: kopecks(5_000), leads: 1 });
    const second = await lines.told(row);
    expect(made()).toBe(5_001);
    expect(second.counted).toHaveLength(sum - 1);
    expect(first.counted).toHaveLength(sum);
    expect(second.leftOut.find(({ placementId }) => placementId === 'p0001')?.price).toBe(5_000);
  });
});
