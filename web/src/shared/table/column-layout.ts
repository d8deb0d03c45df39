import type { CSSProperties } from 'react';
import type { GridColumn } from './grid-column.ts';

/** Of the column that numbers the rows, in px. */
const numberWidth = 34;

/** In px: a column is never narrower. */
export const leastOf = ({
  width,
  least = width,
  chosen = least,
}: Pick<GridColumn<never>, 'width' | 'least' | 'chosen'>): number => chosen;

/** What stays leaves at least this much of the window over the table to what scrolls. */
const stayingPart = '60%';
/** In px: up to here no window is too narrow for what stays. */
const usualStay = 320;

/** What the cells of a column have in common. */
export interface CellLayout {
  readonly className: string;
  /** Where a pinned column stays; absent = it scrolls. */
  readonly style: CSSProperties | undefined;
}

export interface ColumnLayout {
  /** For `grid-template-columns`. */
  readonly template: string;
  /** The same in a wide window. */
  readonly wide: string;
  /** Least width of the table in px. */
  readonly least: number;
  readonly cells: readonly CellLayout[];
}

const cellClass = ({ id, align, pinned }: Pick<GridColumn<never>, 'id' | 'align' | 'pinned'>): string =>
  `z-grid-cell z-grid-${id}${align === 'end' ? ' z-grid-end' : ''}${pinned ? ' z-grid-pinned' : ''}`;

/** How the columns lie beside each other. */
export const columnLayout = <Row>(columns: readonly GridColumn<Row>[]): ColumnLayout => {
  const cells: CellLayout[] = [];
  let least = numberWidth;
  for (const column of columns) {
    const own = leastOf(column);
    const left = least + own > usualStay ? `min(${least}px, calc(${stayingPart} - ${own}px))` : least;
    cells.push({ className: cellClass(column), style: column.pinned ? { left } : undefined });
    least += own;
  }
  const track = (column: GridColumn<Row>, part: number): string =>
    column.chosen === undefined ? `minmax(${leastOf(column)}px, ${part}fr)` : `${column.chosen}px`;
  const line = (tracks: readonly string[]): string => [`${numberWidth}px`, ...tracks].join(' ');
  return {
    template: line(columns.map((column) => track(column, column.width))),
    wide: line(
      columns.map((column) =>
        column.most === undefined || column.chosen !== undefined
          ? track(column, column.grows ?? column.width)
          : `minmax(${leastOf(column)}px, ${column.most}px)`,
      ),
    ),
    least,
    cells,
  };
};
