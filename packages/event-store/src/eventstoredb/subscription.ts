import type { Position, RecordedEvent, SubscribeOptions, SubscriptionMessage } from '../event-store.ts';
import { catchUpTo } from '../catch-up.ts';
import { EventStoreUnavailable, partitionOf } from '../event-store.ts';
import { caughtUpSigns, type FollowerPlace } from './caught-up.ts';
import { type Connection, pause, pauseBefore } from './connection.ts';
import { portError } from './errors.ts';
import { type LogSource, logSource } from './log-source.ts';
import type { ServerNames } from './names.ts';
import { type ServerRecord, type StoredEvent, stored } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';

/** Where the adapter tells what an operator should know; a pino logger fits. */
export interface AdapterLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SubscriptionDeps {
  readonly server: Connection;
  readonly names: ServerNames;
  readonly reader: StreamReader;
  readonly log: AdapterLog;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** Called whenever a subscription has ended before its time. */
  readonly onLost: () => void;
}

const defaultBatch = 500;

const nonEmpty = (events: RecordedEvent[]): events is [RecordedEvent, ...RecordedEvent[]] => events.length > 0;

/** Undefined when the signal is aborted first. */
const beforeAbort = <Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> =>
  new Promise((resolve, reject) => {
    const aborted = () => resolve(undefined);
    signal.addEventListener('abort', aborted);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted));
  });

/** Puts events into batches at the ends of appends. */
const batches = (maxBatch: number) => {
  let batch: RecordedEvent[] = [];
  let append: RecordedEvent[] = [];

  const flush = (): [RecordedEvent, ...RecordedEvent[]] | undefined => {
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
    add({ event, left }: StoredEvent): [RecordedEvent, ...RecordedEvent[]] | undefined {
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

/** History, then live, over as many subscriptions of the client as it takes. */
export const subscriptions = ({ server, names, reader, log, chance, onLost }: SubscriptionDeps) => {
  const { client, where, closing } = server;

  /** `head`: where the log ended before the subscription began. */
  async function* follow(
    options: SubscribeOptions,
    ended: AbortSignal,
    place: FollowerPlace,
    source: LogSource,
    head: Position,
  ): AsyncGenerator<SubscriptionMessage, Error | undefined, undefined> {
    const { maxBatch = defaultBatch } = options;
    const gathering = batches(maxBatch);
    const wanted = options.partitions === undefined ? undefined : new Set(options.partitions);
    let live = false;
    const signs = caughtUpSigns({
      place,
      isBehind: () => !live || source.lacks(maxBatch),
      end: () => beforeAbort(reader.head(), ended),
    });
    let stop: Error | undefined;

    function* delivered(events: [RecordedEvent, ...RecordedEvent[]] | undefined) {
      if (events === undefined) return;
      yield { kind: 'events', events } as const;
      place.reached = events.at(-1)?.position ?? place.reached;
    }
    function* told(isThere: boolean) {
      if (isThere && !ended.aborted) yield { kind: 'caught_up', position: place.reached } as const;
    }
    const isWanted = (stream: string) => wanted === undefined || wanted.has(partitionOf(stream));
    const entryOf = (record: ServerRecord): StoredEvent | undefined => {
      const stream = names.ofServer(record.streamId);
      if (stream === undefined || !isWanted(stream)) return undefined;
      const entry = stored(record, stream, `EventStoreDB at ${where}`);
      return entry === undefined || entry.event.position <= place.reached ? undefined : entry;
    };

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

  return async function* subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    const ended = AbortSignal.any([options.signal, closing]);
    const place: FollowerPlace = { reached: options.after, way: null };
    let attempt = 0;

    while (!ended.aborted) {
      const before = place.reached;
      let dropped: Error | undefined;
      try {
        const head = await beforeAbort(reader.head(), ended);
        if (head === undefined || ended.aborted) return;
        // The end that was set out for stays, unless it lies in a log that was longer.
        if (place.way === null || place.way.until > head) place.way = catchUpTo(head, place.reached);
        const source = logSource(client, place.reached, { streams: names.entities(options.partitions) });
        try {
          dropped = yield* follow(options, ended, place, source, head);
        } finally {
          source.close();
        }
      } catch (error) {
        dropped = error instanceof Error ? error : new Error(String(error));
      }
      if (ended.aborted || dropped === undefined) return;
      onLost();
      const said = portError(dropped, where);
      if (!(said instanceof EventStoreUnavailable)) throw said;
      if (place.reached > before) attempt = 0;
      const wait = pauseBefore(attempt, chance());
      attempt += 1;
      log.warn(
        { err: dropped, after: place.reached, retryInMilliseconds: Math.round(wait) },
        'The subscription to the event log has ended and is begun again',
      );
      await pause(wait, ended);
    }
  };
};
