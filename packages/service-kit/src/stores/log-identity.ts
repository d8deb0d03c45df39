import { type EventStore, EventStoreUnavailable, type RecordedEvent } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';

/** The read models were folded from another log: going on from their checkpoint would make one of two halves. */
export class ForeignLog extends Error {
  override readonly name = 'ForeignLog';
  constructor(known: string, found: string | null) {
    super(`The log is known to begin with event ${known}, but begins with ${found ?? 'none'}`);
  }
}

export interface LogAndModels {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
}

/** Where the read store keeps which log it was folded from, under a checkpoint of its own. */
const [kind, id, partition] = ['log', 'first_event', 'log'] as const;

/** Milliseconds that a log may take to tell its first event. */
const patience = 30_000;

/** The first event: no other log has one with its id. Null while the log is empty. Throws `EventStoreUnavailable`, also when `given` is aborted. */
export const firstEventOf = async (
  eventStore: EventStore,
  given: AbortSignal = AbortSignal.timeout(patience),
): Promise<RecordedEvent | null> => {
  const head = await eventStore.head(given);
  if (head === 0) return null;
  const stop = new AbortController();
  const signal = AbortSignal.any([given, stop.signal]);
  try {
    for await (const message of eventStore.subscribe({ after: 0, signal, maxBatch: 1 })) {
      if (message.kind === 'events') return message.events[0];
      // A log that was replaced since may never get as far as the other one had.
      if (message.position >= head || message.position >= (await eventStore.head(given))) break;
    }
    if (given.aborted) throw new EventStoreUnavailable('The log did not tell its first event in time');
    return null;
  } finally {
    stop.abort();
  }
};

/** Id of the event that the log began with when the read models were folded from it; null while that is not noted. */
export const notedFirstEvent = async (readStore: ReadStore): Promise<string | null> => {
  const event = (await readStore.get(kind, id))?.data?.['event'];
  return typeof event === 'string' ? event : null;
};

/** Throws `ForeignLog` when the read models tell of another log than this one. */
export const ensureSameLog = async ({ eventStore, readStore }: LogAndModels): Promise<void> => {
  const noted = await notedFirstEvent(readStore);
  if (noted === null) return;
  const first = await firstEventOf(eventStore);
  if (first?.id !== noted) throw new ForeignLog(noted, first?.id ?? null);
};

/** Notes from which log the read models are folded; true once that is noted. Under the lease whose fence is given. */
export const noteLog = async ({ eventStore, readStore }: LogAndModels, fence: number): Promise<boolean> => {
  if ((await notedFirstEvent(readStore)) !== null) return true;
  const event = (await firstEventOf(eventStore))?.id ?? null;
  if (event === null) return false;
  const doc = { kind, id, licenceId: '', scopes: [], left: [], position: 1, deleted: false, data: { event } };
  const { kind: result } = await readStore.commit({ docs: [doc], checkpoint: { partition, position: 1, fence } });
  return result === 'committed';
};
