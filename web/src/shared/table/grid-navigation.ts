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

/** Where an editor leads when it is done: nowhere, to the cell beside, or to the one before or after that can be edited. */
export type EditorExit = 'stay' | 'up' | 'down' | 'left' | 'right' | 'previous' | 'next';

const clamp = (value: number, least: number, most: number): number => Math.max(least, Math.min(most, value));

/** Where a key leads from a cell; `null` when the key does not move. Nothing wraps (APG data grid); with Ctrl an arrow leads to the edge. */
export const moved = (
  from: CellPlace,
  key: { readonly key: string; readonly ctrl: boolean },
  size: GridSize,
): CellPlace | null => {
  const [lastRow, lastColumn] = [size.rows - 1, size.columns - 1];
  const to = (row: number, column: number): CellPlace => ({
    row: clamp(row, -1, lastRow),
    column: clamp(column, 0, lastColumn),
  });
  switch (key.key) {
    case 'ArrowUp':
      return to(key.ctrl ? Math.min(0, lastRow) : from.row - 1, from.column);
    case 'ArrowDown':
      return to(key.ctrl ? lastRow : from.row + 1, from.column);
    case 'ArrowLeft':
      return to(from.row, key.ctrl ? 0 : from.column - 1);
    case 'ArrowRight':
      return to(from.row, key.ctrl ? lastColumn : from.column + 1);
    case 'Home':
      return to(key.ctrl ? 0 : from.row, 0);
    case 'End':
      return to(key.ctrl ? lastRow : from.row, lastColumn);
    case 'PageUp':
      return to(Math.max(0, from.row - size.page), from.column);
    case 'PageDown':
      return to(from.row + size.page, from.column);
    default:
      return null;
  }
};

type Bounds = Pick<GridSize, 'rows' | 'columns'>;

/** The next (or previous) cell that can be edited, wrapping to the neighbouring row; `null` at the end of the table. */
export const nextEditable = (
  from: CellPlace,
  step: 1 | -1,
  size: Bounds,
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

const arrows = { up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft', right: 'ArrowRight' } as const;

/** The cell to which an editor leads; `null` = its own. */
export const exitFrom = (
  from: CellPlace,
  exit: EditorExit,
  size: Bounds,
  editable: (place: CellPlace) => boolean,
): CellPlace | null => {
  if (exit === 'stay') return null;
  if (exit === 'next' || exit === 'previous') return nextEditable(from, exit === 'next' ? 1 : -1, size, editable);
  const to = moved(from, { key: arrows[exit], ctrl: false }, { ...size, page: 1 });
  return to === null || to.row < 0 ? null : to;
};

const exits: Readonly<Record<string, EditorExit>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Where a key in an editor saves and leads; `null` = the key is the editor's own. `byArrows`: the editing was begun by typing. */
export const exitOf = (
  { key, shiftKey, ctrlKey, metaKey, altKey }: PressedKey,
  byArrows: boolean,
): EditorExit | null => {
  if (key === 'Tab') return shiftKey ? 'previous' : 'next';
  if (key === 'Enter') return ctrlKey || metaKey || altKey ? 'stay' : shiftKey ? 'up' : 'down';
  const isPlain = !shiftKey && !ctrlKey && !metaKey && !altKey;
  return byArrows && isPlain ? (exits[key] ?? null) : null;
};
