import { addSums, averageCpl, type Sums } from '@zakup/domain/analytics/sums';
import { formatRoubles, formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber, plural } from '@zakup/domain/russian';
import { type CellBlock, cellCount, columnsOf } from '../../../shared/table/grid-range.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import { sumsOfRows } from './selection-sums.ts';

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

/** What a block comes to, in words; `short`: the same where these have no room. */
export interface SelectionDescription {
  readonly whole: string;
  readonly short: string;
}

/**
 * «Выбрано: 6 ячеек · Сумма: 12 000 ₽ · Среднее: 4 000 ₽ · Приход: 34 · CPL: 352,94 ₽», short «Выбрано 6 · 12 000 ₽ · ср. 4 000 ₽ · приход
 * 34 · CPL 352,94 ₽»: a figure for each that the block has in it.
 */
export const describeSelection = (block: CellBlock<PlacementRow>): SelectionDescription => {
  const shown = new Set(columnsOf(block).map(({ id }) => id));
  const [hasPrice, hasLeads] = [shown.has('price'), shown.has('leads')];
  const hasCpl = shown.has('cpl') || (hasPrice && hasLeads);
  const count = cellCount(block);
  const lines = block.bottom - block.top + 1;
  const whole = [
    block.isTicked
      ? `Отмечено: ${formatNumber(lines)} ${plural(lines, 'строка', 'строки', 'строк')}`
      : `Выбрано: ${formatNumber(count)} ${plural(count, 'ячейка', 'ячейки', 'ячеек')}`,
  ];
  const short = [block.isTicked ? `Отмечено ${formatNumber(lines)}` : `Выбрано ${formatNumber(count)}`];
  if (!block.isTicked && block.left < block.right)
    whole[0] += ` в ${formatNumber(lines)} ${plural(lines, 'строке', 'строках', 'строках')}`;
  const say = (label: string, shortLabel: string, figure: string): void => {
    whole.push(`${label}: ${figure}`);
    short.push(`${shortLabel}${figure}`);
  };
  if (hasPrice || hasLeads || hasCpl) {
    const sums = longSumsOf(block);
    if (hasPrice && sums.placements > 0) {
      say('Сумма', '', formatRoubles(sums.spent));
      say('Среднее', 'ср. ', formatRoubles(kopecks(Math.round(sums.spent / sums.placements))));
    }
    if (hasLeads) say('Приход', 'приход ', formatNumber(sums.leads));
    if (hasCpl) say('CPL', 'CPL ', sums.leads === 0 ? '—' : formatRoublesExact(averageCpl(sums)));
  }
  return { whole: whole.join(' · '), short: short.join(' · ') };
};
