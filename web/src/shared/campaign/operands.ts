import type { AnalyticsWire, PlacementWire } from '@zakup/contracts/wire-entities';
import type { FigureOperands } from '@zakup/domain/analytics/figures';
import type { PaidLine, Sums, Totals } from '@zakup/domain/analytics/sums';
import { kopecks } from '@zakup/domain/money';
import { money } from './figures.ts';

type Known = Partial<Omit<FigureOperands, 'totals'>>;

/** What figures over some placements are counted from; what the caller leaves out counts 0. */
export const operandsOf = (
  { spent, paid = kopecks(0), leads, placements }: Sums & Partial<Totals>,
  { totalBudget = kopecks(0), buyers = 0, creatives = 0, leadValue = kopecks(0) }: Known = {},
): FigureOperands => ({ totals: { spent, paid, leads, placements }, totalBudget, buyers, creatives, leadValue });

/** What sums take of a placement. */
export const summedLine = ({ price, leads, paymentStatus }: PlacementWire): PaidLine => ({
  price: money(price),
  leads,
  paymentStatus,
});

/** The sums of a campaign that its figures were made of. */
export const summedTotals = (summary: AnalyticsWire['summary']): Totals => ({
  spent: money(summary.spentBudget),
  paid: money(summary.paidBudget),
  leads: summary.totalLeads,
  placements: summary.totalPlacements,
});

/** The same over all placements of a campaign. */
export const campaignOperands = (
  summary: AnalyticsWire['summary'],
  known: Omit<Known, 'totalBudget'> = {},
): FigureOperands => operandsOf(summedTotals(summary), { ...known, totalBudget: money(summary.totalBudget) });
