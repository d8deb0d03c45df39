import { noSums, shiftSums, type Sums } from '@zakup/domain/analytics/sums';
import { summedLine } from '../../../shared/campaign/operands.ts';
import type { PlacementRow } from '../rows/placement-row.ts';

/** Sums over rows, of what is decided of them; what is being removed does not count. */
export const sumsOfRows = (rows: readonly PlacementRow[], top = 0, bottom = rows.length - 1): Sums => {
  let sums = noSums;
  for (let at = top; at <= bottom; at += 1) {
    const row = rows[at];
    if (row?.counted) sums = shiftSums(sums, summedLine(row.decided), 1);
  }
  return sums;
};
