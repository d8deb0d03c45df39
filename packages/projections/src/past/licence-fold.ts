import { createYielder } from '@zakup/async/yielder';
import type { SerialQueue } from '@zakup/async/serial-queue';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { DeclaredFields, DocumentReader } from '@zakup/read-store/read-store';
import { EventFold } from '../fold-event.ts';
import { stateProjections } from '../projections.ts';
import { Unfoldable } from '../unfoldable.ts';
import { type WorkingSet, workingSet } from '../working-set.ts';
import { type DocumentVersions, documentVersions } from './document-versions.ts';
import { KeptMoments, type KeptMoment } from './kept-moments.ts';
import { LicenceLog } from './licence-log.ts';
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

const questionOf = (asked: MomentAsked): string =>
  asked.by === 'position' ? `position ${asked.position}` : `time ${asked.time}`;

interface Folding {
  readonly set: WorkingSet;
  readonly fold: EventFold;
}

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

const unfoldable = ({ failedAt, reason }: Failure): Past => ({ kind: 'unfoldable', failedAt, reason });

/** Folds all of them, and settles. */
const foldAll = async (fold: EventFold, events: readonly RecordedEvent[]): Promise<void> => {
  const yieldIfDue = createYielder();
  for (const event of events) {
    await fold.fold(event);
    await yieldIfDue();
  }
  await fold.settle();
};

/**
 * One licence's events folded from its own log, by the projections that write the read models, to any position. Snapshots every
 * `interval` events share their documents; a moment between two of them is the earlier one with the few events since folded on. Nothing
 * is folded before somebody asks.
 */
export class LicenceFold {
  readonly #declared: DeclaredFields;
  readonly #queue: SerialQueue;
  readonly #onGrown: () => Promise<void>;
  readonly #log: LicenceLog;
  readonly #moments: KeptMoments<Past>;
  #kept: DocumentVersions;
  #snapshots: readonly Snapshot[] = [beginning];
  #interval: number;
  #failure: Failure | null = null;
  #advances = 0;
  #advancing: Advance | null = null;
  /** Goes on from the last snapshot; let go when the log has no full interval more. */
  #folding: Folding | null = null;

  constructor({
    eventStore,
    licenceId,
    declared,
    queue,
    interval = 500,
    keptMoments = 8,
    onGrown = async () => undefined,
  }: LicenceFoldOptions) {
    this.#declared = declared;
    this.#queue = queue;
    this.#onGrown = onGrown;
    this.#log = new LicenceLog(eventStore, licenceId);
    this.#moments = new KeptMoments(keptMoments);
    this.#kept = documentVersions(declared);
    this.#interval = interval;
  }

