import type { CellLayout } from './column-layout.ts';
import type { GridColumn, GridSorting, TotalsCell } from './grid-column.ts';
import { asCell, asHeader, asRow, asRowGroup } from './roles.ts';

interface GridHeadProps<Row> {
  readonly columns: readonly GridColumn<Row>[];
  /** Of each column. */
  readonly layout: readonly CellLayout[];
  readonly sorting: GridSorting;
  /** Index of the column whose header is the Tab stop. */
  readonly active: number | null;
  readonly onSort: (column: GridColumn<Row>) => void;
}

export const GridHead = <Row,>({ columns, layout, sorting, active, onSort }: GridHeadProps<Row>) => (
  <thead {...asRowGroup} className="z-grid-head">
    <tr {...asRow} aria-rowindex={1} className="z-grid-head-row">
      <td className="z-grid-number" data-number="" aria-hidden="true">
        #
      </td>
      {columns.map((column, index) => {
        const isSorted = sorting.columnId === column.id;
        const { className, style } = layout[index] as CellLayout;
        return (
          <th
            key={column.id}
            {...asHeader}
            aria-colindex={index + 1}
            aria-sort={isSorted ? (sorting.order === 'asc' ? 'ascending' : 'descending') : undefined}
            tabIndex={active === index ? 0 : -1}
            data-column={index}
            className={className}
            style={style}
          >
            {column.sortBy ? (
              <button type="button" tabIndex={-1} onClick={() => onSort(column)}>
                {column.header}
                {isSorted && <span aria-hidden="true">{sorting.order === 'asc' ? ' ▲' : ' ▼'}</span>}
              </button>
            ) : (
              <span {...(column.quiet && { className: 'z-visually-hidden' })}>{column.header}</span>
            )}
          </th>
        );
      })}
    </tr>
  </thead>
);

interface GridTotalsProps<Row> {
  readonly columns: readonly GridColumn<Row>[];
  /** Of each column. */
  readonly layout: readonly CellLayout[];
  readonly cells: readonly TotalsCell[];
  readonly rowIndex: number;
}

/** Places of the columns that stay in sight and have no total: what scrolls goes under them too. */
const bareStays = <Row,>({ columns, layout, cells }: Omit<GridTotalsProps<Row>, 'rowIndex'>): readonly number[] => {
  const covered = new Set(
    cells.flatMap(({ columnId, span }) => {
      const first = columns.findIndex(({ id }) => id === columnId);
      return Array.from({ length: span }, (_, index) => first + index);
    }),
  );
  return layout.flatMap(({ style }, at) => (style && !covered.has(at) ? [at] : []));
};

export const GridTotals = <Row,>({ columns, layout, cells, rowIndex }: GridTotalsProps<Row>) => (
  <tfoot {...asRowGroup} className="z-grid-foot">
    <tr {...asRow} aria-rowindex={rowIndex} className="z-grid-foot-row">
      <td className="z-grid-number" aria-hidden="true" />
      {bareStays({ columns, layout, cells }).map((at) => (
        <td
          key={columns[at]?.id}
          aria-hidden="true"
          className="z-grid-cell z-grid-pinned"
          style={{ gridRow: 1, gridColumn: at + 2, ...layout[at]?.style }}
        />
      ))}
      {cells.map((cell) => {
        const first = columns.findIndex((column) => column.id === cell.columnId);
        const pinned = layout[first]?.style;
        return (
          <td
            key={cell.columnId}
            {...asCell}
            aria-colindex={first + 1}
            className={`z-grid-cell z-fits${columns[first]?.align === 'end' ? ' z-grid-end' : ''}${pinned ? ' z-grid-pinned' : ''}`}
            style={{ gridColumn: `${first + 2} / span ${cell.span}`, ...pinned }}
          >
            {cell.content}
          </td>
        );
      })}
    </tr>
  </tfoot>
);
