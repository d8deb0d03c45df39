import { expect, test } from 'vitest';
import { kopecks } from '../money.ts';
import {
  averagePrice,
  conversionRate,
  defaultLeadValue,
  explainConversionRate,
  explainRoi,
  indicators,
  roi,
  topBuyers,
  topCreatives,
} from './indicators.ts';

test('IND-1 the indicators of a campaign', () => {
  const totals = { spent: kopecks(7_370_00), paid: kopecks(0), leads: 100, placements: 7 };
  expect(
    indicators({ totalBudget: kopecks(10_000_00), totals, buyers: 2, creatives: 3, leadValue: defaultLeadValue }),
  ).toEqual({
    budgetUsePercent: 73.7,
    leadsPerPlacement: 14.29,
    placementsPerBuyer: 3.5,
    budgetPerCreative: 2_456_67,
    roi: 35.69,
    conversionRate: 1428.57,
  });
});

test('IND-2 every indicator is 0 where its divisor is 0', () => {
  const totals = { spent: kopecks(0), paid: kopecks(0), leads: 0, placements: 0 };
  const figures = indicators({ totalBudget: kopecks(0), totals, buyers: 0, creatives: 0, leadValue: defaultLeadValue });
  expect(Object.values(figures)).toEqual([0, 0, 0, 0, 0, 0]);
});

test.each([
  [100_00, 1, 0],
  [100_00, 0, -100],
  [50_00, 1, 100],
  [300_00, 1, -66.67],
])('IND-3 %i kopecks for %i leads return %s %%', (spent, leads, percent) => {
  expect(roi(kopecks(spent), leads, defaultLeadValue)).toBe(percent);
});

test('IND-4 averages and conversion are sums over sums', () => {
  expect(averagePrice(kopecks(100), 3)).toBe(33);
  expect(averagePrice(kopecks(100), 0)).toBe(0);
  expect(conversionRate(7, 2)).toBe(350);
});

test('IND-5 they explain themselves', () => {
  expect(explainRoi(kopecks(50_00), 1, defaultLeadValue).formula.replaceAll('\u00a0', ' ')).toBe(
    '(1 лид × 100 ₽ − 50 ₽) ÷ 50 ₽ × 100 = 100 %',
  );
  expect(explainRoi(kopecks(0), 1, defaultLeadValue)).toEqual({ value: 0, formula: 'расходов пока нет' });
  expect(explainConversionRate(7, 2).formula.replaceAll('\u00a0', ' ')).toBe('7 ÷ 2 × 100 = 350 %');
  expect(explainConversionRate(7, 0)).toEqual({ value: 0, formula: 'размещений пока нет' });
});

test('IND-6 three buyers by spend, ties by id', () => {
  const lines = [
    { buyerId: 'd', spent: 5 },
    { buyerId: 'b', spent: 10 },
    { buyerId: 'a', spent: 10 },
    { buyerId: 'c', spent: 7 },
  ];
  expect(topBuyers(lines).map((line) => line.buyerId)).toEqual(['a', 'b', 'c']);
  expect(lines[0]?.buyerId).toBe('d');
});

test('IND-7 three creatives by leads, never the missing one', () => {
  const lines = [
    { creativeId: 'NO_CREATIVE', leads: 100 },
    { creativeId: 'a', leads: 1 },
    { creativeId: 'b', leads: 2 },
  ];
  expect(topCreatives(lines).map((line) => line.creativeId)).toEqual(['b', 'a']);
});
