import { checkAppend } from './check-append.ts';
import type {
  AppendOptions,
  AppendResult,
  EventStore,
  EventToAppend,
  Position,
  ReadOptions,
  RecordedEvent,
  Revision,
  StreamName,
  StreamWrite,
} from './event-store.ts';
import { EventStoreUnavailable } from './event-store.ts';
import type { LogEntry } from './live-feed.ts';
import { liveFeed } from './live-feed.ts';

/** What an in-memory store is given. */
export interface InMemoryEventStoreOptions {
  /** The store's clock, in milliseconds since 1970 (UTC). */
  readonly clock: () => number;
  /** Makes what is kept of an event; default: a copy that holds what JSON carries. The event itself may be kept where nobody changes it. */
  readonly asStored?: (event: EventToAppend) => EventToAppend;
}

/** What was stored is what JSON carries, as on every other adapter, and later changes by the caller do not reach it. */
const copied = (event: EventToAppend): EventToAppend => JSON.parse(JSON.stringify(event));

/** How many of the events, in log order, are at or before the position. */
const placeAfter = (events: readonly RecordedEvent[], position: Position): number => {
  let [low, high] = [0, events.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((events[middle]?.position ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** A whole event store in this process's memory; nothing of it outlives the process. */
export const inMemoryEventStore = ({ clock, asStored = copied }: InMemoryEventStoreOptions): EventStore => {
  const log: LogEntry[] = [];
  const streams = new Map<StreamName, RecordedEvent[]>();
  const licences = new Map<string, RecordedEvent[]>();
  const commands = new Map<string, readonly RecordedEvent[]>();
  let published: Position = 0;
  let recordedAt = 0;
  let open = true;

  const feed = liveFeed({
    published: () => published,
    entries: (after, limit) => log.slice(after, after + limit),
  });

  const revisionOf = (stream: StreamName): Revision | 'no_stream' => {
    const length = streams.get(stream)?.length ?? 0;
    return length === 0 ? 'no_stream' : length - 1;
  };

  const listIn = (lists: Map<string, RecordedEvent[]>, key: string): RecordedEvent[] => {
    const known = lists.get(key);
    if (known !== undefined) return known;
    const list: RecordedEvent[] = [];
    lists.set(key, list);
    return list;
  };

  const record = (writes: readonly StreamWrite[]): RecordedEvent[] => {
    recordedAt = Math.max(recordedAt, clock());
    const at = new Date(recordedAt).toISOString();
    const recorded: RecordedEvent[] = [];
    for (const { stream, events } of writes) {
      const list = listIn(streams, stream);
      for (const event of events) {
        const position = log.length + recorded.length + 1;
        const entry = { ...asStored(event), stream, revision: list.length, position, recordedAt: at };
        list.push(entry);
        listIn(licences, entry.metadata.licenceId).push(entry);
        recorded.push(entry);
      }
    }
    for (const [index, event] of recorded.entries()) {
      log.push({ event, endsAppend: index === recorded.length - 1 });
    }
    return recorded;
  };

  const refusal = (writes: readonly StreamWrite[], options: AppendOptions): AppendResult | undefined => {
    const { commandKey, unchanged = [] } = options;
    if (commandKey !== undefined && commands.has(commandKey)) return { kind: 'command_known', commandKey };
    for (const { stream, expectedRevision } of writes) {
      const actual = revisionOf(stream);
      if (expectedRevision !== 'any' && expectedRevision !== actual) return { kind: 'wrong_revision', stream, actual };
    }
    for (const { stream, revision } of unchanged) {
      const actual = revisionOf(stream);
      if (revision !== actual) return { kind: 'changed', stream, actual };
    }
    return undefined;
  };

  const mustBeOpen = () => {
    if (!open) throw new EventStoreUnavailable('The event store is closed');
  };

  return {
    atomicAcrossStreams: true,

    async append(writes, options = {}) {
      mustBeOpen();
      checkAppend(writes, options);
      const refused = refusal(writes, options);
      if (refused !== undefined) return refused;
      const events = record(writes);
      if (options.commandKey !== undefined) commands.set(options.commandKey, events);
      const position = log.length;
      setImmediate(() => {
        published = Math.max(published, position);
        feed.wake();
      });
      const revisions = writes.map(({ stream }) => listIn(streams, stream).length - 1);
      return { kind: 'appended', position, revisions, events };
    },

    async read(stream, { from, to, direction = 'forwards', limit }: ReadOptions = {}) {
      mustBeOpen();
      const events = streams.get(stream) ?? [];
      const range =
        direction === 'forwards'
          ? events.slice(from ?? 0, (to ?? events.length) + 1)
          : events.slice(to ?? 0, (from ?? events.length) + 1).toReversed();
      return range.slice(0, limit);
    },

    async revision(stream) {
      mustBeOpen();
      return revisionOf(stream);
    },

    async readLicence(licenceId, { after = 0, to = Number.MAX_SAFE_INTEGER, limit } = {}) {
      mustBeOpen();
      const events = licences.get(licenceId) ?? [];
      const from = placeAfter(events, after);
      return events.slice(from, Math.min(placeAfter(events, to), limit === undefined ? events.length : from + limit));
    },

    async readCommand(commandKey) {
      mustBeOpen();
      return commands.get(commandKey) ?? [];
    },

    async head() {
      mustBeOpen();
      return log.length;
    },

    subscribe: (options) => feed.subscribe(options),

    async close() {
      open = false;
      feed.close();
    },
  };
};
