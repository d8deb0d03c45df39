import { useDeferredValue, useMemo, useState } from 'react';
import { columnOrder } from './column-order.ts';
import type { GridColumn, GridSorting } from './grid-column.ts';
import { ordersKeeper, type RowOrder } from './incremental-list.ts';

/**
 * The rows in the order of a column. `tie`: how rows stand that are equal in it, which is the order in which they come; stable. A change of
 * some rows moves these alone. Another order is drawn after what was pressed: many rows take longer to sort than a press may to be seen.
 */
export const useSortedRows = <Row extends object>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  tie: (a: Row, b: Row) => number,
  sorting: GridSorting,
): readonly Row[] => {
  const [inOrder] = useState(() => ordersKeeper<Row>());
  const columnId = useDeferredValue(sorting.columnId);
  const direction = useDeferredValue(sorting.order);
  const column = columns.find(({ id }) => id === columnId);
  const order = useMemo(
    (): RowOrder<Row> | null => (column?.sortBy ? columnOrder(column, direction, tie) : null),
    [column, direction, tie],
  );
  return useMemo(() => (order === null ? rows : inOrder(rows, order)), [inOrder, rows, order]);
};
