import { type Kopecks, kopecks } from '../money.ts';
import { averageCpl, type Totals } from './sums.ts';

/** The figures of a campaign, money in kopecks (ENT-10). */
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

/** The one formula of these figures: what is sent, what a screen predicts and what is explained. */
export const campaignSummary = (totalBudget: Kopecks, totals: Totals): CampaignSummary => ({
  totalBudget,
  spentBudget: totals.spent,
  remainingBudget: kopecks(totalBudget - totals.spent),
  averageCostPerLead: averageCpl(totals),
  totalLeads: totals.leads,
  totalPlacements: totals.placements,
  paidBudget: totals.paid,
  unpaidBudget: kopecks(totals.spent - totals.paid),
});
