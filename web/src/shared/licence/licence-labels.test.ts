import { expect, it } from 'vitest';
import { leftText, seatsText, untilText } from './licence-labels.ts';

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
  [364, 'осталось 364 дня'],
  [365, 'остался год'],
  [366, 'остался год'],
  [367, 'осталось больше года'],
  [731, 'осталось 2 года'],
  [800, 'осталось больше 2 лет'],
  [1_826, 'осталось 5 лет'],
])('RU-10 of a licence that ends in %i days it is said: %s', (days, text) => {
  expect(leftText(days)).toBe(text);
  expect(untilText(inDays(days), now)).toContain(`(${text})`);
});

it('LICM-1142 seats are said as N из M, and that the owner is counted apart', () => {
  expect(seatsText(3, 10)).toBe('3 из 10, владелец отдельно');
  expect(seatsText(1_200, 2_500)).toBe('1\u00a0200 из 2\u00a0500, владелец отдельно');
  expect(seatsText(null, 10)).toBe('не больше 10, владелец отдельно');
});
