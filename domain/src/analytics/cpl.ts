import { formatRoubles, type Kopecks, kopecks } from '../money.ts';
import { divideHalfUp } from '../rounding.ts';
import { formatLeads } from '../russian.ts';
import type { Explained } from './explained.ts';

/** Roubles 100 and 200: the limits of the CPL colours and of efficiency, and the default threshold of performance pay. */
export const goodCpl = kopecks(100_00);
export const badCpl = kopecks(200_00);

/** price / leads, rounded once, half up; 0 without leads (NUM-4). */
export const costPerLead = (price: Kopecks, leads: number): Kopecks => kopecks(divideHalfUp(price, leads));

/** −1, 0 or 1 as the unrounded CPL is below, at or above the threshold; the CPL without leads is 0. */
export const compareCpl = (price: Kopecks, leads: number, threshold: Kopecks): -1 | 0 | 1 => {
  const [cost, times] = leads === 0 ? [0, 1] : [price, leads];
  const limit = threshold * times;
  const difference = Number.isSafeInteger(limit) ? cost - limit : BigInt(cost) - BigInt(threshold) * BigInt(times);
  return difference < 0 ? -1 : difference > 0 ? 1 : 0;
};

/** `none` without leads: neither colour nor sign. */
export type CplClass = 'good' | 'middle' | 'bad' | 'none';

/** good under 100 ₽, middle from 100 to 200 ₽ inclusive, bad above; compared before rounding. */
export const cplClass = (price: Kopecks, leads: number): CplClass => {
  if (leads === 0) return 'none';
  if (compareCpl(price, leads, goodCpl) < 0) return 'good';
  return compareCpl(price, leads, badCpl) > 0 ? 'bad' : 'middle';
};

/** A word beside the colour, for those who do not see it. */
export const cplClassLabels: Readonly<Record<CplClass, string>> = {
  good: 'низкий CPL',
  middle: 'средний CPL',
  bad: 'высокий CPL',
  none: 'лидов пока нет',
};

/** `125 ₽`, or `—` without leads, so that 0 ₽ is not taken for free leads. */
export const showCpl = (price: Kopecks, leads: number): string =>
  leads === 0 ? '—' : formatRoubles(costPerLead(price, leads));

export const explainCostPerLead = (price: Kopecks, leads: number): Explained<Kopecks> => {
  const value = costPerLead(price, leads);
  const formula =
    leads === 0
      ? `${formatRoubles(price)}, лидов пока нет`
      : `${formatRoubles(price)} ÷ ${formatLeads(leads)} = ${formatRoubles(value)}`;
  return { value, formula };
};
