import { type BackOff, backOff } from '@zakup/async/back-off';
import { delay } from '@zakup/async/delay';
import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import { CorruptDocument, type ReadStore } from '@zakup/read-store/read-store';
import { LeaseLost } from '@zakup/projections/fenced-store';
import { type Folded, type Parked, ProjectionRunner } from '@zakup/projections/projection-runner';
import { ReadFailed } from '@zakup/projections/working-set';

/** What one batch was and took. */
export interface BatchFigures {
  readonly events: number;
  /** Documents written. */
  readonly docs: number;
  readonly milliseconds: number;
  /** From the store's time of the batch's first event until its commit. */
  readonly lagMilliseconds: number;
  /** Everything up to here is committed. */
  readonly position: Position;
  /** Whose events they were. */
  readonly licences: ReadonlySet<string>;
  /** The store's time of the batch's first event, UTC milliseconds. */
  readonly firstRecordedAt: number;
  /** Commands whose events they were; none while the log is still being caught up with. */
  readonly commands: ReadonlySet<string>;
  /** How many events the store recorded in each minute, by its beginning in UTC milliseconds. */
  readonly recorded: ReadonlyMap<number, number>;
}

/** The part of a logger that is used. */
export interface ProjectorLog {
  readonly warn: (details: object, message: string) => void;
  readonly error: (details: object, message: string) => void;
}

export interface ProjectorOptions {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  /** Name of the checkpoint: `all`, or what stands for the followed partitions. */
  readonly partition: string;
  /** Two-hex-digit prefixes to follow; absent = the whole log. */
  readonly partitions?: readonly string[];
  /** Fencing token of the lease under which it runs. */
  readonly fence: number;
  /** Stops it, as `stop` does. */
  readonly signal: AbortSignal;
  /** Milliseconds since 1970 (UTC). */
  readonly now: () => number;
  readonly log?: ProjectorLog;
  readonly onBatch?: (figures: BatchFigures) => void;
  /** A licence's models stay behind until a version that can fold its events starts. */
  readonly onParked?: (parked: Parked) => void;
  /** As `ProjectionOptions.staysHalted`. */
  readonly staysHalted?: ((licenceId: string) => Promise<string | null>) | undefined;
  /** A document that the fold needs is damaged: resolves once the licence is looked after, and the batch is tried again. */
  readonly onDamaged?: (licenceId: string) => Promise<void>;
  /** Waits between batches, and before the next attempt after a failure of a store; ends early when the signal aborts. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /**
   * Least milliseconds from the beginning of one batch to the next (default 8, 0 = none). Totals are large documents: on a busy log
   * what comes meanwhile is folded and committed together. What comes after a pause never waits for it.
   */
  readonly spacing?: number;
  /**
   * Most documents in one commit. Default 500, as those who watch wait for it, but 4,000 until the log has been caught up with: larger
   * commits write each total less often. One event alone may need more.
   */
  readonly maxDocs?: number;
  /** Most events in one batch; default 2,000. */
  readonly maxBatch?: number;
}

export type ProjectorEnd = 'stopped' | 'lease_lost' | 'log_closed';

/** It ended before the position was reached. */
export class ProjectorEnded extends Error {
  override readonly name = 'ProjectorEnded';
  readonly end: ProjectorEnd;
  constructor(end: ProjectorEnd) {
    super(`The projector ended: ${end}`);
    this.end = end;
  }
}

export interface Projector {
  /** Resolves when the subscription has first said that it caught up, and all before is committed; rejects with `ProjectorEnded` when it ends before. */
  readonly caughtUp: Promise<void>;
  /** Resolves with the reason once it has ended; never rejects. */
  readonly ended: Promise<ProjectorEnd>;
  /** Everything up to here is committed. */
  position(): Position;
  /** Resolves when everything up to the position is committed; rejects with `ProjectorEnded` when it ends before. */
  waitFor(position: Position): Promise<void>;
  /** Puts documents right between two batches, as `ProjectionRunner.repair` does. */
  repair: ProjectionRunner['repair'];
  /** As `ProjectionRunner.halt`. */
  halt: ProjectionRunner['halt'];
  /** Finishes the commit under way; resolves when nothing runs any more. */
  stop(): Promise<void>;
}

const [liveDocs, docsBehind] = [500, 4_000] as const;
const waits: BackOff = { first: 50, longest: 5_000 };
const deferred = () => {
  let settle: Pick<Waiter, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Nobody has to wait for it.
  promise.catch(() => undefined);
  return { promise, resolve: () => settle?.resolve(), reject: (error: Error) => settle?.reject(error) };
};

/** Characters of an instant that say its minute. */
const minuteText = 'YYYY-MM-DDTHH:MM'.length;

