import { Lock, Plus } from '@blueprintjs/icons';
import type { Figure as FigureName } from '@zakup/domain/analytics/figures';
import { showCampaignName } from '@zakup/domain/topics';
import { may } from '@zakup/domain/permissions';
import { formatNumber, plural } from '@zakup/domain/russian';
import { lazy, Suspense, useCallback, useMemo, useRef, useState, type ReactNode } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { useApi } from '../../shared/api/api-context.tsx';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import type { PlacementsSectionProps } from '../../shared/dialogs/placements-slot.tsx';
import { useScope } from '../../shared/live/live-context.tsx';
import { useAsker } from '../../shared/live/use-may.ts';
import { useOutbox } from '../../shared/outbox/outbox-context.tsx';
import { useDoc, useDrawn } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { EditableGrid } from '../../shared/table/editable-grid.tsx';
import type { TotalsCell } from '../../shared/table/grid-column.ts';
import { useNarrow } from '../../shared/table/use-narrow.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { ConfirmDialog } from '../../shared/ui/dialog.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import { AddPlacementDialog } from './add-placement-dialog.tsx';
import { markOf } from './cell-notes.tsx';
import { EditPlacementDialog } from './edit-placement-dialog.tsx';
import { NickDialog } from './nick-dialog.tsx';
import { PlacementCards } from './placement-cards.tsx';
import { columnFields, placementColumns } from './placement-columns.tsx';
import {
  addDraft,
  changeDraft,
  outcomeOf,
  paymentDraft,
  removeDraft,
  restoreDraft,
  roubles,
} from './placement-commands.ts';
import type { PlacementForm } from './placement-form.ts';
import { CplMark } from './placement-marks.tsx';
import type { PlacementRow } from './placement-rows.ts';
import './placements.css';
import { TotalFigure } from './total-figure.tsx';
import { filteredTotals, laidTotals } from './filtered-totals.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { Pager } from './pager.tsx';
import { anyStatus, exportQuery } from './placement-filters.ts';
import { PrintSheet } from './print-sheet.tsx';
import { ColumnsButton, FilterButton, FilterChips, MoreButton, SearchBox, TakenDownNote } from './table-bar.tsx';
import { useAuthors } from './use-authors.ts';
import { useChoices } from './use-choices.ts';
import { useNames, usePlacementRows } from './use-placement-rows.ts';
import { usePlacementTable } from './use-placement-table.ts';
import { usePrinting } from './use-printing.ts';
import { useStanding } from './use-standing.ts';
import { useTableKeys } from './use-table-keys.ts';
import { Watchers } from './watchers.tsx';

const PlacementHistory = lazy(async () => ({
  default: (await import('../../shared/history/placement-history.tsx')).PlacementHistory,
}));

type OpenDialog =
  | { readonly kind: 'nick'; readonly row: PlacementRow }
  | { readonly kind: 'edit'; readonly row: PlacementRow }
  | { readonly kind: 'remove'; readonly row: PlacementRow }
  | { readonly kind: 'history'; readonly row: PlacementRow }
  | null;

const now = (): number => Date.now();
const rowId = (row: PlacementRow): string => row.id;
const rowMark = (row: PlacementRow) =>
  row.kind === 'new' ? 'new' : row.leaving ? 'leaving' : row.entries.length > 0 ? 'unsent' : null;

