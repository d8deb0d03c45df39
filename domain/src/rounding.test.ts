import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decimal, divideHalfUp, proportion, ratio } from './rounding.ts';

test.each([
  [1, 2, 1],
  [-1, 2, 0],
  [-3, 2, -1],
  [-2, 3, -1],
  [-6, 3, -2],
  [5, 3, 2],
  [4, 3, 1],
  [0, 7, 0],
  [5, 0, 0],
  [Number.MAX_SAFE_INTEGER, 1, Number.MAX_SAFE_INTEGER],
  [Number.MAX_SAFE_INTEGER, 2, 4_503_599_627_370_496],
])('ROUND-1 %s / %s is %s, a half upwards', (numerator, denominator, expected) => {
  expect(divideHalfUp(numerator, denominator)).toBe(expected);
});

test('ROUND-2 a proportion is never further than a half from the exact one, small or large', () => {
  const operand = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -1000, max: 1000 }));
  fc.assert(
    fc.property(operand, fc.maxSafeNat(), fc.maxSafeNat(), (value, factor, below) => {
      const divisor = BigInt(below) + 1n;
      const rounded = proportion(BigInt(factor), divisor)(value);
      // A quotient beyond the exact range is a float again.
      fc.pre(Number.isSafeInteger(rounded));
      const off = 2n * (BigInt(rounded) * divisor - BigInt(value) * BigInt(factor));
      expect(off <= divisor && off > -divisor).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('ROUND-3 a ratio has two decimals and is 0 over 0', () => {
  expect(ratio(1, 3)).toBe(0.33);
  expect(ratio(2, 3)).toBe(0.67);
  expect(ratio(2, 3, 100)).toBe(66.67);
  expect(ratio(5, 0)).toBe(0);
});

test.each([
  [0, 0n, 1n],
  [12.5, 125n, 10n],
  [-0.5, -5n, 10n],
  [0.1, 1n, 10n],
  [1e-7, 1n, 10_000_000n],
  [1.5e21, 1_500_000_000_000_000_000_000n, 1n],
])('ROUND-4 %s is read exactly as it is written', (value, units, scale) => {
  expect(decimal(value)).toEqual({ units, scale });
});
