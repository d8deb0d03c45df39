import { type Kopecks, kopecks } from '../money.ts';
import { costPerLead } from './cpl.ts';

/** What totals need of a placement. */
export interface PlacementLine {
  readonly price: Kopecks;
  readonly leads: number;
  readonly paymentStatus: string;
}

/** Exact sums over placements, from which every average is formed. */
export interface Totals {
  readonly spent: Kopecks;
  readonly paid: Kopecks;
  readonly leads: number;
  readonly placements: number;
}

export const noTotals: Totals = { spent: kopecks(0), paid: kopecks(0), leads: 0, placements: 0 };

const shifted = (totals: Totals, line: PlacementLine, sign: 1 | -1): Totals => ({
  spent: kopecks(totals.spent + sign * line.price),
  paid: line.paymentStatus === 'paid' ? kopecks(totals.paid + sign * line.price) : totals.paid,
  leads: totals.leads + sign * line.leads,
  placements: totals.placements + sign,
});

/** The sums with one more placement. */
export const withLine = (totals: Totals, line: PlacementLine): Totals => shifted(totals, line, 1);

/** The sums without a placement that is in them. */
export const withoutLine = (totals: Totals, line: PlacementLine): Totals => shifted(totals, line, -1);

export const totalsOf = (lines: Iterable<PlacementLine>): Totals => {
  let totals = noTotals;
  for (const line of lines) totals = withLine(totals, line);
  return totals;
};

export interface CampaignSummary {
  readonly totalBudget: Kopecks;
  /** Paid and unpaid together. */
  readonly spentBudget: Kopecks;
  /** Negative when overspent. */
  readonly remainingBudget: Kopecks;
  /** Sum over sum; 0 without leads. */
  readonly averageCostPerLead: Kopecks;
  readonly totalLeads: number;
  readonly totalPlacements: number;
  readonly paidBudget: Kopecks;
  /** Everything that is not paid, unknown values included. */
  readonly unpaidBudget: Kopecks;
}

export const campaignSummary = (totalBudget: Kopecks, totals: Totals): CampaignSummary => ({
  totalBudget,
  spentBudget: totals.spent,
  remainingBudget: kopecks(totalBudget - totals.spent),
  averageCostPerLead: costPerLead(totals.spent, totals.leads),
  totalLeads: totals.leads,
  totalPlacements: totals.placements,
  paidBudget: totals.paid,
  unpaidBudget: kopecks(totals.spent - totals.paid),
});
