import { expect, it } from 'vitest';
import { dayTicks, roughRoubles } from './chart-text.ts';

const days = (first: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * 86_400_000).toISOString().slice(0, 10),
  );
const named = (first: string, count: number): readonly string[] => {
  const { ticks, tickFormatter } = dayTicks(days(first, count));
  return ticks.map(tickFormatter);
};

it('ANL-1153 below a picture each month is named where it begins, whichever days have room', () => {
  expect(named('2026-10-19', 32)).toEqual(['19 окт.', '23', '27', '31', '4 нояб.', '8', '12', '16']);
  expect(named('2026-11-01', 3)).toEqual(['1 нояб.', '2', '3']);
  expect(named('2026-09-05', 80)).toEqual(['5 сент.', '15', '25', '5 окт.', '15', '25', '4 нояб.', '14']);
});

it('ANL-1154 the year stands where the picture begins in another one, and where a new one begins', () => {
  expect(named('2025-12-27', 8)).toEqual(['27 дек. 2025', '29', '30', '31', '1 янв.', '2', '3']);
});

it('CTR-1192 days of many months are named as seldom as their names have room for', () => {
  expect(named('2026-05-09', 246)).toEqual(['9 мая', '28 июня', '17 авг.', '6 окт.', '25 нояб.']);
  expect(named('2026-05-09', 1)).toEqual(['9 мая']);
  expect(named('2026-05-09', 0)).toEqual([]);
  for (let count = 2; count < 800; count += 7) {
    const names = named('2025-11-28', count);
    expect(names.length, `${count} days`).toBeGreaterThan(1);
    expect(names.join(' ').length, `${count} days`).toBeLessThanOrEqual(60);
  }
});

it('ANL-1180 sums beside an axis are short at any size', () => {
  expect([999, 12_345, 1_500_000, 9_876_543_210].map((sum) => roughRoubles(sum).replaceAll(/\s/gu, ' '))).toEqual([
    '999',
    '12 тыс.',
    '1,5 млн',
    '9,9 млрд',
  ]);
});

it('ANL-1241 a sum beside an axis that is rounded up to the next word has that word', () => {
  expect([999_999_999, 999_949_999, 999_999].map((sum) => roughRoubles(sum).replaceAll(/\s/gu, ' '))).toEqual([
    '1 млрд',
    '999,9 млн',
    '1 млн',
  ]);
});
