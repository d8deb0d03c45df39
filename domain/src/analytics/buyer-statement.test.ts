import { expect, test } from 'vitest';
import { kopecks } from '../money.ts';
import { differsFromOwnRate, explainOwnRate, ownRateShare } from './buyer-statement.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ');
const terms = { salaryType: 'budget', salaryRate: 10, cplThreshold: kopecks(100_00), source: 'participant' } as const;

test('SAL-20 a buyer’s statement is everything spent by the percent on their own record', () => {
  expect(ownRateShare(kopecks(1_000_05), 12.5)).toBe(125_01);
  expect(ownRateShare(kopecks(1_000_00), null)).toBe(0);
  expect(plain(explainOwnRate(kopecks(1_000_00), 12.5).formula)).toBe('потрачено: 1 000 ₽ × 12,5 ÷ 100 = 125 ₽');
  expect(explainOwnRate(kopecks(1), null)).toEqual({ value: 0, formula: 'Ставка сотрудника не задана' });
});

test('SAL-21 the terms of the campaign differ by scheme or percent', () => {
  expect(differsFromOwnRate(terms, 10)).toBe(false);
  expect(differsFromOwnRate(terms, 5)).toBe(true);
  expect(differsFromOwnRate({ ...terms, salaryType: 'performance' }, 10)).toBe(true);
  expect(differsFromOwnRate({ ...terms, salaryRate: 0, source: 'none' }, null)).toBe(true);
});
