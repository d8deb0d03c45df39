import { addSums, averageCpl, noSums, shiftSums, type Sums } from '@zakup/domain/analytics/sums';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { summedLine } from '../../../shared/campaign/operands.ts';
import { type CellBlock, cellCount, columnsOf } from '../../../shared/table/grid-range.ts';
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

const sumsOf = ({ rows, top, bottom }: CellBlock<PlacementRow>): Sums => sumsOfRows(rows, top, bottom);

/** Rows whose sums are taken together once, so that a key that makes a long selection longer by one row costs no more than the first ones. */
const stretch = 256;
const stretches = new WeakMap<readonly PlacementRow[], Map<number, Sums>>();

const stretchSums = (block: CellBlock<PlacementRow>, top: number): Sums => {
  const known = stretches.get(block.rows) ?? new Map<number, Sums>();
  stretches.set(block.rows, known);
  const sums = known.get(top) ?? sumsOf({ ...block, top, bottom: top + stretch - 1 });
  known.set(top, sums);
  return sums;
};

/** As `sumsOf`, by stretches that begin at a multiple of their length. */
const longSumsOf = (block: CellBlock<PlacementRow>): Sums => {
  const first = Math.ceil(block.top / stretch) * stretch;
  const end = Math.floor((block.bottom + 1) / stretch) * stretch;
  if (first >= end) return sumsOf(block);
  let sums = addSums(sumsOf({ ...block, bottom: first - 1 }), sumsOf({ ...block, top: end }));
  for (let top = first; top < end; top += stretch) sums = addSums(sums, stretchSums(block, top));
  return sums;
};

/** «Выбрано: 6 ячеек · Сумма: 12 000 ₽ · Среднее: 4 000 ₽ · Приход: 34 · CPL: 352,94 ₽»: a figure for each that the block has in it. */
export const selectionText = (block: CellBlock<PlacementRow>): string => {
  const shown = new Set(columnsOf(block).map(({ id }) => id));
  const [hasPrice, hasLeads] = [shown.has('price'), shown.has('leads')];
  const hasCpl = shown.has('cpl') || (hasPrice && hasLeads);
  const count = cellCount(block);
  const lines = block.bottom - block.top + 1;
  const parts = [
    block.isTicked
      ? `Отмечено: ${formatNumber(lines)} ${plural(lines, 'строка', 'строки', 'строк')}`
      : `Выбрано: ${formatNumber(count)} ${plural(count, 'ячейка', 'ячейки', 'ячеек')}`,
  ];
  if (!block.isTicked && block.left < block.right)
    parts[0] += ` в ${formatNumber(lines)} ${plural(lines, 'строке', 'строках', 'строках')}`;
  if (!hasPrice && !hasLeads && !hasCpl) return parts.join(' · ');
  const sums = longSumsOf(block);
  if (hasPrice && sums.placements > 0) {
    parts.push(`Сумма: ${formatRoubles(sums.spent)}`);
    parts.push(`Среднее: ${formatRoubles(kopecks(Math.round(sums.spent / sums.placements)))}`);
  }
  if (hasLeads) parts.push(`Приход: ${formatNumber(sums.leads)}`);
  if (hasCpl) parts.push(`CPL: ${sums.leads === 0 ? '—' : formatRoublesExact(averageCpl(sums))}`);
  return parts.join(' · ');
};
