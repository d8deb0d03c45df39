import { Plus } from '@blueprintjs/icons';
import { showCampaignName } from '@zakup/domain/topics';
import { shortCampaignName } from '../../shared/campaign/short-campaign-name.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import type { PlacementsSectionProps } from '../../shared/dialogs/placements-slot.tsx';
import { useScope } from '../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../shared/load/scope-waiting.tsx';
import { useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { useThenSuffix } from '../../shared/time-travel/then-name.ts';
import { useDrawn } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { EditableGrid } from '../../shared/table/editable-grid.tsx';
import { withRevealed } from '../../shared/table/revealed-row.ts';
import { useSortedRows } from '../../shared/table/use-sorted-rows.ts';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { Button } from '../../shared/ui/button.tsx';
import { SlotFill } from '../../shared/ui/slots.tsx';
import { AddPlacementDialog } from './dialogs/add-placement-dialog.tsx';
import { campaignTotals } from './totals/campaign-totals.tsx';
import { markOf } from './columns/cell-notes.tsx';
import {
  areFilteredSumsOpen,
  filteredRows,
  filteredTotals,
  laidTotals,
  markedTotals,
} from './totals/filtered-totals.tsx';
import { changedField } from './columns/field-columns.ts';
import { KeysDialog } from './dialogs/keys-dialog.tsx';
import { Pager } from './rows/pager.tsx';
import { PlacementCards } from './rows/placement-cards.tsx';
import { placementColumns } from './columns/placement-columns.tsx';
import { type OpenDialog, PlacementDialogs } from './dialogs/placement-dialogs.tsx';
import { exportQuery, lineagePart } from './filters/placement-filters.ts';
import { byCreation, type PlacementRow } from './rows/placement-row.ts';
import { areSumsOpen } from '../../shared/predictions/predicted-totals.ts';
import { usePredictedCampaign } from '../../shared/predictions/use-predicted-campaign.ts';
import { PlacementsEmpty } from './filters/placements-empty.tsx';
import { PlacementsHead } from './filters/placements-head.tsx';
import { PrintSheet } from './rows/print-sheet.tsx';
import { RevealedNote } from './rows/revealed-note.tsx';
import { withSavingFlags } from './columns/saving-flags.tsx';
import { FilterChips, TakenDownNote } from './filters/table-bar.tsx';
import { useAuthors } from './presence/use-authors.ts';
import { useChoices } from './rows/use-choices.ts';
import { usePlacementActions } from './rows/use-placement-actions.ts';
import { usePlacementRights } from './rows/use-placement-rights.ts';
import { useNames, usePlacementRows } from './rows/use-placement-rows.ts';
import { usePlacementTable } from './filters/use-placement-table.ts';
import { usePrinting } from './rows/use-printing.ts';
import { useRevealedPlacement } from './rows/use-revealed-placement.ts';
import { useCellPresence } from './presence/use-cell-presence.ts';
import { useTableKeys } from './rows/use-table-keys.ts';
import { Watchers } from './presence/watchers.tsx';
import './placements.css';

const now = (): number => Date.now();
const noRows: readonly PlacementRow[] = [];
const rowId = (row: PlacementRow): string => row.id;
const rowMark = (row: PlacementRow) =>
  row.kind === 'new' ? 'new' : row.leaving ? 'leaving' : row.entries.length > row.idle.size ? 'unsent' : null;

/** The placements of a campaign: heading, table (cards on a narrow screen), and the dialogs that change them. */
export const PlacementsSection = ({
  campaign,
  channelName,
  notice = false,
  adding,
  onAddingChange,
}: PlacementsSectionProps) => {
  const scope = `campaign:${campaign.id}`;
  const status = useScope(scope);
  const drawn = useDrawn(scope);
  const outbox = useOutbox();
  const { person } = useSession();
  const openContractor = useOpenContractor();
  const narrow = useNarrow();
  const names = useNames();
  const choices = useChoices();
  const { rows, moving, settled } = usePlacementRows(campaign.id, names);
  const predicted = usePredictedCampaign(campaign.id);
  const { readOnly, mayAdd, mayExport, editable, restorable } = usePlacementRights(campaign);
  const { add, change, togglePayment, remove, download } = usePlacementActions(campaign.id, names);
  const table = usePlacementTable(campaign.id, rows, names);
  const { sorting, cardSorting, filters, hidden, whole, selectedContractorId } = table.state;
  const { people, colleagues, onPlaceChange } = useCellPresence(scope);
  const authorOf = useAuthors();
  const printing = usePrinting();
  const section = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [keys, setKeys] = useState(false);
  const openKeys = useCallback(() => setKeys(true), []);
  useTableKeys(section, search, openKeys);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);

  const openers = useMemo(
    () => ({
      onOpenContractor: ({ placement }: PlacementRow) => {
        if (placement.contractorId !== '') openContractor(placement.contractorId);
      },
      onEditNick: (row: PlacementRow) => setDialog({ kind: 'nick', row }),
      onEditComment: (row: PlacementRow) => setDialog({ kind: 'comment', row }),
      onEdit: (row: PlacementRow) => setDialog({ kind: 'edit', row }),
      onHistory: (row: PlacementRow) => setDialog({ kind: 'history', row }),
      onWhy: (row: PlacementRow) => setDialog({ kind: 'why', row }),
      onRemove: (row: PlacementRow) => setDialog({ kind: 'remove', row }),
    }),
    [openContractor],
  );
  const columns = useMemo(
    () => placementColumns({ choices, editable, onTogglePayment: togglePayment, ...openers }),
    [choices, editable, togglePayment, openers],
  );
  const { revealed, showInPlace, hide } = useRevealedPlacement({
    campaignId: campaign.id,
    rows,
    columns,
    names,
    table,
    narrow,
  });
  const [isOutOfPlace, setOutOfPlace] = useState(false);
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
  const onExport = useCallback(
    (format: 'csv' | 'xlsx') => void download(format, exportQuery(format, filters, selectedContractorId, sorting)),
    [download, filters, selectedContractorId, sorting],
  );
  const onLeaveSearch = useCallback(
    () => section.current?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"], article')?.focus(),
    [],
  );

  const hideRevealed = (): void => {
    onLeaveSearch();
    hide();
  };

  const { page, shown, fits, whyUnfit } = table;
  const filtered = table.chips.length > 0;
  const filterWords = table.chips.map(({ text }) => text).join('; ');
  const shownColumns = useMemo(
    () => withSavingFlags(columns.filter(({ id }) => !hidden.includes(id))),
    [columns, hidden],
  );
  const shownTotals = useMemo(() => {
    const ofAll = predicted.analytics ? campaignTotals(campaign.id, predicted.analytics.summary) : [];
    const totals = filtered
      ? filteredTotals({
          campaignId: campaign.id,
          filters: filterWords,
          part: lineagePart(filters, selectedContractorId),
          whyUnfit,
          fitting: filteredRows(shown, moving, fits),
          all: rows,
        })
      : ofAll;
    const open = filtered ? areFilteredSumsOpen(moving, fits) : areSumsOpen(predicted.moving);
    return laidTotals(markedTotals(totals, open), columns, shownColumns);
  }, [
    filtered,
    filterWords,
    filters,
    selectedContractorId,
    whyUnfit,
    shown,
    fits,
    rows,
    moving,
    predicted,
    campaign.id,
    columns,
    shownColumns,
  ]);
  const ordered = useSortedRows(narrow ? table.shown : noRows, columns, byCreation, cardSorting);
  const cards = useMemo(
    () =>
      withRevealed(
        page ? ordered.slice((page.number - 1) * page.size, page.number * page.size) : ordered,
        narrow ? revealed : null,
        rowId,
      ),
    [ordered, page, narrow, revealed],
  );
  const note = revealed !== null && (narrow ? cards.isOutOfPlace : isOutOfPlace) && (
    <RevealedNote isOutside={revealed.isOutside} onShow={showInPlace} onClose={hideRevealed} />
  );
  const empty = (
    <PlacementsEmpty actions={table.actions} filtered={filtered} hasRows={rows.length > 0} mayAdd={mayAdd} />
  );
  const chips = filtered && settled && (
    <FilterChips chips={table.chips} shown={table.shown.length} all={rows.length} onReset={table.actions.reset}>
      <TakenDownNote count={table.takenDown} onFilter={table.actions.setFilters} />
    </FilterChips>
  );
  const pager = (
    <Pager
      count={table.shown.length}
      page={table.page?.number ?? 1}
      whole={whole}
      onPage={table.actions.setPage}
      onWhole={table.actions.setWhole}
    />
  );
  const printTitle = `${channelName} · ${showCampaignName(campaign.name)}${useThenSuffix()}`;

  return (
    <section ref={section} className="z-placements" aria-labelledby="placements">
      <Watchers people={people} />
      <PlacementsHead
        campaign={campaign}
        title={`${channelName} · ${shortCampaignName(campaign.name, channelName)}`}
        columns={columns}
        hasRows={rows.length > 0}
        takenDown={table.takenDown}
        table={table.state}
        filterCount={table.chips.length}
        actions={table.actions}
        narrow={narrow}
        readOnly={readOnly}
        notice={notice}
        said={note || chips || null}
        search={search}
        onLeaveSearch={onLeaveSearch}
        onExport={mayExport ? onExport : null}
        onKeys={openKeys}
      />
      {(!drawn && rows.length === 0) || !settled ? (
        <ScopeWaiting status={status} rows={8} label="Загрузка размещений" />
      ) : narrow ? (
        cards.rows.length === 0 ? (
          empty
        ) : (
          <PlacementCards
            rows={cards.rows}
            revealed={revealed}
            colleagues={colleagues}
            names={names}
            outbox={outbox}
            editable={editable}
            onTogglePayment={togglePayment}
            onOpenContractor={openers.onOpenContractor}
            onEdit={openers.onEdit}
            onHistory={openers.onHistory}
            onWhy={openers.onWhy}
            onRemove={openers.onRemove}
          />
        )
      ) : (
        <EditableGrid
          label={`Размещения: ${showCampaignName(campaign.name)}`}
          rows={table.shown}
          rowId={rowId}
          tie={byCreation}
          columns={shownColumns}
          page={table.page}
          revealed={revealed}
          onOutOfPlace={setOutOfPlace}
          colleagues={colleagues}
          authorOf={authorOf}
          onPlaceChange={onPlaceChange}
          sorting={sorting}
          onSortingChange={table.actions.setSorting}
          readOnly={readOnly}
          onSave={onSave}
          cellMark={cellMark}
          rowMark={rowMark}
          totals={shownTotals}
          empty={empty}
        />
      )}
      {narrow ? pager : <SlotFill name="status-left">{pager}</SlotFill>}
      {printing && <PrintSheet title={printTitle} rows={table.shown} columns={columns} sorting={sorting} />}
      {keys && <KeysDialog onClose={() => setKeys(false)} />}
      {narrow && mayAdd && (
        <Button
          look="primary"
          className="z-add-floating"
          icon={<Plus size={16} />}
          onClick={() => onAddingChange(true)}
        >
          Добавить
        </Button>
      )}
      {adding && mayAdd && (
        <AddPlacementDialog
          campaignId={campaign.id}
          now={now}
          buyerId={person.id}
          onAdd={(form) => {
            onAddingChange(false);
            void add(form);
          }}
          onClose={() => onAddingChange(false)}
        />
      )}
      {dialog !== null && (
        <PlacementDialogs
          dialog={dialog}
          current={rows.find(({ id }) => id === dialog.row.id) ?? dialog.row}
          nicks={choices.nicks}
          readOnly={readOnly}
          onChange={change}
          onRemove={(row) => void remove(row, restorable(row))}
          onClose={() => setDialog(null)}
        />
      )}
    </section>
  );
};
