import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kopecks, percentOf } from '../money.ts';
import {
  type EarningsRow,
  earningsOf,
  explainEarnings,
  paysAlike,
  resolveTerms,
  showTerms,
  type Terms,
} from './earnings.ts';
import { earningsOfSums, noEarningsSums, shiftedEarnings } from './earnings-sums.ts';
import { countsAlike, salaryReportBonus } from './salary-report.ts';

const row = (placementId: string, price: number, leads: number): EarningsRow => ({
  placementId,
  price: kopecks(price),
  leads,
});
const performance = (salaryRate: number, threshold = 100_00): Terms => ({
  salaryType: 'performance',
  salaryRate,
  cplThreshold: kopecks(threshold),
  source: 'participant',
});
const share = (salaryRate: number): Terms => ({ ...performance(salaryRate), salaryType: 'budget' });
const none = resolveTerms(null, null);
const literal = { countZeroLeads: true };
const strict = { countZeroLeads: false };
const plain = (text: string): string => text.replaceAll('\u00a0', ' ');

describe('terms', () => {
  const person = { salaryType: 'budget', salaryRate: 5, performanceThreshold: kopecks(80_00) };
  const entry = { salaryType: 'performance', salaryRate: 10, cplThreshold: kopecks(70_00) };

  test('EARN-1 a participant entry with a salary type is taken whole', () => {
    expect(resolveTerms(entry, person)).toEqual({
      salaryType: 'performance',
      salaryRate: 10,
      cplThreshold: 70_00,
      source: 'participant',
    });
    expect(resolveTerms({ ...entry, salaryRate: null }, person).salaryRate).toBe(0);
  });

  test('EARN-2 an entry without a salary type leaves the terms of the person', () => {
    expect(resolveTerms({ ...entry, salaryType: null }, person)).toEqual({
      salaryType: 'budget',
      salaryRate: 5,
      cplThreshold: 80_00,
      source: 'user',
    });
  });

  test('EARN-3 the threshold is the entry’s, else the person’s, else 100 ₽', () => {
    const unset = { ...entry, cplThreshold: null };
    expect(resolveTerms(unset, person).cplThreshold).toBe(80_00);
    expect(resolveTerms(unset, null).cplThreshold).toBe(100_00);
    expect(resolveTerms({ ...entry, cplThreshold: kopecks(0) }, person).cplThreshold).toBe(0);
  });

  test('EARN-4 no terms anywhere are none', () => {
    expect(none.source).toBe('none');
    expect(resolveTerms(null, { ...person, salaryType: null }).source).toBe('none');
  });

  test('EARN-5 they are shown in words', () => {
    expect(plain(showTerms(share(10)))).toBe('10% от бюджета');
    expect(plain(showTerms({ ...share(12.5), salaryType: 'percentage' }))).toBe('12,5% от бюджета');
    expect(plain(showTerms(performance(10)))).toBe('10% за результат до 100 ₽');
    expect(plain(showTerms({ ...performance(7, 80_50), salaryType: 'bonus' }))).toBe('7% за результат до 80,50 ₽');
    expect(showTerms(none)).toBe('Условия не заданы');
  });
});

test('EARN-6 a share counts everything spent and rounds once', () => {
  const rows = [row('a', 5, 1), row('b', 5, 0), row('c', 5, 100)];
  const result = earningsOf(share(10), rows, strict);
  expect(result.earnings).toBe(2);
  expect(result.counted.map((line) => line.amount)).toEqual([1, 1, 1]);
  expect(result.leftOut).toEqual([]);
  expect(result.spent).toBe(15);
  expect(result.zeroLeads).toEqual({ count: 0, price: 0 });
});

test('EARN-7 a result counts at the threshold and not above it, before rounding', () => {
  const result = earningsOf(
    performance(10),
    [row('under', 99_99, 1), row('at', 300_00, 3), row('over', 300_01, 3), row('far', 500_00, 1)],
    literal,
  );
  expect(result.counted.map((line) => line.placementId)).toEqual(['under', 'at']);
  expect(result.leftOut.map((line) => [line.placementId, plain(line.reason)])).toEqual([
    ['over', 'CPL выше 100 ₽: 300,01 ₽ за 3 лида'],
    ['far', 'CPL выше 100 ₽: 500 ₽ за 1 лид'],
  ]);
  expect(result.earnings).toBe(40_00);
  expect(result.spent).toBe(1_200_00);
});

test('EARN-8 placements without leads count as the formula says, and are named', () => {
  const rows = [row('a', 500_00, 0), row('b', 50_00, 1)];
  const result = earningsOf(performance(10), rows, literal);
  expect(result.earnings).toBe(55_00);
  expect(result.zeroLeads).toEqual({ count: 1, price: 500_00 });
  expect(plain(explainEarnings(result).formula)).toBe(
    '2 размещения с CPL до 100 ₽: 550 ₽ × 10 ÷ 100 = 55 ₽; без лидов засчитано: 1 на 500 ₽',
  );
});

test('EARN-9 the switch leaves placements without leads out', () => {
  const result = earningsOf(performance(10), [row('a', 500_00, 0), row('b', 50_00, 1)], strict);
  expect(result.earnings).toBe(5_00);
  expect(result.leftOut.map((line) => line.reason)).toEqual(['Лидов пока нет']);
  expect(result.zeroLeads).toEqual({ count: 0, price: 0 });
  expect(plain(explainEarnings(result).formula)).toBe('1 размещение с CPL до 100 ₽: 50 ₽ × 10 ÷ 100 = 5 ₽');
});

