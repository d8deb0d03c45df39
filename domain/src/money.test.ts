import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  formatRoubles,
  formatRoublesExact,
  fromRoubles,
  kopecks,
  maxKopecks,
  parseRoubles,
  percentOf,
  readPrice,
  toRoubles,
} from './money.ts';

const anyPrice = fc.integer({ min: 0, max: maxKopecks }).map(kopecks);

test.each([
  ['', 0],
  ['   ', 0],
  ['0', 0],
  ['1000', 100_000],
  ['1000.5', 100_050],
  ['1000,50', 100_050],
  ['1 000,50', 100_050],
  ['1\u00a0000,50\u00a0₽', 100_050],
  ['1\u202f234\u202f567,89 ₽', 123_456_789],
  ['₽ 500', 50_000],
  ['5.', 500],
  ['.5', 50],
  [',05', 5],
  ['  7 ', 700],
  ['1000000000', 100_000_000_000],
])('MONEY-1 %j is a price of %i kopecks', (text, amount) => {
  expect(parseRoubles(text)).toBe(amount);
});

test.each([
  '1,234',
  '1.005',
  '1,000.50',
  '1.2.3',
  '1,2,3',
  '12 34',
  '540\t064',
  '540\n064',
  '5400\n₽',
  '1 00',
  '1 0000',
  '1 ,5',
  '1₽0',
  '₽',
  '.',
  ',',
  '-5',
  '+5',
  '1e5',
  'abc',
  '0x10',
  '١٢',
  '1000000000.01',
  '10000000000',
])('MONEY-2 %j is no price', (text) => {
  expect(parseRoubles(text)).toBeNull();
});

test.each([
  [0, 0],
  [-0, 0],
  [0.1, 10],
  [19.99, 1999],
  [1.15, 115],
  [999_999_999.99, 99_999_999_999],
  [1_000_000_000, 100_000_000_000],
])('MONEY-3 the number %s is a price of %i kopecks', (outside, amount) => {
  expect(readPrice(outside)).toBe(amount);
});

test.each([
  [0.1 + 0.2],
  [1.005],
  [-1],
  [1_000_000_000.01],
  [Number.NaN],
  [Infinity],
  [null],
  [true],
  [[]],
  [undefined],
])('MONEY-4 %s from outside is no price', (outside) => {
  expect(readPrice(outside)).toBeNull();
});

test('MONEY-5 an amount survives the way out as a number and back', () => {
  fc.assert(
    fc.property(anyPrice, (amount) => {
      expect(fromRoubles(toRoubles(amount))).toBe(amount);
    }),
  );
});

test('MONEY-6 a formatted amount reads back as itself', () => {
  fc.assert(
    fc.property(anyPrice, (amount) => {
      expect(parseRoubles(formatRoubles(amount))).toBe(amount);
      expect(parseRoubles(formatRoublesExact(amount))).toBe(amount);
    }),
  );
});

test.each([
  [0, '0 ₽', '0,00 ₽'],
  [5, '0,05 ₽', '0,05 ₽'],
  [99_900, '999 ₽', '999,00 ₽'],
  [100_000, '1 000 ₽', '1 000,00 ₽'],
  [123_456_750, '1 234 567,50 ₽', '1 234 567,50 ₽'],
  [-123_456, '−1 234,56 ₽', '−1 234,56 ₽'],
  [-100, '−1 ₽', '−1,00 ₽'],
  [100_000_000_000, '1 000 000 000 ₽', '1 000 000 000,00 ₽'],
])('MONEY-7 %i kopecks are shown with NBSP and a minus sign', (amount, short, exact) => {
  expect(formatRoubles(kopecks(amount))).toBe(short.replaceAll(' ', '\u00a0'));
  expect(formatRoublesExact(kopecks(amount))).toBe(exact.replaceAll(' ', '\u00a0'));
});

test.each([
  [1000, 10, 100],
  [5, 10, 1],
  [4, 10, 0],
  [100, 0.5, 1],
  [10_050, 12.5, 1256],
  // As floats 1.005 × 100 falls short of a half.
  [10_000, 1.005, 101],
  [100_000_000_000, 100, 100_000_000_000],
  [0, 55, 0],
])('MONEY-8 %i kopecks × %s %% is %i', (amount, percent, expected) => {
  expect(percentOf(kopecks(amount), percent)).toBe(expected);
});
