import { formatRoubles, type Kopecks, percentOf } from '../money.ts';
import { formatNumber } from '../russian.ts';
import { schemeOf, type Terms } from './earnings.ts';
import type { Explained } from './explained.ts';

/** What the analytics page says of a buyer: everything spent × the percent on the person's own record, whatever the campaign's terms (NUM-25). */
export const ownRateShare = (spent: Kopecks, salaryRate: number | null): Kopecks => percentOf(spent, salaryRate ?? 0);

/** Whether the terms of the campaign pay otherwise than a share by the person's own percent, so that they are shown beside it. */
export const differsFromOwnRate = (terms: Terms, salaryRate: number | null): boolean =>
  schemeOf(terms) !== 'share' || terms.salaryRate !== (salaryRate ?? 0);

export const explainOwnRate = (spent: Kopecks, salaryRate: number | null): Explained<Kopecks> => {
  const value = ownRateShare(spent, salaryRate);
  const formula =
    salaryRate === null
      ? 'Ставка сотрудника не задана'
      : `потрачено: ${formatRoubles(spent)} × ${formatNumber(salaryRate)} ÷ 100 = ${formatRoubles(value)}`;
  return { value, formula };
};
