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
import { wrongLogText } from '../refusal-text.ts';
import type { Watched } from '../watching.ts';
import { ForeignLog, firstEventOf, notedFirstEvent } from './log-identity.ts';
import { wholeLog } from './whole-log.ts';

/** A log that may tell when its connection was lost: behind a new one may be another log. */
export type LosableEventStore = EventStore & { readonly onLost?: (listener: () => void) => void };

export interface RightLogOptions {
  readonly eventStore: LosableEventStore;
  readonly readStore: ReadStore;
  /** Where the log lies and who knows how far it came, for people. */
  readonly where: string;
  readonly source: string;
}

export interface RightLog {
  /**
   * The log, as long as it is the one that the read models are folded from and that this process began with. Once another one, or an older
   * copy, was noticed in its place, every call but `head` and `close` is answered with `EventStoreUnavailable`, until it is back.
   */
  readonly eventStore: EventStore;
  /** Looks. Throws `ForeignLog` or `LogBehind`, and what the stores throw. */
  ensure(): Promise<void>;
  /** Looks again and again, and tells. */
  readonly watched: Watched;
}

const replaced = (cause: unknown): EventStoreUnavailable =>
  new EventStoreUnavailable('Another log, or an older copy of it, is in the place of the log', { cause });

const ownKnowledge = 'сведениям этого процесса';

/** Takes care that a log that is replaced while the process runs is neither read nor written. */
export const rightLog = ({ eventStore, readStore, where, source }: RightLogOptions): RightLog => {
  /** What the log is known by. */
  let first: RecordedEvent | null = null;
  let seen = 0;
  let wrong: ForeignLog | LogBehind | null = null;
  /** The connection was lost since the last look: nobody knows what is behind the new one. */
  let inDoubt = false;
  let losses = 0;
  const following = new Set<AbortController>();
  let looking: Promise<void> | null = null;

  const isSame = async (noted: string | null): Promise<boolean> => {
    if (first === null || (noted !== null && noted !== first.id)) return false;
    const { stream, revision, id } = first;
    return (await eventStore.read(stream, { from: revision, to: revision })).some((event) => event.id === id);
  };

  const look = async (): Promise<void> => {
    const [checkpoint, noted] = await Promise.all([readStore.checkpoint(wholeLog), notedFirstEvent(readStore)]);
    // After what is known, so that it can only be further.
    const head = await eventStore.head();
    const position = checkpoint?.position ?? 0;
    if (head < position) throw new LogBehind(where, head, position, source);
    if (!(await isSame(noted))) {
      const found = await firstEventOf(eventStore);
      const known = noted ?? first?.id ?? null;
      if (known !== null && found?.id !== known) throw new ForeignLog(known, found?.id ?? null);
      // Read models that were folded anew tell of a log that had another length.
      if (first !== null) seen = 0;
      first = found;
    }
    if (head < seen) throw new LogBehind(where, head, seen, ownKnowledge);
    seen = head;
  };

  const ensure = (): Promise<void> => {
    looking ??= (async () => {
      const before = losses;
      try {
        await look();
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
    }
    refuseWrong();
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
          leftBy: (commandKey) => asked(() => unfinished.leftBy(commandKey)),
          giveUp: (commandKey, mark) => asked(() => unfinished.giveUp(commandKey, mark)),
        },
      }),
      append: (writes, options) => asked(() => eventStore.append(writes, options)),
      read: (stream, options) => asked(() => eventStore.read(stream, options)),
      revision: (stream) => asked(() => eventStore.revision(stream)),
      readLicence: (licenceId, range) => asked(() => eventStore.readLicence(licenceId, range)),
      readCommand: (commandKey) => asked(() => eventStore.readCommand(commandKey)),
      head: () => eventStore.head(),
      subscribe,
      close: () => eventStore.close(),
    },
    ensure,
    watched: {
      part: 'log',
      // The server tells when it does not answer.
      away: null,
      look: async () => {
        try {
          await ensure();
          return null;
        } catch (error) {
          if (wrong === null || error !== wrong) throw error;
          return wrongLogText(wrong);
        }
      },
    },
  };
};
