import { formatRoubles, type Kopecks, kopecks } from '../money.ts';
import { noCreative } from '../placement/events.ts';
import { divideHalfUp, proportion, ratio } from '../rounding.ts';
import { formatLeads, formatNumber, formatPercent } from '../russian.ts';
import { budgetUsePercent } from './budget.ts';
import type { Explained } from './explained.ts';
import type { Totals } from './sums.ts';

/** What a lead is worth in ROI unless the licence says otherwise: 100 roubles. */
export const defaultLeadValue = kopecks(100_00);

/** (leads × value − spent) / spent × 100 with two decimals; 0 when nothing is spent. */
export const roi = (spent: Kopecks, leads: number, leadValue: Kopecks): number =>
  spent === 0 ? 0 : (proportion(10_000n * BigInt(leadValue), BigInt(spent))(leads) - 10_000) / 100;

/** leads / placements × 100 with two decimals; 0 without placements. */
export const conversionRate = (leads: number, placements: number): number => ratio(leads, placements, 100);

/** Average price of a placement, rounded once; 0 without placements. */
export const averagePrice = (spent: Kopecks, placements: number): Kopecks => kopecks(divideHalfUp(spent, placements));

export interface Indicators {
  readonly budgetUsePercent: number;
  readonly leadsPerPlacement: number;
  readonly placementsPerBuyer: number;
  readonly budgetPerCreative: Kopecks;
  readonly roi: number;
  readonly conversionRate: number;
}

export interface IndicatorOperands {
  readonly totalBudget: Kopecks;
  readonly totals: Totals;
  /** Distinct buyers with a placement. */
  readonly buyers: number;
  /** Distinct creatives with a placement; `NO_CREATIVE` is none. */
  readonly creatives: number;
  readonly leadValue: Kopecks;
}

/** Key indicators of a campaign (NUM-16, NUM-23): two decimals, 0 where the divisor is 0. */
export const indicators = ({ totalBudget, totals, buyers, creatives, leadValue }: IndicatorOperands): Indicators => ({
  budgetUsePercent: budgetUsePercent(totals.spent, totalBudget),
  leadsPerPlacement: ratio(totals.leads, totals.placements),
  placementsPerBuyer: ratio(totals.placements, buyers),
  budgetPerCreative: averagePrice(totals.spent, creatives),
  roi: roi(totals.spent, totals.leads, leadValue),
  conversionRate: conversionRate(totals.leads, totals.placements),
});

export const explainRoi = (spent: Kopecks, leads: number, leadValue: Kopecks): Explained<number> => {
  const value = roi(spent, leads, leadValue);
  const formula =
    spent === 0
      ? 'расходов пока нет'
      : `(${formatLeads(leads)} × ${formatRoubles(leadValue)} − ${formatRoubles(spent)}) ÷ ${formatRoubles(spent)} × 100 = ${formatPercent(value)}`;
  return { value, formula };
};

export const explainConversionRate = (leads: number, placements: number): Explained<number> => {
  const value = conversionRate(leads, placements);
  const formula =
    placements === 0
      ? 'размещений пока нет'
      : `${formatNumber(leads)} ÷ ${formatNumber(placements)} × 100 = ${formatPercent(value)}`;
  return { value, formula };
};

const topThree = <Line>(lines: readonly Line[], figure: (line: Line) => number, id: (line: Line) => string): Line[] =>
  lines.toSorted((a, b) => figure(b) - figure(a) || (id(a) < id(b) ? -1 : 1)).slice(0, 3);

/** The three buyers who spent most, ties by id. */
export const topBuyers = <Line extends { readonly buyerId: string; readonly spent: number }>(
  lines: readonly Line[],
): Line[] =>
  topThree(
    lines,
    (line) => line.spent,
    (line) => line.buyerId,
  );

/** The three creatives with most leads, ties by id; `NO_CREATIVE` is never among them. */
export const topCreatives = <Line extends { readonly creativeId: string; readonly leads: number }>(
  lines: readonly Line[],
): Line[] =>
  topThree(
    lines.filter((line) => line.creativeId !== noCreative),
    (line) => line.leads,
    (line) => line.creativeId,
  );
