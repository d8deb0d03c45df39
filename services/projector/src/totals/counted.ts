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

/** Counts by key with `by` added; a key at 0 is taken out. */
export const shiftCount = (counts: Counts, key: string, by: number): Counts => {
  const { [key]: before = 0, ...others } = counts;
  return before + by === 0 ? others : { ...counts, [key]: before + by };
};
