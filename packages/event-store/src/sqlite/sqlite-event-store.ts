import { existsSync } from 'node:fs';
import { checkAppend } from '../check-append.ts';
import type {
  AppendOptions,
  AppendResult,
  EventStore,
  ExpectedRevision,
  Position,
  RecordedEvent,
  Revision,
  StreamWrite,
} from '../event-store.ts';
import { EventStoreUnavailable, LogBehind } from '../event-store.ts';
import type { LogEntry } from '../live-feed.ts';
import { liveFeed } from '../live-feed.ts';
import { headMarkFile, readHeadMark } from './head-mark.ts';
import type { EngineSettings } from './log-file.ts';
import { openForReading } from './log-file.ts';
import type { LogReader } from './log-reader.ts';
import { logReader } from './log-reader.ts';
import { logReads } from './log-reads.ts';
import { packed, recorded } from './payload.ts';
import type { WriterClient, Written } from './writer-client.ts';
import { writerClient } from './writer-client.ts';
import type { PackedAppend } from './writer-messages.ts';
import { anyRevision, noStream } from './writer-messages.ts';

/** A position that the log is known to have reached, and who says so. */
export interface KnownBound {
  readonly position: Position;
  /** Named in the error when the log is behind, for example a read store's checkpoint. */
  readonly source: string;
}

/** What a store on SQLite is given. */
export interface SqliteEventStoreOptions {
  /** The database file; its folder must exist. Beside it lie `-wal`, `-shm` and `.head`. One process at a time may open it. */
  readonly file: string;
  /** The store's clock, in milliseconds since 1970 (UTC). */
  readonly clock?: () => number;
  /** The log must have come at least this far. */
  readonly knownBounds?: readonly KnownBound[];
}

/** An event store in a file, which also tells how its engine is set, and those who follow the file themselves how far they may. */
export interface SqliteEventStore extends EventStore {
  readonly settings: EngineSettings;
  /** Calls back now, and each time that more is given to subscriptions, with its last position; returns how to stop. */
  readonly onPublished: (listener: (position: Position) => void) => () => void;
}

const mostInTail = 8192;

const expectedNumber = (expected: ExpectedRevision): number => {
  if (expected === 'any') return anyRevision;
  return expected === 'no_stream' ? noStream : expected;
};

const actualRevision = (last: number): Revision | 'no_stream' => (last === noStream ? 'no_stream' : last);

const packedAppend = (ticket: number, writes: readonly StreamWrite[], options: AppendOptions): PackedAppend => [
  ticket,
  writes.map(({ stream, expectedRevision, events }) => [stream, expectedNumber(expectedRevision), events.map(packed)]),
  (options.unchanged ?? []).map(({ stream, revision }) => [stream, expectedNumber(revision)]),
  options.commandKey ?? null,
];

type Refused = Exclude<AppendResult, { kind: 'appended' }>;
type Appended = Extract<AppendResult, { kind: 'appended' }> & { readonly events: readonly RecordedEvent[] };

const resultOf = ([, writes, , commandKey]: PackedAppend, { outcome, recordedAt }: Written): Refused | Appended => {
  switch (outcome[1]) {
    case 'appended': {
      const [, , first, revisions] = outcome;
      const events: RecordedEvent[] = [];
      for (const [index, [stream, , packedEvents]] of writes.entries()) {
        let revision = (revisions[index] ?? 0) - packedEvents.length;
        for (const event of packedEvents) {
          revision += 1;
          events.push(recorded(event, stream, revision, first + events.length, recordedAt));
        }
      }
      return { kind: 'appended', position: first + events.length - 1, revisions, events };
    }
    case 'wrong_revision':
    case 'changed':
      return { kind: outcome[1], stream: outcome[2], actual: actualRevision(outcome[3]) };
    case 'command_known':
      return { kind: 'command_known', commandKey: commandKey ?? '' };
  }
};

