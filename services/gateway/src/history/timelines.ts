import { yieldToEventLoop } from '@zakup/async/event-loop';
import { type HistoryRow, historyId } from '@zakup/contracts/history';
import { type Day, dayOf, today } from '@zakup/domain/calendar';
import type { MomentAsked } from '@zakup/projections/past/licence-fold';
import type { ReadDocument, ReadStore } from '@zakup/read-store/read-store';

/** What happened on one day at UTC+3; `first` and `last` are positions. */
export interface TimelineDay {
  readonly day: Day;
  readonly count: number;
  readonly first: number;
  readonly last: number;
}

export interface TimelineEvent {
  readonly position: number;
  /** UTC instant, ISO 8601. */
  readonly at: string;
}

export interface Timeline {
  /** The first one first; days without events are not there. */
  readonly days: readonly TimelineDay[];
  /** The last event up to the moment that was asked for, and those next to it. */
  readonly at: TimelineEvent | null;
  readonly previous: TimelineEvent | null;
  readonly next: TimelineEvent | null;
}

/** A licence, or one campaign of it with its placements. */
export interface TimelineSubject {
  readonly licenceId: string;
  readonly campaignId: string | null;
}

export interface Timelines {
  /** `around`: the moment whose event and neighbours are wanted; null = none are. Rejects with what the read store throws. */
  readonly of: (subject: TimelineSubject, around: MomentAsked | null) => Promise<Timeline>;
}

const slice = 500;

/** The command's instant, as the history shows it. */
const eventOf = ({ position, data }: ReadDocument): TimelineEvent => ({
  position,
  at: (data as unknown as HistoryRow).at,
});

const counted = (days: readonly TimelineDay[], docs: readonly ReadDocument[]): readonly TimelineDay[] => {
  const all = [...days];
  for (const { position, at } of docs.map(eventOf)) {
    const latest = all.at(-1);
    const day = dayOf(at);
    // Clocks of commands are not in step: days stand in the order of the log.
    if (latest !== undefined && day <= latest.day)
      all[all.length - 1] = { ...latest, count: latest.count + 1, last: position };
    else all.push({ day, count: 1, first: position, last: position });
  }
  return all;
};

/** Counts of events by day. What was counted once is kept, as the history only grows: of so many subjects, those asked for last. */
export const timelines = (readStore: Pick<ReadStore, 'scanIndex'>, capacity = 200): Timelines => {
  const known = new Map<string, readonly TimelineDay[]>();

  const walkOf = ({ licenceId, campaignId }: TimelineSubject) => ({
    licenceId,
    ...(campaignId !== null && { where: { field: 'campaignId', value: campaignId } }),
  });

  const daysOf = async (subject: TimelineSubject): Promise<readonly TimelineDay[]> => {
    const key = JSON.stringify([subject.licenceId, subject.campaignId]);
    let days = known.get(key) ?? [];
    for (;;) {
      const last = days.at(-1);
      const docs = await readStore.scanIndex('history', {
        ...walkOf(subject),
        direction: 'asc',
        ...(last !== undefined && { after: historyId(last.last) }),
        limit: slice,
      });
      days = counted(days, docs);
      if (docs.length < slice) break;
      await yieldToEventLoop();
    }
    known.delete(key);
    if (days.length > 0) known.set(key, days);
    for (const oldest of known.keys()) {
      if (known.size <= capacity) break;
      known.delete(oldest);
    }
    return days;
  };

  /** The last events up to a position, the latest first. */
  const upTo = async (subject: TimelineSubject, position: number, limit: number): Promise<readonly TimelineEvent[]> => {
    const after = historyId(position + 1);
    const docs = await readStore.scanIndex('history', { ...walkOf(subject), direction: 'desc', after, limit });
    return docs.map(eventOf);
  };

  /** The position at which everything up to a time had happened; −1 = nothing had. */
  const positionAt = async (subject: TimelineSubject, days: readonly TimelineDay[], time: number): Promise<number> => {
    const asked = today(time);
    const day = days.findLast((one) => one.day <= asked);
    if (day === undefined || day.day < asked) return day?.last ?? -1;
    let [low, high] = [day.first - 1, day.last];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const [event] = await upTo(subject, middle, 1);
      if (event === undefined || Date.parse(event.at) <= time) low = middle;
      else high = event.position - 1;
    }
    return low;
  };

  return {
    async of(subject, around) {
      const days = await daysOf(subject);
      if (around === null) return { days, at: null, previous: null, next: null };
      const position = around.by === 'position' ? around.position : await positionAt(subject, days, around.time);
      const [[at = null, previous = null], following] = await Promise.all([
        upTo(subject, position, 2),
        readStore.scanIndex('history', {
          ...walkOf(subject),
          direction: 'asc',
          ...(position >= 0 && { after: historyId(position) }),
          limit: 1,
        }),
      ]);
      return { days, at, previous, next: following.map(eventOf)[0] ?? null };
    },
  };
};