/** The placements of a campaign: heading, table (cards on a narrow screen), and the dialogs that change them. */
export const PlacementsSection = ({ campaign, channelName, adding, onAddingChange }: PlacementsSectionProps) => {
  const scope = `campaign:${campaign.id}`;
  useScope(scope);
  const drawn = useDrawn(scope);
  const outbox = useOutbox();
  const { person } = useSession();
  const asker = useAsker();
  const openContractor = useOpenContractor();
  const narrow = useNarrow();
  const names = useNames();
  const choices = useChoices();
  const rows = usePlacementRows(campaign.id);
  const analytics = useDoc('analytics', campaign.id);
  const api = useApi();
  const table = usePlacementTable(campaign.id, rows, names);
  const { sorting, filters, hidden, whole, selectedContractorId } = table.state;
  const { people, colleagues, onPlaceChange } = useStanding(scope);
  const authorOf = useAuthors();
  const printing = usePrinting();
  const section = useRef<HTMLElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const [keys, setKeys] = useState(false);
  const openKeys = useCallback(() => setKeys(true), []);
  useTableKeys(section, search, openKeys);
  const [dialog, setDialog] = useState<OpenDialog>(null);

  const completed = campaign.status === 'COMPLETED';
  const readOnly = completed || asker === null || !may(asker, 'placement.change', 'some').allowed;
  const mayAdd = !completed && asker !== null && may(asker, 'placement.add', 'some').allowed;

  const editable = useCallback(
    (row: PlacementRow): boolean =>
      !readOnly &&
      row.kind === 'stored' &&
      !row.leaving &&
      asker !== null &&
      may(asker, 'placement.change', { buyerId: row.stored.buyerId }).allowed,
    [readOnly, asker],
  );
  const onOpenContractor = useCallback(
    (row: PlacementRow) => {
      if (row.placement.contractorId !== '') openContractor(row.placement.contractorId);
    },
    [openContractor],
  );
  const onTogglePayment = useCallback((row: PlacementRow) => void outbox.issue(paymentDraft(row)), [outbox]);
  const columns = useMemo(
    () =>
      placementColumns({
        choices,
        editable,
        onOpenContractor,
        onEditNick: (row) => setDialog({ kind: 'nick', row }),
        onTogglePayment,
        onHistory: (row) => setDialog({ kind: 'history', row }),
        onRemove: (row) => setDialog({ kind: 'remove', row }),
      }),
    [choices, editable, onOpenContractor, onTogglePayment],
  );
  const change = useCallback(
    (row: PlacementRow, body: Readonly<Record<string, unknown>>) => void outbox.issue(changeDraft(row, body, names)),
    [outbox, names],
  );
  const onSave = useCallback(
    (row: PlacementRow, columnId: string, value: unknown) => {
      const field = columnFields[columnId];
      if (field !== undefined) change(row, { [field]: value });
    },
    [change],
  );
  const cellMark = useCallback(
    (row: PlacementRow, columnId: string) => markOf(row, columnId, names, outbox),
    [names, outbox],
  );

  const add = async (form: PlacementForm): Promise<void> => {
    onAddingChange(false);
    const outcome = await outcomeOf(outbox, outbox.issue(addDraft(campaign.id, form)));
    if (outcome?.kind === 'accepted') toasts.success('Размещение добавлено');
    else if (outcome) toasts.error(`Ошибка при добавлении размещения: ${outcome.reason}`);
  };

  const restore = async (row: PlacementRow): Promise<void> => {
    const outcome = await outcomeOf(outbox, outbox.issue(restoreDraft(row)));
    if (outcome?.kind === 'rejected') toasts.error(`Не вернулось: ${outcome.reason}`);
  };
  const remove = async (row: PlacementRow): Promise<void> => {
    const outcome = await outcomeOf(outbox, outbox.issue(removeDraft(row)));
    if (outcome?.kind !== 'accepted') return;
    const mayRestore = asker !== null && may(asker, 'placement.restore', { buyerId: row.stored.buyerId }).allowed;
    const back = { text: 'Вернуть', run: () => void restore(row) };
    toasts.info('Размещение удалено.', mayRestore ? back : undefined);
  };

  const download = async (format: 'csv' | 'xlsx'): Promise<void> => {
    try {
      await api.download(`/api/campaigns/${campaign.id}/export`, {
        name: `placements.${format}`,
        query: exportQuery(format, filters, selectedContractorId, sorting),
      });
    } catch (thrown) {
      toasts.error(`Не скачалось: ${problemText(thrown)}`);
    }
  };

  const totals = useMemo((): readonly TotalsCell[] => {
    if (!analytics) return [];
    const { summary } = analytics;
    const total = (figure: FigureName, content: ReactNode) => (
      <TotalFigure campaignId={campaign.id} figure={figure} summary={summary}>
        {content}
      </TotalFigure>
    );
    return [
      { columnId: 'date', span: 1, content: <b>Итого</b> },
      {
        columnId: 'contractor',
        span: 1,
        content: (
          <span className="z-second">
            {total(
              'placements',
              `${summary.totalPlacements} ${plural(summary.totalPlacements, 'размещение', 'размещения', 'размещений')}`,
            )}
          </span>
        ),
      },
      { columnId: 'price', span: 1, content: <b>{total('spent', roubles(summary.spentBudget))}</b> },
      { columnId: 'leads', span: 1, content: <b>{total('leads', formatNumber(summary.totalLeads))}</b> },
      {
        columnId: 'cpl',
        span: 1,
        content: <b>{total('cpl', <CplMark price={summary.spentBudget} leads={summary.totalLeads} />)}</b>,
      },
      {
        columnId: 'creative',
        span: 6,
        content: (
          <span className="z-second">
            оплачено {total('paid', roubles(summary.paidBudget))} · не оплачено{' '}
            {total('unpaid', roubles(summary.unpaidBudget))}
          </span>
        ),
      },
    ];
  }, [analytics, campaign.id]);

  const filtered = table.chips.length > 0;
  const shownColumns = useMemo(() => columns.filter(({ id }) => !hidden.includes(id)), [columns, hidden]);
  const shownTotals = useMemo(
    () => laidTotals(filtered ? filteredTotals(table.shown, rows.length) : totals, columns, shownColumns),
    [filtered, table.shown, rows.length, totals, columns, shownColumns],
  );
  const contractors = useMemo(
    () => [...new Map(rows.map((row) => [row.placement.contractorId, row.nick]))].filter(([id]) => id !== ''),
    [rows],
  );
  const newest = (list: readonly PlacementRow[]): readonly PlacementRow[] => {
    const sorted = list.toSorted((a, b) =>
      a.placement.date < b.placement.date ? 1 : a.placement.date > b.placement.date ? -1 : 0,
    );
    const { page } = table;
    return page ? sorted.slice((page.number - 1) * page.size, page.number * page.size) : sorted;
  };
  const takenDown = <TakenDownNote count={table.takenDown} onShow={() => table.setFilters({ status: anyStatus })} />;
  const nothingFound = (
    <div className="z-placements-empty">
      <p>Ничего не найдено.</p>
      <Button onClick={filtered ? table.reset : () => table.setFilters({ status: anyStatus })}>
        {filtered ? 'Сбросить фильтры' : 'Показать снятые раньше срока'}
      </Button>
    </div>
  );

  const empty =
    rows.length > 0 ? (
      nothingFound
    ) : (
      <p className="z-placements-empty">
        Размещений ещё нет.
        {mayAdd && (
          <>
            {' '}
            Добавьте первое<span className="z-key-hint">: Ctrl ↵</span>
          </>
        )}
      </p>
    );
  // A row keeps its freshest form in a dialog that was opened earlier.
  const rowOf = (row: PlacementRow): PlacementRow => rows.find((one) => one.id === row.id) ?? row;

  return (
    <section ref={section} className="z-placements" aria-labelledby="placements">
      <Watchers people={people} />
      <header className="z-placements-head">
        <h2 id="placements">Размещения</h2>
        <span className="z-secondary">
          {narrow && analytics ? (
            <>
              <TotalFigure campaignId={campaign.id} figure="placements" summary={analytics.summary}>
                {analytics.summary.totalPlacements}
              </TotalFigure>
              {' · '}
              <TotalFigure campaignId={campaign.id} figure="spent" summary={analytics.summary}>
                {roubles(analytics.summary.spentBudget)}
              </TotalFigure>
            </>
          ) : (
            `${channelName} · ${showCampaignName(campaign.name)}`
          )}
        </span>
        {readOnly && (
          <span className="z-placements-lock">
            <Chip icon={<Lock size={12} />}>Только чтение</Chip>
          </span>
        )}
        {!narrow && takenDown}
        {rows.length > 0 && (
          <span className="z-table-bar">
            {!narrow && (
              <SearchBox
                value={filters.search}
                input={search}
                onChange={(text) => table.setFilters({ search: text })}
                onLeave={() => section.current?.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus()}
              />
            )}
            <FilterButton
              filters={filters}
              contractors={contractors}
              contractorId={selectedContractorId}
              count={table.chips.length}
              narrow={narrow}
              onChange={table.setFilters}
              onContractor={table.setContractor}
              onReset={table.reset}
            />
            {!narrow && (
              <ColumnsButton columns={columns} hidden={hidden} onChange={(next) => table.update({ hidden: next })} />
            )}
            <MoreButton
              onExport={
                asker !== null && may(asker, 'campaign.export').allowed ? (format) => void download(format) : null
              }
              onPrint={() => window.print()}
              onKeys={openKeys}
            />
          </span>
        )}
      </header>
      {filtered && (
        <FilterChips chips={table.chips} shown={table.shown.length} all={rows.length} onReset={table.reset} />
      )}
      {narrow && takenDown}
      {!drawn && rows.length === 0 ? (
        <Skeleton rows={8} label="Загрузка размещений" />
      ) : narrow ? (
        table.shown.length === 0 ? (
          empty
        ) : (
          <PlacementCards
            rows={newest(table.shown)}
            colleagues={colleagues}
            names={names}
            outbox={outbox}
            editable={editable}
            onOpenContractor={onOpenContractor}
            onEdit={(row) => setDialog({ kind: 'edit', row })}
            onTogglePayment={onTogglePayment}
            onHistory={(row) => setDialog({ kind: 'history', row })}
            onRemove={(row) => setDialog({ kind: 'remove', row })}
          />
        )
      ) : (
        <EditableGrid
          label={`Размещения: ${showCampaignName(campaign.name)}`}
          rows={table.shown}
          rowId={rowId}
          columns={shownColumns}
          page={table.page}
          colleagues={colleagues}
          authorOf={authorOf}
          onPlaceChange={onPlaceChange}
          sorting={sorting}
          onSortingChange={(next) => table.update({ sorting: next })}
          readOnly={readOnly}
          onSave={onSave}
          cellMark={cellMark}
          rowMark={rowMark}
          totals={shownTotals}
          empty={empty}
        />
      )}
      <Pager
        count={table.shown.length}
        page={table.page?.number ?? 1}
        whole={whole}
        onPage={table.setPage}
        onWhole={(next) => table.update({ whole: next })}
      />
      {printing && (
        <PrintSheet
          title={`${channelName} · ${showCampaignName(campaign.name)}`}
          rows={table.shown}
          columns={columns}
          sorting={sorting}
        />
      )}
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
          onAdd={(form) => void add(form)}
          onClose={() => onAddingChange(false)}
        />
      )}
      {dialog?.kind === 'nick' && (
        <NickDialog
          nick={dialog.row.nick}
          nicks={choices.nicks}
          onSave={(contractor) => change(rowOf(dialog.row), { contractor })}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'edit' && (
        <EditPlacementDialog
          row={dialog.row}
          onSave={(body) => change(dialog.row, body)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'history' && (
        <Suspense fallback={null}>
          <PlacementHistory
            placementId={dialog.row.id}
            nick={dialog.row.nick}
            readOnly={readOnly}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
      {dialog?.kind === 'remove' && (
        <ConfirmDialog
          title="Удаление размещения"
          confirm="Удалить"
          danger
          onConfirm={() => {
            void remove(rowOf(dialog.row));
            setDialog(null);
          }}
          onCancel={() => setDialog(null)}
        >
          Вы уверены, что хотите удалить это размещение?
        </ConfirmDialog>
      )}
    </section>
  );
};
