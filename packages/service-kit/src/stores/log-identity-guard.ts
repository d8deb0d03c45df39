import {
  type EventStore,
  EventStoreUnavailable,
  LogBehind,
  type RecordedEvent,
  type SubscribeOptions,
  type SubscriptionMessage,
} from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import { isUnavailable } from '../problem-middleware.ts';
import { unknownLogText, wrongLogText } from '../refusal-text.ts';
import type { Dependency } from '../dependency-health.ts';
import { ForeignLog, firstEventOf, notedFirstEvent } from './log-identity.ts';
import { allPartitions } from './all-partitions.ts';

/** A log that may tell when its connection was lost: behind a new one may be another log. */
export type LosableEventStore = EventStore & { readonly onLost?: (listener: () => void) => void };

export interface LogIdentityGuardOptions {
  readonly eventStore: LosableEventStore;
  readonly readStore: ReadStore;
  /** Where the log lies and who knows how far it came, for people. */
  readonly where: string;
  readonly source: string;
}

export interface LogIdentityGuard {
  /**
   * The log, as long as it is the one that the read models are folded from and that this process began with. Once another one, or an older
   * copy, was noticed in its place, every call but `head` and `close` is answered with `EventStoreUnavailable`, until it is back.
   */
  readonly eventStore: EventStore;
  /** Looks. Throws `ForeignLog` or `LogBehind`, and what the stores throw. */
  ensure(): Promise<void>;
  /** Looks again and again, and tells. */
  readonly watched: Dependency;
}

const replaced = (cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable('Another log, or an older copy of it, is in the place of the log', { cause });

const ownKnowledge = 'сведениям этого процесса';

/** Milliseconds that a look may take: at opening, when the first event may have to be looked for among many of others, and later. */
const [firstPatience, patience] = [30_000, 8_000];

/** What the work comes to. When the time is over it throws; the work is told, and goes on for nobody. */
const within = <Result>(milliseconds: number, work: (late: AbortSignal) => Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
      reject(new EventStoreUnavailable(`The log could not be told from another one within ${milliseconds} ms`));
    }, milliseconds);
    void work(late.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });

interface Models {
  /** How far they are complete. */
  readonly position: number;
  /** Id of the event that their log begins with. */
  readonly noted: string | null;
}

interface Known {
  /** Null while the log is empty. */
  readonly first: RecordedEvent | null;
  /** A position that it has surely come to. */
  readonly seen: number;
}

/** What the log is known by, and whether it is still that one. */
class LogIdentity {
  readonly #options: LogIdentityGuardOptions;
  /** What the log is known by; undefined before the first look. */
  #known: Known | undefined;
  #wrong: ForeignLog | LogBehind | null = null;
  /** The connection was lost since the last look: nobody knows what is behind the new one. */
  #inDoubt = false;
  #losses = 0;
  readonly #following = new Set<AbortController>();
  #looking: Promise<void> | null = null;

  constructor(options: LogIdentityGuardOptions) {
    this.#options = options;
  }

  /** Why it is not the log, as far as was noticed. */
  get wrong(): ForeignLog | LogBehind | null {
    return this.#wrong;
  }

  lost(): void {
    this.#losses += 1;
    this.#inDoubt = true;
  }

