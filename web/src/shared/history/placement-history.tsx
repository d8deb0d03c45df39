import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Undo } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import { type PlacementFieldName, placementFields } from '@zakup/contracts/placement-fields';
import { dayOf, showTime } from '@zakup/domain/calendar';
import { showDay } from '../day/shown-day.ts';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useApi } from '../api/api-context.tsx';
import { NotePlace } from '../load/note.tsx';
import { QueryFailure } from '../load/query-failure.tsx';
import { useMoment } from '../moment/moment-context.ts';
import { useRights } from '../session/use-rights.ts';
import { announce } from '../toasts/toasts.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState, Skeleton } from '../ui/states.tsx';
import { ChangeLine } from './change-line.tsx';
import { historyOfField } from './field-history.ts';
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
  /** Whose changes alone are shown at first; absent = those of all fields. */
  readonly field?: PlacementFieldName | undefined;
  /** True where nothing may be changed any more. */
  readonly readOnly: boolean;
  readonly onClose: () => void;
}

/** Who changed a placement, when, from what to what, newest first, and the way back for each change. */
export const PlacementHistory = ({ placementId, nick, field, readOnly, onClose }: PlacementHistoryProps) => {
  const api = useApi();
  const queries = useQueryClient();
  const { can } = useRights();
  const moment = useMoment();
  const [isWhole, setIsWhole] = useState(field === undefined);
  const narrowed = isWhole ? undefined : field;
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
  const happened = isNow ? history.data : history.data?.filter(({ position }) => position <= (moment.position ?? 0));
  const label = field && placementFields[field].label;
  const titleOf = (whole: boolean): string => `История: ${whole || !label ? '' : `${label}, `}${nick}`;

  return (
    <Dialog
      title={titleOf(isWhole)}
      width={560}
      onClose={onClose}
      footer={
        label && (
          <Button
            onClick={() => {
              announce(titleOf(!isWhole));
              setIsWhole(!isWhole);
            }}
          >
            {isWhole ? `Только «${label}»` : 'Вся история строки'}
          </Button>
        )
      }
    >
      {happened !== undefined && (
        <HistoryList
          entries={happened}
          field={narrowed}
          onPutBack={readOnly ? null : (entry, change) => setOrder({ entry, change })}
        />
      )}
      {happened === undefined && history.error === null && <Skeleton rows={5} height={44} label="Загрузка истории" />}
      {can('reports.read') && (
        <p>
          <Link
            className="z-link"
            to={journalPath({ entity: `placement:${placementId}`, ...(narrowed && { field: narrowed }) })}
            onClick={onClose}
          >
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

interface HistoryListProps {
  /** Of the whole row, the oldest first. */
  readonly entries: readonly HistoryEntry[];
  /** `undefined` = all fields. */
  readonly field: PlacementFieldName | undefined;
  /** `null` where nothing may be changed. */
  readonly onPutBack: ((entry: HistoryEntry, change: HistoryEntry['changes'][number]) => void) | null;
}

const HistoryList = ({ entries, field, onPutBack }: HistoryListProps) => {
  const shown = field ? historyOfField(entries, field) : entries;
  if (shown.length === 0) return <EmptyState title="Истории ещё нет" />;
  return (
    <>
      {field && shown.every(isCreation) && <p>Не меняли с добавления строки</p>}
      <ol className="z-history-list">
        {shown.toReversed().map((entry) => (
          <HistoryItem
            key={entry.position}
            entry={entry}
            field={field}
            onPutBack={onPutBack && ((change) => onPutBack(entry, change))}
          />
        ))}
      </ol>
    </>
  );
};

const HistoryItem = ({
  entry,
  field,
  onPutBack,
}: {
  readonly entry: HistoryEntry;
  readonly field: PlacementFieldName | undefined;
  readonly onPutBack: ((change: HistoryEntry['changes'][number]) => void) | null;
}) => {
  const { can } = useRights();
  const { actor, at, entity, changes, reason, source, late } = entry;
  const lines = isCreation(entry)
    ? [{ change: null, words: creationWords(entry, field && [field]) }]
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
