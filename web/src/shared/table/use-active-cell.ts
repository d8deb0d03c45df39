import { useState } from 'react';
import type { GridColumn } from './grid-column.ts';
import type { CellPlace } from './grid-navigation.ts';
import type { RevealedRow } from './revealed-row.ts';

/** The cell in which the keyboard stands. */
interface ActiveCell {
  readonly rowId: string | null;
  /** Where the row was: when it goes, the next one there takes its place. */
  readonly at: number;
  readonly column: number;
  /** Of the column, which may come to another place. */
  readonly columnId: string | undefined;
  readonly inHeader: boolean;
}

interface ActiveCellSpec<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Where a row is, looked for where it was last; −1 = nowhere. */
  readonly placeOf: (rowId: string, lastAt?: number) => number;
  readonly columns: readonly GridColumn<Row>[];
  readonly revealed: RevealedRow<Row> | null;
}

/** The cell in which the keyboard stands: it goes with its row, and to a revealed one with each turn of it. */
export const useActiveCell = <Row extends object>({ rows, rowId, placeOf, columns, revealed }: ActiveCellSpec<Row>) => {
  const [active, setActive] = useState<ActiveCell>({
    rowId: null,
    at: 0,
    column: 0,
    columnId: columns[0]?.id,
    inHeader: false,
  });
  const [goneTo, setGoneTo] = useState(0);
  const activate = ({ row, column }: CellPlace): void => {
    const found = rows[row];
    setActive({
      rowId: found ? rowId(found) : null,
      at: row,
      column,
      columnId: columns[column]?.id,
      inHeader: row < 0,
    });
  };
  const turn = revealed?.turn ?? 0;
  if (turn !== goneTo) {
    setGoneTo(turn);
    if (revealed) {
      const column = columns.findIndex(({ id }) => id === revealed.columnId);
      activate({ row: placeOf(rowId(revealed.row)), column: Math.max(0, column) });
    }
  }
  const place = columns.findIndex(({ id }) => id === active.columnId);
  const columnAt = place < 0 ? Math.min(active.column, columns.length - 1) : place;
  const known = active.rowId === null ? -1 : placeOf(active.rowId, active.at);
  const nearest = known < 0 ? Math.max(0, Math.min(active.at, rows.length - 1)) : known;
  return {
    activate,
    turn,
    row: active.inHeader || rows.length === 0 ? -1 : nearest,
    // An action was chosen for the row that went: the next key does not do it to the row that took its place.
    column: known < 0 && active.rowId !== null && columns[columnAt]?.act ? 0 : columnAt,
    /** Whether it is this cell's row; `null` = the header. */
    isRow: (id: string | null): boolean => (id === null ? active.inHeader : id === active.rowId),
  };
};
