import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { kopecks, percentOf } from '../money.ts';
import { largestFirst, lineAmounts } from './line-amounts.ts';

const percent = fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10);
const price = fc.integer({ min: 0, max: 100_000_000_000 }).map(kopecks);

test('LIN-65 what lines bring adds up to the kopeck to the percent of their sum, and none is further from its share than a kopeck', () => {
  fc.assert(
    fc.property(percent, fc.array(price, { maxLength: 60 }), (rate, prices) => {
      const { down, left, amount } = lineAmounts(rate);
      const lines = prices.map((one, index) => ({ id: String(index), price: one })).toSorted(largestFirst);
      const total = kopecks(prices.reduce((sum, one) => sum + one, 0));
      const more = left(total, kopecks(prices.reduce((sum, one) => sum + down(one), 0)));
      expect(more >= 0 && more <= lines.length).toBe(true);
      const amounts = lines.map((line, index) => amount(line.price, index < more));
      expect(amounts.reduce((sum, one) => sum + one, 0)).toBe(percentOf(total, rate));
      for (const [index, line] of lines.entries())
        expect(Math.abs((amounts[index] ?? 0) - percentOf(line.price, rate))).toBeLessThanOrEqual(1);
    }),
  );
});

test('LIN-66 what rounding left over goes to the largest lines, of equal ones to the first by id', () => {
  const lines = [
    { id: 'b', price: kopecks(15) },
    { id: 'c', price: kopecks(5) },
    { id: 'a', price: kopecks(15) },
  ];
  expect(lines.toSorted(largestFirst).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
});
