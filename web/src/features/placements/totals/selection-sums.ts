import { addSums, averageCpl, noSums, shiftSums, type Sums } from '@zakup/domain/analytics/sums';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { summedLine } from '../../../shared/campaign/operands.ts';
import { type CellBlock, cellCount, columnsOf } from '../../../shared/table/grid-range.ts';
import type { PlacementRow } from '../rows/placement-row.ts';

/** Sums over the rows of a block, of what is decided of them; what is being removed does not count. */
const sumsOf = ({ rows, top, bottom }: CellBlock<PlacementRow>): Sums => {
  let sums = addSums(noSums, noSums);
  for (let at = top; at <= bottom; at += 1) {
    const row = rows[at];
    if (row?.counted) sums = shiftSums(sums, summedLine(row.decided), 1);
  }
  return sums;
};

/** «Выбрано: 6 ячеек · Сумма: 12 000 ₽ · Среднее: 4 000 ₽ · Приход: 34 · CPL: 352,94 ₽»: a figure for each that the block has in it. */
export const selectionText = (block: CellBlock<PlacementRow>): string => {
  const shown = new Set(columnsOf(block).map(({ id }) => id));
  const [hasPrice, hasLeads] = [shown.has('price'), shown.has('leads')];
  const hasCpl = shown.has('cpl') || (hasPrice && hasLeads);
  const count = cellCount(block);
  const parts = [`Выбрано: ${formatNumber(count)} ${plural(count, 'ячейка', 'ячейки', 'ячеек')}`];
  const lines = block.bottom - block.top + 1;
  if (block.left < block.right)
    parts[0] += ` в ${formatNumber(lines)} ${plural(lines, 'строке', 'строках', 'строках')}`;
  if (!hasPrice && !hasLeads && !hasCpl) return parts.join(' · ');
  const sums = sumsOf(block);
  if (hasPrice && sums.placements > 0) {
    parts.push(`Сумма: ${formatRoubles(sums.spent)}`);
    parts.push(`Среднее: ${formatRoubles(kopecks(Math.round(sums.spent / sums.placements)))}`);
  }
  if (hasLeads) parts.push(`Приход: ${formatNumber(sums.leads)}`);
  if (hasCpl) parts.push(`CPL: ${sums.leads === 0 ? '—' : formatRoublesExact(averageCpl(sums))}`);
  return parts.join(' · ');
};
