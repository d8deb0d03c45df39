import { type Delay, unrefDelay } from '@zakup/async/delay';
import type { AccessDoor, AccessEvent, AccessRefusal } from '@zakup/domain/access/events';
import type { Metrics } from '@zakup/service-kit/metrics';
import { type AccessHolder, accessEntry } from './access-entry.ts';
import { type AccessWriterDeps, accessWriter } from './access-writer.ts';
import { refusalGatherer } from './refusal-gatherer.ts';

/** One refused try. */
export interface RefusedTry {
  /** Null = nobody that is known: told to the metrics alone. */
  readonly holder: AccessHolder | null;
  readonly door: AccessDoor | 'admin';
  readonly reason: AccessRefusal;
  readonly network: string;
}

/** Tells the audit of sign-ins (AUTH-34, AUTH-35). Nothing of it ever rejects: whoever has the right secret comes in, written or not. */
export interface AccessJournal {
  /**
   * What a person did, or `system`. Resolves when it is durable, at the latest after a second: what could not be written is kept in memory
   * and tried again.
   */
  tell(holder: AccessHolder, actorId: string, events: readonly [AccessEvent, ...AccessEvent[]]): Promise<void>;
  /** Returns at once. The refusals of an account are written together, some seconds after the first and ever more seldom while they go on. */
  refused(refusal: RefusedTry): void;
  /** Writes what is left, once. */
  stop(): Promise<void>;
}

export interface AccessJournalDeps extends Pick<AccessWriterDeps, 'eventStore' | 'log' | 'readOnly'> {
  readonly metrics: Pick<Metrics, 'signInRefusals' | 'lostAccessEntries'>;
  /** UTC milliseconds. */
  readonly now: () => number;
  /** A fresh UUID. */
  readonly newId: () => string;
  /** Told the network of every refused try at the admin's door, which is of no licence. */
  readonly onAdminRefused?: ((network: string) => void) | undefined;
  readonly wait?: Delay;
}

/** How long a sign-in waits for its entry, in milliseconds. */
const patience = 1000;

export const accessJournal = (deps: AccessJournalDeps): AccessJournal => {
  const { metrics, now, newId, onAdminRefused, wait = unrefDelay } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const onLost = (entries: number): void => {
    if (entries > 0) metrics.lostAccessEntries.inc(entries);
  };
  const writer = accessWriter({ ...deps, wait, signal, onLost });
  const entryOf = (holder: AccessHolder, actorId: string, events: readonly [AccessEvent, ...AccessEvent[]]) =>
    accessEntry(holder, events, { actorId, commandId: newId(), at: now(), newId });
  const refusals = refusalGatherer({
    write: (holder, refused) => writer.write(entryOf(holder, 'system', [refused])),
    now,
    wait,
    signal,
    onLost,
  });
  const telling = new Set<Promise<void>>();

  return {
    async tell(holder, actorId, events) {
      const told = writer.writeOrKeep(entryOf(holder, actorId, events));
      telling.add(told);
      void told.finally(() => telling.delete(told));
      const inTime = new AbortController();
      await Promise.race([told, wait(patience, inTime.signal)]);
      inTime.abort();
    },

    refused({ holder, door, reason, network }) {
      metrics.signInRefusals.inc({ door });
      if (door === 'admin') onAdminRefused?.(network);
      else if (holder !== null) refusals.add({ holder, door, reason, network });
    },

    async stop() {
      stopping.abort();
      await Promise.all([...telling, refusals.settled()]);
      await writer.settled();
    },
  };
};
