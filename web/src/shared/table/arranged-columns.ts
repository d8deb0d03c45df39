import type { GridColumn } from './grid-column.ts';

/** Between what a person chooses the width of a column, in px. */
export const leastWidth = 48;
export const mostWidth = 480;

/** How a person laid the columns of a table; a column that it does not name is as it usually is. */
export interface ColumnArrangement {
  /** In px, by the column's id. */
  readonly widths: Readonly<Record<string, number>>;
  /** Ids of the columns that scroll, in their order. */
  readonly order: readonly string[];
  /** Ids of the columns that stay in sight after those that always do, in their order. */
  readonly pinned: readonly string[];
}

/** Every column as wide as it usually is, in the usual place. */
export const usualArrangement: ColumnArrangement = { widths: {}, order: [], pinned: [] };

/** The columns as the person laid them: those that always stay, those that were pinned, the others, and last what is fixed. */
export const arrangedColumns = <Row>(
  columns: readonly GridColumn<Row>[],
  { widths, order, pinned }: ColumnArrangement,
): readonly GridColumn<Row>[] => {
  const placeOf = ({ id, pinned: stays, fixed }: GridColumn<Row>): number => {
    if (stays) return -1e3;
    if (fixed) return 1e4;
    return pinned.includes(id) ? pinned.indexOf(id) - 500 : (order.indexOf(id) + 1 || 1e3) - 1;
  };
  return columns
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .map((column) => {
      const chosen = widths[column.id];
      return {
        ...column,
        ...(chosen !== undefined && { chosen }),
        ...(pinned.includes(column.id) && { pinned: true }),
      };
    });
};
