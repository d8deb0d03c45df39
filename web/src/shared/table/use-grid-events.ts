import type { FocusEvent, RefObject } from 'react';
import { cellOfElement, cellSelector } from './grid-cells.ts';
import type { CellPlace } from './grid-navigation.ts';
import type { BlockActions } from './grid-range.ts';
import { type GridKeysSpec, useGridKeys } from './use-grid-keys.ts';
import { useGridMouse } from './use-grid-mouse.ts';

interface GridEventsSpec<Row> extends Omit<GridKeysSpec<Row>, 'cellAt'>, Pick<BlockActions<Row>, 'onMenu'> {
  readonly rowId: (row: Row) => string;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Where the active row is now: only where to look for a row first, as rows come and go above it. */
  readonly activeRow: number;
  /** Whether this cell is the active one; `null` = of the header. */
  readonly isActive: (rowId: string | null, column: number) => boolean;
  readonly onFocusChange: (hasFocus: boolean) => void;
  /** A cell of this row has the focus, or something in one, or what is open is about it: its element goes to no other row. */
  readonly onRowFocus: (rowId: string) => void;
}

/** The keys and clicks of all cells in one place; the cells themselves have the focus. */
export const useGridEvents = <Row extends object>({
  scroller,
  activeRow,
  isActive,
  onFocusChange,
  ...spec
}: GridEventsSpec<Row>) => {
  const { placeOf } = spec.cellEditing;
  const cellAt = (target: EventTarget): CellPlace | null => {
    const found = cellOfElement(target, scroller.current);
    if (!found) return null;
    const { rowId, column } = found;
    if (rowId === null) return { row: -1, column };
    const at = placeOf(rowId, Math.max(0, activeRow));
    return at < 0 ? null : { row: at, column };
  };
  const onKeyDown = useGridKeys({ ...spec, cellAt });
  const mouse = useGridMouse({ ...spec, cellAt });

  /** Focus that came by neither key nor mouse makes its cell the active one too. */
  const onFocus = ({ target }: FocusEvent<HTMLElement>): void => {
    onFocusChange(true);
    const rowId = target.closest<HTMLElement>('[data-row]')?.dataset['row'];
    if (rowId !== undefined) spec.onRowFocus(rowId);
    if (!target.matches(cellSelector)) return;
    const place = cellAt(target);
    if (place && !isActive(rowId ?? null, place.column)) spec.onGo(place);
  };

  const onBlur = ({ target, relatedTarget }: FocusEvent<HTMLElement>): void => {
    // A window in the background still has its focus; what floats belongs to the table.
    const stays =
      document.activeElement === target ||
      (relatedTarget instanceof Element &&
        (scroller.current?.contains(relatedTarget) || relatedTarget.closest('[data-floating]') !== null));
    if (!stays) onFocusChange(false);
  };

  return { onKeyDown, onFocus, onBlur, ...mouse };
};
