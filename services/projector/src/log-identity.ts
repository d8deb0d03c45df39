import type { EventStore } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';

/** The read models were folded from another log: going on from their checkpoint would make one of two halves. */
export class ForeignLog extends Error {
  override readonly name = 'ForeignLog';
}

export interface LogAndModels {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
}

/** Where the read store keeps which log it was folded from, under a checkpoint of its own. */
const [kind, id, partition] = ['log', 'first_event', 'log'] as const;

/** Id of the first event: no other log has it. Null while the log is empty. */
const firstEventOf = async (eventStore: EventStore): Promise<string | null> => {
  const head = await eventStore.head();
  if (head === 0) return null;
  const stop = new AbortController();
  try {
    for await (const message of eventStore.subscribe({ after: 0, signal: stop.signal, maxBatch: 1 })) {
      if (message.kind === 'events') return message.events[0].id;
      if (message.position >= head) break;
    }
    return null;
  } finally {
    stop.abort();
  }
};

const storedFirstEvent = async (readStore: ReadStore): Promise<string | null> => {
  const event = (await readStore.get(kind, id))?.data?.['event'];
  return typeof event === 'string' ? event : null;
};

/** Throws `ForeignLog` when the read models tell of another log than this one. */
export const ensureSameLog = async ({ eventStore, readStore }: LogAndModels): Promise<void> => {
  const stored = await storedFirstEvent(readStore);
  if (stored === null) return;
  const first = await firstEventOf(eventStore);
  if (first !== stored)
    throw new ForeignLog(`The read models begin with event ${stored}, the log with ${first ?? 'none'}`);
};

/** Notes from which log the read models are folded; true once that is noted. Under the lease whose fence is given. */
export const noteLog = async ({ eventStore, readStore }: LogAndModels, fence: number): Promise<boolean> => {
  if ((await storedFirstEvent(readStore)) !== null) return true;
  const event = await firstEventOf(eventStore);
  if (event === null) return false;
  const doc = { kind, id, licenceId: '', scopes: [], left: [], position: 1, deleted: false, data: { event } };
  const { kind: result } = await readStore.commit({ docs: [doc], checkpoint: { partition, position: 1, fence } });
  return result === 'committed';
};
