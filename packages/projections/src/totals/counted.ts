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

type Counts = Readonly<Record<string, number>>;

/** Counts by key with others added (`sign` 1) or taken out (−1); a key at 0 is not among them. Without others they are the same object. */
export const shiftCounts = (counts: Counts, others: Counts, sign: Sign): Counts => {
  const shifts = Object.entries(others);
  if (shifts.length === 0) return counts;
  const shiftedCounts = { ...counts };
  let gone = false;
  for (const [key, count] of shifts) {
    const after = (shiftedCounts[key] ?? 0) + sign * count;
    gone ||= after === 0;
    shiftedCounts[key] = after;
  }
  return gone ? Object.fromEntries(Object.entries(shiftedCounts).filter(([, count]) => count !== 0)) : shiftedCounts;
};
