import { isHeld } from '../../../shared/outbox/entry.ts';
import type { GridColumn } from '../../../shared/table/grid-column.ts';
import { entryAt } from './cell-notes.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';

/** At the edge of a cell whose value the server does not have: whether it will go by itself or was refused. */
const SavingFlag = ({ row, columnId }: { readonly row: PlacementRow; readonly columnId: string }) => {
  const entry = entryAt(row, columnId);
  if (entry?.state.kind === 'rejected')
    return (
      <span className="z-flag z-flag-saving" data-kind="rejected">
        отклонено
      </span>
    );
  if (entry !== null && isHeld(entry)) return <span className="z-flag z-flag-saving">не сохранено</span>;
  return null;
};

/** The columns with that flag in their cells; what it is about stands in the note of the active cell. */
export const withSavingFlags = (columns: readonly GridColumn<PlacementRow>[]): readonly GridColumn<PlacementRow>[] =>
  columns.map((column) => ({
    ...column,
    cell: (row) =>
      row.entries.length === 0 ? (
        column.cell(row)
      ) : (
        <>
          {column.cell(row)}
          <SavingFlag row={row} columnId={column.id} />
        </>
      ),
  }));
