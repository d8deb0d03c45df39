import { useDeferredValue, useMemo, useState } from 'react';
import { columnOrder } from './column-order.ts';
import type { GridColumn, GridSorting } from './grid-column.ts';
import { type RowOrder, sightKeeper } from './incremental-list.ts';

interface SightSpec<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  /** How rows stand that are equal in a column, which is the order in which they come; stable. */
  readonly tie: (a: Row, b: Row) => number;
  readonly sorting: GridSorting;
  readonly fits: (row: Row) => boolean;
  /** Whether whatever fits `fits` fits `wider`, for certain; stable. */
  readonly narrows?: (fits: (row: Row) => boolean, wider: (row: Row) => boolean) => boolean;
}

/**
 * The rows in the order of a column, and those of them that fit. A change of some rows moves these alone. Another order is drawn after what
 * was pressed: many rows take longer to sort than a press may to be seen.
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
  return useMemo(() => sightOf(rows, order, fits), [sightOf, rows, order, fits]);
};
