import type { EventStore, Position } from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { liveFeed } from '../live-feed.ts';
import { openForReading } from './log-file.ts';
import { logReader } from './log-reader.ts';
import { logReads } from './log-reads.ts';

/** A log that is followed and read, from another thread of the process whose store has opened it: nothing is appended here. */
export interface SqliteLogFollower extends EventStore {
  /** Subscriptions are given everything up to here from now on, as the store's `onPublished` tells; a lower position changes nothing. */
  published(position: Position): void;
}

/**
 * Follows a file beside its store. What subscriptions are given is what the store has told of, `published` at first; everything else is
 * answered by what is in the file. Throws `EventStoreUnavailable` naming it when it cannot be read.
 */
export const sqliteLogFollower = ({
  file,
  published: first = 0,
}: {
  readonly file: string;
  readonly published?: Position;
}): SqliteLogFollower => {
  const reader = logReader(openForReading(file), file);
  let published = first;
  let isOpen = true;
  const mustBeOpen = (): void => {
    if (!isOpen) throw new EventStoreUnavailable(`Event log ${file} is closed`);
  };
  const feed = liveFeed({ published: () => published, entries: (after, limit) => reader.entries(after, limit) });

  return {
    atomicAcrossStreams: true,

    async append() {
      throw new EventStoreUnavailable(`Event log ${file} is only read here`);
    },

    ...logReads(reader, mustBeOpen),

    async head() {
      mustBeOpen();
      return reader.head();
    },

    subscribe: (options) => feed.subscribe(options),

    published(position) {
      if (position <= published) return;
      published = position;
      feed.wake();
    },

    async close() {
      if (!isOpen) return;
      isOpen = false;
      feed.close();
      reader.close();
    },
  };
};
