import type { PlacementRow } from '@zakup/contracts/read-models';
import type { PlacementSelection } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';

/** What of a campaign's rows a table shows. */
export type PlacementFilter = Omit<PlacementSelection, 'sortBy' | 'sortOrder'>;

/** Members whose values are compared with those that are asked for. */
const compared = ['buyerId', 'creativeId', 'category', 'format', 'paymentStatus', 'status'] as const;

export const isNarrowed = (filter: PlacementFilter): boolean =>
  Object.values(filter).some((asked) => asked !== undefined && asked !== '');

const within = <Value extends string | number>(value: Value, min: Value | undefined, max: Value | undefined): boolean =>
  (min === undefined || value >= min) && (max === undefined || value <= max);

/**
 * Whether a row is among those that a table is narrowed to. Rows name the contractors that there are now, and so does `filter.contractorId`;
 * `isFound`: whether a row is found by `filter.search`.
 */
export const selecting = (
  filter: PlacementFilter,
  isFound: (row: PlacementRow) => boolean,
): ((row: PlacementRow) => boolean) => {
  const { contractorId, statusNot, dateFrom, dateTo, priceFrom, priceTo, leadsFrom, leadsTo, cplFrom, cplTo } = filter;
  const asked = compared.flatMap((name) => {
    const values = filter[name];
    return values === undefined ? [] : [[name, new Set<string>(values)] as const];
  });
  const isCplAsked = cplFrom !== undefined || cplTo !== undefined;
  // As it is shown: who reads 12,35 finds the row by it.
  const hasCpl = ({ price, leads }: PlacementRow): boolean =>
    !isCplAsked || (leads > 0 && within<number>(costPerLead(price, leads), cplFrom, cplTo));
  return (row) =>
    asked.every(([name, values]) => values.has(row[name])) &&
    (contractorId === undefined || row.contractorId === contractorId) &&
    row.status !== statusNot &&
    within(row.date, dateFrom, dateTo) &&
    within<number>(row.price, priceFrom, priceTo) &&
    within(row.leads, leadsFrom, leadsTo) &&
    hasCpl(row) &&
    isFound(row);
};
