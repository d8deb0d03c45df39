import { createYielder } from '@zakup/async/yielder';
import type { SerialQueue } from '@zakup/async/serial-queue';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { DeclaredFields, DocumentReader } from '@zakup/read-store/read-store';
import { EventFold } from '../fold-event.ts';
import { stateProjections } from '../projections.ts';
import { Unfoldable } from '../unfoldable.ts';
import { workingSet } from '../working-set.ts';
import { documentVersions } from './document-versions.ts';
import { pastDocuments } from './past-documents.ts';

/** An event of the licence, after which everything is as it is told. */
export interface Moment {
  readonly position: Position;
  /** When the store recorded it, ISO 8601 with milliseconds. */
  readonly time: string;
}

/** The licence's last event at or before a position of the log, or recorded at or before a time (UTC milliseconds). */
export type MomentAsked =
  | { readonly by: 'position'; readonly position: Position }
  | { readonly by: 'time'; readonly time: number };

export type Past =
  | { readonly kind: 'found'; readonly moment: Moment; readonly documents: DocumentReader }
  /** The licence had no event yet. */
  | { readonly kind: 'before_beginning' }
  /** The event at `failedAt`, or before it, is one that this version cannot fold. */
  | { readonly kind: 'unfoldable'; readonly failedAt: Position; readonly reason: string };

export interface LicenceFoldOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly licenceId: string;
  /** Members that queries may name. */
  readonly declared: DeclaredFields;
  /** Shared by all folds of a process. */
  readonly queue: SerialQueue;
  /** Most events that are folded anew for one moment, until it has to be thinned. Default 500. */
  readonly interval?: number;
  /** How many moments between two snapshots are kept. Default 8. */
  readonly keptMoments?: number;
  /** Awaited whenever it has come to hold more. */
  readonly onGrown?: () => Promise<void>;
}

/**
 * One licence's events folded from its own log, by the projections that write the read models, to any position. Snapshots every
 * `interval` events share their documents; a moment between two of them is the earlier one with the few events since folded on.
 */
export interface LicenceFold {
  /**
   * What is asked for must lie behind the end of the log: it is the same for ever. Several callers share what has to be folded for all of
   * them. Rejects with the signal's reason, and with what the event store throws.
   */
  at(asked: MomentAsked, signal: AbortSignal): Promise<Past>;
  /** Whether little or nothing has to be folded for it: it is known, or lies before the last snapshot. */
  isNear(asked: MomentAsked): boolean;
  /** What it holds, in documents of common size. */
  weight(): number;
  /** Gives up half of what it holds, so that a moment may cost twice as many events; false when there is nothing to give up. */
  thin(): Promise<boolean>;
}

/** Events in one read of the log. */
const pageSize = 250;
const leastSnapshots = 8;
/** Not behind any snapshot. */
const latest = Number.MAX_SAFE_INTEGER;

interface Snapshot {
  readonly position: Position;
  /** UTC milliseconds. */
  readonly time: number;
  readonly moment: Moment | null;
}

/** The licence as it was before its first event. */
const beginning: Snapshot = { position: 0, time: Number.NEGATIVE_INFINITY, moment: null };

const timeOf = ({ recordedAt }: RecordedEvent): number => Date.parse(recordedAt);
const resolveAt = ({ position, recordedAt: time }: RecordedEvent): Moment => ({ position, time });

/** Whether the event had happened by the moment asked for. */
const within = (asked: MomentAsked, position: Position, time: number): boolean =>
  asked.by === 'position' ? position <= asked.position : time <= asked.time;

/** Whether events after the snapshot may have happened by then. */
const reachesBeyond = (asked: MomentAsked, { position, time }: Snapshot): boolean =>
  asked.by === 'position' ? position < asked.position : time <= asked.time;

interface Failure {
  readonly failedAt: Position;
  readonly time: number;
  readonly reason: string;
}

interface KeptMoment {
  readonly position: Position;
  /** The questions that it answers. */
  readonly asked: Set<string>;
  readonly past: Promise<Past>;
  /** How many documents were changed since the snapshot before it, once it is folded. */
  weight: number;
}

