import type { PastedClip } from '../ui/single-value-paste.ts';
import type { GridColumn } from './grid-column.ts';

/** A cell by what it shows, wherever order and filters have it. */
export interface CellRef {
  readonly rowId: string;
  readonly columnId: string;
}

/** A rectangle of cells between two of its corners, which may be one. */
export interface GridRange {
  /** Where it was begun; the active cell. */
  readonly anchor: CellRef;
  /** Which keys with Shift and the mouse move. */
  readonly head: CellRef;
}

/** A rectangle of cells as it stands in the table now; a single cell has `top` = `bottom` and `left` = `right`. */
export interface CellBlock<Row> {
  /** All rows of the table in its order, those below the block included. */
  readonly rows: readonly Row[];
  /** All columns that are shown. */
  readonly columns: readonly GridColumn<Row>[];
  /** Places of its first and last row, both in it. */
  readonly top: number;
  readonly bottom: number;
  /** Places of its first and last column, both in it. */
  readonly left: number;
  readonly right: number;
  /** Its rows were ticked one by one: `rows` are these alone. */
  readonly isTicked?: true;
}

/** A menu that is asked for in a cell. */
export interface CellMenuRequest<Row> {
  /** What it is about: the selection where the cell is in it, else the cell alone. */
  readonly block: CellBlock<Row>;
  /** The row and the column of the cell itself. */
  readonly row: Row;
  readonly columnId: string | undefined;
  readonly cell: Element;
  /** Where it is to open, in px of the window. */
  readonly left: number;
  readonly top: number;
}

export type FillDirection = 'down' | 'right';

/** What the table asks of its owner about a block of cells; a table without one of them does nothing at that key. */
export interface BlockActions<Row> {
  /** Ctrl+V on the active cell or a selection, several cells in an open editor too, in a table that is only read too; on the heading `at` is the row below all others. */
  readonly onPaste?: undefined | ((clip: PastedClip, at: CellBlock<Row>) => void);
  /** Delete or Backspace. */
  readonly onClear?: undefined | ((block: CellBlock<Row>) => void);
  /** Ctrl+D: the first row of the block into those below; Ctrl+R: its first column into those to the right. */
  readonly onFill?: undefined | ((block: CellBlock<Row>, direction: FillDirection) => void);
  /** Space on a block within a column that is a switch: all its rows become what a press on `row` would make of it. */
  readonly onSwitch?: undefined | ((block: CellBlock<Row>, row: Row) => void);
  /** Ctrl+J: the rows of the block once more. */
  readonly onDuplicate?: undefined | ((block: CellBlock<Row>) => void);
  /** The right button, Shift+F10 or the menu key. */
  readonly onMenu?: undefined | ((request: CellMenuRequest<Row>) => void);
  /** What is selected now: a range, else what is ticked; `null` = no more than one cell. */
  readonly onSelect?: undefined | ((block: CellBlock<Row> | null) => void);
}

/** What a fill down is made of: of a single row, from the one above; `null` = there is none. */
export const filledDown = <Row>(block: CellBlock<Row>): CellBlock<Row> | null => {
  if (block.bottom > block.top) return block;
  return block.top > 0 ? { ...block, top: block.top - 1 } : null;
};

/** Those of `rows` that are ticked, with all columns; null = there are none. */
export const tickedBlock = <Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  ticked: ReadonlySet<string>,
  rowId: (row: Row) => string,
): CellBlock<Row> | null => {
  const chosen = ticked.size === 0 ? [] : rows.filter((row) => ticked.has(rowId(row)));
  if (chosen.length === 0) return null;
  return {
    rows: chosen,
    columns,
    top: 0,
    bottom: chosen.length - 1,
    left: 0,
    right: columns.length - 1,
    isTicked: true,
  };
};

export const rowsOf = <Row>({ rows, top, bottom }: CellBlock<Row>): readonly Row[] => rows.slice(top, bottom + 1);

export const columnsOf = <Row>({ columns, left, right }: CellBlock<Row>): readonly GridColumn<Row>[] =>
  columns.slice(left, right + 1);

export const cellCount = ({
  top,
  bottom,
  left,
  right,
}: Pick<CellBlock<unknown>, 'top' | 'bottom' | 'left' | 'right'>): number => (bottom - top + 1) * (right - left + 1);
