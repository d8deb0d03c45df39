import type { AnalyticsWire, PlacementWire } from '@zakup/contracts/entities';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { kopecks, toRoubles } from '@zakup/domain/money';
import { money } from '../../shared/money/roubles.ts';
import type { PlacementRow } from './placement-rows.ts';

/** Sums in kopecks, where they are exact. */
export interface Sums {
  spent: number;
  paid: number;
  leads: number;
  placements: number;
}

export const noSums = (): Sums => ({ spent: 0, paid: 0, leads: 0, placements: 0 });

/** Adds a placement (`sign` 1) to sums, or takes it out of them (−1), as the projector does. */
export const shift = (sums: Sums, { price, leads, paymentStatus }: PlacementWire, sign: 1 | -1): void => {
  const amount = sign * money(price);
  sums.spent += amount;
  if (paymentStatus === 'paid') sums.paid += amount;
  sums.leads += sign * leads;
  sums.placements += sign;
};

/** The sums of a campaign as its totals will be by what is on its way: its own, moved by the few rows that move. */
export const predictedSummary = (
  summary: AnalyticsWire['summary'],
  moving: readonly PlacementRow[],
): AnalyticsWire['summary'] => {
  const moved = noSums();
  for (const { kind, stored, decided, counted } of moving) {
    if (kind === 'stored') shift(moved, stored, -1);
    if (counted) shift(moved, decided, 1);
  }
  const spent = kopecks(money(summary.spentBudget) + moved.spent);
  const paid = kopecks(money(summary.paidBudget) + moved.paid);
  const leads = summary.totalLeads + moved.leads;
  const roubles = (amount: number): number => toRoubles(kopecks(amount));
  return {
    totalBudget: summary.totalBudget,
    spentBudget: roubles(spent),
    remainingBudget: roubles(money(summary.totalBudget) - spent),
    averageCostPerLead: roubles(costPerLead(spent, leads)),
    totalLeads: leads,
    totalPlacements: summary.totalPlacements + moved.placements,
    paidBudget: roubles(paid),
    unpaidBudget: roubles(spent - paid),
  };
};

const summed = ['price', 'leads', 'paymentStatus', 'deleted'];

/** A new row that was refused says so itself; no answer is awaited that a figure could follow. */
export const isAwaited = ({ kind, entries }: PlacementRow): boolean =>
  kind === 'stored' || entries.every(({ state }) => state.kind !== 'rejected');

/** Whether sums over these rows do not follow something that was typed. */
export const areSumsOpen = (moving: readonly PlacementRow[]): boolean =>
  moving.some((row) => isAwaited(row) && summed.some((member) => member in row.typed));
