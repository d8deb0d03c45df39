import type { ReactNode } from 'react';

/** How a column stands in the order of the rows. */
export interface ColumnOrder {
  /** Null = the rows are ordered by another column. */
  readonly direction: 'ascending' | 'descending' | null;
  /** What a press on the heading does; absent = the order is fixed. */
  readonly onToggle?: (event: unknown) => void;
}

/** A column of a read-only table, as data. */
export interface DataColumn<Row> {
  readonly id: string;
  /** Absent = another heading spans it; no headings at all = a table without a head. */
  readonly header?: ReactNode;
  /** How many columns the heading stands over; absent = 1. */
  readonly headerSpan?: number;
  readonly headerTitle?: string | undefined;
  readonly order?: ColumnOrder;
  /** `at`: the number of the row, from 0. */
  readonly cell: (row: Row, at: number) => ReactNode;
  /** Its cells are the headings of their rows. */
  readonly isName?: boolean;
  readonly align?: 'right';
  /** Of the heading and of every cell. */
  readonly className?: string;
  /** Of the heading only. */
  readonly headerClass?: string;
  /** Of the cells only; carries the width where it is not the browser's choice. */
  readonly cellClass?: string | ((row: Row) => string | undefined);
  readonly cellTitle?: (row: Row) => string;
  /** How many columns a cell takes; 0 = an earlier one stands over it; absent = 1. */
  readonly span?: (row: Row) => number;
  /** What a cell is called where rows are cards. */
  readonly cardLabel?: string;
  /** Has no room on a narrow screen. */
  readonly isWideOnly?: boolean;
  /** Its cell in the row of sums. */
  readonly sum?: ReactNode;
  /** Of the sum's cell, in the place of the column's. */
  readonly sumClass?: string;
}

interface DataTableProps<Row> {
  readonly label?: string;
  /** Id of the element that names the table. */
  readonly labelledBy?: string;
  /** Names the table to who cannot see it. */
  readonly caption?: string;
  readonly className?: string | undefined;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowId: (row: Row, at: number) => string | number;
  readonly rowClass?: (row: Row) => string | undefined;
  /** Stands in a row of its own below; null = the row is closed. */
  readonly detail?: (row: Row) => ReactNode;
  readonly detailClass?: string;
  /** Leaves out what has no room. */
  readonly narrow?: boolean;
  /** Whether a row of sums closes the table. */
  readonly hasSums?: boolean;
  /** In place of a table without rows; absent = its head alone. */
  readonly empty?: ReactNode;
}

const joined = (...names: readonly (string | false | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined;

const alignClass = <Row,>({ align }: DataColumn<Row>): string | undefined =>
  align === 'right' ? 'z-right' : undefined;

const marks = { ascending: '▲', descending: '▼' } as const;

const HeaderCell = <Row,>({ column }: { readonly column: DataColumn<Row> }) => {
  const { id, header, headerSpan, headerTitle, headerClass, order, className } = column;
  const direction = order?.direction ?? null;
  const title = (
    <>
      {header}
      {direction !== null && <span aria-hidden="true"> {marks[direction]}</span>}
    </>
  );
  return (
    <th
      scope="col"
      className={joined(className, alignClass(column), headerClass)}
      colSpan={headerSpan}
      title={headerTitle}
      aria-sort={direction ?? undefined}
      data-column={id}
    >
      {order?.onToggle === undefined ? (
        title
      ) : (
        <button type="button" onClick={order.onToggle}>
          {title}
        </button>
      )}
    </th>
  );
};

interface BodyCellProps<Row> {
  readonly column: DataColumn<Row>;
  readonly row: Row;
  readonly at: number;
}

const BodyCell = <Row,>({ column, row, at }: BodyCellProps<Row>) => {
  const { id, cell, isName = false, className, cellClass, cellTitle, span, cardLabel } = column;
  const colSpan = span?.(row) ?? 1;
  if (colSpan === 0) return null;
  const own = typeof cellClass === 'function' ? cellClass(row) : cellClass;
  const attributes = {
    className: joined(className, alignClass(column), own),
    colSpan: colSpan === 1 ? undefined : colSpan,
    title: cellTitle?.(row),
    'data-label': cardLabel,
    'data-column': id,
  };
  return isName ? (
    <th scope="row" {...attributes}>
      {cell(row, at)}
    </th>
  ) : (
    <td {...attributes}>{cell(row, at)}</td>
  );
};

const SumCell = <Row,>({ column }: { readonly column: DataColumn<Row> }) => {
  const { sum, isName = false, cardLabel } = column;
  const className = joined(column.sumClass ?? column.className, alignClass(column));
  return isName ? (
    <th scope="row" className={className}>
      {sum}
    </th>
  ) : (
    <td className={className} data-label={column.sumClass === undefined ? cardLabel : undefined}>
      {sum}
    </td>
  );
};

/** A table that is only read: columns are data, a row is drawn from them. */
export const DataTable = <Row,>({
  label,
  labelledBy,
  caption,
  className,
  columns: all,
  rows,
  rowId,
  rowClass,
  detail,
  detailClass,
  narrow = false,
  hasSums = false,
  empty,
}: DataTableProps<Row>) => {
  if (rows.length === 0 && empty !== undefined) return empty;
  const columns = narrow ? all.filter(({ isWideOnly = false }) => !isWideOnly) : all;
  const headed = columns.filter(({ header }) => header !== undefined);
  const bodyRow = (row: Row, at: number): ReactNode => (
    <tr key={rowId(row, at)} className={rowClass?.(row)}>
      {columns.map((column) => (
        <BodyCell key={column.id} column={column} row={row} at={at} />
      ))}
    </tr>
  );
  const opened = (row: Row, at: number, content: ReactNode): ReactNode => (
    <tbody key={rowId(row, at)}>
      {bodyRow(row, at)}
      {content !== null && (
        <tr className={detailClass}>
          <td colSpan={columns.length}>{content}</td>
        </tr>
      )}
    </tbody>
  );
  return (
    <table className={className} aria-label={label} aria-labelledby={labelledBy}>
      {caption !== undefined && <caption className="z-visually-hidden">{caption}</caption>}
      {headed.length > 0 && (
        <thead>
          <tr>
            {headed.map((column) => (
              <HeaderCell key={column.id} column={column} />
            ))}
          </tr>
        </thead>
      )}
      {detail === undefined ? <tbody>{rows.map(bodyRow)}</tbody> : rows.map((row, at) => opened(row, at, detail(row)))}
      {hasSums && (
        <tfoot>
          <tr>
            {columns.map((column) => (
              <SumCell key={column.id} column={column} />
            ))}
          </tr>
        </tfoot>
      )}
    </table>
  );
};
