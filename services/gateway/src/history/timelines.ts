import { setImmediate as turn } from 'node:timers/promises';
import { type HistoryRow, historyId } from '@zakup/contracts/history';
import { type Day, dayOf } from '@zakup/domain/calendar';
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
  readonly previous: TimelineEvent | null;
  readonly next: TimelineEvent | null;
}

/** A licence, or one campaign of it with its placements. */
export interface TimelineSubject {
  readonly licenceId: string;
  readonly campaignId: string | null;
}

export interface Timelines {
  /** `around`: the position whose neighbours are wanted; null = none are. Rejects with what the read store throws. */
  readonly of: (subject: TimelineSubject, around: number | null) => Promise<Timeline>;
}

const slice = 500;

const eventOf = ({ position, data }: ReadDocument): TimelineEvent => {
  const { at, recordedAt } = data as unknown as HistoryRow;
  return { position, at: recordedAt ?? at };
};

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
export const timelines = (readStore: Pick<ReadStore, 'walk'>, capacity = 200): Timelines => {
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
      const docs = await readStore.walk('history', {
        ...walkOf(subject),
        direction: 'asc',
        ...(last !== undefined && { after: historyId(last.last) }),
        limit: slice,
      });
      days = counted(days, docs);
      if (docs.length < slice) break;
      await turn();
    }
    known.delete(key);
    if (days.length > 0) known.set(key, days);
    for (const oldest of known.keys()) {
      if (known.size <= capacity) break;
      known.delete(oldest);
    }
    return days;
  };

  const beside = async (
    subject: TimelineSubject,
    position: number,
    direction: 'asc' | 'desc',
  ): Promise<TimelineEvent | null> => {
    const [doc] = await readStore.walk('history', {
      ...walkOf(subject),
      direction,
      after: historyId(position),
      limit: 1,
    });
    return doc === undefined ? null : eventOf(doc);
  };

  return {
    async of(subject, around) {
      const days = await daysOf(subject);
      if (around === null) return { days, previous: null, next: null };
      const [previous, next] = await Promise.all([beside(subject, around, 'desc'), beside(subject, around, 'asc')]);
      return { days, previous, next };
    },
  };
};
