import { memo } from 'react';
import { asRow } from './roles.ts';
import { type CellEditing, GridCell } from './grid-cell.tsx';
import type { CellColleague, CellMark, ChangeAuthor, GridColumn } from './grid-column.ts';

export const cellClass = (column: Pick<GridColumn<never>, 'id' | 'align' | 'pinned'>): string =>
  `z-grid-cell z-grid-${column.id}${column.align === 'end' ? ' z-grid-end' : ''}${column.pinned ? ' z-grid-pinned' : ''}`;

export type RowMark = 'unsent' | 'leaving' | 'new' | null;

interface GridRowProps<Row> {
  readonly row: Row;
  readonly rowId: string;
  readonly index: number;
  /** How many rows stand on the pages before. */
  readonly offset: number;
  readonly top: number;
  readonly columns: readonly GridColumn<Row>[];
  readonly lefts: readonly (number | null)[];
  /** Index of the active column when the active cell is in this row. */
  readonly active: number | null;
  readonly editing: { readonly columnId: string; readonly cell: CellEditing } | null;
  readonly readOnly: boolean;
  readonly mark: RowMark;
  readonly cellMark: (row: Row, columnId: string) => CellMark | null;
  /** The others who stand in cells of this row. */
  readonly colleagues: readonly CellColleague[] | undefined;
  readonly authorOf: ((row: Row, columnId: string) => Promise<ChangeAuthor | null>) | undefined;
}

const nobody: readonly CellColleague[] = [];

const GridRowView = <Row,>({
  row,
  rowId,
  index,
  offset,
  top,
  columns,
  lefts,
  active,
  editing,
  readOnly,
  mark,
  cellMark,
  colleagues,
  authorOf,
}: GridRowProps<Row>) => (
  <tr
    {...asRow}
    aria-rowindex={offset + index + 2}
    data-row={rowId}
    data-mark={mark ?? undefined}
    data-first={index === 0 || undefined}
    className={active === null ? 'z-grid-row' : 'z-grid-row z-grid-row-active'}
    style={{ transform: `translateY(${top}px)` }}
  >
    <td className="z-grid-number" aria-hidden="true">
      {offset + index + 1}
    </td>
    {columns.map((column, columnIndex) => (
      <GridCell
        key={column.id}
        columnIndex={columnIndex}
        label={column.header}
        className={cellClass(column)}
        left={lefts[columnIndex] ?? null}
        value={column.value(row)}
        mark={cellMark(row, column.id)}
        active={active === columnIndex}
        readOnly={readOnly || column.editor === undefined}
        editing={editing?.columnId === column.id ? editing.cell : null}
        colleagues={colleagues?.filter((one) => one.columnId === column.id) ?? nobody}
        authorOf={authorOf && (() => authorOf(row, column.id))}
        was={column.was}
      >
        {column.cell(row)}
      </GridCell>
    ))}
  </tr>
);

export const GridRow = memo(GridRowView) as typeof GridRowView;