/** The newest published events, shared by all subscriptions. */
const liveTail = () => {
  let entries: LogEntry[] = [];
  return {
    push(events: readonly RecordedEvent[]) {
      for (const [index, event] of events.entries()) {
        entries.push({ event, endsAppend: index === events.length - 1 });
      }
      if (entries.length > mostInTail) entries = entries.slice(-mostInTail / 2);
    },
    /** Undefined when the tail begins later. */
    after(position: Position, limit: number): readonly LogEntry[] | undefined {
      const first = entries[0]?.event.position;
      if (first === undefined || position + 1 < first) return undefined;
      return entries.slice(position + 1 - first, position + 1 - first + limit);
    },
  };
};

const checkBounds = (file: string, head: Position, bounds: readonly KnownBound[]) => {
  for (const { position, source } of bounds) {
    if (head < position) throw new LogBehind(file, head, position, source);
  }
};

/**
 * Opens or creates an event log in one SQLite file. One worker thread writes, in group commits with `synchronous=FULL`; reads use
 * a connection of their own. Throws `LogBehind` when the log ends before a known bound or its own head mark, and
 * `EventStoreUnavailable` naming the file when it is damaged, of a newer version or cannot be written.
 */
export const sqliteEventStore = async (options: SqliteEventStoreOptions): Promise<SqliteEventStore> => {
  const { file, clock = Date.now, knownBounds = [] } = options;
  const marked = readHeadMark(file);
  const bounds = [...knownBounds, { position: marked, source: headMarkFile(file) }];
  // A missing log is not created where one is known to have been.
  if (!existsSync(file)) checkBounds(file, 0, bounds);

  let published: Position = 0;
  let durable: Position = 0;
  let unpublished: RecordedEvent[][] = [];
  const tail = liveTail();
  const followers = new Set<{ readonly published: (position: Position) => void }>();

  const publish = () => {
    for (const events of unpublished) tail.push(events);
    unpublished = [];
    published = durable;
    feed.wake();
    for (const follower of followers) follower.published(published);
  };

  // Acknowledged first, emitted on the next turn.
  const afterCommit = () => {
    if (unpublished.length > 0) setImmediate(publish);
  };

  const writer: WriterClient = await writerClient(file, marked, clock, afterCommit);
  durable = writer.ready.head;
  published = durable;
  const openReader = () => {
    checkBounds(file, durable, bounds);
    return logReader(openForReading(file), file);
  };
  let reader: LogReader;
  try {
    reader = openReader();
  } catch (error) {
    await writer.close();
    throw error;
  }
  const feed = liveFeed({
    published: () => published,
    entries: (after, limit) => tail.after(after, limit) ?? reader.entries(after, limit),
  });
  let closing: Promise<void> | undefined;

  const mustBeOpen = () => {
    if (closing !== undefined) throw new EventStoreUnavailable(`Event log ${file} is closed`);
  };

  return {
    atomicAcrossStreams: true,
    settings: writer.ready.settings,

    append: (writes, appendOptions = {}) =>
      new Promise<AppendResult>((resolve, reject) => {
        mustBeOpen();
        checkAppend(writes, appendOptions);
        let sent: PackedAppend;
        writer.append(
          (ticket) => {
            sent = packedAppend(ticket, writes, appendOptions);
            return sent;
          },
          (written) => {
            const result = resultOf(sent, written);
            if (result.kind === 'appended') {
              durable = result.position;
              unpublished.push([...result.events]);
            }
            resolve(result);
          },
          reject,
        );
      }),

    ...logReads(reader, mustBeOpen),

    async head() {
      mustBeOpen();
      return durable;
    },

    subscribe: (subscribeOptions) => feed.subscribe(subscribeOptions),

    onPublished(listener) {
      const follower = { published: listener };
      followers.add(follower);
      listener(published);
      return () => {
        followers.delete(follower);
      };
    },

    close() {
      closing ??= (async () => {
        feed.close();
        const finished = writer.close();
        // The last connection to close moves the WAL into the file: that is the writer's work.
        reader.close();
        await finished;
      })();
      return closing;
    },
  };
};