test('EARN-10 without terms nothing is earned, and every line says why', () => {
  const result = earningsOf(none, [row('a', 500_00, 10)], literal);
  expect(result.earnings).toBe(0);
  expect(result.leftOut.map((line) => line.reason)).toEqual(['Условия не заданы']);
  expect(explainEarnings(result)).toEqual({ value: 0, formula: 'Условия не заданы' });
});

test('EARN-11 a share explains itself', () => {
  expect(plain(explainEarnings(earningsOf(share(12.5), [row('a', 1_000_00, 0)], literal)).formula)).toBe(
    'потрачено: 1 000 ₽ × 12,5 ÷ 100 = 125 ₽',
  );
});

const anyRows = fc.array(
  fc.record({
    placementId: fc.uuid(),
    price: fc.nat({ max: 100_000_000 }).map(kopecks),
    leads: fc.oneof(fc.constant(0), fc.nat({ max: 10_000 })),
  }),
);
const anyTerms = fc.record({
  salaryType: fc.constantFrom('budget', 'percentage', 'performance'),
  salaryRate: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
  cplThreshold: fc.nat({ max: 50_000 }).map(kopecks),
  source: fc.constantFrom('participant' as const, 'user' as const),
});

test('EARN-12 every line is counted or left out, and earnings are the rate of the counted prices', () => {
  fc.assert(
    fc.property(anyTerms, anyRows, fc.boolean(), (held, lines, countZeroLeads) => {
      const result = earningsOf(held, lines, { countZeroLeads });
      expect(result.counted.length + result.leftOut.length).toBe(lines.length);
      const base = result.counted.reduce((total, line) => total + line.price, 0);
      expect(result.earnings).toBe(percentOf(kopecks(base), held.salaryRate));
      const byLine = result.counted.reduce((total, line) => total + line.amount, 0);
      expect(Math.abs(byLine - result.earnings)).toBeLessThanOrEqual(result.counted.length / 2 + 0.5);
    }),
  );
});

test('EARN-15 sums kept line by line give the totals of all lines, whatever came and went and under any other rate and switch', () => {
  const others = fc.record({
    salaryType: fc.constantFrom(null, 'budget', 'performance'),
    salaryRate: fc.integer({ min: 0, max: 10_000 }).map((n) => n / 100),
  });
  fc.assert(
    fc.property(anyTerms, others, anyRows, anyRows, fc.boolean(), (terms, other, stay, go, countZeroLeads) => {
      let sums = noEarningsSums;
      for (const line of [...go, ...stay]) sums = shiftedEarnings(sums, line, terms.cplThreshold, 1);
      for (const line of go) sums = shiftedEarnings(sums, line, terms.cplThreshold, -1);
      const source = other.salaryType === null ? ('none' as const) : terms.source;
      for (const held of [terms, { ...terms, ...other, source }]) {
        const { spent, earnings, countedTotal, zeroLeads } = earningsOf(held, stay, { countZeroLeads });
        const told = earningsOfSums(held, sums, { countZeroLeads });
        expect(told).toEqual({ spent, earnings, countedTotal, zeroLeads });
      }
    }),
  );
});

test('EARN-16 terms that pay alike, and count alike for the salary report, give the same for any lines; others differ for some', () => {
  const paid = fc.record({
    salaryType: fc.constantFrom(null, 'budget', 'percentage', 'performance'),
    salaryRate: fc.constantFrom(null, 5, 10),
    performanceThreshold: fc.constantFrom(null, kopecks(50_00), kopecks(100_00)),
  });
  // Under, at and above each threshold, and without leads.
  const lines = [
    [40_00, 1],
    [90_00, 1],
    [100_00, 1],
    [300_00, 1],
    [500_00, 0],
  ].map(([price = 0, leads = 0], at) => row(String(at), price, leads));
  fc.assert(
    fc.property(paid, paid, fc.boolean(), (a, b, countZeroLeads) => {
      const [first, second] = [a, b].map((one) => resolveTerms(null, one)) as [Terms, Terms];
      const [earned, other] = [first, second].map((one) => earningsOf(one, lines, { countZeroLeads }).earnings);
      expect(paysAlike(first, second)).toBe(earned === other);
      const [bonus, otherBonus] = [a, b].map((one) => salaryReportBonus(one, lines, { countZeroLeads }));
      expect(countsAlike(a, b)).toBe(bonus === otherBonus);
    }),
  );
});

test.each([
  ['performance', null, 105_00],
  ['performance', kopecks(50_00), 50_00],
  ['budget', null, 0],
  [null, null, 0],
])('EARN-13 the salary report for %s under %s gives %i kopecks', (salaryType, performanceThreshold, bonus) => {
  const rows = [row('under', 99_99, 1), row('near', 450_01, 5), row('at', 100_00, 1), row('none', 500_00, 0)];
  expect(salaryReportBonus({ salaryType, performanceThreshold }, rows, literal)).toBe(bonus);
});

test('EARN-14 the salary report follows the switch about placements without leads', () => {
  const person = { salaryType: 'performance', salaryRate: null, performanceThreshold: null };
  expect(salaryReportBonus(person, [row('none', 500_00, 0)], strict)).toBe(0);
});
