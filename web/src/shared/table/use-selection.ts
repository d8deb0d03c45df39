import { useEffect, useMemo, useState } from 'react';
import type { GridColumn } from './grid-column.ts';
import { isGroupLine, withoutLines } from './grid-groups.ts';
import type { CellPlace } from './grid-navigation.ts';
import { type CellBlock, type CellRef, tickedBlock } from './grid-range.ts';

/** One end of a range, and where its row was last. */
interface RangeEnd extends CellRef {
  readonly at: number;
}

interface SelectionSpec<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly placeOf: (rowId: string, lastAt?: number) => number;
  readonly columns: readonly GridColumn<Row>[];
  readonly active: CellPlace;
  /** Lines of groups stand among the rows: they are in no block that others are given. */
  readonly isGrouped: boolean;
  readonly onSelect: ((block: CellBlock<Row> | null) => void) | undefined;
}

export interface Selection<Row> {
  /** What is selected, as it stands in the table, lines of groups counted; `null` = the active cell alone. */
  readonly block: Pick<CellBlock<Row>, 'top' | 'bottom' | 'left' | 'right'> | null;
  /** The lines of that, or of the active cell. */
  readonly span: { readonly top: number; readonly bottom: number };
  /** The same with the active cell where nothing is selected; `null` = the keyboard is in the header, or only on lines of groups. */
  readonly target: CellBlock<Row> | null;
  /** What whole rows are asked of: the range, else the ticked rows, else the active cell; `null` = the keyboard is in the header. */
  readonly picked: CellBlock<Row> | null;
  /** Ids of ticked rows, those that are not shown now among them. */
  readonly ticked: ReadonlySet<string>;
  /** Ticks rows, or takes the tick of a single one away; the range is no more. */
  readonly tick: (from: number, to: number) => void;
  /** The same from the row that was ticked last. */
  readonly tickThrough: (row: number) => void;
  readonly clearTicks: () => void;
  /** The end that keys with Shift move. */
  readonly head: CellPlace;
  /** Selects from where the range begins, or from the active cell, to here. */
  readonly extend: (to: CellPlace) => void;
  readonly select: (from: CellPlace, to: CellPlace) => void;
  readonly clear: () => void;
}

const noTicks = { ids: new Set<string>(), last: null };

/** A range between two cells, or rows that are ticked one by one. It belongs to their rows and columns, whatever order these have; when one of them goes, it is no more. */
export const useSelection = <Row extends object>({
  rows,
  rowId,
  placeOf,
  columns,
  active,
  isGrouped,
  onSelect,
}: SelectionSpec<Row>): Selection<Row> => {
  const [range, setRange] = useState<{ readonly anchor: RangeEnd; readonly head: RangeEnd } | null>(null);
  const placeNow = (end: RangeEnd): CellPlace => ({
    row: placeOf(end.rowId, end.at),
    column: columns.findIndex(({ id }) => id === end.columnId),
  });
  const anchor = range === null ? active : placeNow(range.anchor);
  const head = range === null ? active : placeNow(range.head);
  const isWhole = Math.min(anchor.row, anchor.column, head.row, head.column) >= 0;
  const isWide = range !== null && isWhole && (anchor.row !== head.row || anchor.column !== head.column);
  const [first, last] = isWhole ? [anchor, head] : [active, active];
  const [top, bottom] = [Math.min(first.row, last.row), Math.max(first.row, last.row)];
  const [left, right] = [Math.min(first.column, last.column), Math.max(first.column, last.column)];
  const target = useMemo((): CellBlock<Row> | null => {
    const whole = { rows, columns, top, bottom, left, right };
    return top < 0 ? null : isGrouped ? withoutLines(whole) : whole;
  }, [rows, columns, top, bottom, left, right, isGrouped]);
  const block = isWide ? { top, bottom, left, right } : null;
  const [ticks, setTicks] = useState<{ readonly ids: ReadonlySet<string>; readonly last: string | null }>(noTicks);
  const tickedRows = useMemo(() => tickedBlock(rows, columns, ticks.ids, rowId), [rows, columns, ticks, rowId]);
  const chosen = isWide ? target : tickedRows;
  useEffect(() => onSelect?.(chosen), [onSelect, chosen]);

  const tick = (from: number, to: number): void => {
    const through = rows.slice(Math.min(from, to), Math.max(from, to) + 1);
    const turned = through.filter((row) => !isGroupLine(row)).map(rowId);
    const [begin, end] = [rows[from], rows[to]];
    if (!begin || !end || turned.length === 0) return;
    const isOn = from !== to || !ticks.ids.has(rowId(begin));
    const ids = new Set(ticks.ids);
    for (const id of turned) {
      if (isOn) ids.add(id);
      else ids.delete(id);
    }
    setTicks({ ids, last: rowId(end) });
    setRange(null);
  };

  const endAt = ({ row, column }: CellPlace): RangeEnd | null => {
    const [found, shown] = [rows[row], columns[column]];
    return found && shown ? { rowId: rowId(found), columnId: shown.id, at: row } : null;
  };
  const select = (from: CellPlace, to: CellPlace): void => {
    const [begin, end] = [endAt(from), endAt(to)];
    setRange(begin && end && { anchor: begin, head: end });
  };
  return {
    block,
    span: { top, bottom },
    target,
    head: isWhole ? head : active,
    extend: (to) => select(isWhole ? anchor : active, to),
    select,
    clear: () => setRange(null),
    picked: chosen ?? target,
    ticked: ticks.ids,
    tick,
    tickThrough: (row) => {
      const before = ticks.last === null ? -1 : placeOf(ticks.last);
      tick(before < 0 ? row : before, row);
    },
    clearTicks: () => setTicks(noTicks),
  };
};
