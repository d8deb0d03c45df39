import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Undo } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import { showInstant } from '../../shared/day/shown-day.ts';
import { formatNumber } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useEffect, useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { useSend } from '../../shared/form/use-send.ts';
import { OlderData } from '../../shared/load/query-failure.tsx';
import { kindWords } from '../../shared/history/field-labels.ts';
import { showActor, showEntity, showKind } from '../../shared/history/journal-labels.ts';
import { maySetBack, mayUndo, setBackOf } from '../../shared/history/put-back.ts';
import { PutBackDialog, type PutBackOrder } from '../../shared/history/put-back-dialog.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { useMedia } from '../../shared/ui/use-media.ts';
import { announce, toasts } from '../../shared/toasts/toasts.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { Choice } from './journal-filters.tsx';
import { type Audit, useAudit } from './use-audit.ts';
import type { Filters } from '../../shared/history/journal-address.ts';

const byDeletion: Filters = { field: 'deleted' };
const byActivity: Filters = { field: 'isActive' };
const pageSize = 100;

/** Entities whose last word is that they are gone, by the entry that says it; `entries` are newest first. */
export const goneOf = (entries: readonly HistoryEntry[]): readonly HistoryEntry[] => {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    const change = entry.changes.find(({ field }) => field === 'deleted' || field === 'isActive');
    const key = `${entry.entity.kind}:${entry.entity.id}`;
    if (change === undefined || seen.has(key)) return false;
    seen.add(key);
    return change.field === 'deleted' ? change.to === true : change.to === false;
  });
};

const useWhole = ({ complete, fetching, error, more }: Audit, wanted: boolean): void =>
  useEffect(() => {
    if (wanted && !complete && !fetching && error === null) more();
  });

/** Everything that was removed or switched off, and the way back. */
export const DeletedTab = () => {
  const { can } = useRights();
  const send = useSend();
  /** Whether the table has room for its columns. */
  const narrow = useMedia('(width < 1024px)');
  const deletions = useAudit(byDeletion);
  const switched = useAudit(byActivity);
  const [kind, setKind] = useState('');
  const [shown, setShown] = useState(pageSize);
  const [busy, setBusy] = useState<number | null>(null);
  const [problem, setProblem] = useState<{ readonly position: number; readonly text: string } | null>(null);
  const [order, setOrder] = useState<PutBackOrder | null>(null);

  const complete = deletions.complete && switched.complete;
  const all = goneOf([...deletions.entries, ...switched.entries].sort((a, b) => b.position - a.position));
  const rows = all.filter(({ entity }) => kind === '' || entity.kind === kind);
  const wanted = rows.length <= shown;
  useWhole(deletions, wanted);
  useWhole(switched, wanted);
  const error = deletions.error ?? switched.error;
  const retry = (): void => {
    if (deletions.error !== null) deletions.retry();
    if (switched.error !== null) switched.retry();
  };
  const refresh = (position: number): void => {
    deletions.bringFresh(position);
    switched.bringFresh(position);
  };

  const stale = deletions.stale ?? switched.stale;
  const lookAgain = (): void => {
    if (deletions.stale !== null) deletions.lookAgain();
    if (switched.stale !== null) switched.lookAgain();
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
    const run = async (): Promise<void> => {
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
    void run();
  };
  const mayRestore = (entry: HistoryEntry): boolean =>
    entry.changes.some(
      (change) => maySetBack(can, entry, change) || (setBackOf(entry, change) === null && mayUndo(can, entry)),
    );

  const list = (): ReactNode => {
    // The answers are two, in one order: rows of the later one would push the others down.
    if (error === null && (deletions.loading || switched.loading))
      return <Skeleton rows={6} height={38} label="Загрузка удалённого" />;
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
        <table className="z-table z-journal-deleted" aria-label="Удалённое">
          <thead>
            <tr>
              <th scope="col">Что</th>
              {!narrow && (
                <>
                  <th scope="col">Вид</th>
                  <th scope="col">Кампания</th>
                  <th scope="col">Кто</th>
                  <th scope="col">Когда</th>
                </>
              )}
              <th scope="col">
                <span className="z-visually-hidden">Возврат</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((entry) => {
              const { entity, actor, at, campaign, position } = entry;
              const name = entity.kind === 'campaign' ? showCampaignName(entity.name ?? '') : (entity.name ?? '');
              const place =
                entity.kind === 'placement' && campaign !== null ? showCampaignName(campaign.name ?? '') : null;
              return (
                <tr key={position}>
                  <th scope="row">
                    {name === '' ? showKind(entity.kind) : name}
                    {narrow && (
                      <>
                        <small>{[showKind(entity.kind), place].filter(Boolean).join(' · ')}</small>
                        <small className="z-secondary">
                          {showActor(actor)}, {showInstant(at)}
                        </small>
                      </>
                    )}
                  </th>
                  {!narrow && (
                    <>
                      <td>{showKind(entity.kind)}</td>
                      <td className="z-journal-long">{place ?? '—'}</td>
                      <td>
                        <span className="z-journal-by">
                          <Avatar name={showActor(actor)} id={actor.userId} size={20} />
                          {showActor(actor)}
                        </span>
                      </td>
                      <td>{showInstant(at)}</td>
                    </>
                  )}
                  <td className="z-right">
                    {mayRestore(entry) && (
                      <Button
                        small
                        icon={<Undo size={12} />}
                        disabled={busy === position}
                        aria-label={`Вернуть: ${showKind(entity.kind).toLowerCase()} ${name}`}
                        onClick={() => restore(entry)}
                      >
                        Вернуть
                      </Button>
                    )}
                    {problem?.position === position && (
                      <p className="z-alert" role="alert">
                        {problem.text}
                      </p>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
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
      {stale !== null && <OlderData {...stale} onRetry={lookAgain} />}
      {list()}
      {rows.length > 0 && error !== null && (
        <p role="alert">
          {problemText(error)} <Button onClick={retry}>Повторить</Button>
        </p>
      )}
      {rows.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + pageSize)}>Показать ещё: {formatNumber(rows.length - shown)}</Button>
        </div>
      )}
      {order !== null && (
        <PutBackDialog
          order={order}
          onClose={() => setOrder(null)}
          onDone={(position) => {
            setOrder(null);
            refresh(position);
          }}
        />
      )}
    </div>
  );
};
