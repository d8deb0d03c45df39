import type { HistoryEntry } from '@zakup/contracts/history';
import { dayOf } from '@zakup/domain/calendar';
import { shortCampaignName } from '../../shared/campaign/short-campaign-name.ts';
import { showInstant, showPeriod } from '../../shared/day/shown-day.ts';
import type { CsvCell } from '../../shared/export/csv.ts';
import { factLines, showEvent } from '../../shared/history/fact-labels.ts';
import {
  changeWords,
  type ChangeWords,
  creationWords,
  isCreation,
  showActor,
  showEntity,
  showField,
  showKind,
  showSource,
  showTally,
  showValue,
  type Tally,
} from '../../shared/history/journal-labels.ts';

/** What one command did, as one row of the journal. */
export interface JournalEvent {
  /** Position of its last entry. */
  readonly position: number;
  /** The one that the row is about. */
  readonly main: HistoryEntry;
  /** In the order in which they happened. */
  readonly entries: readonly HistoryEntry[];
}

const weight = ['license', 'user', 'channel', 'creative', 'contractor', 'campaign', 'placement'];

const entityOf = ({ entity }: HistoryEntry): string => `${entity.kind}:${entity.id}`;

const mainOf = (entries: readonly HistoryEntry[], last: HistoryEntry): HistoryEntry =>
  entries.reduce(
    (best, one) => (weight.indexOf(one.entity.kind) > weight.indexOf(best.entity.kind) ? one : best),
    entries[0] ?? last,
  );

/** Neighbours of one command become one event; `entries` and the answer are newest first. */
export const journalEvents = (entries: readonly HistoryEntry[]): readonly JournalEvent[] => {
  const events: JournalEvent[] = [];
  let group: HistoryEntry[] = [];
  const close = (): void => {
    const [last] = group;
    if (last === undefined) return;
    const inOrder = group.toReversed();
    events.push({ position: last.position, main: mainOf(inOrder, last), entries: inOrder });
    group = [];
  };
  for (const entry of entries) {
    const [first] = group;
    if (first !== undefined && (first.commandId !== entry.commandId || first.actor.userId !== entry.actor.userId))
      close();
    group.push(entry);
  }
  close();
  return events;
};

/** Entries of the entity that the row is about. */
export const mainEntries = ({ main, entries }: JournalEvent): readonly HistoryEntry[] =>
  entries.filter((entry) => entityOf(entry) === entityOf(main));

/** True where several things of the main kind were changed at once. */
export const isOfMany = ({ main, entries }: JournalEvent): boolean =>
  new Set(entries.filter(({ entity }) => entity.kind === main.entity.kind).map(entityOf)).size > 1;

const tallyOf = ({ main, entries }: JournalEvent): Tally => {
  const created = new Set<string>();
  const removed = new Set<string>();
  const all = new Set<string>();
  for (const entry of entries.filter(({ entity }) => entity.kind === main.entity.kind)) {
    const entity = entityOf(entry);
    all.add(entity);
    if (isCreation(entry)) created.add(entity);
    else if (entry.changes.some(({ field, to }) => field === 'deleted' && to === true)) removed.add(entity);
  }
  return {
    kind: main.entity.kind,
    created: created.size,
    removed: removed.size,
    changed: [...all].filter((entity) => !created.has(entity) && !removed.has(entity)).length,
  };
};

const factWords = (entry: HistoryEntry): ChangeWords => {
  const lines = factLines(entry, { brief: true });
  return {
    label: showEvent(entry.event),
    from: null,
    to: lines.length === 0 ? null : lines.join(', '),
    ...(entry.event === 'SignInRefused' && { bad: true as const }),
  };
};

/** What an entry says, change by change. */
export const entryWords = (entry: HistoryEntry): readonly ChangeWords[] =>
  entry.changes.length === 0
    ? [factWords(entry)]
    : isCreation(entry)
      ? [creationWords(entry)]
      : entry.changes.map((change) => changeWords(entry.entity.kind, change));

/** What the row says. */
export const eventWords = (event: JournalEvent): readonly ChangeWords[] =>
  isOfMany(event)
    ? [{ label: showTally(tallyOf(event)), from: null, to: null }]
    : mainEntries(event).flatMap((entry) => entryWords(entry));

/** Where it happened, and beside it the campaign where that is not the same thing. */
export const eventPlace = (event: JournalEvent): { readonly name: string; readonly campaign: string | null } => {
  const { entity, campaign } = event.main;
  const own = entity.kind === 'campaign' ? null : (campaign?.name ?? null);
  const place = own === null ? null : showEntity({ kind: 'campaign', name: own }).replace(/^Кампания /u, '');
  return isOfMany(event)
    ? { name: place ?? showKind(entity.kind), campaign: null }
    : { name: showEntity(entity), campaign: place };
};

/** A shown campaign's name without that of a channel before it, which the campaigns of a channel have in common; where room is short. */
export const withoutChannel = (campaign: string, channelNames: readonly string[]): string => {
  const shortened = channelNames.map((name) => shortCampaignName(campaign, name)).find((own) => own !== campaign);
  return shortened ?? campaign;
};

/** `19–21 ноября`, `с 19 ноября`; empty = all times. */
export const periodWords = (from: string, to: string): string => showPeriod(from || null, to || null);

/** A row of the list: the head of a day, or an event. */
export type JournalRow =
  | { readonly kind: 'day'; readonly day: string; readonly count: number; readonly whole: boolean }
  | { readonly kind: 'event'; readonly event: JournalEvent };

/** Events under their days at UTC+3; `whole` is false where older ones of the day may still come. */
export const journalRows = (events: readonly JournalEvent[], complete: boolean): readonly JournalRow[] => {
  const counts = new Map<string, number>();
  for (const { main } of events) counts.set(dayOf(main.at), (counts.get(dayOf(main.at)) ?? 0) + 1);
  const last = events.at(-1);
  const lastDay = last === undefined ? null : dayOf(last.main.at);
  const rows: JournalRow[] = [];
  let shown: string | null = null;
  for (const event of events) {
    const day = dayOf(event.main.at);
    if (day !== shown) rows.push({ kind: 'day', day, count: counts.get(day) ?? 0, whole: complete || day !== lastDay });
    shown = day;
    rows.push({ kind: 'event', event });
  }
  return rows;
};

export const journalHeader = [
  'Время',
  'Кто',
  'Что',
  'Название',
  'Кампания',
  'Поле',
  'Было',
  'Стало',
  'Откуда',
  'Причина',
  '№',
] as const;

/** Entries as lines of a table, one for each change. */
export const journalTable = (entries: readonly HistoryEntry[]): readonly (readonly CsvCell[])[] =>
  entries.flatMap((entry) => {
    const { at, actor, entity, campaign, changes, source, reason, position } = entry;
    const line = (field: string, from: string, to: string): readonly CsvCell[] => [
      showInstant(at),
      showActor(actor),
      showKind(entity.kind),
      entity.name ?? '',
      campaign?.name ?? '',
      field,
      from,
      to,
      showSource(source),
      reason ?? '',
      position,
    ];
    if (changes.length === 0) return [line(showEvent(entry.event), '', factLines(entry).join(', '))];
    return changes.map((change) =>
      change.hidden
        ? line(showField(entity.kind, change), '', changeWords(entity.kind, change).to ?? '')
        : line(
            showField(entity.kind, change),
            change.from === null ? '' : showValue(entity.kind, change.field, change.from, change.fromName),
            showValue(entity.kind, change.field, change.to, change.toName),
          ),
    );
  });
