import {
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { CellEditing } from './grid-cell.tsx';
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
import { GridHead, GridTotals } from './grid-ends.tsx';
import { type CellPlace, moved, nextEditable } from './grid-navigation.ts';
import { GridRow, type RowMark } from './grid-row.tsx';
import { asGrid, asRowGroup } from './roles.ts';
import { defaultRangeExtractor, useRowWindow } from './row-window.ts';
import { useSortedRows } from './sort-rows.ts';
import './grid.css';

export interface EditableGridProps<Row extends object> {
  /** Name of the table. */
  readonly label: string;
  /** Must be a stable array; rows that tie in a sort keep its order. */
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** Stable, like `rowId`, `onSave`, `cellMark` and `rowMark`. */
  readonly columns: readonly GridColumn<Row>[];
  readonly sorting: GridSorting;
  readonly onSortingChange: (sorting: GridSorting) => void;
  /** Which part of the sorted rows is shown; absent = all. */
  readonly page?: GridPage | undefined;
  readonly readOnly?: boolean;
  /** A cell got a new, valid value. */
  readonly onSave: (row: Row, columnId: string, value: unknown) => void;
  readonly cellMark?: (row: Row, columnId: string) => CellMark | null;
  readonly rowMark?: (row: Row) => RowMark;
  /** The others, by the id of the row in which they stand. */
  readonly colleagues?: ReadonlyMap<string, readonly CellColleague[]>;
  /** Who made the change that a cell has just shown; stable. */
  readonly authorOf?: (row: Row, columnId: string) => Promise<ChangeAuthor | null>;
  /** Called when the person came into another cell, began or ended editing, or left the table (`null`); stable. */
  readonly onPlaceChange?: (place: GridPlace | null) => void;
  readonly totals?: readonly TotalsCell[];
  /** Shown instead of rows. */
  readonly empty?: ReactNode;
}

const headHeight = 30;
const rowHeight = 32;
const totalsHeight = 33;
const numberWidth = 34;

const noMark = (): null => null;

interface Editing {
  readonly rowId: string;
  readonly columnId: string;
  readonly typed: string | null;
  /** Where the row stood when the editing began: it stays there until the end. */
  readonly at: number;
  /** What to show when the row goes away meanwhile. */
  readonly row: object;
}

const isTyped = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey && !event.altKey;

/**
 * The table: one Tab stop, arrows move, Enter, F2, double click or typing edit, Enter saves, Escape restores, Tab saves
 * and moves on. Rows are virtual, the row under edit stays where it is, and nothing from outside touches an open editor.
 */
export const EditableGrid = <Row extends object>({
  label,
  rows,
  rowId,
  columns,
  sorting,
  onSortingChange,
  readOnly = false,
  onSave,
  cellMark = noMark,
  rowMark = noMark,
  page,
  colleagues,
  authorOf,
  onPlaceChange,
  totals,
  empty,
}: EditableGridProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null);
  const commit = useRef<() => boolean>(null);
  const focusWanted = useRef(false);
  const [active, setActive] = useState<{ rowId: string | null; at: number; column: number }>({
    rowId: null,
    at: 0,
    column: 0,
  });
  const [inHeader, setInHeader] = useState(false);
  const [editing, setEditing] = useState<Editing | null>(null);

  const [hasFocus, setHasFocus] = useState(false);
  const sorted = useSortedRows(rows, columns, rowId, sorting);
  const offset = page ? (page.number - 1) * page.size : 0;
  const part = useMemo(() => (page ? sorted.slice(offset, offset + page.size) : sorted), [sorted, page, offset]);
  const shown = useMemo(() => {
    if (!editing) return part;
    const list = [...part];
    const now = list.findIndex((row) => rowId(row) === editing.rowId);
    const row = now < 0 ? (editing.row as Row) : list[now];
    if (now >= 0) list.splice(now, 1);
    if (row) list.splice(Math.min(editing.at, list.length), 0, row);
    return list;
  }, [part, editing, rowId]);

  const indexes = useMemo(() => new Map(shown.map((row, index) => [rowId(row), index])), [shown, rowId]);
  const known = active.rowId === null ? undefined : indexes.get(active.rowId);
  // A row that went away leaves its place to the next one.
  const activeRow = inHeader || shown.length === 0 ? -1 : (known ?? Math.max(0, Math.min(active.at, shown.length - 1)));

  const editingRow = editing ? (indexes.get(editing.rowId) ?? -1) : -1;
  const virtualizer = useRowWindow({
    count: shown.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = shown[index];
      return row ? rowId(row) : index;
    },
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
    scrollPaddingEnd: totals ? totalsHeight : 0,
    useFlushSync: false,
    rangeExtractor: (range) => {
      const extra = [activeRow, editingRow].filter((index) => index >= 0 && index < range.count);
      return [...new Set([...defaultRangeExtractor(range), ...extra])].sort((a, b) => a - b);
    },
  });

  const standing = hasFocus ? shown[activeRow] : undefined;
  const standingRow = standing ? rowId(standing) : null;
  const standingColumn = columns[active.column]?.id ?? null;
  const isEditing = editing !== null;
  useEffect(() => {
    onPlaceChange?.(
      standingRow === null || standingColumn === null
        ? null
        : { rowId: standingRow, columnId: standingColumn, editing: isEditing },
    );
  }, [onPlaceChange, standingRow, standingColumn, isEditing]);
  useEffect(() => () => onPlaceChange?.(null), [onPlaceChange]);

  const firstPage = useRef(page?.number);
  useEffect(() => {
    if (firstPage.current === page?.number) return;
    firstPage.current = page?.number;
    scroller.current?.scrollTo({ top: 0 });
  }, [page?.number]);

  const goTo = (place: CellPlace): void => {
    const row = shown[place.row];
    setInHeader(place.row < 0);
    setActive({ rowId: row ? rowId(row) : null, at: place.row, column: place.column });
    if (place.row >= 0) virtualizer.scrollToIndex(place.row, { align: 'auto' });
    focusWanted.current = true;
  };

  useLayoutEffect(() => {
    if (!focusWanted.current || editing) return;
    const cell = scroller.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (!cell) return;
    focusWanted.current = false;
    cell.focus({ preventScroll: true });
  });

  const editorAt = (place: CellPlace) => {
    const row = shown[place.row];
    const column = columns[place.column];
    if (readOnly || !row || !column?.editor) return null;
    const editor = column.editor(row);
    return editor && { row, column, editor };
  };

  const startEditing = (place: CellPlace, typed: string | null): boolean => {
    const found = editorAt(place);
    if (!found) return false;
    const { row, column, editor } = found;
    if (editor.kind === 'dialog') {
      if (typed !== null) return false;
      editor.open();
      return true;
    }
    const text = typed !== null && editor.kind === 'text' ? editor.accept(typed) : typed;
    if (typed !== null && text === null) return false;
    setInHeader(false);
    setActive({ rowId: rowId(row), at: place.row, column: place.column });
    setEditing({ rowId: rowId(row), columnId: column.id, typed: text, at: place.row, row });
    return true;
  };

  const finish = (result: { value: unknown } | null, move: -1 | 0 | 1): void => {
    if (!editing) return;
    const at = indexes.get(editing.rowId) ?? 0;
    const row = shown[at];
    const column = columns.findIndex((one) => one.id === editing.columnId);
    setEditing(null);
    if (result && row) onSave(row, editing.columnId, result.value);
    const next =
      move === 0
        ? null
        : nextEditable(
            { row: at, column },
            move,
            { rows: shown.length, columns: columns.length },
            (place) => editorAt(place) !== null,
          );
    // Focus that already went elsewhere by mouse stays there.
    const focused = document.activeElement;
    const inside =
      focused === document.body || scroller.current?.contains(focused) || focused?.closest('[data-floating]');
    if (next) goTo(next);
    else if (inside) focusWanted.current = true;
  };
  const latestFinish = useRef(finish);
  useEffect(() => {
    latestFinish.current = finish;
  });

  const editor = useMemo(() => {
    if (!editing) return null;
    const column = columns.find((one) => one.id === editing.columnId);
    // Taken once: what arrives meanwhile does not touch the open editor.
    const cellEditor = column?.editor?.(editing.row as Row);
    if (!cellEditor) return null;
    const cell: CellEditing = {
      editor: cellEditor,
      typed: editing.typed,
      commit,
      onDone: (result, move) => latestFinish.current(result, move),
    };
    return { columnId: editing.columnId, cell };
  }, [editing, columns]);

  const sortBy = (column: GridColumn<Row>): void => {
    if (!column.sortBy) return;
    const same = sorting.columnId === column.id;
    onSortingChange({ columnId: column.id, order: same && sorting.order === 'asc' ? 'desc' : 'asc' });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const target = event.target as HTMLElement;
    if (editing || !target.matches('[role="gridcell"], [role="columnheader"]')) return;
    const place: CellPlace = { row: activeRow, column: active.column };
    const row = shown[place.row];
    const column = columns[place.column];
    const jump = Math.max(
      1,
      Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight - totalsHeight) / rowHeight) - 1,
    );
    const size = { rows: shown.length, columns: columns.length, page: jump };
    const to = moved(place, { key: event.key, ctrl: event.ctrlKey || event.metaKey }, size);
    if (to && !event.altKey) {
      event.preventDefault();
      return goTo(to);
    }
    if (!column || event.ctrlKey || event.metaKey || event.altKey) return;
    let done = false;
    if (place.row < 0) {
      done = event.key === 'Enter' || event.key === ' ';
      if (done) sortBy(column);
    } else if (row) {
      if (event.key === 'Enter' || event.key === ' ') {
        const note = event.key === 'Enter' ? document.querySelector<HTMLElement>('[data-note] button') : null;
        if (note && cellMark(row, column.id)?.note) note.focus();
        else if (column.act && !readOnly) column.act(row);
        else if (event.key === ' ') column.open?.(row);
        else if (!startEditing(place, null)) column.open?.(row);
        done = true;
      } else if (event.key === 'F2') done = startEditing(place, null);
      else if (isTyped(event)) done = startEditing(place, event.key);
    }
    if (done) event.preventDefault();
  };

  const placeOf = (event: MouseEvent | FocusEvent): CellPlace | null => {
    const cell = (event.target as Element).closest<HTMLElement>('[data-column]');
    const row = cell?.closest<HTMLElement>('[data-row]');
    if (!cell || !scroller.current?.contains(cell)) return null;
    return { row: row ? (indexes.get(row.dataset['row'] ?? '') ?? -1) : -1, column: Number(cell.dataset['column']) };
  };

  const onMouseDown = (event: MouseEvent): void => {
    const place = placeOf(event);
    if (!place) return;
    const column = columns[place.column];
    if (editing) {
      if (place.row === editingRow && column?.id === editing.columnId) return;
      if (commit.current && !commit.current()) return event.preventDefault();
    }
    if ((event.target as Element).closest('button, a, input')) return;
    goTo(place);
  };

  /** Focus that came by neither key nor mouse makes its cell the active one too. */
  const onFocus = (event: FocusEvent<HTMLElement>): void => {
    setHasFocus(true);
    if (!event.target.matches('[role="gridcell"], [role="columnheader"]')) return;
    const place = placeOf(event);
    if (!place || (place.row === activeRow && place.column === active.column)) return;
    goTo(place);
  };

  const onBlur = ({ target, relatedTarget }: FocusEvent<HTMLElement>): void => {
    // A window in the background still has its focus; what floats belongs to the table.
    const stays =
      document.activeElement === target ||
      (relatedTarget instanceof Element &&
        (scroller.current?.contains(relatedTarget) || relatedTarget.closest('[data-floating]') !== null));
    if (!stays) setHasFocus(false);
  };

  const onDoubleClick = (event: MouseEvent): void => {
    const place = placeOf(event);
    if (!place || editing || (event.target as Element).closest('button, a, input')) return;
    startEditing(place, null);
  };

  const template = `${numberWidth}px ${columns.map((column) => `minmax(${column.width}px, ${column.width}fr)`).join(' ')}`;
  const least = columns.reduce((sum, column) => sum + column.width, numberWidth);
  const lefts = useMemo(() => {
    const found: (number | null)[] = [];
    let left = numberWidth;
    for (const column of columns) {
      found.push(column.pinned ? left : null);
      left += column.width;
    }
    return found;
  }, [columns]);

  // The keys and clicks of all cells in one place; the cells themselves have the focus.
  const grid = { ...asGrid, onKeyDown, onMouseDown, onFocus, onBlur, onDoubleClick };

  return (
    <div ref={scroller} className="z-grid">
      <table
        {...grid}
        aria-label={label}
        aria-rowcount={Math.max(rows.length, offset + shown.length) + 1 + (totals ? 1 : 0)}
        aria-colcount={columns.length}
        {...(readOnly && { 'aria-readonly': true })}
        className="z-grid-table"
        data-empty={shown.length === 0 || undefined}
        style={{ '--columns': template, minWidth: least } as CSSProperties}
      >
        <GridHead
          columns={columns}
          lefts={lefts}
          sorting={sorting}
          active={activeRow < 0 ? active.column : null}
          onSort={sortBy}
        />
        <tbody {...asRowGroup} className="z-grid-body" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = shown[item.index];
            if (!row) return null;
            const id = rowId(row);
            return (
              <GridRow
                key={id}
                row={row}
                rowId={id}
                index={item.index}
                offset={offset}
                top={item.start - headHeight}
                columns={columns}
                lefts={lefts}
                active={item.index === activeRow ? active.column : null}
                editing={editing?.rowId === id ? editor : null}
                readOnly={readOnly}
                mark={rowMark(row)}
                cellMark={cellMark}
                colleagues={colleagues?.get(id)}
                authorOf={authorOf}
              />
            );
          })}
        </tbody>
        {totals && shown.length > 0 && (
          <GridTotals
            columns={columns}
            lefts={lefts}
            cells={totals}
            rowIndex={Math.max(rows.length, offset + shown.length) + 2}
          />
        )}
      </table>
      {shown.length === 0 && empty}
    </div>
  );
};
