import type { ReactNode } from 'react';
import type {
  CellColleague,
  CellMark,
  ChangeAuthor,
  GridColumn,
  GridPage,
  GridPlace,
  GridSorting,
  TotalsCell,
} from './grid-column.ts';
import type { RowGroups } from './grid-groups.ts';
import type { BlockActions } from './grid-range.ts';
import type { RowMark } from './grid-row.tsx';
import type { RevealedRow } from './revealed-row.ts';

export interface EditableGridProps<Row extends object> extends BlockActions<Row> {
  /** Name of the table. */
  readonly label: string;
  /** In the order of `sorting`; a stable array. */
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Stable, like `rowId`, `onSave`, `cellMark`, `rowMark` and `onSelect`. */
  readonly columns: readonly GridColumn<Row>[];
  /** What the headings say of the order. */
  readonly sorting: GridSorting;
  readonly onSortingChange: (sorting: GridSorting) => void;
  /** Which part of the sorted rows is shown; absent = all. */
  readonly page?: GridPage | undefined;
  /** In groups; absent or null = in one list. With them `page` and `rowCount` are absent. */
  readonly groups?: RowGroups<Row> | null;
  /** How many rows there are or will be, on all pages, while some are still on their way; absent = these are all. */
  readonly rowCount?: number | undefined;
  /** A key leads to the last row that is here, would lead beyond it, or selects down to it. */
  readonly onLastRow?: (() => void) | undefined;
  /** On screen wherever it stands, and gone to with each turn of it. */
  readonly revealed?: RevealedRow<Row> | null;
  /** Told whether the revealed row stands before all others, as its place is elsewhere; stable. */
  readonly onOutOfPlace?: (isOutOfPlace: boolean) => void;
  readonly readOnly?: boolean;
  /** A cell got a new, valid value. The row is as it is now, or, where another changed the cell meanwhile, as it was when the editing began. */
  readonly onSave: (row: Row, columnId: string, value: unknown) => void;
  readonly cellMark?: (row: Row, columnId: string) => CellMark | null;
  readonly rowMark?: (row: Row) => RowMark;
  /** The others, by the id of the row in which they stand. */
  readonly colleagues?: ReadonlyMap<string, readonly CellColleague[]>;
  /** Who made the change that a cell has just shown; stable. */
  readonly authorOf?: (row: Row, columnId: string) => ChangeAuthor | null;
  /** Called when the person came into another cell, began or ended editing, or left the table (`null`); stable. */
  readonly onPlaceChange?: (place: GridPlace | null) => void;
  /** What stands beside the table in what scrolls it. */
  readonly tools?: ReactNode;
  readonly totals?: readonly TotalsCell[];
  /** Shown instead of rows. */
  readonly empty?: ReactNode;
}
