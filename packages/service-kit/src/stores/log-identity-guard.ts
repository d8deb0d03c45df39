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

/** Takes care that a log that is replaced while the process runs is neither read nor written. */
export const logIdentityGuard = ({
  eventStore,
  readStore,
  where,
  source,
}: LogIdentityGuardOptions): LogIdentityGuard => {
  /** What the log is known by; undefined before the first look. */
  let known: Known | undefined;
  let wrong: ForeignLog | LogBehind | null = null;
  /** The connection was lost since the last look: nobody knows what is behind the new one. */
  let inDoubt = false;
  let losses = 0;
  const following = new Set<AbortController>();
  let looking: Promise<void> | null = null;

  const modelsNow = async (): Promise<Models> => {
    const [checkpoint, noted] = await Promise.all([readStore.checkpoint(allPartitions), notedFirstEvent(readStore)]);
    return { position: checkpoint?.position ?? 0, noted };
  };

  const isSame = async (noted: string | null): Promise<boolean> => {
    const first = known?.first ?? null;
    if (first === null || (noted !== null && noted !== first.id)) return false;
    const { stream, revision, id } = first;
    return (await eventStore.read(stream, { from: revision, to: revision })).some((event) => event.id === id);
  };

  const lookAtLog = async ({ position, noted }: Models, late: AbortSignal): Promise<Known> => {
    const before = await eventStore.head(late);
    if (before < position) throw new LogBehind(where, before, position, source);
    let { first, seen } = known ?? { first: null, seen: 0 };
    if (!(await isSame(noted))) {
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
  };

  const look = async (late: AbortSignal): Promise<Known> => {
    // Before the log, which can only be further.
    const models = await modelsNow();
    try {
      return await lookAtLog(models, late);
    } catch (error) {
      if (isUnavailable(error)) lost();
      throw error;
    }
  };

  const ensure = (): Promise<void> => {
    looking ??= (async () => {
      const before = losses;
      try {
        known = await within(known === undefined ? firstPatience : patience, look);
        wrong = null;
        inDoubt = losses !== before;
      } catch (error) {
        if (error instanceof ForeignLog || error instanceof LogBehind) {
          wrong = error;
          // They would go on from a place in another log when the right one is back.
          for (const cut of following) cut.abort();
        }
        throw error;
      }
    })().finally(() => {
      looking = null;
    });
    return looking;
  };

  const lost = (): void => {
    losses += 1;
    inDoubt = true;
  };
  const refuseWrong = (): void => {
    if (wrong !== null) throw replaced(wrong);
  };
  const trusted = async (): Promise<void> => {
    if (inDoubt) {
      await ensure().catch((error: unknown) => {
        if (error !== wrong) throw error;
      });
      refuseWrong();
      // A look that had begun before the connection was lost says nothing of what is behind the next one.
      return trusted();
    }
    return refuseWrong();
  };
  const asked = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await trusted();
    try {
      const result = await work();
      // What was noticed meanwhile counts: this may have been written into the other one.
      refuseWrong();
      return result;
    } catch (error) {
      if (isUnavailable(error)) lost();
      throw error;
    }
  };
  eventStore.onLost?.(lost);

  async function* subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    const cut = new AbortController();
    following.add(cut);
    try {
      await trusted();
      const signal = AbortSignal.any([options.signal, cut.signal]);
      for await (const message of eventStore.subscribe({ ...options, signal })) {
        await trusted();
        yield message;
      }
      if (cut.signal.aborted && !options.signal.aborted) throw replaced(wrong);
    } finally {
      following.delete(cut);
    }
  }

  const { unfinished } = eventStore;

  return {
    eventStore: {
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
    },
    ensure,
    watched: {
      part: 'log',
      away: unknownLogText,
      look: async () => {
        try {
          await ensure();
          return null;
        } catch (error) {
          // Who has told it from the right one once needs no answer to go on.
          if (wrong === null) throw error;
          return wrongLogText(wrong);
        }
      },
    },
  };
};
