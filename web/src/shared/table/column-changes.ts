import { arrangedColumns, type ColumnArrangement, leastWidth, mostWidth } from './arranged-columns.ts';
import { leastOf } from './column-layout.ts';
import type { GridColumn } from './grid-column.ts';

type Columns = readonly GridColumn<never>[];

/** What a column may be asked: figures are never cut, texts may be. */
export const widthWithin = ({ align, width, least = width }: GridColumn<never>, wanted: number): number =>
  Math.round(Math.min(mostWidth, Math.max(align === 'end' ? least : leastWidth, wanted)));

export const withWidth = (
  arrangement: ColumnArrangement,
  column: GridColumn<never>,
  wanted: number,
): ColumnArrangement => ({
  ...arrangement,
  widths: { ...arrangement.widths, [column.id]: widthWithin(column, wanted) },
});

/** Columns may change places with those of their own part: the pinned ones, or those that scroll. */
const partOf = (column: GridColumn<never>, { pinned }: ColumnArrangement): 'pinned' | 'scrolling' | null => {
  if (column.fixed) return null;
  if (pinned.includes(column.id)) return 'pinned';
  return column.pinned ? null : 'scrolling';
};

/** Whether its place is the person's to choose. */
export const isMovable = (column: GridColumn<never>, arrangement: ColumnArrangement): boolean =>
  partOf(column, arrangement) !== null;

const moved = (ids: readonly string[], id: string, target: string): readonly string[] => {
  const others = ids.filter((one) => one !== id);
  const isLater = ids.indexOf(target) > ids.indexOf(id);
  return others.toSpliced(others.indexOf(target) + (isLater ? 1 : 0), 0, id);
};

/** With a column in the place of another one, before it or after it as it comes; null = they cannot. `all`: shown or not. */
export const withPlace = (
  arrangement: ColumnArrangement,
  all: Columns,
  column: GridColumn<never>,
  target: GridColumn<never>,
): ColumnArrangement | null => {
  const part = partOf(column, arrangement);
  if (part === null || column.id === target.id || part !== partOf(target, arrangement)) return null;
  if (part === 'pinned') return { ...arrangement, pinned: moved(arrangement.pinned, column.id, target.id) };
  const scrolling = arrangedColumns(all, arrangement).filter((one) => partOf(one, arrangement) === 'scrolling');
  const ids = scrolling.map(({ id }) => id);
  return { ...arrangement, order: moved(ids, column.id, target.id) };
};

/** Pins a column, after those that are; a pinned one goes back among the others. */
export const withPin = (arrangement: ColumnArrangement, { id }: GridColumn<never>): ColumnArrangement => {
  const { pinned } = arrangement;
  return { ...arrangement, pinned: pinned.includes(id) ? pinned.filter((one) => one !== id) : [...pinned, id] };
};

/** How much stays in sight when the table scrolls sideways, in px, the numbers of the rows left out. */
export const stayingWidth = (columns: Columns): number =>
  columns.reduce((sum, column) => (column.pinned ? sum + leastOf(column) : sum), 0);

export const isUsual = ({ widths, order, pinned }: ColumnArrangement): boolean =>
  Object.keys(widths).length + order.length + pinned.length === 0;
