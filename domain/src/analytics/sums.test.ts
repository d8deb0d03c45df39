import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { kopecks, maxKopecks } from '../money.ts';
import {
  addSums,
  addTotals,
  averageCpl,
  noSums,
  noTotals,
  shiftSums,
  shiftTotals,
  subtractSums,
  subtractTotals,
  totalsOf,
} from './sums.ts';

const line = fc.record({
  price: fc.integer({ min: 0, max: maxKopecks }).map(kopecks),
  leads: fc.nat({ max: 1_000_000_000 }),
  paymentStatus: fc.constantFrom('paid', 'unpaid', 'later'),
});

test('SUM-3 a placement taken out leaves what was there before it, in any order', () => {
  fc.assert(
    fc.property(fc.array(line), line, (lines, extra) => {
      const before = totalsOf(lines);
      expect(shiftTotals(shiftTotals(before, extra, 1), extra, -1)).toEqual(before);
      expect(totalsOf([extra, ...lines])).toEqual(totalsOf([...lines, extra]));
    }),
  );
});

test('SUM-1755 sums of two parts together are the sums of the whole, and the whole without one part is the other', () => {
  fc.assert(
    fc.property(fc.array(line), fc.array(line), (one, other) => {
      const whole = totalsOf([...one, ...other]);
      expect(addTotals(totalsOf(one), totalsOf(other))).toEqual(whole);
      expect(subtractTotals(whole, totalsOf(other))).toEqual(totalsOf(one));
      expect(addTotals(whole, noTotals)).toEqual(whole);
    }),
  );
});

test('SUM-1756 sums without money that is paid follow the same rules: 500 and 700 roubles, 3 leads and none', () => {
  const dear = shiftSums(noSums, { price: kopecks(700_00), leads: 0 }, 1);
  const both = shiftSums(dear, { price: kopecks(500_00), leads: 3 }, 1);
  expect(both).toEqual({ spent: 1_200_00, leads: 3, placements: 2 });
  expect(subtractSums(both, dear)).toEqual({ spent: 500_00, leads: 3, placements: 1 });
  expect(addSums(dear, subtractSums(both, dear))).toEqual(both);
  expect([averageCpl(both), averageCpl(dear)]).toEqual([400_00, 0]);
});
