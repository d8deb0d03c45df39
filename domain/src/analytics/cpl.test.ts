import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { kopecks, maxKopecks } from '../money.ts';
import { compareCpl, costPerLead, cplClass, explainCostPerLead, showCpl } from './cpl.ts';

test.each([
  [500_000, 40, 12_500],
  [100, 3, 33],
  [200, 3, 67],
  [1, 2, 1],
  [500_000, 0, 0],
  [0, 5, 0],
])('CPL-1 %i kopecks for %i leads cost %i each', (price, leads, each) => {
  expect(costPerLead(kopecks(price), leads)).toBe(each);
});

test.each([
  [99_99, 1, 'good'],
  [100_00, 1, 'middle'],
  [200_00, 1, 'middle'],
  [200_01, 1, 'bad'],
  [0, 1, 'good'],
  [500_00, 0, 'none'],
  // Rounded these would be 100.00 and 200.00.
  [299_99, 3, 'good'],
  [600_01, 3, 'bad'],
] as const)('CPL-2 %i kopecks for %i leads are %s', (price, leads, expected) => {
  expect(cplClass(kopecks(price), leads)).toBe(expected);
});

test('CPL-3 a threshold is compared before rounding and beyond the exact range of floats', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: maxKopecks }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      fc.integer({ min: 0, max: maxKopecks }),
      (price, leads, threshold) => {
        const product = BigInt(threshold) * BigInt(leads);
        const expected = BigInt(price) < product ? -1 : BigInt(price) > product ? 1 : 0;
        expect(compareCpl(kopecks(price), leads, kopecks(threshold))).toBe(expected);
      },
    ),
  );
  expect(compareCpl(kopecks(300_01), 3, kopecks(100_00))).toBe(1);
  expect(compareCpl(kopecks(300_00), 3, kopecks(100_00))).toBe(0);
});

test('CPL-4 without leads the CPL is 0, whatever was paid', () => {
  expect(compareCpl(kopecks(500_00), 0, kopecks(100_00))).toBe(-1);
  expect(compareCpl(kopecks(500_00), 0, kopecks(0))).toBe(0);
});

test('CPL-5 it is shown and explained, — without leads', () => {
  expect(showCpl(kopecks(5_000_00), 40)).toBe('125\u00a0₽');
  expect(showCpl(kopecks(5_000_00), 0)).toBe('—');
  expect(explainCostPerLead(kopecks(5_000_00), 40)).toEqual({
    value: 125_00,
    formula: '5\u00a0000\u00a0₽ ÷ 40\u00a0лидов = 125\u00a0₽',
  });
  expect(explainCostPerLead(kopecks(5_000_00), 0).formula).toBe('5\u00a0000\u00a0₽, лидов пока нет');
});
