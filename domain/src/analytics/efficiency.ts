import type { Kopecks } from '../money.ts';
import { badCpl, compareCpl, costPerLead, goodCpl } from './cpl.ts';

export type Efficiency = 'Отлично' | 'Хорошо' | 'Средне';

/** 'Отлично' under 100 ₽ a lead (0 leads included), 'Хорошо' under 200 ₽, otherwise 'Средне'; compared before rounding. */
export const efficiencyOf = (spent: Kopecks, leads: number): Efficiency => {
  if (compareCpl(spent, leads, goodCpl) < 0) return 'Отлично';
  return compareCpl(spent, leads, badCpl) < 0 ? 'Хорошо' : 'Средне';
};

/** 200 − CPL in roubles, clamped to 0–100: percent of the bar's length. */
export const efficiencyBarWidth = (spent: Kopecks, leads: number): number =>
  Math.min(100, Math.max(0, (badCpl - costPerLead(spent, leads)) / 100));
