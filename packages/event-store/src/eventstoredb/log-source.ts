import { type EventStoreDBClient, eventTypeFilter, streamNameFilter } from '@eventstore/db-client';
import type { Position } from '../event-store.ts';
import { positionOf, startAfter } from './positions.ts';
import type { ServerRecord } from './stored-event.ts';

/** What a server's subscription tells, in its order. */
export type SourceItem =
  | { readonly kind: 'record'; readonly record: ServerRecord }
  /** Everything up to here was sent or is not wanted. */
  | { readonly kind: 'checkpoint'; readonly position: Position }
  | { readonly kind: 'caught_up' }
  | { readonly kind: 'fell_behind' }
  /** The last item: the server or the connection has ended the subscription. */
  | { readonly kind: 'dropped'; readonly error: Error };

/** One subscription of the client. */
export interface LogSource {
  /** The next item, if there is one. */
  take(): SourceItem | undefined;
  /** Resolves when there may be an item, or when the signal is aborted. */
  ready(signal: AbortSignal): Promise<void>;
  /** Whether more than so many events wait for the consumer, or as many as there is room for. */
  lacks(count: number): boolean;
  close(): void;
}

/** What of `$all` is wanted. */
export type SourceFilter = { readonly streams: string } | { readonly types: string };

/** How many events the server looks at between two checkpoints. */
const searchWindow = 256;
/** Events that may wait here for the consumer before the server is made to wait. */
const mostWaiting = 512;

/**
 * Subscribes to `$all` from `after`, exclusive. The client tells checkpoints and "caught up" beside the stream of events, as they come
 * in; here they keep their place between the events, however late those are taken.
 */
export const logSource = (client: EventStoreDBClient, after: Position, filter: SourceFilter): LogSource => {
  const told: { readonly afterCount: number; readonly item: SourceItem }[] = [];
  let takenCount = 0;
  /** The stream has moved since it was last read: its end too is told only to who reads on. */
  let moved = false;
  let wake: () => void = () => undefined;

  const tell = (item: SourceItem) => {
    const afterCount = takenCount + subscription.readableLength;
    const last = told.at(-1);
    // A consumer that is slow hears of the last of several checkpoints only.
    if (item.kind === 'checkpoint' && last?.item.kind === 'checkpoint' && last.afterCount === afterCount) told.pop();
    told.push({ afterCount, item });
    wake();
  };
  const dropped = (error: Error) => tell({ kind: 'dropped', error });

  const common = {
    maxSearchWindow: searchWindow,
    checkpointInterval: 1,
    checkpointReached: (_: unknown, position: { readonly commit: bigint }) => {
      try {
        tell({ kind: 'checkpoint', position: positionOf(position, 'a checkpoint') });
      } catch (error) {
        // Thrown here, it would end the process.
        dropped(error instanceof Error ? error : new Error(String(error)));
      }
    },
  };
  const subscription = client.subscribeToAll(
    {
      fromPosition: startAfter(after),
      filter:
        'streams' in filter
          ? streamNameFilter({ ...common, regex: filter.streams })
          : eventTypeFilter({ ...common, regex: filter.types }),
    },
    { highWaterMark: mostWaiting },
  );
  subscription.on('readable', () => {
    moved = true;
    wake();
  });
  subscription.on('caughtUp', () => tell({ kind: 'caught_up' }));
  subscription.on('fellBehind', () => tell({ kind: 'fell_behind' }));
  subscription.on('error', dropped);
  subscription.on('end', () => dropped(new Error('The server has ended the subscription')));

  const available = () => moved || subscription.readableLength > 0 || told.length > 0;

  return {
    take() {
      for (;;) {
        const next = told[0];
        if (next !== undefined && next.afterCount <= takenCount) {
          told.shift();
          return next.item;
        }
        moved = false;
        const resolved = subscription.read() as { readonly event?: ServerRecord } | null;
        if (resolved === null) {
          // What an error has cut off will not come any more.
          if (next?.item.kind === 'dropped' || told.at(-1)?.item.kind === 'dropped') return told.at(-1)?.item;
          return undefined;
        }
        takenCount += 1;
        if (resolved.event !== undefined) return { kind: 'record', record: resolved.event };
      }
    },

    ready: (signal) =>
      new Promise((resolve) => {
        const done = () => {
          signal.removeEventListener('abort', done);
          wake = () => undefined;
          resolve();
        };
        wake = done;
        signal.addEventListener('abort', done);
        if (signal.aborted || available()) done();
      }),

    lacks: (count) => subscription.readableLength > Math.min(count, mostWaiting - 1),

    close() {
      wake = () => undefined;
      subscription.unsubscribe().catch(() => undefined);
    },
  };
};
