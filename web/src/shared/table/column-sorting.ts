import type { ColumnOrder } from './data-table.tsx';

/** What a column of `useTable` says of its order. */
interface SortedColumn {
  readonly getIsSorted: () => false | 'asc' | 'desc';
  readonly getCanSort: () => boolean;
  readonly getToggleSortingHandler: () => undefined | ((event: unknown) => void);
}

const directions = { asc: 'ascending', desc: 'descending' } as const;

/** The order of a column of `useTable`, for the heading of a `DataTable`. */
export const columnSorting = (column: SortedColumn): ColumnOrder => {
  const sorted = column.getIsSorted();
  const onToggle = column.getCanSort() ? column.getToggleSortingHandler() : undefined;
  return { direction: sorted === false ? null : directions[sorted], ...(onToggle !== undefined && { onToggle }) };
};