const questionOf = (asked: MomentAsked): string =>
  asked.by === 'position' ? `position ${asked.position}` : `time ${asked.time}`;

/** Some events further; `rest`: the log had no full interval more, and these after the last snapshot. */
interface Advance {
  readonly number: number;
  readonly rest: Promise<readonly RecordedEvent[] | null>;
}

/** The work goes on for others who wait for it. */
const abortable = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/** Nothing is folded before somebody asks. */
export const licenceFold = ({
  eventStore,
  licenceId,
  declared,
  queue,
  interval: firstInterval = 500,
  keptMoments = 8,
  onGrown = async () => undefined,
}: LicenceFoldOptions): LicenceFold => {
  let kept = documentVersions(declared);
  let snapshots: readonly Snapshot[] = [beginning];
  let interval = firstInterval;
  let failure: Failure | null = null;
  /** Last used last. */
  let moments: readonly KeptMoment[] = [];
  let advances = 0;
  let advancing: Advance | null = null;
  /** Goes on from the last snapshot; let go when the log has no full interval more. */
  let folding: { readonly set: ReturnType<typeof workingSet>; readonly fold: EventFold } | null = null;

  const last = (): Snapshot => snapshots.at(-1) ?? beginning;

  const readAfter = async (after: Position, limit: number, to?: Position): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for (;;) {
      const most = Math.min(pageSize, limit - events.length);
      const from = events.at(-1)?.position ?? after;
      const page = await eventStore.readLicence(licenceId, {
        after: from,
        limit: most,
        ...(to !== undefined && { to }),
      });
      events.push(...page);
      if (page.length < most || events.length >= limit) return events;
    }
  };

  const failed = (events: readonly RecordedEvent[], error: unknown): Failure => {
    if (!(error instanceof Unfoldable)) throw error;
    const event = events.find(({ position }) => position === error.position);
    const time = event === undefined ? Number.POSITIVE_INFINITY : timeOf(event);
    if (failure === null || error.position < failure.failedAt)
      failure = { failedAt: error.position, time, reason: error.message };
    return failure;
  };

  const openFolding = () => {
    const set = workingSet(pastDocuments(declared, kept, latest));
    return { set, fold: new EventFold(set, stateProjections) };
  };

  /** Folds a whole interval and keeps how everything stands after it. */
  const addSnapshot = (events: readonly RecordedEvent[], end: RecordedEvent): Promise<void> =>
    queue.run(async () => {
      const yieldIfDue = createYielder();
      folding ??= openFolding();
      const { set, fold } = folding;
      try {
        for (const event of events) {
          await fold.fold(event);
          await yieldIfDue();
        }
        await fold.settle();
      } catch (error) {
        folding = null;
        failed(events, error);
        return;
      }
      kept.add(set.pending().docs);
      fold.committed();
      const snapshot = { position: end.position, time: timeOf(end), moment: resolveAt(end) };
      snapshots = [...snapshots, snapshot];
    });

  const advance = async (): Promise<readonly RecordedEvent[] | null> => {
    const events = await readAfter(last().position, interval);
    const end = events.at(-1);
    if (end === undefined || events.length < interval) {
      folding = null;
      return events;
    }
    await addSnapshot(events, end);
    await onGrown();
    return null;
  };

  const startAdvance = (): Advance => {
    advances += 1;
    const rest = advance().finally(() => {
      advancing = null;
    });
    advancing = { number: advances, rest };
    return advancing;
  };

  /** Makes the snapshots up to the moment; what the log has after the last one, where it was read for that. */
  const reach = async (asked: MomentAsked, signal: AbortSignal): Promise<readonly RecordedEvent[] | null> => {
    const before = advances;
    const goesOn = (): boolean => failure === null && reachesBeyond(asked, last());
    while (goesOn()) {
      const one = advancing ?? startAdvance();
      const rest = await abortable(one.rest, signal);
      // What was read before this caller came may lack what the caller has seen already.
      if (rest !== null && one.number > before) return rest;
    }
    return null;
  };

  const baseOf = (asked: MomentAsked): Snapshot =>
    snapshots.findLast(({ position, time }) => within(asked, position, time)) ?? beginning;

  /** The events after the snapshot that had happened by the moment, and perhaps some more. */
  const eventsSince = async (base: Snapshot, asked: MomentAsked): Promise<readonly RecordedEvent[]> => {
    if (asked.by === 'position') return readAfter(base.position, Number.POSITIVE_INFINITY, asked.position);
    const events: RecordedEvent[] = [];
    for (;;) {
      const page = await readAfter(events.at(-1)?.position ?? base.position, pageSize);
      events.push(...page);
      const end = page.at(-1);
      if (end === undefined || page.length < pageSize || !within(asked, end.position, timeOf(end))) return events;
    }
  };

  const unfoldable = ({ failedAt, reason }: Failure): Past => ({ kind: 'unfoldable', failedAt, reason });

  /** `on`: what `base` was kept in, which is no more when snapshots have been given up since. `changed`: told how many documents were. */
  const foldedOn = (
    on: typeof kept,
    base: Snapshot,
    events: readonly RecordedEvent[],
    moment: Moment,
    changed: (count: number) => void,
  ): Promise<Past> =>
    queue.run(async () => {
      const yieldIfDue = createYielder();
      const set = workingSet(pastDocuments(declared, on, base.position));
      const fold = new EventFold(set, stateProjections);
      try {
        for (const event of events) {
          await fold.fold(event);
          await yieldIfDue();
        }
        await fold.settle();
      } catch (error) {
        return unfoldable(failed(events, error));
      }
      const { docs } = set.pending();
      changed(docs.length);
      return { kind: 'found', moment, documents: pastDocuments(declared, on, base.position, docs) };
    });

  const use = (one: KeptMoment): Promise<Past> => {
    moments = [...moments.filter((other) => other !== one), one].slice(-keptMoments);
    return one.past;
  };

  const between = async (
    on: typeof kept,
    base: Snapshot,
    events: readonly RecordedEvent[],
    end: RecordedEvent,
    question: string,
  ): Promise<Past> => {
    const known = moments.find(({ position }) => position === end.position);
    if (known !== undefined) {
      known.asked.add(question);
      return use(known);
    }
    const past = foldedOn(on, base, events, resolveAt(end), (count) => {
      one.weight = count;
    });
    const one: KeptMoment = { position: end.position, asked: new Set([question]), past, weight: 0 };
    try {
      return await use(one);
    } catch (error) {
      moments = moments.filter((other) => other !== one);
      throw error;
    }
  };

  return {
    async at(asked, signal) {
      signal.throwIfAborted();
      const question = questionOf(asked);
      const answered = moments.find((one) => one.asked.has(question));
      if (answered !== undefined) return abortable(use(answered), signal);
      const rest = await reach(asked, signal);
      if (failure !== null && within(asked, failure.failedAt, failure.time)) return unfoldable(failure);
      const [on, base] = [kept, baseOf(asked)];
      const read = rest !== null && base === last() ? rest : await abortable(eventsSince(base, asked), signal);
      const events = read.filter((event) => within(asked, event.position, timeOf(event)));
      const end = events.at(-1);
      if (end !== undefined) return abortable(between(on, base, events, end, question), signal);
      if (base.moment === null) return { kind: 'before_beginning' };
      return { kind: 'found', moment: base.moment, documents: pastDocuments(declared, on, base.position) };
    },

    isNear: (asked) =>
      failure !== null || !reachesBeyond(asked, last()) || moments.some((one) => one.asked.has(questionOf(asked))),

    weight: () => kept.weight() + moments.reduce((sum, { weight }) => sum + weight, 0),

    thin: () =>
      queue.run(async () => {
        const yieldIfDue = createYielder();
        if (snapshots.length <= leastSnapshots) return false;
        const end = last();
        const fewer = snapshots.filter((one, index) => index % 2 === 0 || one === end);
        kept = await kept.only(
          fewer.map(({ position }) => position),
          yieldIfDue,
        );
        snapshots = fewer;
        interval *= 2;
        folding = null;
        moments = [];
        return true;
      }),
  };
};
