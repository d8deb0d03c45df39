import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDay } from './calendar.ts';
import { readDay } from './day-input.ts';

const asOf = '2026-11-28';

test.each([
  ['15.11', '2026-11-15'],
  ['28.11', '2026-11-28'],
  ['29.11', '2026-11-29'],
  ['31.12', '2026-12-31'],
  ['1.5', '2026-05-01'],
  ['27.02', '2026-02-27'],
  ['26.02', '2027-02-26'],
  ['5.1', '2027-01-05'],
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

test.each([
  '',
  '29.02',
  '30.02',
  '31.11',
  '32.1',
  '0.1',
  '15.13',
  '15.11.',
  '15.11.1',
  '15.11.026',
  '15.11.1999',
  '15/11',
])('CEL-1943 %j typed into a day is none', (text) => {
  expect(readDay(text, asOf)).toBeNull();
});

test.each(['15.11 вечером', '15.11\t16.11', '15 .11', '1511', '15-11', 'позапозавчера', 'вчера днём', '2026-11-1'])(
  'CEL-1944 nothing is left out of %j to make it a day',
  (text) => {
    expect(readDay(text, asOf)).toBeNull();
  },
);

test.each([
  ['28.12', '2026-01-05', '2025-12-28'],
  ['1.10', '2026-01-01', '2026-10-01'],
  ['29.2', '2024-12-20', '2024-02-29'],
  ['5.1', '2100-12-20', '2100-01-05'],
])('CEL-1952 %j typed on %s is %s', (text, today, day) => {
  expect(readDay(text, today as never)).toBe(day);
});

test('CEL-1945 a day without its year is the one within nine months of today, so far as there is one', () => {
  const days = fc
    .integer({ min: Date.UTC(2009, 0, 1) / 86_400_000, max: Date.UTC(2099, 11, 31) / 86_400_000 })
    .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(days, days, (today, other) => {
      const [, month = '', date = ''] = other.split('-');
      const read = readDay(`${Number(date)}.${month}`, today);
      const year = Number(today.slice(0, 4));
      const dayOf = (one: number) => parseDay(`${one}-${month}-${date}`);
      const isNear = (day: string | null): boolean =>
        day !== null && Math.abs(Date.parse(day) - Date.parse(today)) <= 274 * 86_400_000;
      const own = dayOf(year);
      const beside = [dayOf(year - 1), dayOf(year + 1)].filter(isNear);
      // 29 February of a leap year may have none that is near.
      const isBeside = own !== null && !isNear(own) && beside.length > 0;
      expect(isBeside ? beside : [own]).toContain(read);
      expect(readDay(other.split('-').toReversed().join('.'), today)).toBe(other);
    }),
  );
});
