import { Lock, Plus } from '@blueprintjs/icons';
import type { Figure as FigureName } from '@zakup/domain/analytics/figures';
import { showCampaignName } from '@zakup/domain/topics';
import { may } from '@zakup/domain/permissions';
import { formatNumber, plural } from '@zakup/domain/russian';
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
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
import { addDraft, changeDraft, outcomeOf, paymentDraft, removeDraft, roubles } from './placement-commands.ts';
import type { PlacementForm } from './placement-form.ts';
import { CplMark } from './placement-marks.tsx';
import type { PlacementRow } from './placement-rows.ts';
import './placements.css';
import { TotalFigure } from './total-figure.tsx';
import { useTableSorting } from './table-state.ts';
import { useChoices } from './use-choices.ts';
import { useNames, usePlacementRows } from './use-placement-rows.ts';

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
  const [sorting, setSorting] = useTableSorting();
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

  const empty = (
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
    <section className="z-placements" aria-labelledby="placements">
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
      </header>
      {!drawn && rows.length === 0 ? (
        <Skeleton rows={8} label="Загрузка размещений" />
      ) : narrow ? (
        rows.length === 0 ? (
          empty
        ) : (
          <PlacementCards
            rows={rows.toSorted((a, b) =>
              a.placement.date < b.placement.date ? 1 : a.placement.date > b.placement.date ? -1 : 0,
            )}
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
          rows={rows}
          rowId={rowId}
          columns={columns}
          sorting={sorting}
          onSortingChange={setSorting}
          readOnly={readOnly}
          onSave={onSave}
          cellMark={cellMark}
          rowMark={rowMark}
          totals={totals}
          empty={empty}
        />
      )}
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
            outbox.issue(removeDraft(rowOf(dialog.row)));
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
