import { semaphore } from '@zakup/async/semaphore';
import { StreamNotFoundError } from '@eventstore/db-client';
import type { Position, ReadOptions, RecordedEvent, Revision, StreamName } from '../event-store.ts';
import type { Connection } from './connection.ts';
import { NoAnswer } from './errors.ts';
import type { ServerNames } from './names.ts';
import { positionOf, wholeNumber } from './positions.ts';
import { type ServerRecord, stored } from './stored-event.ts';

/** Reads of single streams and of the log's end. Client errors pass; the store's doors make them the port's. */
export interface StreamReader {
  /** As the port's `read`; events of strangers are left out. */
  read(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent[]>;
  /** Of the last event, whoever wrote it: that is what the next append has to expect. */
  revision(stream: StreamName): Promise<Revision | 'no_stream'>;
  /** Position of the last event in `$all`; 0 when there is none. */
  head(): Promise<Position>;
}

/** Streams that are read at once. A command may name thousands, and the time that each read is given begins with it. */
const readsAtOnce = 64;

export const streamReader = (server: Connection, names: ServerNames): StreamReader => {
  const { client, where } = server;
  const reads = semaphore(readsAtOnce, { hopeless: (error) => error instanceof NoAnswer });

  const records = async (
    stream: StreamName,
    range: { readonly fromRevision: 'start' | 'end' | bigint; readonly maxCount: number },
    direction: 'forwards' | 'backwards',
  ): Promise<readonly ServerRecord[]> => {
    const found: ServerRecord[] = [];
    try {
      const name = names.onServer(stream);
      const read = () => server.collected(`Reading ${stream}`, client.readStream(name, { ...range, direction }));
      for (const { event } of await reads.run(read)) {
        if (event !== undefined) found.push(event);
      }
    } catch (error) {
      if (error instanceof StreamNotFoundError) return [];
      throw error;
    }
    return found;
  };

  const revision = async (stream: StreamName): Promise<Revision | 'no_stream'> => {
    const [last] = await records(stream, { fromRevision: 'end', maxCount: 1 }, 'backwards');
    return last === undefined ? 'no_stream' : wholeNumber(last.revision, `Revision in ${last.streamId}`);
  };

  return {
    revision,

    async read(stream, { from, to, direction = 'forwards', limit = Number.MAX_SAFE_INTEGER } = {}) {
      const forwards = direction === 'forwards';
      let start: 'start' | 'end' | bigint = forwards ? 'start' : 'end';
      let first = forwards ? 0 : Number.MAX_SAFE_INTEGER;
      if (from !== undefined) {
        first = from;
        if (!forwards) {
          // A server asked to begin beyond the end looks for every revision down to it.
          const last = await revision(stream);
          if (last === 'no_stream') return [];
          first = Math.min(from, last);
        }
        start = BigInt(first);
      }
      const span = forwards ? (to ?? Number.MAX_SAFE_INTEGER) - first : first - (to ?? 0);
      const maxCount = Math.min(limit, span === Number.MAX_SAFE_INTEGER ? span : span + 1);
      if (maxCount <= 0) return [];
      const events: RecordedEvent[] = [];
      for (const record of await records(stream, { fromRevision: start, maxCount }, direction)) {
        const event = stored(record, stream, `EventStoreDB at ${where}`)?.event;
        if (event === undefined) continue;
        // A stream whose beginning the server no longer has starts later than asked.
        const within = forwards ? event.revision <= (to ?? event.revision) : event.revision >= (to ?? 0);
        if (within) events.push(event);
      }
      return events;
    },

    async head() {
      const reading = client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 1 });
      const [last] = await server.collected('Reading the end of $all', reading);
      return last === undefined ? 0 : positionOf(last.event?.position ?? last.link?.position, 'the last event of $all');
    },
  };
};
