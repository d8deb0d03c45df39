import {
  type ColumnDef,
  createSortedRowModel,
  rowSortingFeature,
  type SortFn,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo } from 'react';
import type { GridColumn, GridSorting } from './grid-column.ts';

const features = tableFeatures({ rowSortingFeature, sortedRowModel: createSortedRowModel() });
/** As the server sorts names, so that a file has the order of the screen. */
const dictionary = new Intl.Collator('ru', { numeric: true, sensitivity: 'base' });

/** The rows in order; rows that tie keep the order in which they came. */
export const useSortedRows = <Row extends object>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  rowId: (row: Row) => string,
  sorting: GridSorting,
): readonly Row[] => {
  const definitions = useMemo(
    () =>
      columns.map((column): ColumnDef<typeof features, Row> => {
        const byText: SortFn<typeof features, Row> = (a, b, id) =>
          dictionary.compare(a.getValue<string>(id), b.getValue<string>(id));
        const byOrder: SortFn<typeof features, Row> = (a, b, id) => {
          const [left, right] = [a.getValue<string | number>(id), b.getValue<string | number>(id)];
          return left < right ? -1 : left > right ? 1 : 0;
        };
        return {
          id: column.id,
          header: column.header,
          accessorFn: (row) => column.sortBy?.(row) ?? '',
          enableSorting: column.sortBy !== undefined,
          sortFn: column.dictionary ? byText : byOrder,
        };
      }),
    [columns],
  );
  const known = columns.some((column) => column.id === sorting.columnId);
  const table = useTable({
    features,
    columns: definitions,
    data: rows,
    getRowId: rowId,
    state: { sorting: known ? [{ id: sorting.columnId, desc: sorting.order === 'desc' }] : [] },
    onSortingChange: () => undefined,
    enableSortingRemoval: false,
  });
  const sorted = table.getRowModel().rows;
  return useMemo(() => sorted.map((row) => row.original), [sorted]);
};
