import { useQuery } from '@tanstack/react-query';
import { Cross, Undo } from '@blueprintjs/icons';
import type { HistoryEntry } from '@zakup/contracts/history';
import { dayOf, showTime, today } from '@zakup/domain/calendar';
import { showInstant } from '../../shared/day/shown-day.ts';
import { formatNumber } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useApi } from '../../shared/api/api-context.tsx';
import { ChangeLine } from '../../shared/history/change-line.tsx';
import { changesNoField, factLines, showEvent } from '../../shared/history/fact-labels.ts';
import {
  backWords,
  type HistoryChangeWire,
  isCreation,
  showActor,
  showEntity,
  showField,
  showSource,
  showValue,
} from '../../shared/history/journal-labels.ts';
import { maySetBack, mayUndo } from '../../shared/history/put-back.ts';
import type { PutBackOrder } from '../../shared/history/put-back-dialog.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { useSession } from '../../shared/session/session-context.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { LoadMore } from '../../shared/ui/load-more.tsx';
import { Skeleton } from '../../shared/ui/states.tsx';
import { ChangesTable } from './changes-table.tsx';
import { entryWords, isOfMany, type JournalEvent, mainEntries } from './journal-events.ts';
import type { AuditData } from './use-audit.ts';
import { WhatMoved } from './what-moved.tsx';

/** Of a command on very many things only so many are listed. */
const listed = 50;

const when = (at: string): string => (dayOf(at) === today(Date.now()) ? `сегодня в ${showTime(at)}` : showInstant(at));

const special: ReadonlySet<string> = new Set(['deleted', 'isActive']);

/** What else became of the field, oldest first. */
const FieldHistory = ({ entry, change }: { readonly entry: HistoryEntry; readonly change: HistoryChangeWire }) => {
  const api = useApi();
  const { person } = useSession();
  const { kind, id } = entry.entity;
  const own = change.field.split('/', 1)[0] ?? '';
  const { data, error } = useQuery({
    queryKey: ['field-history', person.id, kind, id, own, entry.position],
    gcTime: 0,
    queryFn: async ({ signal }) =>
      (
        await api.get<AuditData>('/api/audit', {
          query: { entity: `${kind}:${id}`, field: own, limit: 20 },
          signal,
        })
      ).data.entries,
  });
  const past = (data ?? []).toReversed().flatMap((one) => {
    const found = one.changes.find(({ field }) => field === change.field);
    return found === undefined || found.hidden ? [] : [{ one, found }];
  });
  if (error === null && data !== undefined && past.length < 2) return null;
  return (
    <section className="z-journal-part">
      <h3>История поля «{showField(kind, change)}»</h3>
      {data === undefined && error === null && <Skeleton rows={2} height={20} label="Загрузка истории поля" />}
      {error !== null && <p className="z-quiet">Не загрузилась</p>}
      <ol>
        {past.map(({ one, found }) => (
          <li key={one.position} aria-current={one.position === entry.position ? 'true' : undefined}>
            <span>
              {when(one.at)} {showActor(one.actor)}
            </span>
            <span>{showValue(kind, found.field, found.to, found.toName)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
};

interface EventPanelProps {
  readonly event: JournalEvent;
  readonly onPutBack: (order: PutBackOrder) => void;
  readonly onOnlyThis: (entity: string) => void;
  readonly onClose: () => void;
}

/** All that is known of an event, and the ways back. */
export const EventPanel = ({ event, onPutBack, onOnlyThis, onClose }: EventPanelProps) => {
  const { can } = useRights();
  const { main, entries } = event;
  const { actor, at, entity, campaign, source, reason, late } = main;
  const own = mainEntries(event);
  const many = isOfMany(event);
  const changes = own.flatMap((entry) => entry.changes.map((change) => ({ entry, change })));
  const [only] = changes;
  const single = changes.length === 1 && !many && only !== undefined && !isCreation(only.entry) ? only : null;
  const others = many ? entries : entries.filter((entry) => !own.includes(entry));
  const [shown, setShown] = useState(listed);
  const undo = mayUndo(can, main) && (single === null || !maySetBack(can, single.entry, single.change));

  const list: ReactNode = others.length > 0 && (
    <section className="z-journal-part">
      <h3>{many ? 'Что изменилось' : 'Вместе с этим'}</h3>
      <ul>
        {others.slice(0, shown).map((entry) => (
          <li key={entry.position}>
            <span>
              {showEntity(entry.entity)}:{' '}
              {entryWords(entry).map((words, index) => (
                <span key={`${index} ${words.label}`}>
                  {index > 0 && ', '}
                  <ChangeLine words={words} />
                </span>
              ))}
            </span>
          </li>
        ))}
      </ul>
      {others.length > shown && <LoadMore small rest={others.length - shown} onMore={() => setShown(shown + listed)} />}
    </section>
  );

  return (
    <div className="z-journal-event">
      <header>
        <span className="z-quiet">Событие {formatNumber(event.position)}</span>
        <Button small look="plain" icon={<Cross size={14} />} aria-label="Закрыть событие" onClick={onClose} />
        <h2>{showEntity(entity)}</h2>
        {campaign !== null && entity.kind !== 'campaign' && (
          <p className="z-secondary">{showCampaignName(campaign.name ?? '')}</p>
        )}
        <p className="z-journal-by">
          <Avatar name={showActor(actor)} id={actor.userId} size={20} />
          <span>
            {showActor(actor)}, {when(at)}, {showSource(source)}
          </span>
        </p>
        {late === true && <Chip tone="mid">Пришло сразу после завершения кампании</Chip>}
        {reason !== null && (
          <p>
            Причина: <b>{reason}</b>
          </p>
        )}
      </header>
      {!many && changes.length > 0 && (
        <div className="z-journal-part">
          <ChangesTable entries={own} onPutBack={onPutBack} />
        </div>
      )}
      {changes.length === 0 && (
        <div className="z-journal-part">
          <p>
            <b>{showEvent(main.event)}</b>
          </p>
          {factLines(main).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      )}
      {!entries.every((entry) => changesNoField(entry.event)) && <WhatMoved event={event} />}
      {single !== null && !single.change.hidden && !special.has(single.change.field) && (
        <FieldHistory key={event.position} entry={single.entry} change={single.change} />
      )}
      {list}
      <footer>
        {single !== null && maySetBack(can, single.entry, single.change) && (
          <Button icon={<Undo size={14} />} onClick={() => onPutBack(single)}>
            {backWords(entity.kind, single.change)}
          </Button>
        )}
        {undo && (
          <Button icon={<Undo size={14} />} onClick={() => onPutBack({ entry: main, change: null })}>
            Отменить {many || changes.length > 1 ? 'всё действие' : 'изменение'}
          </Button>
        )}
        {campaign !== null && (
          <Link className="z-button" to={`/dashboard?campaign=${campaign.id}&at=${event.position}`}>
            Как было
          </Link>
        )}
        <button type="button" className="z-link" onClick={() => onOnlyThis(`${entity.kind}:${entity.id}`)}>
          Вся история
        </button>
      </footer>
    </div>
  );
};
