import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { kopecks, toRoubles } from '../money.ts';
import { explainFigure, type Figure, type FigureOperands, figures } from './figures.ts';
import { indicators } from './indicators.ts';
import { campaignSummary } from './summary.ts';

const plain = (text: string): string => text.replaceAll('\u00a0', ' ').replaceAll('\u2212', '-');
const operands: FigureOperands = {
  totals: { spent: kopecks(1_500_00), paid: kopecks(1_000_00), leads: 12, placements: 4 },
  totalBudget: kopecks(1_000_00),
  buyers: 2,
  creatives: 3,
  leadValue: kopecks(100_00),
};

test.each<[Figure, string, string]>([
  ['budget', '1 000 ₽', 'задан в кампании: 1 000 ₽'],
  ['spent', '1 500 ₽', 'цены вместе: 4 размещения на 1 500 ₽'],
  ['paid', '1 000 ₽', 'цены оплаченных размещений вместе: 1 000 ₽'],
  ['unpaid', '500 ₽', '1 500 ₽ - 1 000 ₽ = 500 ₽'],
  ['remaining', '-500 ₽', '1 000 ₽ - 1 500 ₽ = -500 ₽'],
  ['budgetUse', '150 %', '1 500 ₽ ÷ 1 000 ₽ × 100 = 150 %'],
  ['leads', '12', 'приход вместе: 4 размещения, 12 лидов'],
  ['placements', '4', 'засчитано: 4 размещения'],
  ['cpl', '125 ₽', '1 500 ₽ ÷ 12 лидов = 125 ₽'],
  ['averagePrice', '375 ₽', '1 500 ₽ ÷ 4 = 375 ₽'],
  ['leadsPerPlacement', '3', '12 ÷ 4 = 3'],
  ['placementsPerBuyer', '2', '4 ÷ 2 = 2'],
  ['budgetPerCreative', '500 ₽', '1 500 ₽ ÷ 3 = 500 ₽'],
  ['roi', '-20 %', '(12 лидов × 100 ₽ - 1 500 ₽) ÷ 1 500 ₽ × 100 = -20 %'],
  ['conversion', '300 %', '12 ÷ 4 × 100 = 300 %'],
])('LIN-1 %s is %s: %s', (figure, shown, formula) => {
  const explained = explainFigure(figure, operands);
  expect([plain(explained.shown), plain(explained.formula)]).toEqual([shown, formula]);
});

test('LIN-2 every figure is the one that reports show, also where nothing is there to divide by', () => {
  const some = fc.record({
    spent: fc.nat({ max: 1e9 }).map(kopecks),
    paidPart: fc.nat({ max: 100 }),
    leads: fc.nat({ max: 1e6 }),
    placements: fc.nat({ max: 1e4 }),
    totalBudget: fc.nat({ max: 1e9 }).map(kopecks),
    buyers: fc.nat({ max: 9 }),
    creatives: fc.nat({ max: 9 }),
    leadValue: fc.nat({ max: 1e6 }).map(kopecks),
  });
  fc.assert(
    fc.property(some, ({ spent, paidPart, leads, placements, ...rest }) => {
      const paid = kopecks(Math.floor((spent * paidPart) / 100));
      const totals = { spent, paid, leads, placements };
      const given = { totals, ...rest };
      const summary = campaignSummary(rest.totalBudget, totals);
      const known = indicators(given);
      const value = (figure: Figure): number => explainFigure(figure, given).value;
      expect(Object.fromEntries(figures.map((figure) => [figure, value(figure)]))).toMatchObject({
        spent: toRoubles(summary.spentBudget),
        paid: toRoubles(summary.paidBudget),
        unpaid: toRoubles(summary.unpaidBudget),
        remaining: toRoubles(summary.remainingBudget),
        budgetUse: known.budgetUsePercent,
        leads,
        placements,
        cpl: toRoubles(summary.averageCostPerLead),
        leadsPerPlacement: known.leadsPerPlacement,
        placementsPerBuyer: known.placementsPerBuyer,
        budgetPerCreative: toRoubles(known.budgetPerCreative),
        roi: known.roi,
        conversion: known.conversionRate,
      });
    }),
  );
});
