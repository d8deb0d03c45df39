import { expect, it } from 'vitest';
import { leftText, untilText } from './licence-words.ts';

const now = Date.UTC(2026, 10, 21, 11, 2);
const inDays = (days: number): string => new Date(now + days * 86_400_000).toISOString();

it.each([
  [0, 'осталось 0 дней'],
  [1, 'остался 1 день'],
  [2, 'осталось 2 дня'],
  [5, 'осталось 5 дней'],
  [11, 'осталось 11 дней'],
  [21, 'остался 21 день'],
  [25, 'осталось 25 дней'],
  [101, 'остался 101 день'],
])('RU-10 of a licence that ends in %i days it is said: %s', (days, text) => {
  expect(leftText(days)).toBe(text);
  expect(untilText(inDays(days), now)).toContain(`(${text})`);
});
