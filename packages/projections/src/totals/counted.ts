import { noOperands, type Operands, type PlacementRow } from '@zakup/contracts/read-models';
import { kopecks } from '@zakup/domain/money';

/** The placement where it counts in totals: paid or not and whatever its status, but not removed. */
export const counted = (row: PlacementRow | null): PlacementRow | null => (row === null || row.removed ? null : row);

/** The sums with one more placement (`sign` 1) or without one that is in them (−1). */
export const shifted = (
  sums: Operands,
  { price, leads }: Pick<PlacementRow, 'price' | 'leads'>,
  sign: 1 | -1,
): Operands => ({
  spent: kopecks(sums.spent + sign * price),
  leads: sums.leads + sign * leads,
  placements: sums.placements + sign,
});

/** Sums by key, changed in place; a key without placements is taken out. */
export const shiftGroup = (
  groups: Map<string, Operands>,
  key: string,
  row: Pick<PlacementRow, 'price' | 'leads'>,
  sign: 1 | -1,
): void => {
  const sums = shifted(groups.get(key) ?? noOperands, row, sign);
  if (sums.placements === 0) groups.delete(key);
  else groups.set(key, sums);
};

type Counts = Readonly<Record<string, number>>;

/** Counts by key with others added (`sign` 1) or taken out (−1); a key at 0 is not among them. Without others they are the same object. */
export const shiftCounts = (counts: Counts, others: Counts, sign: 1 | -1): Counts => {
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
