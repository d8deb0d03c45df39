import { expect, test } from 'vitest';
import { kopecks } from '../money.ts';
import { campaignSummary } from './summary.ts';
import { noTotals, totalsOf } from './sums.ts';

test('SUM-1 the figures of a campaign come from sums over its placements', () => {
  const totals = totalsOf([
    { price: kopecks(1_000_00), leads: 10, paymentStatus: 'paid' },
    { price: kopecks(500_00), leads: 0, paymentStatus: 'unpaid' },
    { price: kopecks(0), leads: 1, paymentStatus: 'later' },
  ]);
  expect(campaignSummary(kopecks(1_200_00), totals)).toEqual({
    totalBudget: 1_200_00,
    spentBudget: 1_500_00,
    remainingBudget: -300_00,
    averageCostPerLead: 136_36,
    totalLeads: 11,
    totalPlacements: 3,
    paidBudget: 1_000_00,
    unpaidBudget: 500_00,
  });
});

test('SUM-2 no placements give zeros', () => {
  expect(campaignSummary(kopecks(0), noTotals)).toEqual({
    totalBudget: 0,
    spentBudget: 0,
    remainingBudget: 0,
    averageCostPerLead: 0,
    totalLeads: 0,
    totalPlacements: 0,
    paidBudget: 0,
    unpaidBudget: 0,
  });
});
