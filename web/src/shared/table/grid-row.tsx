import { memo } from 'react';
import { AuthorFlag, ColleagueFlag } from './cell-flags.tsx';
import type { CellLayout } from './column-layout.ts';
import { FigureBefore } from './figure-in-column.tsx';
import { CellNote, type CellEditing, EditorOf } from './grid-cell.tsx';
import type { CellColleague, CellMark, GridColumn } from './grid-column.ts';
import { asCell, asRow } from './roles.ts';
import type { RowFlashes } from './use-flashes.ts';

export type RowMark = 'unsent' | 'leaving' | 'new' | null;

interface GridRowProps<Row> {
  readonly row: Row;
  readonly rowId: string;
  readonly index: number;
  /** How many rows stand on the pages before. */
  readonly offset: number;
  readonly top: number;
  /** Its place in the order, from 1; null = it stands out of it. */
  readonly number: number | null;
  /** It stands below the line of its group. */
  readonly isInGroup?: boolean;
  /** It is to catch the eye. */
  readonly isRevealed: boolean;
  readonly columns: readonly GridColumn<Row>[];
  /** Of each column. */
  readonly layout: readonly CellLayout[];
  /** Index of the active column when the active cell is in this row. */
  readonly active: number | null;
  readonly isTicked: boolean;
  /** Places of its first and last selected column, both in it; −1 = none is. */
  readonly selectedFrom: number;
  readonly selectedTo: number;
  readonly editing: { readonly columnId: string; readonly cell: CellEditing } | null;
  /** The column of its cell that was saved last. */
  readonly saved: string | null;
  readonly readOnly: boolean;
  readonly mark: RowMark;
  readonly cellMark: (row: Row, columnId: string) => CellMark | null;
  /** The others who stand in cells of this row. */
  readonly colleagues: readonly CellColleague[] | undefined;
  readonly flashes: RowFlashes | undefined;
}

/** Somebody's name stands over the edge of the cell. */
const isFlagged = (
  columnId: string,
  colleagues: readonly CellColleague[] | undefined,
  flashes: RowFlashes | undefined,
): boolean =>
  (flashes?.get(columnId)?.author ?? null) !== null || colleagues?.some((one) => one.columnId === columnId) === true;

/**
 * One row. It keeps nothing: its element may show another row next. Its cells are elements, not components, as some hundred of them are
 * filled in a frame of a fast scroll.
 */
const GridRowView = <Row,>({
  row,
  rowId,
  index,
  offset,
  top,
  number,
  isInGroup = false,
  isRevealed,
  columns,
  layout,
  active,
  isTicked,
  selectedFrom,
  selectedTo,
  editing,
  saved,
  readOnly,
  mark,
  cellMark,
  colleagues,
  flashes,
}: GridRowProps<Row>) => {
  const hasFlags = colleagues !== undefined || flashes !== undefined;
  const flagged = (columnId: string): true | undefined =>
    (hasFlags && isFlagged(columnId, colleagues, flashes)) || undefined;
  return (
    <tr
      {...asRow}
      aria-rowindex={offset + index + 2}
      aria-level={isInGroup ? 2 : undefined}
      aria-selected={isTicked || undefined}
      data-row={rowId}
      data-mark={mark ?? undefined}
      data-revealed={isRevealed || undefined}
      data-first={index === 0 || undefined}
      data-flagged={columns.some(({ id }) => flagged(id)) || undefined}
      className={active === null ? 'z-grid-row' : 'z-grid-row z-grid-row-active'}
      style={{ transform: `translateY(${top}px)` }}
    >
      <td className="z-grid-number" data-number="" aria-hidden="true">
        {number}
      </td>
      {columns.map((column, at) => {
        const { className, style } = layout[at] as CellLayout;
        const cell = editing?.columnId === column.id ? editing.cell : null;
        const said = cellMark(row, column.id);
        const flash = flashes?.get(column.id);
        const here = colleagues?.filter((one) => one.columnId === column.id) ?? [];
        const isRefused = said?.kind === 'rejected' && saved === column.id;
        const note = cell === null && (said?.kind === 'conflict' || isRefused || active === at) ? said?.note : null;
        return (
          <td
            key={column.id}
            {...asCell}
            aria-colindex={at + 1}
            aria-readonly={readOnly || column.editor === undefined || undefined}
            aria-selected={(at >= selectedFrom && at <= selectedTo) || undefined}
            tabIndex={active === at ? 0 : -1}
            data-column={at}
            data-flash={flash?.phase}
            data-flagged={flagged(column.id)}
            data-mark={said?.kind}
            className={cell ? `${className} z-grid-editing` : className}
            style={style}
          >
            {flash && column.figure && cell === null && (
              <FigureBefore column={column.id} shown={column.figure.of(row)}>
                {column.figure.was(flash.was)}
              </FigureBefore>
            )}
            {cell ? <EditorOf editing={cell} label={column.header} /> : column.cell(row)}
            {flash?.author && <AuthorFlag author={flash.author} />}
            {here.length > 0 && <ColleagueFlag colleagues={here} nameless={(flash?.author ?? null) !== null} />}
            {note && <CellNote>{note}</CellNote>}
          </td>
        );
      })}
    </tr>
  );
};

export const GridRow = memo(GridRowView) as typeof GridRowView;
