import type { Position } from '../event-store.ts';
import type { Connection } from './connection.ts';
import type { ServerNames } from './names.ts';
import { positionOf, type ServerPosition } from './positions.ts';
import { type ServerRecord, stored } from './stored-event.ts';

/** Mostly the last event is an own one; behind many of others the pages grow. */
const [firstPage, largestPage] = [4, 512];

/**
 * Position of the last event that subscriptions of this installation deliver; 0 when there is none. What strangers, the server itself and
 * plans of commands wrote after it does not count: nobody who follows the log would ever reach that. Looks only at what came since it
 * last looked, so that the first time may be long on a server of many.
 */
export const ownHead = (server: Connection, names: ServerNames): (() => Promise<Position>) => {
  let examined: Position = 0;
  let last: Position = 0;

  const entities = new RegExp(names.entities(), 'u');
  const isOwn = (record: ServerRecord): boolean => {
    const stream = names.ofServer(record.streamId);
    return stream !== undefined && entities.test(record.streamId) && stored(record, stream, server.where) !== undefined;
  };

  return async () => {
    let from: 'end' | (ServerPosition & { readonly prepare: bigint }) = 'end';
    let end: Position | undefined;
    let page = firstPage;
    const known = examined;
    for (;;) {
      const reading = server.client.readAll({ direction: 'backwards', fromPosition: from, maxCount: page });
      const found = await server.collected('Reading the end of $all', reading);
      for (const { event, link } of found) {
        const position = positionOf((event ?? link)?.position, 'an event of $all');
        if (end === undefined) {
          end = position;
          // Shorter than it was: another log, or an older copy, is in its place, and nothing known of it counts.
          if (end < known) [examined, last] = [0, 0];
        }
        const own = event !== undefined && isOwn(event);
        if (!own && position > examined) continue;
        // Others may have looked further meanwhile.
        if (own) last = Math.max(last, position);
        examined = Math.max(examined, end);
        return last;
      }
      const first = found.at(-1);
      const before = (first?.event ?? first?.link)?.position;
      if (before === undefined || found.length < page) {
        if (end === undefined) [examined, last] = [0, 0];
        examined = Math.max(examined, end ?? 0);
        return last;
      }
      from = before;
      page = Math.min(largestPage, page * 4);
    }
  };
};
