import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Refresh } from '@blueprintjs/icons';
import { dayOf, today } from '@zakup/domain/calendar';
import { showDay } from '../../shared/day/shown-day.ts';
import { formatNumber, plural } from '@zakup/domain/russian';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { ChangeLine } from '../../shared/history/change-line.tsx';
import { showActor, showSource } from '../../shared/history/journal-labels.ts';
import { OlderData } from '../../shared/load/query-failure.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { asCell, asGrid, asHeader, asRow, asRowGroup } from '../../shared/table/roles.ts';
import { type RowWindow, useRowWindow } from '../../shared/table/use-row-window.ts';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import {
  eventPlace,
  eventWords,
  isOfMany,
  type JournalEvent,
  type JournalRow,
  journalEvents,
  journalRows,
  withoutChannel,
} from './journal-events.ts';
import type { Audit } from './use-audit.ts';

const headHeight = 30;
const dayHeight = 28;
const rowHeight = 32;
const cardHeight = 84;
/** So many rows before the end the next page is asked for. */
const ahead = 20;

const now = (): number => Date.now();

const secondsOf = (at: string): string => new Date(Date.parse(at) + 3 * 60 * 60 * 1000).toISOString().slice(11, 19);

const countWords = ({ day, count, whole }: Extract<JournalRow, { kind: 'day' }>): string => {
  const events = `${formatNumber(count)} ${plural(count, 'событие', 'события', 'событий')}`;
  return `${day === today(now()) ? 'сегодня, ' : ''}${whole ? '' : 'показано '}${events}`;
};

/**
 * An opened event makes the list narrower and rows higher, a closed one wider and lower: what changes above the pressed one is scrolled
 * away, which keeps it where it was.
 */
const keepInPlace = (windowed: RowWindow, pressed: number): void => {
  windowed.shouldAdjustScrollPositionOnItemSizeChange = ({ index, start }, _, instance) => {
    const top = instance.scrollOffset ?? 0;
    const anchor = instance.measurementsCache[pressed];
    const inSight = anchor !== undefined && anchor.end > top && anchor.start < top + (instance.scrollRect?.height ?? 0);
    return inSight ? index < pressed : start < top;
  };
};

interface AuditListProps {
  readonly audit: Audit;
  /** True while filters are set. */
  readonly narrowed: boolean;
  readonly onReset: () => void;
  readonly selected: number | null;
  readonly onSelect: (event: JournalEvent) => void;
  /** Escape: nothing is to be selected. */
  readonly onClear: () => void;
}

