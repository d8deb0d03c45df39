import type { Position, RecordedEvent } from '../event-store.ts';
import type { Connection } from './connection.ts';
import { NoAnswer } from './errors.ts';
import { logSource } from './log-source.ts';
import type { ServerNames } from './names.ts';
import { stored } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';

export interface LicenceRange {
  readonly after?: Position;
  readonly to?: Position;
  readonly limit?: number;
}

/**
 * Events of one licence's entity streams, in log order. The client filters subscriptions only, so this is one that ends at the head the
 * log had when it began: the server looks through everything between the two positions.
 */
export const licenceReader =
  (server: Connection, names: ServerNames, reader: StreamReader, deadline: number) =>
  async (
    licenceId: string,
    { after = 0, to = Number.MAX_SAFE_INTEGER, limit = Number.POSITIVE_INFINITY }: LicenceRange,
  ): Promise<readonly RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    const end = Math.min(to, await reader.head());
    if (after >= end || limit <= 0) return events;
    const source = logSource(server.client, after, { streams: names.licence(licenceId) });
    try {
      for (;;) {
        const late = AbortSignal.timeout(deadline);
        await source.ready(late);
        const before = source.take();
        if (before === undefined) {
          if (late.aborted) throw new NoAnswer(`Reading licence ${licenceId}`, deadline);
          continue;
        }
        for (let item: typeof before | undefined = before; item !== undefined; item = source.take()) {
          switch (item.kind) {
            case 'record': {
              const stream = names.ofServer(item.record.streamId);
              if (stream === undefined) continue;
              const event = stored(item.record, stream, `EventStoreDB at ${server.where}`)?.event;
              if (event === undefined) continue;
              if (event.position > end) return events;
              events.push(event);
              if (event.position === end || events.length >= limit) return events;
              continue;
            }
            case 'checkpoint':
              if (item.position >= end) return events;
              continue;
            case 'caught_up':
              return events;
            case 'fell_behind':
              continue;
            case 'dropped':
              throw item.error;
          }
        }
      }
    } finally {
      source.close();
    }
  };
