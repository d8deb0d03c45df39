import { showCampaignName } from '@zakup/domain/topics';
import { shortCampaignName } from '../../shared/campaign/short-campaign-name.ts';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import type { LoadProgress } from '@zakup/contracts/socket';
import type { PlacementsSectionProps } from '../../shared/dialogs/placements-slot.tsx';
import type { ScopeStatus } from '../../shared/live/live.ts';
import { LoadBar } from '../../shared/load/load-bar.tsx';
import { useScope } from '../../shared/live/live-context.tsx';
import { previewScope } from '../../shared/campaign/use-preview-docs.ts';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { useDrawn } from '../../shared/replica/replica-context.tsx';
import { PlacementsGrid } from './rows/placements-grid.tsx';
import { failedDialog } from '../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { SlotFill } from '../../shared/ui/slots.tsx';
import { isNarrow } from '../../shared/ui/use-media.ts';
import { AddPlacement } from './dialogs/add-placement.tsx';
import { FileDrop } from './dialogs/file-drop.tsx';
import { PlacementDialogs } from './dialogs/placement-dialogs.tsx';
import { exportQuery } from './filters/placement-filters.ts';
import { PlacementsEmpty } from './filters/placements-empty.tsx';
import { PlacementsHead } from './filters/placements-head.tsx';
import { FilterChips, TakenDownNote } from './filters/table-bar.tsx';
import { useCellPresence } from './presence/use-cell-presence.ts';
import { Pager } from './rows/pager.tsx';
import { PlacementsPrint } from './rows/placements-print.tsx';
import { type CampaignPlacements, useCampaignPlacements } from './rows/use-campaign-placements.ts';
import { useCardRows } from './cards/use-card-rows.ts';
import { useTableKeys } from './rows/use-table-keys.ts';
import './placements.css';

const KeysDialog = lazyPart(async () => (await import('./dialogs/keys-dialog.tsx')).KeysDialog, {
  failed: failedDialog,
});
const RepeatWeekDialog = lazyPart(async () => (await import('./dialogs/repeat-week-dialog.tsx')).RepeatWeekDialog, {
  failed: failedDialog,
});

/** Of narrow screens, which load it at once. */
const cardList = async () => (await import('./cards/card-list.tsx')).CardList;
if (isNarrow()) void cardList().catch(() => undefined);
const CardList = lazyPart(cardList);

/** Without it nobody is seen, and nothing else is different. */
const Watchers = lazyPart(async () => (await import('./presence/watchers.tsx')).Watchers, { failed: () => null });

const RevealedNote = lazyPart(async () => (await import('./rows/revealed-note.tsx')).RevealedNote);

/** What narrows the rows that are in sight; null = nothing does. */
const chipsOf = ({ table, settled, all }: CampaignPlacements): ReactNode =>
  table.chips.length > 0 && settled ? (
    <FilterChips chips={table.chips} shown={table.count} all={all} onReset={table.actions.reset}>
      <TakenDownNote short count={table.takenDown} onFilter={table.actions.setFilters} />
    </FilterChips>
  ) : null;

/** How far a load is while its first rows stand, in rows of the table. */
const progressOf = (status: ScopeStatus, { rows, all }: CampaignPlacements): LoadProgress => {
  if (status.kind === 'ready') return { sent: all, total: all };
  const { sent, total } = (status.kind === 'loading' ? status.progress : undefined) ?? { sent: 0, total: 1 };
  return { sent: Math.max(rows.length, Math.floor((all * sent) / total)), total: all };
};

/** Below the cards, on a wide screen in the status bar; before it how far the load is whose first rows are shown. */
const PlacementsPager = ({
  placements,
  status,
}: {
  readonly placements: CampaignPlacements;
  readonly status: ScopeStatus;
}) => {
  const { table, narrow, preview } = placements;
  const progress = preview && <LoadBar isInLine progress={progressOf(status, placements)} />;
  const pager = table.groups === null && (
    <Pager
      count={table.count}
      page={table.page?.number ?? 1}
      whole={table.state.whole}
      onPage={table.actions.setPage}
      onWhole={table.actions.setWhole}
    />
  );
  const both = (
    <>
      {progress}
      {pager}
    </>
  );
  return narrow ? both : <SlotFill name="status-left">{both}</SlotFill>;
};

/** Null = this person may not take files along; the same function while what it asks for stays. */
const useExport = ({ table, narrow, rights, actions }: CampaignPlacements) => {
  const { filters, selectedContractorId } = table.state;
  const sorting = narrow ? table.state.cardSorting : table.state.sorting;
  const { download } = actions;
  const onExport = useCallback(
    (format: 'csv' | 'xlsx') => void download(format, exportQuery(format, filters, selectedContractorId, sorting)),
    [download, filters, selectedContractorId, sorting],
  );
  return rights.mayExport ? onExport : null;
};

