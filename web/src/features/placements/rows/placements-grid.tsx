import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { arrangedColumns } from '../../../shared/table/arranged-columns.ts';
import { EditableGrid } from '../../../shared/table/editable-grid.tsx';
import type { CellMenuRequest } from '../../../shared/table/grid-range.ts';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { toasts, toastStore } from '../../../shared/toasts/toasts.ts';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { markOf } from '../columns/cell-notes.tsx';
import { changedField } from '../columns/field-columns.ts';
import { withSavingFlags } from '../columns/saving-flags.tsx';
import { useAuthors } from '../presence/use-authors.ts';
import type { useCellPresence } from '../presence/use-cell-presence.ts';
import { SkipToTable } from './skip-to-table.tsx';
import { SelectionStatus, useSelected } from '../totals/selection-status.tsx';
import { useTableTotals } from '../totals/use-table-totals.ts';
import type { PlacementRow } from './placement-row.ts';
import { usePaste } from '../paste/use-paste.tsx';
import { useBlockActions } from './use-block-actions.ts';
import type { CampaignPlacements } from './use-campaign-placements.ts';
import { useRowActions } from './use-row-actions.ts';

const RowsDialogs = lazyPart(async () => (await import('../dialogs/rows-dialogs.tsx')).RowsDialogs, {
  failed: failedDialog,
});

const CellMenu = lazyPart(async () => (await import('./cell-menu.tsx')).CellMenu);

/** Without it the table is as good as before. */
const ColumnTools = lazyPart(async () => (await import('../../../shared/table/column-tools.tsx')).ColumnTools, {
  failed: () => null,
});

const moreToCome = 'Следующие строки ещё загружаются';

/** Once: a key that is held down comes many times. */
const sayMoreToCome = (): void => {
  if (!toastStore.read().shown.some(({ text }) => text === moreToCome)) toasts.info(moreToCome);
};

const rowId = (row: PlacementRow): string => row.id;
const rowMark = (row: PlacementRow) =>
  row.kind === 'new' ? 'new' : row.leaving ? 'leaving' : row.entries.length > row.idle.size ? 'unsent' : null;

/** Placements as a table whose cells are edited in place, with its totals. */
export const PlacementsGrid = ({
  label,
  placements,
  presence: { colleagues, onPlaceChange },
  onOutOfPlace,
  empty,
}: {
  readonly label: string;
  readonly placements: CampaignPlacements;
  readonly presence: ReturnType<typeof useCellPresence>;
  /** Told whether the revealed row stands elsewhere than the order has it. */
  readonly onOutOfPlace: (isOutOfPlace: boolean) => void;
  readonly empty: ReactNode;
}) => {
  const { table, columns, names, revealed, rights, actions, preview } = placements;
  const { change } = actions;
  const { sorting, hidden, arrangement } = table.state;
  const outbox = useOutbox();
  const authorOf = useAuthors();
  const shownColumns = useMemo(
    () => withSavingFlags(arrangedColumns(columns, arrangement).filter(({ id }) => !hidden.includes(id))),
    [columns, hidden, arrangement],
  );
  const totals = useTableTotals(placements, shownColumns);
  const { onClear, onFill } = useBlockActions(placements);
  const { rowsDialog, ...rowActions } = useRowActions(placements);
  const { onDuplicate, onPayRows, onChangeRows } = rowActions;
  const [menu, setMenu] = useState<CellMenuRequest<PlacementRow> | null>(null);
  const { onPaste, preview: pastePreview } = usePaste(placements);
  const selected = useSelected();
  const onSave = useCallback(
    (row: PlacementRow, columnId: string, value: unknown) => {
      const field = changedField(columnId);
      if (field !== null) change(row, { [field]: value });
    },
    [change],
  );
  const cellMark = useCallback(
    (row: PlacementRow, columnId: string) => markOf(row, columnId, names, outbox),
    [names, outbox],
  );
  return (
    <>
      <EditableGrid
        label={label}
        rows={table.shown}
        rowId={rowId}
        columns={shownColumns}
        page={table.page}
        groups={table.groups}
        rowCount={preview?.total}
        onLastRow={preview && !table.page ? sayMoreToCome : undefined}
        revealed={revealed}
        onOutOfPlace={onOutOfPlace}
        colleagues={colleagues}
        authorOf={authorOf}
        onPlaceChange={onPlaceChange}
        sorting={sorting}
        onSortingChange={table.actions.setSorting}
        readOnly={rights.readOnly}
        onSave={onSave}
        cellMark={cellMark}
        rowMark={rowMark}
        tools={
          <ColumnTools
            all={columns}
            columns={shownColumns}
            arrangement={arrangement}
            onArrange={table.actions.setArrangement}
          />
        }
        totals={totals}
        empty={empty}
        onClear={onClear}
        onFill={onFill}
        onSwitch={onPayRows}
        onDuplicate={onDuplicate}
        onMenu={setMenu}
        onPaste={onPaste}
        onSelect={selected.set}
      />
      <SelectionStatus selected={selected} onChange={rights.readOnly ? null : onChangeRows} />
      {menu && (
        <CellMenu
          {...rowActions}
          request={menu}
          placements={placements}
          onClear={onClear}
          onFill={onFill}
          onPaste={onPaste}
          onClose={() => setMenu(null)}
        />
      )}
      {rowsDialog && <RowsDialogs {...rowsDialog} />}
      <SkipToTable />
      {pastePreview}
    </>
  );
};
