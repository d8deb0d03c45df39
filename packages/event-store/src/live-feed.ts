import type { Position, RecordedEvent, SubscribeOptions, SubscriptionMessage } from './event-store.ts';
import { type CatchUp, catchUpTo, nextCatchUp } from './catch-up.ts';
import { partitionOf } from './event-store.ts';

/** An event of an embedded log, with the mark that closes the append it came by. */
export interface LogEntry {
  readonly event: RecordedEvent;
  readonly endsAppend: boolean;
}

/** What a subscription needs of a log. */
export interface FeedSource {
  /** Position of the last event that subscribers may see; always the end of an append. */
  published(): Position;
  /** The entries that follow `after`, in log order, at least one and at most `limit`; asked only while `after` is below `published()`. */
  entries(after: Position, limit: number): readonly LogEntry[];
}

/** Subscriptions to one embedded log. */
export interface LiveFeed {
  /** History, then live, as the port's `subscribe` promises. */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionMessage>;
  /** Tells waiting subscriptions that `published()` has risen. */
  wake(): void;
  /** Ends every subscription without an error. */
  close(): void;
}

const defaultBatch = 500;

const nonEmpty = (events: RecordedEvent[]): events is [RecordedEvent, ...RecordedEvent[]] => events.length > 0;

/** One feed per log; a subscription that lags reads the log again, so nothing queues up for it. */
export const liveFeed = (source: FeedSource): LiveFeed => {
  const waiting = new Set<() => void>();
  let closed = false;

  const wake = () => {
    const woken = [...waiting];
    waiting.clear();
    for (const resolve of woken) resolve();
  };

  const change = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const done = () => {
        signal.removeEventListener('abort', done);
        waiting.delete(done);
        resolve();
      };
      waiting.add(done);
      signal.addEventListener('abort', done);
    });

  async function* subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    const { signal, maxBatch = defaultBatch } = options;
    const wanted = options.partitions === undefined ? undefined : new Set(options.partitions);
    const ended = () => closed || signal.aborted;
    let cursor = options.after;
    /** What it is delivered up to before it has caught up; null = that was said. */
    let catchUp: CatchUp | null = catchUpTo(source.published(), cursor);

    while (!ended()) {
      const head = source.published();
      if (catchUp !== null && cursor >= catchUp.until) {
        catchUp = head - cursor > maxBatch ? nextCatchUp(catchUp, head, cursor) : null;
        if (catchUp === null) yield { kind: 'caught_up', position: cursor };
        continue;
      }
      if (catchUp === null && head - cursor > maxBatch) catchUp = catchUpTo(head, cursor);
      if (cursor >= head) {
        await change(signal);
        continue;
      }

      let batch: RecordedEvent[] = [];
      let append: RecordedEvent[] = [];
      while (cursor < head) {
        for (const { event, endsAppend } of source.entries(cursor, Math.min(maxBatch, head - cursor))) {
          // Over a gap there may be fewer up to the head than were asked for: an append behind it may be there in part.
          if (event.position > head) break;
          cursor = event.position;
          if (wanted === undefined || wanted.has(partitionOf(event.stream))) append.push(event);
          const full = batch.length + append.length > maxBatch || append.length === maxBatch;
          if (full && nonEmpty(batch)) {
            yield { kind: 'events', events: batch };
            if (ended()) return;
            batch = [];
          }
          if (endsAppend || append.length === maxBatch) {
            batch.push(...append);
            append = [];
          }
        }
        // A long history is read in slices; other work of the process goes between them.
        if (cursor < head) await new Promise<void>((resolve) => setImmediate(resolve));
        if (ended()) return;
      }
      if (nonEmpty(batch)) yield { kind: 'events', events: batch };
    }
  }

  return {
    subscribe,
    wake,
    close() {
      closed = true;
      wake();
    },
  };
};
