import { type CountedLine, type LeftOutLine, schemeOf } from '@zakup/domain/analytics/earnings';
import { earningsOfSums, noEarningsSums, shiftedEarnings } from '@zakup/domain/analytics/earnings-sums';
import type { EarningsRow, EarningsTotals } from './read-models.ts';

/** What projections of version 1 kept: the lines instead of their sums. */
export interface EarlierEarnings extends Omit<EarningsTotals, 'countedTotal'> {
  readonly counted: readonly Omit<CountedLine, 'costPerLead'>[];
  readonly leftOut: readonly Omit<LeftOutLine, 'costPerLead'>[];
}

/** The row as it is kept now: what an earlier version left is read and followed until the content that is built beside it takes its place. */
export const currentEarnings = (row: EarningsRow | EarlierEarnings): EarningsRow => {
  if ('sums' in row) return row;
  const { counted, leftOut, ...totals } = row;
  const { terms, zeroLeads } = row;
  let sums = noEarningsSums;
  for (const line of [...counted, ...leftOut]) sums = shiftedEarnings(sums, line, terms.cplThreshold, 1);
  const countZeroLeads =
    schemeOf(terms) === 'result' && (zeroLeads.count > 0 || leftOut.every(({ leads }) => leads > 0));
  return { ...totals, ...earningsOfSums(terms, sums, { countZeroLeads }), countZeroLeads, sums };
};
