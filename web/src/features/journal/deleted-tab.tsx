import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Undo } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import { showInstant } from '../../shared/day/shown-day.ts';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { useSend } from '../../shared/form/use-send.ts';
import { OlderData } from '../../shared/load/query-failure.tsx';
import { kindWords } from '../../shared/history/field-labels.ts';
import { showActor, showEntity, showKind } from '../../shared/history/journal-labels.ts';
import { maySetBack, mayUndo, setBackOf } from '../../shared/history/put-back.ts';
import { PutBackDialog, type PutBackOrder } from '../../shared/history/put-back-dialog.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { useMedia } from '../../shared/ui/use-media.ts';
import { announce, toasts } from '../../shared/toasts/toasts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { LoadMore } from '../../shared/ui/load-more.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { Choice } from './journal-filters.tsx';
import { useGone } from './use-gone.ts';

const pageSize = 100;

const nameOf = ({ entity }: HistoryEntry): string =>
  entity.kind === 'campaign' ? showCampaignName(entity.name ?? '') : (entity.name ?? '');
const placeOf = ({ entity, campaign }: HistoryEntry): string | null =>
  entity.kind === 'placement' && campaign !== null ? showCampaignName(campaign.name ?? '') : null;

const Gone = ({ entry, narrow }: { readonly entry: HistoryEntry; readonly narrow: boolean }) => (
  <>
    {nameOf(entry) === '' ? showKind(entry.entity.kind) : nameOf(entry)}
    {narrow && (
      <>
        <small>{[showKind(entry.entity.kind), placeOf(entry)].filter(Boolean).join(' · ')}</small>
        <small className="z-secondary">
          {showActor(entry.actor)}, {showInstant(entry.at)}
        </small>
      </>
    )}
  </>
);

const goneColumns = (
  narrow: boolean,
  putBackOf: (entry: HistoryEntry) => ReactNode,
): readonly DataColumn<HistoryEntry>[] => [
  { id: 'what', header: 'Что', isName: true, cell: (entry) => <Gone entry={entry} narrow={narrow} /> },
  { id: 'kind', header: 'Вид', isWideOnly: true, cell: ({ entity }) => showKind(entity.kind) },
  {
    id: 'campaign',
    header: 'Кампания',
    isWideOnly: true,
    cellClass: 'z-table-name',
    cell: (entry) => placeOf(entry) ?? '—',
  },
  {
    id: 'who',
    header: 'Кто',
    isWideOnly: true,
    cell: ({ actor }) => (
      <span className="z-journal-by">
        <Avatar name={showActor(actor)} id={actor.userId} size={20} />
        {showActor(actor)}
      </span>
    ),
  },
  { id: 'when', header: 'Когда', isWideOnly: true, cell: ({ at }) => showInstant(at) },
  {
    id: 'back',
    header: <span className="z-visually-hidden">Возврат</span>,
    cellClass: 'z-right',
    cell: putBackOf,
  },
];

/** Puts one thing back at once, or has a dialog ask what must be known first. */
const useRestore = (refresh: (position: number) => void) => {
  const send = useSend();
  const [busy, setBusy] = useState<number | null>(null);
  const [problem, setProblem] = useState<{ readonly position: number; readonly text: string } | null>(null);
  const [order, setOrder] = useState<PutBackOrder | null>(null);
  const run = async (entry: HistoryEntry, back: NonNullable<ReturnType<typeof setBackOf>>): Promise<void> => {
    try {
      const { position } = await send(back.method, back.path, back.body);
      if (entry.entity.kind === 'user') toasts.info('Сотрудник возвращён. Новый код доступа: в его карточке');
      else announce(`Возвращено: ${showEntity(entry.entity)}`);
      refresh(position ?? 0);
    } catch (thrown) {
      setProblem({ position: entry.position, text: problemText(thrown) });
    } finally {
      setBusy(null);
    }
  };
  const restore = (entry: HistoryEntry): void => {
    const change = entry.changes.find(({ field }) => field === 'deleted' || field === 'isActive');
    const back = change === undefined ? null : setBackOf(entry, change);
    if (back === null) {
      setOrder({ entry, change: null });
      return;
    }
    setBusy(entry.position);
    setProblem(null);
    void run(entry, back);
  };
  const dialog = order !== null && (
    <PutBackDialog
      order={order}
      onClose={() => setOrder(null)}
      onDone={(position) => {
        setOrder(null);
        refresh(position);
      }}
    />
  );
  return { busy, problem, restore, dialog };
};

