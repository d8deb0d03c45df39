import {
  type CSSProperties,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { columnLayout } from './column-layout.ts';
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
import { FigureRoomProvider, useFigureRooms } from './figure-room.ts';
import { GridHead, GridTotals } from './grid-ends.tsx';
import type { CellPlace } from './grid-navigation.ts';
import { GridRow, type RowMark } from './grid-row.tsx';
import { type RevealedRow, withRevealed } from './revealed-row.ts';
import { asGrid, asRowGroup } from './roles.ts';
import { useSortedRows } from './use-sorted-rows.ts';
import { useCellEditing } from './use-cell-editing.ts';
import { useFlashes } from './use-flashes.ts';
import { useGridEvents } from './use-grid-events.ts';
import { usePlaceReport } from './use-place-report.ts';
import { heights, useRowsInSight } from './use-rows-in-sight.ts';
import { useTopOfPage } from './use-top-of-page.ts';
import './grid.css';

export interface EditableGridProps<Row extends object> {
  /** Name of the table. */
  readonly label: string;
  /** Must be a stable array, in the order of `tie`. */
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  /** How rows stand that a sort makes equal; 0 for none but the same. */
  readonly tie: (a: Row, b: Row) => number;
  /** Stable, like `rowId`, `tie`, `onSave`, `cellMark` and `rowMark`. */
  readonly columns: readonly GridColumn<Row>[];
  readonly sorting: GridSorting;
  readonly onSortingChange: (sorting: GridSorting) => void;
  /** Which part of the sorted rows is shown; absent = all. */
  readonly page?: GridPage | undefined;
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
  readonly totals?: readonly TotalsCell[];
  /** Shown instead of rows. */
  readonly empty?: ReactNode;
}

const noMark = (): null => null;

/** The cell in which the keyboard stands. */
interface ActiveCell {
  readonly rowId: string | null;
  /** Where the row was: when it goes, the next one there takes its place. */
  readonly at: number;
  readonly column: number;
  readonly inHeader: boolean;
}

/**
 * The table: one Tab stop, arrows move, Enter, F2, double click or typing edit, Enter saves, Escape restores, Tab saves
 * and moves on. Rows are virtual, the row under edit stays where it is, and nothing from outside touches an open editor.
 */
export const EditableGrid = <Row extends object>({
  label,
  rows,
  rowId,
  tie,
  columns,
  sorting,
  onSortingChange,
  readOnly = false,
  onSave,
  cellMark = noMark,
  rowMark = noMark,
  page,
  revealed = null,
  onOutOfPlace,
  colleagues,
  authorOf,
  onPlaceChange,
  totals,
  empty,
}: EditableGridProps<Row>) => {
  const scroller = useRef<HTMLDivElement>(null);
  const focusWanted = useRef(false);
  const wasRevealed = useRef(false);
  const [active, setActive] = useState<ActiveCell>({ rowId: null, at: 0, column: 0, inHeader: false });
  const [hasFocus, setHasFocus] = useState(false);
  const sorted = useSortedRows(rows, columns, tie, sorting);
  const offset = page ? (page.number - 1) * page.size : 0;
  const { rows: part, isOutOfPlace } = useMemo(
    () => withRevealed(page ? sorted.slice(offset, offset + page.size) : sorted, revealed, rowId),
    [sorted, page, offset, revealed, rowId],
  );

  const activate = ({ row, column }: CellPlace): void => {
    const found = shown[row];
    setActive({ rowId: found ? rowId(found) : null, at: row, column, inHeader: row < 0 });
  };
  const goTo = (place: CellPlace): void => {
    activate(place);
    if (place.row >= 0) inSight.show(place.row);
    focusWanted.current = true;
  };
  const cellEditing = useCellEditing({
    rows: part,
    rowId,
    columns,
    readOnly,
    onSave,
    onStart: activate,
    onDone: (next) => {
      // Focus that already went elsewhere by mouse stays there.
      const focused = document.activeElement;
      const inside =
        focused === document.body || scroller.current?.contains(focused) || focused?.closest('[data-floating]');
      if (next) goTo(next);
      else if (inside) focusWanted.current = true;
    },
  });
  const { shown, placeOf, editing, editor } = cellEditing;
  const turn = revealed?.turn ?? 0;
  const [goneTo, setGoneTo] = useState(0);
  if (turn !== goneTo) {
    setGoneTo(turn);
    if (revealed) {
      const column = columns.findIndex(({ id }) => id === revealed.columnId);
      activate({ row: placeOf(rowId(revealed.row)), column: Math.max(0, column) });
    }
  }
  const known = active.rowId === null ? -1 : placeOf(active.rowId, active.at);
  const nearest = known < 0 ? Math.max(0, Math.min(active.at, shown.length - 1)) : known;
  const activeRow = active.inHeader || shown.length === 0 ? -1 : nearest;
  // An action was chosen for the row that went: the next key does not do it to the row that took its place.
  const activeColumn = known < 0 && active.rowId !== null && columns[active.column]?.act ? 0 : active.column;
  const editingRow = editing ? placeOf(editing.rowId, editing.at) : -1;
  const inSight = useRowsInSight({
    rows: shown,
    rowId,
    scroller,
    hasTotals: totals !== undefined,
    always: [activeRow, editingRow],
    isBound: (row) => rowMark(row) !== null,
  });
  const flashes = useFlashes({ rows: inSight.rows, columns, editing, cellMark, authorOf });

  const standing = hasFocus ? shown[activeRow] : undefined;
  usePlaceReport(
    {
      rowId: standing ? rowId(standing) : null,
      columnId: columns[activeColumn]?.id ?? null,
      editing: editing !== null,
    },
    onPlaceChange,
  );

  useTopOfPage(scroller, page?.number);

  const showRevealed = useEffectEvent((): void => {
    focusWanted.current = activeRow >= 0;
    wasRevealed.current = activeRow >= 0;
    inSight.show(activeRow);
  });
  useLayoutEffect(() => {
    if (turn > 0) showRevealed();
  }, [turn]);
  useEffect(() => onOutOfPlace?.(isOutOfPlace), [onOutOfPlace, isOutOfPlace]);

  useLayoutEffect(() => {
    if (!focusWanted.current || editing) return;
    const cell = scroller.current?.querySelector<HTMLElement>('[tabindex="0"]');
    if (!cell) return;
    focusWanted.current = false;
    cell.focus({ preventScroll: true });
    // The table itself may lie below the edge of the page.
    if (wasRevealed.current) cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    wasRevealed.current = false;
  });

  const sortBy = (column: GridColumn<Row>): void => {
    if (!column.sortBy) return;
    const same = sorting.columnId === column.id;
    onSortingChange({ columnId: column.id, order: same && sorting.order === 'asc' ? 'desc' : 'asc' });
  };
  const events = useGridEvents({
    scroller,
    columns,
    activeRow,
    isActive: (id, column) => column === activeColumn && (id === null ? active.inHeader : id === active.rowId),
    cellEditing,
    readOnly,
    jump: () => {
      const room = (scroller.current?.clientHeight ?? 0) - heights.head - heights.totals;
      return Math.max(1, Math.floor(room / heights.row) - 1);
    },
    hasNote: (row, columnId) => Boolean(cellMark(row, columnId)?.note),
    onGo: goTo,
    onSort: sortBy,
    onFocusChange: setHasFocus,
    onRowFocus: inSight.hold,
  });
  const { template, wide, least, cells } = useMemo(() => columnLayout(columns), [columns]);
  const figureRooms = useFigureRooms(scroller, columns);
  const rowCount = Math.max(rows.length, offset + shown.length);

  return (
    <div ref={scroller} className="z-grid">
      <table
        {...asGrid}
        {...events}
        onPointerDown={inSight.onPointerDown}
        aria-label={label}
        aria-rowcount={rowCount + 1 + (totals ? 1 : 0)}
        aria-colcount={columns.length}
        {...(readOnly && { 'aria-readonly': true })}
        className="z-grid-table"
        data-empty={shown.length === 0 || undefined}
        style={{ '--columns': template, '--columns-wide': wide, minWidth: least } as CSSProperties}
      >
        <GridHead
          columns={columns}
          layout={cells}
          sorting={sorting}
          active={activeRow < 0 ? activeColumn : null}
          onSort={sortBy}
        />
        <FigureRoomProvider value={figureRooms}>
          <tbody {...asRowGroup} className="z-grid-body" style={{ height: inSight.height }}>
            {inSight.elements.map(({ key, id }) => {
              const found = inSight.rows.get(id);
              if (!found) return null;
              const { row, index } = found;
              return (
                <GridRow
                  key={key}
                  row={row}
                  rowId={id}
                  index={index}
                  offset={offset}
                  top={index * heights.row}
                  number={isOutOfPlace ? (index === 0 ? null : offset + index) : offset + index + 1}
                  isRevealed={revealed?.isMarked === true && rowId(revealed.row) === id}
                  columns={columns}
                  layout={cells}
                  active={index === activeRow ? activeColumn : null}
                  editing={editing?.rowId === id ? editor : null}
                  readOnly={readOnly}
                  mark={rowMark(row)}
                  cellMark={cellMark}
                  colleagues={colleagues?.get(id)}
                  flashes={flashes.get(id)}
                />
              );
            })}
          </tbody>
        </FigureRoomProvider>
        {totals && shown.length > 0 && (
          <GridTotals columns={columns} layout={cells} cells={totals} rowIndex={rowCount + 2} />
        )}
      </table>
      {shown.length === 0 && empty}
    </div>
  );
};
