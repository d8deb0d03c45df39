import type { AnalyticsWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { expect, it } from 'vitest';
import { type MovingRow, predictedAnalytics } from './predicted-totals.ts';
import { placementDocument } from '../testing/placement-document.ts';

const placement = (more: Partial<PlacementWire>) =>
  placementDocument({
    id: 'p',
    buyerId: 'u',
    contractorId: 'k',
    category: 'Юмор',
    ...more,
  });
const line = (date: string, spent: number, leads: number, placements: number) => ({
  date,
  spent,
  leads,
  placements,
  averageCostPerLead: leads === 0 ? 0 : spent / leads,
});
const analytics: AnalyticsWire = {
  id: 'c',
  summary: {
    totalBudget: 10_000,
    spentBudget: 3000,
    remainingBudget: 7000,
    averageCostPerLead: 100,
    totalLeads: 30,
    totalPlacements: 2,
    paidBudget: 0,
    unpaidBudget: 3000,
  },
  byBuyer: [],
  byCreative: [],
  byContractor: [],
  byDay: [line('2026-11-20', 3000, 30, 2)],
};

it('PRD-1516 the days of a campaign follow what is on its way, as its sums do: another day, another count, a new row', () => {
  const moving = (kind: MovingRow['kind'], stored: PlacementWire, decided = stored): MovingRow => ({
    kind,
    stored,
    decided,
    counted: true,
    typed: {},
    entries: [],
  });
  const { byDay, summary } = predictedAnalytics(analytics, [
    moving('stored', placement({}), placement({ date: '2026-11-21', leads: 48 })),
    moving('new', placement({ date: '2026-11-21', leads: 2, price: 500 })),
  ]);
  expect(byDay).toEqual([line('2026-11-20', 2000, 20, 1), line('2026-11-21', 1500, 50, 2)]);
  expect(summary.totalLeads).toBe(byDay.reduce((total, { leads }) => total + leads, 0));
});