/** The journal by days, newest first; older entries are fetched as their place comes near. */
export const AuditList = ({ audit, narrowed, onReset, selected, onSelect, onClear }: AuditListProps) => {
  const { entries, complete, fetching, error, more, fresh } = audit;
  const narrow = useNarrow();
  const scroller = useRef<HTMLDivElement>(null);
  const focusWanted = useRef(false);
  const [active, setActive] = useState<number | null>(null);
  const [stopped, setStopped] = useState(false);
  const events = useMemo(() => journalEvents(entries), [entries]);
  const rows = useMemo(() => journalRows(events, complete), [events, complete]);
  const freshCount = useMemo(() => journalEvents(fresh).length, [fresh]);
  const channels = useDocs('channel');
  const channelNames = useMemo(() => channels.map(({ name }) => name), [channels]);

  const windowed = useRowWindow({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === 'day' ? dayHeight : narrow ? cardHeight : rowHeight),
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : row.kind === 'day' ? row.day : row.event.position;
    },
    overscan: 8,
    scrollPaddingStart: narrow ? 0 : headHeight,
    useFlushSync: false,
  });
  const items = windowed.getVirtualItems();
  const nearEnd = (items.at(-1)?.index ?? 0) >= rows.length - ahead;

  useEffect(() => {
    if (nearEnd && !complete && !fetching && !stopped && error === null) more();
  });

  const indexOf = useMemo(
    () => new Map(rows.map((row, index) => [row.kind === 'event' ? row.event.position : -1, index])),
    [rows],
  );
  const pressed = selected ?? active;
  useEffect(() => keepInPlace(windowed, (pressed === null ? undefined : indexOf.get(pressed)) ?? -1));
  const first = rows.findIndex(({ kind }) => kind === 'event');
  const activeRow = (active === null ? undefined : indexOf.get(active)) ?? first;

  useEffect(() => {
    if (!focusWanted.current) return;
    const row = scroller.current?.querySelector<HTMLElement>('[data-event][tabindex="0"]');
    if (!row) return;
    focusWanted.current = false;
    row.focus({ preventScroll: true });
  });

  const goTo = (index: number): void => {
    const row = rows[index];
    if (row?.kind !== 'event') return;
    setActive(row.event.position);
    windowed.scrollToIndex(index, { align: 'auto' });
    focusWanted.current = true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = (from: number, by: 1 | -1): number => (rows[from]?.kind === 'day' ? from + by : from);
    const row = rows[activeRow];
    if (event.key === 'ArrowDown') goTo(step(activeRow + 1, 1));
    else if (event.key === 'ArrowUp') goTo(step(activeRow - 1, -1));
    else if (event.key === 'Home') goTo(first);
    else if (event.key === 'End') goTo(rows.length - 1);
    else if ((event.key === 'Enter' || event.key === ' ') && row?.kind === 'event') onSelect(row.event);
    else if (event.key === 'Escape' && selected !== null) onClear();
    else return;
    event.preventDefault();
  };
  // The keys of all rows in one place; the rows themselves have the focus.
  const grid = { ...asGrid, onKeyDown };

  const tail = (): ReactNode => {
    if (error !== null)
      return (
        <p role="alert">
          {problemText(error)}{' '}
          <Button small onClick={audit.retry}>
            Повторить
          </Button>
        </p>
      );
    if (complete) return entries.length > 0 && <p>Это начало журнала{narrowed && ' с такими фильтрами'}.</p>;
    if (stopped)
      return (
        <Button small onClick={() => setStopped(false)}>
          Искать дальше
        </Button>
      );
    return (
      <p>
        <LiveRegion later>
          {narrowed
            ? `Ищем в более ранних записях, просмотрено частей: ${formatNumber(audit.pages)}`
            : 'Загружаем раньше'}
        </LiveRegion>{' '}
        {narrowed && (
          <Button small onClick={() => setStopped(true)}>
            Остановить
          </Button>
        )}
      </p>
    );
  };

  if (audit.loading) return <Skeleton rows={12} label="Загрузка журнала" />;
  if (entries.length === 0 && error !== null) return <ErrorState error={error} onRetry={audit.retry} />;
  if (entries.length === 0 && complete && fresh.length === 0)
    return narrowed ? (
      <EmptyState title="Ничего не найдено" actions={<Button onClick={onReset}>Сбросить фильтры</Button>}>
        С такими фильтрами записей нет.
      </EmptyState>
    ) : (
      <EmptyState title="Журнал пуст">Здесь появится каждое изменение: кто, когда, что было и что стало.</EmptyState>
    );
  return (
    <div className="z-journal-list">
      {audit.stale !== null && <OlderData {...audit.stale} onRetry={audit.lookAgain} />}
      <div className="z-journal-fresh">
        {freshCount > 0 && (
          <Button
            small
            look="primary"
            icon={<Refresh size={12} />}
            onClick={() => {
              audit.showFresh();
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            <LiveRegion>Новых событий: {formatNumber(freshCount)}</LiveRegion>
          </Button>
        )}
      </div>
      <div ref={scroller} className="z-panel z-panel-flush z-journal-scroll">
        <table
          {...grid}
          aria-label="Журнал"
          aria-rowcount={complete ? rows.length + 1 : -1}
          aria-colcount={6}
          className="z-journal-table"
        >
          <thead {...asRowGroup} className={narrow ? 'z-visually-hidden' : 'z-journal-head'}>
            <tr {...asRow} aria-rowindex={1}>
              <th {...asHeader}>Время</th>
              <th {...asHeader}>Кто</th>
              <th {...asHeader}>Где</th>
              <th {...asHeader}>Что было → что стало</th>
              <th {...asHeader}>Откуда</th>
              <th {...asHeader} className="z-right">
                №
              </th>
            </tr>
          </thead>
          <tbody {...asRowGroup} style={{ height: windowed.getTotalSize() }}>
            {items.map(({ index, start, key }) => {
              const row = rows[index];
              if (row === undefined) return null;
              const place = {
                ref: windowed.measureElement,
                'data-index': index,
                'aria-rowindex': index + 2,
                style: { transform: `translateY(${start}px)` },
              };
              if (row.kind === 'day')
                return (
                  <tr key={key} {...asRow} {...place} className="z-journal-day">
                    <td {...asCell} colSpan={6} aria-colspan={6}>
                      <b>{showDay(row.day)}</b>
                      <span>{countWords(row)}</span>
                    </td>
                  </tr>
                );
              const { event } = row;
              return (
                <tr
                  key={key}
                  {...asRow}
                  {...place}
                  data-event={event.position}
                  aria-selected={event.position === selected}
                  tabIndex={index === activeRow ? 0 : -1}
                  className="z-journal-row"
                  onClick={() => {
                    setActive(event.position);
                    onSelect(event);
                  }}
                >
                  <EventCells event={event} channelNames={channelNames} />
                </tr>
              );
            })}
          </tbody>
        </table>
        <div className="z-journal-tail">{tail()}</div>
      </div>
    </div>
  );
};

const EventCells = ({
  event,
  channelNames,
}: {
  readonly event: JournalEvent;
  /** Of all channels of the team. */
  readonly channelNames: readonly string[];
}) => {
  const { main } = event;
  const { actor, source } = main;
  const place = eventPlace(event);
  const words = eventWords(event);
  const name = showActor(actor);
  return (
    <>
      <td {...asCell} className="z-journal-time">
        <time dateTime={main.at} title={showDay(dayOf(main.at))}>
          {secondsOf(main.at)}
        </time>
      </td>
      <td {...asCell} className="z-journal-who" title={name}>
        <Avatar name={name} id={actor.userId} size={20} />
        <span>{name.split(' ')[0]}</span>
      </td>
      <td {...asCell} className="z-journal-where" title={[place.name, place.campaign].filter(Boolean).join(', ')}>
        <span>{isOfMany(event) ? withoutChannel(place.name, channelNames) : place.name}</span>
        {place.campaign !== null && <small> {withoutChannel(place.campaign, channelNames)}</small>}
      </td>
      <td {...asCell} className="z-journal-what">
        {words.map((one, index) => (
          // Several changes of one field in one command have the same words; only their place tells them apart.
          <span key={`${index} ${one.label}`} className="z-journal-change">
            <ChangeLine words={one} />
            {index < words.length - 1 && <span aria-hidden="true">{'\u00a0· '}</span>}
          </span>
        ))}
        {main.late === true && <Chip tone="mid">после завершения</Chip>}
      </td>
      <td {...asCell} className="z-journal-source">
        {showSource(source)}
      </td>
      <td {...asCell} className="z-journal-number">
        {formatNumber(event.position)}
      </td>
    </>
  );
};
