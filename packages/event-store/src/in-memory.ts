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

const listIn = (lists: Map<string, RecordedEvent[]>, key: string): RecordedEvent[] => {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list: RecordedEvent[] = [];
  lists.set(key, list);
  return list;
};

/** What the log holds, by stream, licence and command. */
class MemoryLog {
  readonly entries: LogEntry[] = [];
  readonly commands = new Map<string, readonly RecordedEvent[]>();
  readonly #streams = new Map<StreamName, RecordedEvent[]>();
  readonly #licences = new Map<string, RecordedEvent[]>();
  readonly #clock: () => number;
  readonly #asStored: (event: EventToAppend) => EventToAppend;
  #recordedAt = 0;

  constructor({ clock, asStored = copied }: InMemoryEventStoreOptions) {
    this.#clock = clock;
    this.#asStored = asStored;
  }

  ofStream(stream: StreamName): readonly RecordedEvent[] {
    return this.#streams.get(stream) ?? [];
  }

  ofLicence(licenceId: string): readonly RecordedEvent[] {
    return this.#licences.get(licenceId) ?? [];
  }

  revisionOf(stream: StreamName): Revision | 'no_stream' {
    const { length } = this.ofStream(stream);
    return length === 0 ? 'no_stream' : length - 1;
  }

  record(writes: readonly StreamWrite[]): readonly RecordedEvent[] {
    this.#recordedAt = Math.max(this.#recordedAt, this.#clock());
    const at = new Date(this.#recordedAt).toISOString();
    const recorded: RecordedEvent[] = [];
    for (const { stream, events } of writes) {
      const list = listIn(this.#streams, stream);
      for (const event of events) {
        const position = this.entries.length + recorded.length + 1;
        const entry = { ...this.#asStored(event), stream, revision: list.length, position, recordedAt: at };
        list.push(entry);
        listIn(this.#licences, entry.metadata.licenceId).push(entry);
        recorded.push(entry);
      }
    }
    for (const [index, event] of recorded.entries()) {
      this.entries.push({ event, endsAppend: index === recorded.length - 1 });
    }
    return recorded;
  }

  /** What stands in the way of the append. */
  refusal(writes: readonly StreamWrite[], { commandKey, unchanged = [] }: AppendOptions): AppendResult | undefined {
    if (commandKey !== undefined && this.commands.has(commandKey)) return { kind: 'command_known', commandKey };
    for (const { stream, expectedRevision } of writes) {
      const actual = this.revisionOf(stream);
      if (expectedRevision !== 'any' && expectedRevision !== actual) return { kind: 'wrong_revision', stream, actual };
    }
    for (const { stream, revision } of unchanged) {
      const actual = this.revisionOf(stream);
      if (revision !== actual) return { kind: 'changed', stream, actual };
    }
    return undefined;
  }
}

/** A whole event store in this process's memory; nothing of it outlives the process. */
export const inMemoryEventStore = (options: InMemoryEventStoreOptions): EventStore => {
  const log = new MemoryLog(options);
  let published: Position = 0;
  let open = true;

  const feed = liveFeed({
    published: () => published,
    entries: (after, limit) => log.entries.slice(after, after + limit),
  });

  const mustBeOpen = () => {
    if (!open) throw new EventStoreUnavailable('The event store is closed');
  };

  return {
    atomicAcrossStreams: true,

    async append(writes, appendOptions = {}) {
      mustBeOpen();
      checkAppend(writes, appendOptions);
      const refused = log.refusal(writes, appendOptions);
      if (refused !== undefined) return refused;
      const events = log.record(writes);
      const { commandKey } = appendOptions;
      if (commandKey !== undefined) log.commands.set(commandKey, events);
      const position = log.entries.length;
      setImmediate(() => {
        published = Math.max(published, position);
        feed.wake();
      });
      const revisions = writes.map(({ stream }) => log.ofStream(stream).length - 1);
      return { kind: 'appended', position, revisions, events };
    },

    async read(stream, { from, to, direction = 'forwards', limit }: ReadOptions = {}) {
      mustBeOpen();
      const events = log.ofStream(stream);
      const range =
        direction === 'forwards'
          ? events.slice(from ?? 0, (to ?? events.length) + 1)
          : events.slice(to ?? 0, (from ?? events.length) + 1).toReversed();
      return range.slice(0, limit);
    },

    async revision(stream) {
      mustBeOpen();
      return log.revisionOf(stream);
    },

    async readLicence(licenceId, { after = 0, to = Number.MAX_SAFE_INTEGER, limit } = {}) {
      mustBeOpen();
      const events = log.ofLicence(licenceId);
      const from = placeAfter(events, after);
      return events.slice(from, Math.min(placeAfter(events, to), limit === undefined ? events.length : from + limit));
    },

    async readCommand(commandKey) {
      mustBeOpen();
      return log.commands.get(commandKey) ?? [];
    },

    async head() {
      mustBeOpen();
      return log.entries.length;
    },

    subscribe: (subscribeOptions) => feed.subscribe(subscribeOptions),

    async close() {
      open = false;
      feed.close();
    },
  };
};
