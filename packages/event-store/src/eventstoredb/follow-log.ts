import type { Position, SubscribeOptions, SubscriptionMessage } from '../event-store.ts';
import { partitionOf } from '../event-store.ts';
import { appendBatches, type Batch } from './append-batches.ts';
import { beforeAbort } from './before-abort.ts';
import { caughtUpSigns, type FollowerPlace } from './caught-up.ts';
import type { LogSource } from './log-source.ts';
import type { ServerNames } from './names.ts';
import { type ServerRecord, type StoredEvent, stored } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';

export interface FollowLogDeps {
  readonly names: ServerNames;
  readonly reader: StreamReader;
  /** Names the server in errors. */
  readonly where: string;
}

export interface Following {
  readonly options: SubscribeOptions;
  readonly ended: AbortSignal;
  /** Moved on with what is delivered. */
  readonly place: FollowerPlace;
  readonly source: LogSource;
  /** Where the log ended before the subscription began. */
  readonly head: Position;
}

const defaultBatch = 500;

/** Reads of a record the event that this subscription still wants. Throws `CorruptEvent`. */
const wantedEntries = (names: ServerNames, where: string, { partitions }: SubscribeOptions, place: FollowerPlace) => {
  const wanted = partitions === undefined ? undefined : new Set(partitions);
  return (record: ServerRecord): StoredEvent | undefined => {
    const stream = names.ofServer(record.streamId);
    if (stream === undefined || (wanted !== undefined && !wanted.has(partitionOf(stream)))) return undefined;
    const entry = stored(record, stream, `EventStoreDB at ${where}`);
    return entry === undefined || entry.event.position <= place.reached ? undefined : entry;
  };
};

/**
 * History, then live, over one subscription of the client. Ends when `ended` is aborted, and then with nothing; else with the error that
 * ended the subscription.
 */
export async function* followLog(
  { names, reader, where }: FollowLogDeps,
  { options, ended, place, source, head }: Following,
): AsyncGenerator<SubscriptionMessage, Error | undefined, undefined> {
  const { maxBatch = defaultBatch } = options;
  const gathering = appendBatches(maxBatch);
  const entryOf = wantedEntries(names, where, options, place);
  let live = false;
  const signs = caughtUpSigns({
    place,
    isBehind: () => !live || source.lacks(maxBatch),
    end: () => beforeAbort(reader.head(), ended),
  });
  let stop: Error | undefined;

  function* delivered(events: Batch | undefined) {
    if (events === undefined) return;
    yield { kind: 'events', events } as const;
    place.reached = events.at(-1)?.position ?? place.reached;
  }
  function* told(isThere: boolean) {
    if (isThere && !ended.aborted) yield { kind: 'caught_up', position: place.reached } as const;
  }

  for (;;) {
    await source.ready(ended);
    for (let item = source.take(); item !== undefined && stop === undefined; item = source.take()) {
      if (ended.aborted) return undefined;
      yield* told(await signs.isThere());
      if (ended.aborted) return undefined;
      switch (item.kind) {
        case 'record': {
          let entry: StoredEvent | undefined;
          try {
            entry = entryOf(item.record);
          } catch (error) {
            stop = error instanceof Error ? error : new Error(String(error));
          }
          if (entry !== undefined) yield* delivered(gathering.add(entry));
          continue;
        }
        case 'checkpoint':
          if (gathering.waiting) continue;
          yield* delivered(gathering.flush());
          if (item.position > place.reached) place.reached = item.position;
          if (live) signs.offer();
          continue;
        case 'caught_up':
          gathering.closeAppend();
          yield* delivered(gathering.flush());
          live = true;
          // Everything that was in the log before the subscription began has been sent by now.
          place.reached = Math.max(place.reached, head);
          signs.offer();
          continue;
        case 'fell_behind':
          live = false;
          signs.takeBack();
          continue;
        case 'dropped':
          stop = item.error;
      }
    }
    if (ended.aborted) return undefined;
    yield* delivered(gathering.flush());
    if (ended.aborted) return undefined;
    yield* told(await signs.isThere());
    if (ended.aborted) return undefined;
    yield* told(signs.isDone());
    if (ended.aborted) return undefined;
    if (stop !== undefined) return stop;
  }
}
