import type { RecordedEvent } from '../event-store.ts';
import type { StoredEvent } from './stored-event.ts';

export type Batch = [RecordedEvent, ...RecordedEvent[]];

const nonEmpty = (events: RecordedEvent[]): events is Batch => events.length > 0;

/** Puts events into batches at the ends of appends. */
export const appendBatches = (maxBatch: number) => {
  let batch: RecordedEvent[] = [];
  let append: RecordedEvent[] = [];

  const flush = (): Batch | undefined => {
    const full = batch;
    if (!nonEmpty(full)) return undefined;
    batch = [];
    return full;
  };
  const closeAppend = () => {
    batch.push(...append);
    append = [];
  };

  return {
    /** The batch that this event no longer fits into, if it was to be delivered before. */
    add({ event, left }: StoredEvent): Batch | undefined {
      const previous = append.at(-1);
      if (previous?.stream !== event.stream || previous.revision + 1 !== event.revision) closeAppend();
      append.push(event);
      const full = batch.length + append.length > maxBatch || append.length === maxBatch;
      const ready = full ? flush() : undefined;
      if (left === 0 || append.length === maxBatch) closeAppend();
      return ready;
    },
    /** What is whole so far. */
    flush,
    /** Takes what waits for others of its append as whole. */
    closeAppend,
    /** Whether events wait for others of their append. */
    get waiting() {
      return append.length > 0;
    },
  };
};
