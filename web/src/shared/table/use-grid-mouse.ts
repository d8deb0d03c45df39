import { type MouseEvent, useEffect, useState } from 'react';
import { controlSelector, numberAt } from './grid-cells.ts';
import type { GridColumn } from './grid-column.ts';
import { groupLineOf, isGroupLine, withoutLines } from './grid-groups.ts';
import type { CellPlace } from './grid-navigation.ts';
import type { BlockActions } from './grid-range.ts';
import type { CellEditingState } from './use-cell-editing.ts';
import type { Selection } from './use-selection.ts';

interface GridMouseSpec<Row> extends Pick<BlockActions<Row>, 'onMenu'> {
  readonly rowId: (row: Row) => string;
  readonly columns: readonly GridColumn<Row>[];
  readonly cellAt: (target: EventTarget) => CellPlace | null;
  readonly cellEditing: CellEditingState<Row>;
  readonly selection: Selection<Row>;
  readonly onGo: (place: CellPlace) => void;
  /** Brings a row into sight. */
  readonly onShow: (row: number) => void;
  /** What is open is about this row: its element goes to no other one. */
  readonly onRowFocus: (rowId: string) => void;
}

/** A press goes to a cell, on a number it ticks, a drag or Shift selects from there, a double click edits. */
export const useGridMouse = <Row extends object>({
  columns,
  cellAt,
  cellEditing: { shown, editing, placeOf, commit, start },
  selection,
  rowId,
  onGo,
  onShow,
  onRowFocus,
  onMenu,
}: GridMouseSpec<Row>) => {
  const [isDragging, setIsDragging] = useState(false);
  useEffect(() => {
    if (!isDragging) return undefined;
    const end = (): void => setIsDragging(false);
    window.addEventListener('mouseup', end);
    return () => window.removeEventListener('mouseup', end);
  }, [isDragging]);

  const extendTo = (place: CellPlace): void => {
    selection.extend(place);
    onShow(place.row);
  };

  const onMouseDown = (event: MouseEvent): void => {
    // The focus stays in the table.
    if (!editing && numberAt(event.target)) return event.preventDefault();
    const place = cellAt(event.target);
    if (!place) return;
    if (editing) {
      const isEdited =
        place.row === placeOf(editing.rowId, editing.at) && columns[place.column]?.id === editing.columnId;
      if (isEdited) return;
      if (commit.current && !commit.current()) return event.preventDefault();
    }
    // Else the focus would go to the cell, and the range with it.
    if (event.button === 2 && onMenu && place.row >= 0) event.preventDefault();
    if (event.button !== 0 || (event.target as Element).closest(controlSelector)) return;
    if (event.shiftKey && place.row >= 0) {
      // Else the browser would move the focus, and select text.
      event.preventDefault();
      return extendTo(place);
    }
    onGo(place);
    if (place.row >= 0) setIsDragging(true);
  };

  const onMouseOver = (event: MouseEvent): void => {
    if (!isDragging || editing) return;
    const place = cellAt(event.target);
    if (!place || place.row < 0) return;
    if (place.row !== selection.head.row || place.column !== selection.head.column) extendTo(place);
  };

  /** The number of a row ticks it, that of the heading all; with Shift all from the one before. */
  const tick = (number: Element, isThrough: boolean): void => {
    const id = number.closest<HTMLElement>('[data-row]')?.dataset['row'];
    const row = id === undefined ? -1 : placeOf(id);
    if (row >= 0) onGo({ row, column: Math.max(0, selection.head.column) });
    if (row >= 0 && isThrough) selection.tickThrough(row);
    else if (row >= 0) selection.tick(row, row);
    else if (selection.ticked.size > 0) selection.clearTicks();
    else selection.tick(0, shown.length - 1);
  };

  /** A switch that was pressed in a cell makes it the active one. */
  const onClick = ({ target, shiftKey }: MouseEvent): void => {
    const number = numberAt(target);
    if (number) return tick(number, shiftKey);
    const standing = cellAt(target);
    const line = standing && groupLineOf(shown[standing.row] ?? {});
    if (line && !shiftKey) return line.toggle();
    const place = (target as Element).closest('button[aria-pressed]') && standing;
    if (place) onGo(place);
  };

  const onDoubleClick = ({ target }: MouseEvent): void => {
    const place = cellAt(target);
    if (!place || editing || (target as Element).closest(controlSelector)) return;
    start(place, null);
  };

  const onContextMenu = (event: MouseEvent): void => {
    const cell = (event.target as Element).closest('[data-column]');
    const place = cellAt(event.target);
    const row = place && shown[place.row];
    // A link has a menu of its own.
    if (!onMenu || editing || !cell || !row || isGroupLine(row) || (event.target as Element).closest('a, input'))
      return;
    event.preventDefault();
    const { block, picked, ticked } = selection;
    const isInRange =
      block !== null &&
      place.row >= block.top &&
      place.row <= block.bottom &&
      place.column >= block.left &&
      place.column <= block.right;
    const isSelected = isInRange || (block === null && ticked.has(rowId(row)));
    if (!isSelected) onGo(place);
    const { row: at, column } = place;
    const standing = { rows: shown, columns, top: at, bottom: at, left: column, right: column };
    const alone = shown.some(isGroupLine) ? (withoutLines(standing) ?? standing) : standing;
    const { left, right, top, bottom } = cell.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    // A key asks for it nowhere.
    const isPointed = x > left && x < right && y > top && y < bottom;
    onRowFocus(rowId(row));
    onMenu({
      block: isSelected && picked ? picked : alone,
      row,
      columnId: columns[column]?.id,
      cell,
      left: isPointed ? x : left,
      top: isPointed ? y : bottom,
    });
  };

  return { onContextMenu, onMouseDown, onMouseOver, onClick, onDoubleClick };
};
