import { type Kopecks, kopecks, percentOf } from '../money.ts';
import { compareCpl } from './cpl.ts';
import { type EarningsRow, type EarningsSettings, schemeOf, type Tally, type Terms } from './earnings.ts';

/** Sums of lines from which earnings follow for any rate, scheme and switch, as long as the threshold is the same. */
export interface EarningsSums {
  readonly all: Tally;
  /** Lines with leads whose CPL is not above the threshold. */
  readonly within: Tally;
  readonly withoutLeads: Tally;
}

export const noTally: Tally = { count: 0, price: kopecks(0) };
export const noEarningsSums: EarningsSums = { all: noTally, within: noTally, withoutLeads: noTally };

const added = (a: Tally, count: number, price: number): Tally => ({
  count: a.count + count,
  price: kopecks(a.price + price),
});

/** The sums with one more line (`sign` 1), or without one that is in them (−1). */
export const shiftedEarnings = (
  { all, within, withoutLeads }: EarningsSums,
  { price, leads }: Pick<EarningsRow, 'price' | 'leads'>,
  threshold: Kopecks,
  sign: 1 | -1,
): EarningsSums => {
  const shifted = (tally: Tally): Tally => added(tally, sign, sign * price);
  return {
    all: shifted(all),
    within: leads > 0 && compareCpl(price, leads, threshold) <= 0 ? shifted(within) : within,
    withoutLeads: leads === 0 ? shifted(withoutLeads) : withoutLeads,
  };
};

const countedOf = (terms: Terms, { all, within }: EarningsSums, zeroLeads: Tally): Tally => {
  switch (schemeOf(terms)) {
    case 'none':
      return noTally;
    case 'share':
      return all;
    case 'result':
      return added(within, zeroLeads.count, zeroLeads.price);
  }
};

/** The totals that `earningsOf` gives of the lines that were summed, under the threshold of the terms. */
export const earningsOfSums = (terms: Terms, sums: EarningsSums, { countZeroLeads }: EarningsSettings) => {
  const zeroLeads = schemeOf(terms) === 'result' && countZeroLeads ? sums.withoutLeads : noTally;
  const countedTotal = countedOf(terms, sums, zeroLeads);
  return {
    spent: sums.all.price,
    earnings: percentOf(countedTotal.price, terms.salaryRate),
    countedTotal,
    zeroLeads,
  };
};
