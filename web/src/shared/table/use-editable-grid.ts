import { type RefObject, useCallback, useEffect, useMemo, useState } from 'react';
import type { GridColumn } from './grid-column.ts';
import { groupLineOf, isGroupLine, withoutLines } from './grid-groups.ts';
import type { CellPlace } from './grid-navigation.ts';
import type { EditableGridProps } from './grid-props.ts';
import { withRevealed } from './revealed-row.ts';
import { useActiveCell } from './use-active-cell.ts';
import { useCellEditing } from './use-cell-editing.ts';
import { useFlashes } from './use-flashes.ts';
import { useGridClipboard } from './use-grid-clipboard.ts';
import { useGridEvents } from './use-grid-events.ts';
import { useGridFocus } from './use-grid-focus.ts';
import { usePlaceReport } from './use-place-report.ts';
import { heights, useRowsInSight } from './use-rows-in-sight.ts';
import { useSelection } from './use-selection.ts';
import { useTopOfPage } from './use-top-of-page.ts';

const noMark = (): null => null;

/** The rows of the page, the revealed one among them. */
const usePart = <Row extends object>({ rows, page, groups = null, revealed = null, rowId }: EditableGridProps<Row>) => {
  const arranged = useMemo(() => (groups === null ? rows : groups.arrange(rows)), [rows, groups]);
  const offset = page ? (page.number - 1) * page.size : 0;
  const part = useMemo(
    () =>
      withRevealed(
        page && page.isCut !== true ? arranged.slice(offset, offset + page.size) : arranged,
        revealed,
        rowId,
      ),
    [arranged, page, offset, revealed, rowId],
  );
  return { ...part, offset };
};

/** Focus that already went elsewhere by mouse stays there. */
const mayTakeFocus = (scroller: HTMLElement | null): boolean => {
  const focused = document.activeElement;
  return (
    focused === document.body ||
    scroller?.contains(focused) === true ||
    (focused?.closest('[data-floating]') ?? null) !== null
  );
};

/** What the table shows, where the keyboard stands in it, what is selected, and what keys and the mouse do. */
export const useEditableGrid = <Row extends object>(
  props: EditableGridProps<Row>,
  scroller: RefObject<HTMLDivElement | null>,
) => {
  const { columns, sorting, readOnly = false, revealed = null, cellMark = noMark, rowMark = noMark } = props;
  const [hasFocus, setHasFocus] = useState(false);
  const isGrouped = (props.groups ?? null) !== null;
  const { rowId: idOf } = props;
  const rowId = useCallback((row: Row): string => groupLineOf(row)?.id ?? idOf(row), [idOf]);
  const { rows: part, isOutOfPlace, offset } = usePart({ ...props, rowId });
  const goTo = (place: CellPlace): void => {
    active.activate(place);
    selection.clear();
    if (place.row >= 0) inSight.show(place.row);
    focus.want();
  };
  /** Selects from a cell, which is the active one then, to another. */
  const selectFrom = (from: CellPlace, to: CellPlace): void => {
    if (from.row !== active.row || from.column !== active.column) {
      active.activate(from);
      focus.want();
    }
    selection.select(from, to);
  };
  const cellEditing = useCellEditing<Row>({
    rows: part,
    rowId,
    columns,
    readOnly,
    onSave: props.onSave,
    onStart: (place) => {
      active.activate(place);
      selection.clear();
    },
    onDone: (next) => {
      if (next && mayTakeFocus(scroller.current)) goTo(next);
      else if (mayTakeFocus(scroller.current)) focus.want();
    },
    onSpread: props.onPaste && ((clip) => props.onPaste?.(clip, pasteAt)),
  });
  const { shown, placeOf, editing } = cellEditing;
  const active = useActiveCell({ rows: shown, rowId, placeOf, columns, revealed });
  const selection = useSelection({ rows: shown, rowId, placeOf, columns, active, isGrouped, onSelect: props.onSelect });
  const inSight = useRowsInSight({
    rows: shown,
    rowId,
    scroller,
    hasTotals: props.totals !== undefined,
    always: [active.row, editing ? placeOf(editing.rowId, editing.at) : -1],
    isBound: (row) => !isGroupLine(row) && rowMark(row) !== null,
  });
  const seen = isGrouped ? new Map([...inSight.rows].filter(([, { row }]) => !isGroupLine(row))) : inSight.rows;
  const flashes = useFlashes({ rows: seen, columns, editing, cellMark, authorOf: props.authorOf });
  const activeRow = shown[active.row];
  const isOnLine = activeRow !== undefined && isGroupLine(activeRow);
  const standing = hasFocus && !isOnLine ? activeRow : undefined;
  usePlaceReport(
    {
      rowId: standing ? rowId(standing) : null,
      columnId: columns[active.column]?.id ?? null,
      editing: editing !== null,
    },
    props.onPlaceChange,
  );
  useTopOfPage(scroller, props.page?.number);
  const focus = useGridFocus({
    scroller,
    isEditing: editing !== null,
    turn: active.turn,
    activeRow: active.row,
    show: inSight.show,
  });
  const { onOutOfPlace, onSortingChange } = props;
  useEffect(() => onOutOfPlace?.(isOutOfPlace), [onOutOfPlace, isOutOfPlace]);
  const sortBy = (column: GridColumn<Row>): void => {
    if (!column.sortBy) return;
    const same = sorting.columnId === column.id;
    onSortingChange({ columnId: column.id, order: same && sorting.order === 'asc' ? 'desc' : 'asc' });
  };
  const whole = { rows: shown, columns, top: 0, bottom: shown.length - 1, left: active.column, right: active.column };
  const { rows: allRows } = (isGrouped ? withoutLines(whole) : null) ?? whole;
  const below = { ...whole, rows: allRows, top: allRows.length, bottom: allRows.length };
  const pasteAt = selection.target ?? below;
  useGridClipboard({
    scroller,
    copied: selection.picked,
    pasteAt,
    onPaste: isOnLine ? undefined : props.onPaste,
  });
  const events = useGridEvents({
    scroller,
    columns,
    activeRow: active.row,
    isActive: (id, column) => column === active.column && active.isRow(id),
    cellEditing,
    selection,
    readOnly,
    jump: () => {
      const room = (scroller.current?.clientHeight ?? 0) - heights.head - heights.totals;
      return Math.max(1, Math.floor(room / heights.row) - 1);
    },
    hasNote: (row, columnId) => Boolean(cellMark(row, columnId)?.note),
    onGo: goTo,
    onShow: (row) => {
      inSight.show(row);
      focus.want();
    },
    onLastRow: props.onLastRow,
    onSort: sortBy,
    onFocusChange: setHasFocus,
    onRowFocus: inSight.hold,
    onClear: props.onClear,
    onFill: props.onFill,
    onSwitch: props.onSwitch,
    onDuplicate: props.onDuplicate,
    onMenu: props.onMenu,
    rowId,
  });
  return {
    offset,
    isOutOfPlace,
    cellEditing,
    active,
    selection,
    selectFrom,
    inSight,
    flashes,
    events,
    sortBy,
    cellMark,
    rowMark,
  };
};