const WayBack = ({
  entry,
  restoring: { busy, problem, restore },
}: {
  readonly entry: HistoryEntry;
  readonly restoring: Omit<ReturnType<typeof useRestore>, 'dialog'>;
}) => {
  const { can } = useRights();
  const mayRestore = entry.changes.some(
    (change) => maySetBack(can, entry, change) || (setBackOf(entry, change) === null && mayUndo(can, entry)),
  );
  return (
    <>
      {mayRestore && (
        <Button
          small
          icon={<Undo size={12} />}
          disabled={busy === entry.position}
          aria-label={`Вернуть: ${showKind(entry.entity.kind).toLowerCase()} ${nameOf(entry)}`}
          onClick={() => restore(entry)}
        >
          Вернуть
        </Button>
      )}
      {problem?.position === entry.position && (
        <p className="z-alert" role="alert">
          {problem.text}
        </p>
      )}
    </>
  );
};

const wayBackCell = (restoring: Omit<ReturnType<typeof useRestore>, 'dialog'>) => (entry: HistoryEntry) => (
  <WayBack entry={entry} restoring={restoring} />
);

/** Everything that was removed or switched off, and the way back. */
export const DeletedTab = () => {
  /** Whether the table has room for its columns. */
  const narrow = useMedia('(width < 1024px)');
  const [kind, setKind] = useState('');
  const [shown, setShown] = useState(pageSize);
  const ofKind = (gone: readonly HistoryEntry[]) => gone.filter(({ entity }) => kind === '' || entity.kind === kind);
  const audit = useGone((gone) => ofKind(gone).length <= shown);
  const { complete, error, stale, retry, wanted } = audit;
  const rows = ofKind(audit.gone);
  const { dialog, ...restoring } = useRestore(audit.refresh);

  const list = (): ReactNode => {
    if (error === null && audit.loading) return <Skeleton rows={6} height={38} label="Загрузка удалённого" />;
    if (rows.length === 0) {
      if (error !== null) return <ErrorState error={error} onRetry={retry} />;
      if (!complete) return <Skeleton rows={6} height={38} label="Загрузка удалённого" />;
      return kind === '' ? (
        <EmptyState title="Ничего не удалено">
          Удалённые размещения и кампании, отключённые сотрудники, креативы и контрагенты появятся здесь.
        </EmptyState>
      ) : (
        <EmptyState title="Ничего не найдено" actions={<Button onClick={() => setKind('')}>Показать всё</Button>} />
      );
    }
    return (
      <div className="z-panel z-panel-flush z-table-scroll" tabIndex={-1}>
        <DataTable
          className="z-table z-journal-deleted"
          label="Удалённое"
          columns={goneColumns(narrow, wayBackCell(restoring))}
          rows={rows.slice(0, shown)}
          rowId={({ position }) => position}
          narrow={narrow}
        />
      </div>
    );
  };

  return (
    <div className="z-journal-body">
      <div className="z-journal-bar">
        <Choice
          label="Вид"
          value={kind}
          all="Всё удалённое"
          options={Object.entries(kindWords).filter(([one]) => one !== 'license')}
          onChange={setKind}
        />
        {!complete && error === null && wanted && (
          <LiveRegion className="z-quiet">Ищем в более ранних записях</LiveRegion>
        )}
      </div>
      {stale !== null && <OlderData {...stale} onRetry={audit.lookAgain} />}
      {list()}
      {rows.length > 0 && error !== null && (
        <p role="alert">
          {problemText(error)} <Button onClick={retry}>Повторить</Button>
        </p>
      )}
      {rows.length > shown && (
        <div>
          <LoadMore rest={rows.length - shown} onMore={() => setShown(shown + pageSize)} />
        </div>
      )}
      {dialog}
    </div>
  );
};
