import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Undo } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import { dayOf, showTime } from '@zakup/domain/calendar';
import { showDay } from '../day/shown-day.ts';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useApi } from '../api/api-context.tsx';
import { NotePlace } from '../load/note.tsx';
import { QueryFailure } from '../load/query-failure.tsx';
import { useMoment } from '../moment/moment-context.ts';
import { useRights } from '../session/use-rights.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState, Skeleton } from '../ui/states.tsx';
import { ChangeLine } from './change-line.tsx';
import { journalPath } from './journal-address.ts';
import { showEvent } from './fact-labels.ts';
import { backWords, changeWords, creationWords, isCreation, showActor, showSource } from './journal-labels.ts';
import { maySetBack } from './put-back.ts';
import { PutBackDialog, type PutBackOrder } from './put-back-dialog.tsx';
import './history.css';

interface PlacementHistoryProps {
  readonly placementId: string;
  /** The contractor's nick. */
  readonly nick: string;
  /** True where nothing may be changed any more. */
  readonly readOnly: boolean;
  readonly onClose: () => void;
}

/** Who changed a placement, when, from what to what, newest first, and the way back for each change. */
export const PlacementHistory = ({ placementId, nick, readOnly, onClose }: PlacementHistoryProps) => {
  const api = useApi();
  const queries = useQueryClient();
  const { can } = useRights();
  const moment = useMoment();
  const [order, setOrder] = useState<PutBackOrder | null>(null);
  const queryKey = ['placement-history', placementId];
  /** Position of the last own change: the history that is read is not older. */
  const changedAt = useRef<number | null>(null);
  const history = useQuery({
    queryKey,
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (
        await api.get<{ readonly entries: readonly HistoryEntry[] }>(`/api/placements/${placementId}/history`, {
          signal,
          ...(changedAt.current !== null && { after: changedAt.current }),
        })
      ).data.entries,
  });

  const isNow = moment === null;
  // Of the past what had happened by then.
  const data = isNow ? history.data : history.data?.filter(({ position }) => position <= (moment.position ?? 0));
  const list = (): ReactNode => {
    if (data === undefined) return history.error === null && <Skeleton rows={5} height={44} label="Загрузка истории" />;
    if (data.length === 0) return <EmptyState title="Истории ещё нет" />;
    return (
      <ol className="z-history-list">
        {data.toReversed().map((entry) => (
          <HistoryItem
            key={entry.position}
            entry={entry}
            onPutBack={readOnly ? null : (change) => setOrder({ entry, change })}
          />
        ))}
      </ol>
    );
  };

  return (
    <Dialog title={`История: ${nick}`} width={560} onClose={onClose}>
      {list()}
      {can('reports.read') && (
        <p>
          <Link className="z-link" to={journalPath({ entity: `placement:${placementId}` })} onClick={onClose}>
            {isNow ? 'Показать в журнале' : 'Показать в журнале сейчас'}
          </Link>
        </p>
      )}
      <NotePlace>
        <QueryFailure query={history} />
      </NotePlace>
      {order !== null && (
        <PutBackDialog
          order={order}
          onClose={() => setOrder(null)}
          onDone={(position) => {
            setOrder(null);
            changedAt.current = position;
            queries.invalidateQueries({ queryKey }).catch(() => undefined);
          }}
        />
      )}
    </Dialog>
  );
};

const HistoryItem = ({
  entry,
  onPutBack,
}: {
  readonly entry: HistoryEntry;
  readonly onPutBack: ((change: HistoryEntry['changes'][number]) => void) | null;
}) => {
  const { can } = useRights();
  const { actor, at, entity, changes, reason, source, late } = entry;
  const lines = isCreation(entry)
    ? [{ change: null, words: creationWords(entry) }]
    : changes.map((change) => ({ change, words: changeWords(entity.kind, change) }));
  return (
    <li className="z-history-item">
      <div className="z-history-who">
        <Avatar name={showActor(actor)} id={actor.userId} size={20} />
        <b>{showActor(actor)}</b>
        <time dateTime={at} className="z-secondary">
          {showDay(dayOf(at))}, {showTime(at)}
        </time>
        <span className="z-quiet">{showSource(source)}</span>
        {late === true && <Chip tone="mid">после завершения кампании</Chip>}
      </div>
      {lines.length === 0 && <p>{showEvent(entry.event)}</p>}
      {lines.map(({ change, words }) => (
        <div key={change?.field ?? ''} className="z-history-change">
          <ChangeLine words={words} />
          {change !== null && onPutBack !== null && maySetBack(can, entry, change) && (
            <Button small icon={<Undo size={12} />} onClick={() => onPutBack(change)}>
              {backWords(entity.kind, change)}
            </Button>
          )}
        </div>
      ))}
      {reason !== null && <p className="z-secondary">Причина: {reason}</p>}
    </li>
  );
};