  ensure(): Promise<void> {
    this.#looking ??= this.#settle().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  /** Throws when another log was noticed. */
  refuseWrong(): void {
    if (this.#wrong !== null) throw replaced(this.#wrong);
  }

  /** Looks when a connection was lost, and throws as `refuseWrong`. */
  async trusted(): Promise<void> {
    if (this.#inDoubt) {
      await this.ensure().catch((error: unknown) => {
        if (error !== this.#wrong) throw error;
      });
      this.refuseWrong();
      // A look that had begun before the connection was lost says nothing of what is behind the next one.
      return this.trusted();
    }
    return this.refuseWrong();
  }

  /** Aborts when another log is noticed, until it is given back with `followed`. */
  follow(): AbortController {
    const cut = new AbortController();
    this.#following.add(cut);
    return cut;
  }

  followed(cut: AbortController): void {
    this.#following.delete(cut);
  }

  async #settle(): Promise<void> {
    const before = this.#losses;
    try {
      this.#known = await within(this.#known === undefined ? firstPatience : patience, (late) => this.#look(late));
      this.#wrong = null;
      this.#inDoubt = this.#losses !== before;
    } catch (error) {
      if (error instanceof ForeignLog || error instanceof LogBehind) {
        this.#wrong = error;
        // They would go on from a place in another log when the right one is back.
        for (const cut of this.#following) cut.abort();
      }
      throw error;
    }
  }

  async #look(late: AbortSignal): Promise<Known> {
    // Before the log, which can only be further.
    const models = await this.#modelsNow();
    try {
      return await this.#lookAtLog(models, late);
    } catch (error) {
      if (isUnavailable(error)) this.lost();
      throw error;
    }
  }

  async #modelsNow(): Promise<Models> {
    const { readStore } = this.#options;
    const [checkpoint, noted] = await Promise.all([readStore.checkpoint(allPartitions), notedFirstEvent(readStore)]);
    return { position: checkpoint?.position ?? 0, noted };
  }

  async #lookAtLog({ position, noted }: Models, late: AbortSignal): Promise<Known> {
    const { eventStore, where, source } = this.#options;
    const before = await eventStore.head(late);
    if (before < position) throw new LogBehind(where, before, position, source);
    let { first, seen } = this.#known ?? { first: null, seen: 0 };
    if (!(await this.#isSame(noted))) {
      const found = await firstEventOf(eventStore, late);
      const expected = noted ?? first?.id ?? null;
      if (expected !== null && found?.id !== expected) throw new ForeignLog(expected, found?.id ?? null);
      // Read models that were folded anew tell of a log that had another length.
      if (first !== null) seen = 0;
      first = found;
    }
    // It may have been replaced between two questions: of the heads before and after, the lower one is its own.
    const head = Math.min(before, await eventStore.head(late));
    if (head < seen) throw new LogBehind(where, head, seen, ownKnowledge);
    return { first, seen: head };
  }

  async #isSame(noted: string | null): Promise<boolean> {
    const first = this.#known?.first ?? null;
    if (first === null || (noted !== null && noted !== first.id)) return false;
    const { stream, revision, id } = first;
    const events = await this.#options.eventStore.read(stream, { from: revision, to: revision });
    return events.some((event) => event.id === id);
  }
}

/** The log, whose answers count only while it is the right one. */
const guardedEventStore = (eventStore: EventStore, identity: LogIdentity): EventStore => {
  const asked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await identity.trusted();
    try {
      const result = await work();
      // What was noticed meanwhile counts: this may have been written into the other one.
      identity.refuseWrong();
      return result;
    } catch (error) {
      if (isUnavailable(error)) identity.lost();
      throw error;
    }
  };

  async function* subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    const cut = identity.follow();
    try {
      await identity.trusted();
      const signal = AbortSignal.any([options.signal, cut.signal]);
      for await (const message of eventStore.subscribe({ ...options, signal })) {
        await identity.trusted();
        yield message;
      }
      if (cut.signal.aborted && !options.signal.aborted) throw replaced(identity.wrong);
    } finally {
      identity.followed(cut);
    }
  }

  const { unfinished } = eventStore;
  return {
    atomicAcrossStreams: eventStore.atomicAcrossStreams,
    ...(unfinished && {
      unfinished: {
        findPartial: (commandKey) => asked(() => unfinished.findPartial(commandKey)),
        abandon: (commandKey, planToken) => asked(() => unfinished.abandon(commandKey, planToken)),
      },
    }),
    append: (writes, options) => asked(() => eventStore.append(writes, options)),
    read: (stream, options) => asked(() => eventStore.read(stream, options)),
    revision: (stream) => asked(() => eventStore.revision(stream)),
    readLicence: (licenceId, range) => asked(() => eventStore.readLicence(licenceId, range)),
    readCommand: (commandKey) => asked(() => eventStore.readCommand(commandKey)),
    head: (signal) => eventStore.head(signal),
    subscribe,
    close: () => eventStore.close(),
  };
};

/** Takes care that a log that is replaced while the process runs is neither read nor written. */
export const logIdentityGuard = (options: LogIdentityGuardOptions): LogIdentityGuard => {
  const { eventStore } = options;
  const identity = new LogIdentity(options);
  eventStore.onLost?.(() => identity.lost());

  return {
    eventStore: guardedEventStore(eventStore, identity),
    ensure: () => identity.ensure(),
    watched: {
      part: 'log',
      away: unknownLogText,
      look: async () => {
        try {
          await identity.ensure();
          return null;
        } catch (error) {
          // Who has told it from the right one once needs no answer to go on.
          if (identity.wrong === null) throw error;
          return wrongLogText(identity.wrong);
        }
      },
    },
  };
};