  /**
   * What is asked for must lie behind the end of the log: it is the same for ever. Several callers share what has to be folded for all of
   * them. Rejects with the signal's reason, and with what the event store throws.
   */
  async at(asked: MomentAsked, signal: AbortSignal): Promise<Past> {
    signal.throwIfAborted();
    const question = questionOf(asked);
    const answered = this.#moments.answering(question);
    if (answered !== undefined) return abortable(this.#moments.use(answered), signal);
    const rest = await this.#reach(asked, signal);
    const failure = this.#failure;
    if (failure !== null && within(asked, failure.failedAt, failure.time)) return unfoldable(failure);
    const [on, base] = [this.#kept, this.#baseOf(asked)];
    const read =
      rest !== null && base === this.#last() ? rest : await abortable(this.#eventsSince(base, asked), signal);
    const events = read.filter((event) => within(asked, event.position, timeOf(event)));
    const end = events.at(-1);
    if (end !== undefined) return abortable(this.#between(on, base, events, end, question), signal);
    if (base.moment === null) return { kind: 'before_beginning' };
    return { kind: 'found', moment: base.moment, documents: pastDocuments(this.#declared, on, base.position) };
  }

  /** Whether little or nothing has to be folded for it: it is known, or lies before the last snapshot. */
  isNear(asked: MomentAsked): boolean {
    return (
      this.#failure !== null ||
      !reachesBeyond(asked, this.#last()) ||
      this.#moments.answering(questionOf(asked)) !== undefined
    );
  }

  /** What it holds, in documents of common size. */
  weight(): number {
    return this.#kept.weight() + this.#moments.weight();
  }

  /** Gives up half of what it holds, so that a moment may cost twice as many events; false when there is nothing to give up. */
  thin(): Promise<boolean> {
    return this.#queue.run(async () => {
      if (this.#snapshots.length <= leastSnapshots) return false;
      const end = this.#last();
      const fewer = this.#snapshots.filter((one, index) => index % 2 === 0 || one === end);
      const positions = fewer.map(({ position }) => position);
      this.#kept = await this.#kept.only(positions, createYielder());
      this.#snapshots = fewer;
      this.#interval *= 2;
      this.#folding = null;
      this.#moments.clear();
      return true;
    });
  }

  #last(): Snapshot {
    return this.#snapshots.at(-1) ?? beginning;
  }

  #baseOf(asked: MomentAsked): Snapshot {
    return this.#snapshots.findLast(({ position, time }) => within(asked, position, time)) ?? beginning;
  }

  /** Makes the snapshots up to the moment; what the log has after the last one, where it was read for that. */
  async #reach(asked: MomentAsked, signal: AbortSignal): Promise<readonly RecordedEvent[] | null> {
    const before = this.#advances;
    while (this.#failure === null && reachesBeyond(asked, this.#last())) {
      const one = this.#advancing ?? this.#startAdvance();
      const rest = await abortable(one.rest, signal);
      // What was read before this caller came may lack what the caller has seen already.
      if (rest !== null && one.number > before) return rest;
    }
    return null;
  }

  #startAdvance(): Advance {
    this.#advances += 1;
    const rest = this.#advance().finally(() => {
      this.#advancing = null;
    });
    this.#advancing = { number: this.#advances, rest };
    return this.#advancing;
  }

  async #advance(): Promise<readonly RecordedEvent[] | null> {
    const events = await this.#log.readAfter(this.#last().position, this.#interval);
    const end = events.at(-1);
    if (end === undefined || events.length < this.#interval) {
      this.#folding = null;
      return events;
    }
    await this.#addSnapshot(events, end);
    await this.#onGrown();
    return null;
  }

  /** Folds a whole interval and keeps how everything stands after it. */
  #addSnapshot(events: readonly RecordedEvent[], end: RecordedEvent): Promise<void> {
    return this.#queue.run(async () => {
      this.#folding ??= this.#openFolding(this.#kept, latest);
      const { set, fold } = this.#folding;
      try {
        await foldAll(fold, events);
      } catch (error) {
        this.#folding = null;
        this.#failed(events, error);
        return;
      }
      this.#kept.add(set.pending().docs);
      fold.committed();
      const snapshot = { position: end.position, time: timeOf(end), moment: resolveAt(end) };
      this.#snapshots = [...this.#snapshots, snapshot];
    });
  }

  #openFolding(on: DocumentVersions, at: Position): Folding {
    const set = workingSet(pastDocuments(this.#declared, on, at));
    return { set, fold: new EventFold(set, stateProjections) };
  }

  /** Keeps the earliest event that cannot be folded. Throws what says something else. */
  #failed(events: readonly RecordedEvent[], error: unknown): Failure {
    if (!(error instanceof Unfoldable)) throw error;
    const event = events.find(({ position }) => position === error.position);
    const time = event === undefined ? Number.POSITIVE_INFINITY : timeOf(event);
    if (this.#failure === null || error.position < this.#failure.failedAt)
      this.#failure = { failedAt: error.position, time, reason: error.message };
    return this.#failure;
  }

  /** The events after the snapshot that had happened by the moment, and perhaps some more. */
  #eventsSince(base: Snapshot, asked: MomentAsked): Promise<readonly RecordedEvent[]> {
    return asked.by === 'position'
      ? this.#log.readAfter(base.position, Number.POSITIVE_INFINITY, asked.position)
      : this.#log.readWhile(base.position, (event) => within(asked, event.position, timeOf(event)));
  }

  async #between(
    on: DocumentVersions,
    base: Snapshot,
    events: readonly RecordedEvent[],
    end: RecordedEvent,
    question: string,
  ): Promise<Past> {
    const known = this.#moments.at(end.position);
    if (known !== undefined) {
      known.asked.add(question);
      return this.#moments.use(known);
    }
    const past = this.#foldedOn(on, base, events, resolveAt(end), (count) => {
      one.weight = count;
    });
    const one: KeptMoment<Past> = { position: end.position, asked: new Set([question]), past, weight: 0 };
    try {
      return await this.#moments.use(one);
    } catch (error) {
      this.#moments.forget(one);
      throw error;
    }
  }

  /** `on`: what `base` was kept in, which is no more when snapshots have been given up since. `changed`: told how many documents were. */
  #foldedOn(
    on: DocumentVersions,
    base: Snapshot,
    events: readonly RecordedEvent[],
    moment: Moment,
    changed: (count: number) => void,
  ): Promise<Past> {
    return this.#queue.run(async () => {
      const { set, fold } = this.#openFolding(on, base.position);
      try {
        await foldAll(fold, events);
      } catch (error) {
        return unfoldable(this.#failed(events, error));
      }
      const { docs } = set.pending();
      changed(docs.length);
      return { kind: 'found', moment, documents: pastDocuments(this.#declared, on, base.position, docs) };
    });
  }
}
