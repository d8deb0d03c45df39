import type { AnalyticsWire } from '@zakup/contracts/wire-entities';
import type { FigureOperands } from '@zakup/domain/analytics/figures';
import { type Kopecks, kopecks } from '@zakup/domain/money';
import { money } from './figures.ts';

type Known = Partial<Omit<FigureOperands, 'totals'>>;

/** What figures over some placements are counted from; what the caller leaves out counts 0. */
export const operandsOf = (
  { spent, paid = kopecks(0), leads, placements }: Omit<FigureOperands['totals'], 'paid'> & { readonly paid?: Kopecks },
  { totalBudget = kopecks(0), buyers = 0, creatives = 0, leadValue = kopecks(0) }: Known = {},
): FigureOperands => ({ totals: { spent, paid, leads, placements }, totalBudget, buyers, creatives, leadValue });

/** The same over all placements of a campaign. */
export const campaignOperands = (
  summary: AnalyticsWire['summary'],
  known: Omit<Known, 'totalBudget'> = {},
): FigureOperands =>
  operandsOf(
    {
      spent: money(summary.spentBudget),
      paid: money(summary.paidBudget),
      leads: summary.totalLeads,
      placements: summary.totalPlacements,
    },
    { ...known, totalBudget: money(summary.totalBudget) },
  );
