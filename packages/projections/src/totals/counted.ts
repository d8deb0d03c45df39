import type { PlacementRow } from '@zakup/contracts/read-models';
import { noSums, shiftSums, type Sign, type SummedLine, type Sums } from '@zakup/domain/analytics/sums';

/** The placement where it counts in totals: paid or not and whatever its status, but not removed. */
export const counted = (row: PlacementRow | null): PlacementRow | null => (row === null || row.removed ? null : row);

/** Sums by key, changed in place; a key without placements is taken out. */
export const shiftGroup = (groups: Map<string, Sums>, key: string, row: SummedLine, sign: Sign): void => {
  const sums = shiftSums(groups.get(key) ?? noSums, row, sign);
  if (sums.placements === 0) groups.delete(key);
  else groups.set(key, sums);
};

/** A count by key, changed in place; a key at 0 is taken out. */
export const shiftCount = (counts: Map<string, number>, key: string, by: number): void => {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};
