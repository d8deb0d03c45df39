import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDay } from './calendar.ts';
import { readDay } from './day-input.ts';

const asOf = '2026-11-28';

test.each([
  ['15.11', '2026-11-15'],
  ['5.1', '2026-01-05'],
  ['28.11', '2026-11-28'],
  ['29.11', '2025-11-29'],
  ['31.12', '2025-12-31'],
  ['29.02', '2024-02-29'],
  ['15.11.26', '2026-11-15'],
  ['15.11.2026', '2026-11-15'],
  ['15.11.2027', '2027-11-15'],
  ['2026-11-15', '2026-11-15'],
  ['\u00a015.11\u00a0', '2026-11-15'],
  ['сегодня', '2026-11-28'],
  ['Вчера', '2026-11-27'],
  ['ПОЗАВЧЕРА', '2026-11-26'],
])('CEL-1942 %j typed into a day on 28 November 2026 is %s', (text, day) => {
  expect(readDay(text, asOf)).toBe(day);
});

test.each(['', '30.02', '31.11', '32.1', '0.1', '15.13', '15.11.', '15.11.1', '15.11.026', '15.11.1999', '15/11'])(
  'CEL-1943 %j typed into a day is none',
  (text) => {
    expect(readDay(text, asOf)).toBeNull();
  },
);

test.each(['15.11 вечером', '15.11\t16.11', '15 .11', '1511', '15-11', 'позапозавчера', 'вчера днём', '2026-11-1'])(
  'CEL-1944 nothing is left out of %j to make it a day',
  (text) => {
    expect(readDay(text, asOf)).toBeNull();
  },
);

test('CEL-1945 a day without its year is the last such day that is not in the future', () => {
  const days = fc
    .integer({ min: Date.UTC(2009, 0, 1) / 86_400_000, max: Date.UTC(2100, 11, 31) / 86_400_000 })
    .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(days, days, (today, other) => {
      const [, month = '', date = ''] = other.split('-');
      const read = readDay(`${Number(date)}.${month}`, today) ?? '';
      expect(read.slice(5)).toBe(`${month}-${date}`);
      expect(read <= today).toBe(true);
      const later = Array.from({ length: 8 }, (_, year) => `${Number(read.slice(0, 4)) + year + 1}-${month}-${date}`);
      expect(later.filter((day) => parseDay(day) !== null && day <= today)).toEqual([]);
      expect(readDay(other.split('-').toReversed().join('.'), today)).toBe(other);
    }),
  );
});
