import type { KeyboardEvent } from 'react';
import { cellSelector } from './grid-cells.ts';
import type { GridColumn } from './grid-column.ts';
import { type GroupLine, groupLineOf } from './grid-groups.ts';
import { type CellPlace, type GridSize, moved } from './grid-navigation.ts';
import { type BlockActions, filledDown } from './grid-range.ts';
import type { CellEditingState } from './use-cell-editing.ts';
import type { Selection } from './use-selection.ts';

const isTyped = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;

export interface GridKeysSpec<Row> extends Pick<BlockActions<Row>, 'onClear' | 'onFill' | 'onSwitch' | 'onDuplicate'> {
  readonly columns: readonly GridColumn<Row>[];
  readonly cellAt: (target: EventTarget) => CellPlace | null;
  readonly cellEditing: CellEditingState<Row>;
  readonly selection: Selection<Row>;
  readonly readOnly: boolean;
  /** How many rows a page key jumps over. */
  readonly jump: () => number;
  /** Something is said below this cell. */
  readonly hasNote: (row: Row, columnId: string) => boolean;
  readonly onGo: (place: CellPlace) => void;
  /** Brings a row into sight. */
  readonly onShow: (row: number) => void;
  /** A key leads to the last row, would lead beyond it, or selects down to it. */
  readonly onLastRow?: (() => void) | undefined;
  readonly onSort: (column: GridColumn<Row>) => void;
}

/** What a key does on the cell that has the focus, whichever is the active one. */
export const useGridKeys = <Row extends object>(spec: GridKeysSpec<Row>) => {
  const { columns, cellAt, cellEditing, selection, readOnly, onClear, onFill, onSwitch, onDuplicate } = spec;
  const { shown, editing, start } = cellEditing;

  /** What Enter and Space do on a cell; the first that there is. */
  const enter = (key: 'Enter' | ' ', place: CellPlace, row: Row, column: GridColumn<Row>): void => {
    const note = key === 'Enter' ? document.querySelector<HTMLElement>('[data-note] button') : null;
    const { block, target } = selection;
    if (note && spec.hasNote(row, column.id)) note.focus();
    else if (key === ' ' && column.isSwitch && onSwitch && target && block !== null && block.left === block.right) {
      if (!readOnly) onSwitch(target, row);
    } else if (column.act && !readOnly) column.act(row);
    else if (key === ' ' || !start(place, null)) column.open?.(row);
  };

  /** True when the key meant something to the cell. */
  const press = (event: KeyboardEvent, place: CellPlace, column: GridColumn<Row>): boolean => {
    const { key } = event;
    const row = shown[place.row];
    if (place.row < 0) {
      if (key !== 'Enter' && key !== ' ') return false;
      spec.onSort(column);
      return true;
    }
    if (!row) return false;
    if (key === 'Enter' || key === ' ') {
      // A key that is held down comes many times, and would turn a switch on and off.
      if (!event.repeat) enter(key, place, row, column);
      return true;
    }
    if (key === 'F2') return start(place, null);
    if (key === 'Delete' || key === 'Backspace') {
      if (readOnly || !onClear || !selection.target) return false;
      onClear(selection.target);
      return true;
    }
    return isTyped(event) && start(place, key);
  };

  /** True when the key opens or closes the group of a line. */
  const toggles = ({ key, shiftKey }: KeyboardEvent, { isOpen, toggle }: GroupLine): boolean => {
    const isToggling = key === 'Enter' || key === ' ' || key === (isOpen ? 'ArrowLeft' : 'ArrowRight');
    if (shiftKey || !isToggling) return false;
    toggle();
    return true;
  };

  /** True when the key was about a range. */
  const selects = (event: KeyboardEvent, place: CellPlace): boolean => {
    const last: CellPlace = { row: shown.length - 1, column: columns.length - 1 };
    const isCtrl = event.ctrlKey || event.metaKey;
    // By code: the same key in every keyboard layout.
    const isAll = isCtrl && event.code === 'KeyA';
    const isColumn = event.key === ' ' && isCtrl && !event.shiftKey;
    if (isAll || isColumn) spec.onLastRow?.();
    if (event.key === 'Escape' && selection.block) selection.clear();
    else if (event.key === 'Escape' && selection.ticked.size > 0) selection.clearTicks();
    else if (isAll) selection.select({ row: 0, column: 0 }, last);
    else if (event.key === ' ' && event.shiftKey && !isCtrl)
      selection.select({ row: place.row, column: 0 }, { row: place.row, column: last.column });
    else if (isColumn) selection.select({ row: 0, column: place.column }, { row: last.row, column: place.column });
    else if (event.key === ' ' && isCtrl) selection.tick(selection.span.top, selection.span.bottom);
    else return false;
    return true;
  };

  const fills = ({ code, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean => {
    const { target } = selection;
    if (!onFill || !target || shiftKey || !(ctrlKey || metaKey)) return false;
    const block = code === 'KeyD' ? filledDown(target) : code === 'KeyR' && target.right > target.left ? target : null;
    if (block && !readOnly) onFill(block, code === 'KeyD' ? 'down' : 'right');
    // Never what the browser does at this key, as a hand that fills does not want it.
    return code === 'KeyD' || block !== null;
  };

  const duplicates = ({ code, ctrlKey, metaKey, shiftKey, repeat }: KeyboardEvent): boolean => {
    if (!onDuplicate || !selection.picked || code !== 'KeyJ' || shiftKey || !(ctrlKey || metaKey)) return false;
    if (!readOnly && !repeat) onDuplicate(selection.picked);
    return true;
  };

  const moves = (event: KeyboardEvent, place: CellPlace): boolean => {
    const size: GridSize = { rows: shown.length, columns: columns.length, page: spec.jump() };
    const isExtending = event.shiftKey && place.row >= 0;
    const key = { key: event.key, ctrl: event.ctrlKey || event.metaKey };
    const to = moved(isExtending ? selection.head : place, key, size);
    if (!to) return false;
    const isDown = key.key === 'ArrowDown' || key.key === 'PageDown' || (key.key === 'End' && key.ctrl);
    if (isDown && to.row === size.rows - 1) spec.onLastRow?.();
    if (!isExtending) spec.onGo(to);
    else {
      const head = { ...to, row: Math.max(0, to.row) };
      selection.extend(head);
      spec.onShow(head.row);
    }
    return true;
  };

  return (event: KeyboardEvent<HTMLElement>): void => {
    if (editing || event.altKey || !(event.target as HTMLElement).matches(cellSelector)) return;
    const place = cellAt(event.target);
    const column = place && columns[place.column];
    if (!place || !column) return;
    const isPlain = !event.ctrlKey && !event.metaKey;
    const isInRows = place.row >= 0;
    const row = shown[place.row];
    const line = row ? groupLineOf(row) : null;
    const isTaken =
      (isPlain && line !== null && toggles(event, line)) ||
      moves(event, place) ||
      (isInRows && (selects(event, place) || fills(event) || duplicates(event))) ||
      (isPlain && line === null && press(event, place, column));
    if (!isTaken) return;
    event.preventDefault();
    if (event.key === 'Escape') event.stopPropagation();
  };
};
