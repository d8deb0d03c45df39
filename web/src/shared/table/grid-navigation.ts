/** −1 is the header row. */
export interface CellPlace {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Rows that PageUp and PageDown jump over. */
  readonly page: number;
}

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Where a key leads from a cell; `null` when the key does not move. Nothing wraps (APG data grid). */
export const moved = (
  from: CellPlace,
  key: { readonly key: string; readonly ctrl: boolean },
  size: GridSize,
): CellPlace | null => {
  const to = (row: number, column: number): CellPlace => ({
    row: clamp(row, -1, size.rows - 1),
    column: clamp(column, 0, size.columns - 1),
  });
  switch (key.key) {
    case 'ArrowUp':
      return to(from.row - 1, from.column);
    case 'ArrowDown':
      return to(from.row + 1, from.column);
    case 'ArrowLeft':
      return to(from.row, from.column - 1);
    case 'ArrowRight':
      return to(from.row, from.column + 1);
    case 'Home':
      return to(key.ctrl ? 0 : from.row, 0);
    case 'End':
      return to(key.ctrl ? size.rows - 1 : from.row, size.columns - 1);
    case 'PageUp':
      return to(Math.max(0, from.row - size.page), from.column);
    case 'PageDown':
      return to(from.row + size.page, from.column);
    default:
      return null;
  }
};

/** The next (or previous) cell that can be edited, wrapping to the neighbouring row; `null` at the end of the table. */
export const nextEditable = (
  from: CellPlace,
  step: 1 | -1,
  size: Pick<GridSize, 'rows' | 'columns'>,
  editable: (place: CellPlace) => boolean,
): CellPlace | null => {
  let { row, column } = from;
  for (;;) {
    column += step;
    if (column < 0 || column >= size.columns) {
      row += step;
      column = step === 1 ? 0 : size.columns - 1;
    }
    if (row < 0 || row >= size.rows) return null;
    if (editable({ row, column })) return { row, column };
  }
};