/** Events by the minute of their record; an instant is only read where another minute begins. */
const countByMinute = (events: readonly RecordedEvent[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  let text = '';
  let minute = 0;
  for (const { recordedAt } of events) {
    if (!recordedAt.startsWith(text) || text === '') {
      text = recordedAt.slice(0, minuteText);
      minute = Date.parse(`${text}:00Z`);
    }
    counts.set(minute, (counts.get(minute) ?? 0) + 1);
  }
  return counts;
};

interface Waiter {
  readonly position: Position;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** How far everything is committed, and those who wait for more. */
class CommittedPosition {
  #position: Position = 0;
  #waiters: readonly Waiter[] = [];
  #end: ProjectorEnd | null = null;

  get value(): Position {
    return this.#position;
  }

  reach(position: Position): void {
    const reached = Math.max(this.#position, position);
    this.#position = reached;
    const [done, left] = [
      this.#waiters.filter((waiter) => waiter.position <= reached),
      this.#waiters.filter((waiter) => waiter.position > reached),
    ];
    this.#waiters = left;
    for (const { resolve } of done) resolve();
  }

  waitFor(position: Position): Promise<void> {
    if (position <= this.#position) return Promise.resolve();
    if (this.#end !== null) return Promise.reject(new ProjectorEnded(this.#end));
    return new Promise((resolve, reject) => {
      this.#waiters = [...this.#waiters, { position, resolve, reject }];
    });
  }

  /** It will go no further. */
  end(error: ProjectorEnded): void {
    this.#end = error.end;
    for (const { reject } of this.#waiters) reject(error);
    this.#waiters = [];
  }
}

/** A projector at work: it follows the log, folds each batch, and begins anew from the checkpoint after a failure. */
class ProjectorRun {
  readonly models: ProjectionRunner;
  readonly committed = new CommittedPosition();
  readonly caughtUp = deferred();
  readonly #options: ProjectorOptions;
  readonly #signal: AbortSignal;
  readonly #wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Failures since something was last folded. */
  #failures = 0;

  /** `signal`: ends it. */
  constructor(options: ProjectorOptions, signal: AbortSignal) {
    const { eventStore, readStore, partition, partitions, fence, staysHalted, log, onParked } = options;
    this.#options = options;
    this.#signal = signal;
    this.#wait = options.wait ?? delay;
    this.models = new ProjectionRunner({
      eventStore,
      readStore,
      partition,
      partitions,
      fence,
      maxDocs: options.maxDocs ?? liveDocs,
      staysHalted,
      onParked(parked) {
        log?.error({ ...parked }, 'A licence is parked: its events are not folded');
        onParked?.(parked);
      },
    });
  }

  /** Resolves once it has ended; never rejects. */
  async run(): Promise<ProjectorEnd> {
    while (!this.#signal.aborted) {
      try {
        return await this.#follow();
      } catch (error) {
        if (error instanceof LeaseLost) {
          this.#options.log?.error({ err: error }, 'The projector lost its lease');
          return 'lease_lost';
        }
        await this.#recover(error);
      }
    }
    return 'stopped';
  }

  async #follow(): Promise<ProjectorEnd> {
    const { eventStore, partitions, maxBatch = 2_000, spacing = 8, now } = this.#options;
    const signal = this.#signal;
    const after = await this.models.open();
    this.committed.reach(after);
    let behind = true;
    const subscription = { after, signal, maxBatch, ...(partitions === undefined ? {} : { partitions }) };
    for await (const message of eventStore.subscribe(subscription)) {
      const started = now();
      if (message.kind === 'caught_up') {
        behind = false;
        this.committed.reach(message.position);
        this.caughtUp.resolve();
      } else {
        const result = await this.models.fold(message.events, this.#mostDocs(behind));
        this.#batchDone(message.events, result, { started, behind });
      }
      this.#failures = 0;
      if (signal.aborted) break;
      const rest = message.kind === 'events' ? started + spacing - now() : 0;
      // A clock that is set back must not hold it up for longer.
      if (rest > 0) await this.#wait(Math.min(rest, spacing), signal);
      // What came in meanwhile joins the next batch, and others of this process get their turn.
      await yieldToEventLoop();
    }
    return signal.aborted ? 'stopped' : 'log_closed';
  }

  #mostDocs(behind: boolean): number {
    return this.#options.maxDocs ?? (behind ? docsBehind : liveDocs);
  }

  #batchDone(
    batch: readonly [RecordedEvent, ...RecordedEvent[]],
    { events, docs }: Folded,
    { started, behind }: { readonly started: number; readonly behind: boolean },
  ): void {
    const finished = this.#options.now();
    const firstRecordedAt = Date.parse(batch[0].recordedAt);
    const position = batch.at(-1)?.position ?? batch[0].position;
    this.committed.reach(position);
    this.#options.onBatch?.({
      events,
      docs,
      position,
      licences: new Set(batch.map(({ metadata }) => metadata.licenceId)),
      commands: new Set(behind ? [] : batch.map(({ metadata }) => metadata.commandId)),
      milliseconds: finished - started,
      lagMilliseconds: finished - firstRecordedAt,
      firstRecordedAt,
      // Those of a batch that was begun before are its first ones.
      recorded: countByMinute(batch.slice(batch.length - events)),
    });
  }

  /** Waits for the next attempt; what is damaged is looked after before. */
  async #recover(failure: unknown): Promise<void> {
    const { log, onDamaged } = this.#options;
    const milliseconds = backOff(waits, this.#failures);
    this.#failures += 1;
    log?.warn({ err: failure, milliseconds }, 'The projector will try again');
    if (failure instanceof ReadFailed && failure.cause instanceof CorruptDocument) {
      await onDamaged?.(failure.licenceId).catch((cause: unknown) => {
        log?.error({ err: cause, licenceId: failure.licenceId }, 'A damaged licence could not be looked after');
      });
    }
    await this.#wait(milliseconds, this.#signal);
  }
}

/** Follows the log from the stored checkpoint and keeps the read models. Failures of a store are tried again for ever, from the checkpoint. */
export const runProjector = (options: ProjectorOptions): Projector => {
  const own = new AbortController();
  const projector = new ProjectorRun(options, AbortSignal.any([own.signal, options.signal]));
  const { models, committed, caughtUp } = projector;

  const ended = projector.run().then((end) => {
    const error = new ProjectorEnded(end);
    caughtUp.reject(error);
    committed.end(error);
    return end;
  });

  return {
    caughtUp: caughtUp.promise,
    ended,
    position: () => committed.value,
    waitFor: (position) => committed.waitFor(position),
    repair: (make) => models.repair(make),
    halt: (licenceId, reason) => models.halt(licenceId, reason),
    async stop() {
      own.abort();
      await ended;
    },
  };
};
