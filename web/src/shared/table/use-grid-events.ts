import type { FocusEvent, KeyboardEvent, MouseEvent, RefObject } from 'react';
import type { GridColumn } from './grid-column.ts';
import { type CellPlace, type GridSize, moved } from './grid-navigation.ts';
import type { CellEditingState } from './use-cell-editing.ts';

const cells = '[role="gridcell"], [role="columnheader"]';
const controls = 'button, a, input';

const isTyped = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;

interface GridEventsSpec<Row> {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly columns: readonly GridColumn<Row>[];
  /** Where the active row is now: only where to look for a row first, as rows come and go above it. */
  readonly activeRow: number;
  /** Whether this cell is the active one; `null` = of the header. */
  readonly isActive: (rowId: string | null, column: number) => boolean;
  readonly cellEditing: CellEditingState<Row>;
  readonly readOnly: boolean;
  /** How many rows a page key jumps over. */
  readonly jump: () => number;
  /** Something is said below this cell. */
  readonly hasNote: (row: Row, columnId: string) => boolean;
  readonly onGo: (place: CellPlace) => void;
  readonly onSort: (column: GridColumn<Row>) => void;
  readonly onFocusChange: (hasFocus: boolean) => void;
  /** A cell of this row has the focus, or something in one. */
  readonly onRowFocus: (rowId: string) => void;
}

/** The keys and clicks of all cells in one place; the cells themselves have the focus. */
export const useGridEvents = <Row extends object>({
  scroller,
  columns,
  activeRow,
  isActive,
  cellEditing: { shown, placeOf, editing, commit, start },
  readOnly,
  jump,
  hasNote,
  onGo,
  onSort,
  onFocusChange,
  onRowFocus,
}: GridEventsSpec<Row>) => {
  const cellAt = (target: EventTarget): CellPlace | null => {
    const cell = (target as Element).closest<HTMLElement>('[data-column]');
    const row = cell?.closest<HTMLElement>('[data-row]');
    if (!cell || !scroller.current?.contains(cell)) return null;
    const column = Number(cell.dataset['column']);
    if (!row) return { row: -1, column };
    const at = placeOf(row.dataset['row'] ?? '', Math.max(0, activeRow));
    return at < 0 ? null : { row: at, column };
  };

  /** What Enter and Space do on a cell; the first that there is. */
  const enter = (key: 'Enter' | ' ', place: CellPlace, row: Row, column: GridColumn<Row>): void => {
    const note = key === 'Enter' ? document.querySelector<HTMLElement>('[data-note] button') : null;
    if (note && hasNote(row, column.id)) note.focus();
    else if (column.act && !readOnly) column.act(row);
    else if (key === ' ' || !start(place, null)) column.open?.(row);
  };

  /** True when the key meant something to the cell. */
  const press = (event: KeyboardEvent, place: CellPlace, column: GridColumn<Row>): boolean => {
    const { key } = event;
    const row = shown[place.row];
    if (place.row < 0) {
      if (key !== 'Enter' && key !== ' ') return false;
      onSort(column);
      return true;
    }
    if (!row) return false;
    if (key === 'Enter' || key === ' ') {
      enter(key, place, row, column);
      return true;
    }
    if (key === 'F2') return start(place, null);
    return isTyped(event) && start(place, key);
  };

  /** A key acts on the cell that has the focus, whichever is the active one. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (editing || !(event.target as HTMLElement).matches(cells)) return;
    const place = cellAt(event.target);
    if (!place) return;
    const column = columns[place.column];
    const size: GridSize = { rows: shown.length, columns: columns.length, page: jump() };
    const to = moved(place, { key: event.key, ctrl: event.ctrlKey || event.metaKey }, size);
    if (to && !event.altKey) {
      event.preventDefault();
      return onGo(to);
    }
    if (!column || event.ctrlKey || event.metaKey || event.altKey) return;
    if (press(event, place, column)) event.preventDefault();
  };

  const onMouseDown = (event: MouseEvent): void => {
    const place = cellAt(event.target);
    if (!place) return;
    if (editing) {
      const isEdited =
        place.row === placeOf(editing.rowId, editing.at) && columns[place.column]?.id === editing.columnId;
      if (isEdited) return;
      if (commit.current && !commit.current()) return event.preventDefault();
    }
    if ((event.target as Element).closest(controls)) return;
    onGo(place);
  };

  const onDoubleClick = ({ target }: MouseEvent): void => {
    const place = cellAt(target);
    if (!place || editing || (target as Element).closest(controls)) return;
    start(place, null);
  };

  /** Focus that came by neither key nor mouse makes its cell the active one too. */
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    onFocusChange(true);
    const rowId = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (rowId !== undefined) onRowFocus(rowId);
    if (!target.matches(cells)) return;
    const place = cellAt(target);
    if (place && !isActive(rowId ?? null, place.column)) onGo(place);
  };

  const onBlur = ({ target, relatedTarget }: FocusEvent<HTMLElement>): void => {
    // A window in the background still has its focus; what floats belongs to the table.
    const stays =
      document.activeElement === target ||
      (relatedTarget instanceof Element &&
        (scroller.current?.contains(relatedTarget) || relatedTarget.closest('[data-floating]') !== null));
    if (!stays) onFocusChange(false);
  };

  return { onKeyDown, onMouseDown, onFocus, onBlur, onDoubleClick };
};
