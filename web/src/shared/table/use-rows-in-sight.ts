import { type PointerEventHandler, type RefObject, useState } from 'react';
import { rowElements, type RowElement } from './row-elements.ts';
import { rowWindow } from './row-window.ts';
import { usePressed } from './use-pressed.ts';
import { useRowWindow } from './use-row-window.ts';

/** Heights in px, as the style sheet has them. */
export const heights = { head: 30, row: 32, totals: 33 } as const;

interface RowsInSightSpec<Row> {
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly scroller: RefObject<HTMLElement | null>;
  readonly hasTotals: boolean;
  /** Rows that are in the document wherever it is scrolled to; −1 = none. */
  readonly always: readonly number[];
  /** Something stands in this row that is its own. */
  readonly isBound: (row: Row) => boolean;
}

export interface RowsInSight<Row> {
  /** By id, in their order. */
  readonly rows: ReadonlyMap<string, { readonly row: Row; readonly index: number }>;
  /** The elements that show them, in the order in which they stand in the document. */
  readonly elements: readonly RowElement[];
  /** Of all rows, in px. */
  readonly height: number;
  /** Brings a row into sight. */
  readonly show: (index: number) => void;
  /** The row in which the focus is. */
  readonly hold: (rowId: string) => void;
  readonly onPointerDown: PointerEventHandler;
}

/** The rows that are in the document: those in sight, some more, and those that must be, each with the element that shows it. */
export const useRowsInSight = <Row>({
  rows,
  rowId,
  scroller,
  hasTotals,
  always,
  isBound,
}: RowsInSightSpec<Row>): RowsInSight<Row> => {
  const [windowOf] = useState(rowWindow);
  const [assigned] = useState(rowElements);
  const virtualizer = useRowWindow({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => heights.row,
    scrollMargin: heights.head,
    scrollPaddingStart: heights.head,
    scrollPaddingEnd: hasTotals ? heights.totals : 0,
    rangeExtractor: (range): number[] => {
      const { scrollRect, scrollDirection } = virtualizer;
      const fit = Math.ceil((scrollRect?.height ?? 0) / heights.row) + 1;
      return windowOf({ ...range, fit, direction: scrollDirection, always });
    },
  });
  const { isPressed, onPointerDown } = usePressed(() => virtualizer.isScrolling);
  const inSight = new Map<string, { readonly row: Row; readonly index: number }>();
  for (const { index } of virtualizer.getVirtualItems()) {
    const row = rows[index];
    if (row) inSight.set(rowId(row), { row, index });
  }
  const elements = assigned.assign({
    ids: [...inSight.keys()],
    isScrolling: virtualizer.isScrolling || isPressed,
    isBound: (id) => {
      const found = inSight.get(id);
      return found !== undefined && (always.includes(found.index) || isBound(found.row));
    },
  });
  return {
    rows: inSight,
    elements,
    height: virtualizer.getTotalSize(),
    show: (index) => virtualizer.scrollToIndex(index, { align: 'auto' }),
    hold: (id) => assigned.hold(id),
    onPointerDown,
  };
};
