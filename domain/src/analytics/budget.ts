import { formatRoubles, type Kopecks } from '../money.ts';
import { ratio } from '../rounding.ts';
import { formatPercent } from '../russian.ts';
import type { Explained } from './explained.ts';

/** spent / budget × 100 with two decimals, unclamped; 0 when the budget is 0. */
export const budgetUsePercent = (spent: Kopecks, budget: Kopecks): number => ratio(spent, budget, 100);

export type BudgetBarClass = 'green' | 'yellow' | 'red';

/** green to 60 % inclusive, yellow to 80 % inclusive, red above; compared before rounding. */
export const budgetBarClass = (spent: Kopecks, budget: Kopecks): BudgetBarClass => {
  if (budget === 0) return 'green';
  const hundredfold = BigInt(spent) * 100n;
  if (hundredfold <= 60n * BigInt(budget)) return 'green';
  return hundredfold <= 80n * BigInt(budget) ? 'yellow' : 'red';
};

/** Percent of the bar's length, 0 to 100. */
export const budgetBarWidth = (spent: Kopecks, budget: Kopecks): number =>
  Math.min(100, Math.max(0, budgetUsePercent(spent, budget)));

export const explainBudgetUse = (spent: Kopecks, budget: Kopecks): Explained<number> => {
  const value = budgetUsePercent(spent, budget);
  const formula =
    budget === 0
      ? `${formatRoubles(spent)}, бюджет не задан`
      : `${formatRoubles(spent)} ÷ ${formatRoubles(budget)} × 100 = ${formatPercent(value)}`;
  return { value, formula };
};