/** What opens over the placements: their keys, the last week once more, the form of a new one, and the dialogs over one of them. */
const PlacementsOverlays = ({
  placements,
  opened,
  onClose,
  adding,
  onAddingChange,
}: Pick<PlacementsSectionProps, 'adding' | 'onAddingChange'> & {
  readonly placements: CampaignPlacements;
  readonly opened: 'keys' | 'repeat' | null;
  readonly onClose: () => void;
}) => {
  const { campaignId, narrow, rows, choices, rights, actions, dialog, closeDialog } = placements;
  return (
    <>
      {opened === 'keys' && <KeysDialog onClose={onClose} />}
      {opened === 'repeat' && <RepeatWeekDialog placements={placements} onClose={onClose} />}
      {rights.mayAdd && (
        <AddPlacement
          campaignId={campaignId}
          narrow={narrow}
          adding={adding}
          onAddingChange={onAddingChange}
          onAdd={(form) => void actions.add(form)}
          onAddMore={actions.addMore}
        />
      )}
      {dialog !== null && (
        <PlacementDialogs
          dialog={dialog}
          current={rows.find(({ id }) => id === dialog.row.id) ?? dialog.row}
          nicks={choices.nicks}
          readOnly={rights.readOnly}
          onChange={actions.change}
          onRemove={(row) => void actions.remove(row, rights.restorable(row))}
          onClose={closeDialog}
        />
      )}
    </>
  );
};

/** Whether the table was there before its rows: who chose another order in it meanwhile keeps the keyboard where it was. */
const useStands = (campaignId: string): boolean => {
  const isLong = useDrawn(previewScope(campaignId, 'analytics'));
  const [stands, setStands] = useState(isLong);
  if (isLong && !stands) setStands(true);
  return stands;
};

/** The dialog over the section; null = none. */
const useOverlay = () => {
  const [opened, setOpened] = useState<'keys' | 'repeat' | null>(null);
  const openKeys = useCallback(() => setOpened('keys'), []);
  const openRepeat = useCallback(() => setOpened('repeat'), []);
  const close = useCallback(() => setOpened(null), []);
  return { opened, openKeys, openRepeat, close };
};

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
  const placements = useCampaignPlacements(campaign);
  const { rows, settled, narrow, table, columns, rights, revealed, preview } = placements;
  const stands = useStands(campaign.id);
  const presence = useCellPresence(scope);
  const section = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const { opened, openKeys, openRepeat, close } = useOverlay();
  useTableKeys(section, search, openKeys);
  const [isOutOfPlace, setOutOfPlace] = useState(false);
  const onExport = useExport(placements);
  const onLeaveSearch = useCallback(
    () => section.current?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"], article')?.focus(),
    [],
  );
  const hide = (): void => {
    onLeaveSearch();
    placements.hideRevealed();
  };
  const cards = useCardRows(placements);
  const note = revealed !== null && preview === null && (narrow ? cards.isOutOfPlace : isOutOfPlace) && (
    <RevealedNote isOutside={revealed.isOutside} onShow={placements.showInPlace} onClose={hide} />
  );
  const name = showCampaignName(campaign.name);
  const hasRows = rows.length > 0;
  const isWaiting = (!drawn && !hasRows) || !settled;
  const waiting = <ScopeWaiting status={status} rows={8} label="Загрузка размещений" />;
  const filterCount = table.chips.length;
  const empty = (
    <PlacementsEmpty actions={table.actions} filtered={filterCount > 0} hasRows={hasRows} mayAdd={rights.mayAdd} />
  );
  return (
    <section ref={section} className="z-placements" aria-labelledby="placements">
      {presence.people.length > 0 && <Watchers people={presence.people} />}
      <PlacementsHead
        campaign={campaign}
        title={`${channelName} · ${shortCampaignName(campaign.name, channelName)}`}
        columns={columns}
        hasRows={hasRows}
        takenDown={table.takenDown}
        table={table.state}
        filterCount={filterCount}
        actions={table.actions}
        narrow={narrow}
        readOnly={rights.readOnly}
        notice={notice}
        said={note || chipsOf(placements)}
        search={search}
        onLeaveSearch={onLeaveSearch}
        onExport={onExport}
        onCopyLink={table.copyLink}
        onRepeat={rights.mayAdd ? openRepeat : null}
        onKeys={openKeys}
      />
      {isWaiting && (narrow || !stands) ? (
        waiting
      ) : !narrow ? (
        <PlacementsGrid
          label={`Размещения: ${name}`}
          placements={placements}
          presence={presence}
          onOutOfPlace={setOutOfPlace}
          empty={isWaiting ? waiting : empty}
        />
      ) : (
        <CardList placements={placements} rows={cards.rows} colleagues={presence.colleagues} empty={empty} />
      )}
      <PlacementsPager placements={placements} status={status} />
      <PlacementsPrint
        title={`${channelName} · ${name}`}
        rows={preview !== null || !drawn || !settled ? null : table.shown}
      />
      {rights.mayImport && <FileDrop key={campaign.id} place={section} campaignId={campaign.id} />}
      <PlacementsOverlays
        placements={placements}
        opened={opened}
        onClose={close}
        adding={adding}
        onAddingChange={onAddingChange}
      />
    </section>
  );
};
