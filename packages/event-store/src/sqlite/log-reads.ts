import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { EventStore, RecordedEvent } from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { openForReading } from './log-file.ts';
import { type LogReader, logReader } from './log-reader.ts';

const slice = 1000;

/** What callers read through a connection. `mustBeOpen` throws once it is closed. */
export const logReads = (reader: LogReader, mustBeOpen: () => void) => {
  /** Reads slice by slice, so that a long answer does not hold the thread. */
  const inSlices = async (
    limit: number,
    read: (last: RecordedEvent | undefined, count: number) => readonly RecordedEvent[],
  ): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    while (events.length < limit) {
      mustBeOpen();
      const count = Math.min(slice, limit - events.length);
      const part = read(events.at(-1), count);
      events.push(...part);
      if (part.length < count) break;
      await yieldToEventLoop();
    }
    return events;
  };

  const reads: Pick<EventStore, 'read' | 'readLicence' | 'revision' | 'readCommand'> = {
    async read(stream, { from, to, direction = 'forwards', limit = Number.POSITIVE_INFINITY } = {}) {
      mustBeOpen();
      const last = reader.lastRevision(stream);
      if (last === undefined) return [];
      const forwards = direction === 'forwards';
      const start = forwards ? (from ?? 0) : Math.min(from ?? last, last);
      const stop = forwards ? Math.min(to ?? last, last) : (to ?? 0);
      const step = forwards ? 1 : -1;
      const wanted = (stop - start) * step + 1;
      if (wanted <= 0) return [];
      return inSlices(Math.min(limit, wanted), (previous, count) =>
        reader.stream(stream, previous === undefined ? start : previous.revision + step, stop, count),
      );
    },

    async readLicence(licenceId, { after = 0, to, limit = Number.POSITIVE_INFINITY } = {}) {
      mustBeOpen();
      const end = Math.min(to ?? Number.MAX_SAFE_INTEGER, reader.head());
      return inSlices(limit, (previous, count) => reader.licence(licenceId, previous?.position ?? after, end, count));
    },

    async revision(stream) {
      mustBeOpen();
      return reader.lastRevision(stream) ?? 'no_stream';
    },

    async readCommand(commandKey) {
      mustBeOpen();
      const range = reader.command(commandKey);
      if (range === undefined) return [];
      const [first, last] = range;
      return inSlices(last - first + 1, (previous, count) =>
        reader.entries(previous?.position ?? first - 1, count).map(({ event }) => event),
      );
    },
  };
  return reads;
};

/** A log that is only read, from another thread of the process whose store has opened it. */
export interface SqliteLogReader extends Pick<EventStore, 'head' | 'read' | 'readLicence'> {
  close(): void;
}

/** Reads a file beside its store. Throws `EventStoreUnavailable` naming it when it cannot be read. */
export const sqliteLogReader = ({ file }: { readonly file: string }): SqliteLogReader => {
  const reader = logReader(openForReading(file), file);
  let isOpen = true;
  const { read, readLicence } = logReads(reader, () => {
    if (!isOpen) throw new EventStoreUnavailable(`Event log ${file} is closed`);
  });
  return {
    read,
    readLicence,
    head: async () => reader.head(),
    close() {
      if (!isOpen) return;
      isOpen = false;
      reader.close();
    },
  };
};
