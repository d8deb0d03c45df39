import { useDeferredValue, useEffect, useMemo, useReducer, useState } from 'react';
import { columnOrder } from './column-order.ts';
import type { GridColumn, GridSorting } from './grid-column.ts';
import { type RowOrder, sightKeeper } from './incremental-list.ts';
import { runInSlices } from './run-in-slices.ts';

/** Of more rows than these another order and another question are prepared a slice at a time. */
export const fewRows = 5000;

type Fits<Row> = (row: Row) => boolean;

interface SightSpec<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  /** How rows stand that are equal in a column, which is the order in which they come; stable. */
  readonly tie: (a: Row, b: Row) => number;
  readonly sorting: GridSorting;
  readonly fits: Fits<Row>;
  /** Whether whatever fits `fits` fits `wider`, for certain; stable. */
  readonly narrows?: (fits: Fits<Row>, wider: Fits<Row>) => boolean;
}

interface Asked<Row> {
  readonly order: RowOrder<Row> | null;
  readonly fits: Fits<Row>;
}

/** What is asked for once it can be drawn: at once of a few rows and of what is known, of others when it was prepared in slices. */
const usePrepared = <Row extends object>(
  keeper: ReturnType<typeof sightKeeper<Row>>,
  rows: readonly Row[],
  asked: Asked<Row>,
): Asked<Row> => {
  const { order, fits } = asked;
  /** `stop` ends what is being prepared. It is drawn whatever is asked for meanwhile, as what comes next goes on from it. */
  const [last] = useState({ drawn: null as Asked<Row> | null, stop: null as (() => void) | null });
  const [, draw] = useReducer((turns: number) => turns + 1, 0);
  const isReady = last.drawn === null || rows.length <= fewRows || document.hidden || keeper.knows(order, fits);
  // After every render: whatever was asked for while something was prepared is begun then.
  useEffect(() => {
    if (isReady) Object.assign(last, { drawn: asked });
    else if (last.stop === null)
      Object.assign(last, {
        stop: runInSlices(keeper.prepare(rows, order, fits), () => {
          Object.assign(last, { drawn: asked, stop: null });
          draw();
        }),
      });
  });
  useEffect(
    () => () => {
      last.stop?.();
      Object.assign(last, { stop: null });
    },
    [last],
  );
  return isReady || last.drawn === null ? asked : last.drawn;
};

/**
 * The rows in the order of a column, and those of them that fit. A change of some rows moves these alone. Another order is drawn after what
 * was pressed, and so is another question: of many rows they are prepared while the former ones are shown. `fits`: what those that are
 * shown were asked.
 */
export const useSight = <Row extends object>({ rows, columns, tie, sorting, fits, narrows }: SightSpec<Row>) => {
  const [sightOf] = useState(() => sightKeeper<Row>(narrows));
  const columnId = useDeferredValue(sorting.columnId);
  const direction = useDeferredValue(sorting.order);
  const column = columns.find(({ id }) => id === columnId);
  const order = useMemo(
    (): RowOrder<Row> | null => (column?.sortBy ? columnOrder(column, direction, tie) : null),
    [column, direction, tie],
  );
  const asked = useMemo(() => ({ order, fits }), [order, fits]);
  const drawn = usePrepared(sightOf, rows, asked);
  const sight = useMemo(() => sightOf(rows, drawn.order, drawn.fits), [sightOf, rows, drawn]);
  return { ...sight, fits: drawn.fits };
};
