import { dayOf, today } from '@zakup/domain/calendar';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { ComponentProps } from 'react';
import { showDay } from '../../shared/day/shown-day.ts';
import { ChangeLine } from '../../shared/history/change-line.tsx';
import { showActor, showSource } from '../../shared/history/journal-labels.ts';
import { asCell, asHeader, asRow, asRowGroup } from '../../shared/table/roles.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import {
  eventPlace,
  eventWords,
  isOfMany,
  type JournalEvent,
  type JournalRow,
  withoutChannel,
} from './journal-events.ts';

const now = (): number => Date.now();

const secondsOf = (at: string): string => new Date(Date.parse(at) + 3 * 60 * 60 * 1000).toISOString().slice(11, 19);

const countWords = ({ day, count, whole }: Extract<JournalRow, { kind: 'day' }>): string => {
  const events = `${formatNumber(count)} ${plural(count, 'событие', 'события', 'событий')}`;
  return `${day === today(now()) ? 'сегодня, ' : ''}${whole ? '' : 'показано '}${events}`;
};

export const JournalHead = ({ narrow }: { readonly narrow: boolean }) => (
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
);

/** Where a row stands in the list. */
type Place = Pick<ComponentProps<'tr'>, 'ref' | 'aria-rowindex' | 'style'> & { readonly 'data-index': number };

export const DayRow = ({
  row,
  place,
}: {
  readonly row: Extract<JournalRow, { kind: 'day' }>;
  readonly place: Place;
}) => (
  <tr {...asRow} {...place} className="z-journal-day">
    <td {...asCell} colSpan={6} aria-colspan={6}>
      <b>{showDay(row.day)}</b>
      <span>{countWords(row)}</span>
    </td>
  </tr>
);

export const EventRow = ({
  event,
  place,
  isSelected,
  isActive,
  channelNames,
  onPress,
}: {
  readonly event: JournalEvent;
  readonly place: Place;
  readonly isSelected: boolean;
  /** Has the list's one tab stop. */
  readonly isActive: boolean;
  /** Of all channels of the team. */
  readonly channelNames: readonly string[];
  readonly onPress: () => void;
}) => (
  <tr
    {...asRow}
    {...place}
    data-event={event.position}
    aria-selected={isSelected}
    tabIndex={isActive ? 0 : -1}
    className="z-journal-row"
    onClick={onPress}
  >
    <EventCells event={event} channelNames={channelNames} />
  </tr>
);

const EventCells = ({
  event,
  channelNames,
}: {
  readonly event: JournalEvent;
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
