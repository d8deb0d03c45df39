import type { Position } from '../event-store.ts';
import type { Connection } from './connection.ts';
import type { ServerNames } from './names.ts';
import { positionOf, type ServerPosition } from './positions.ts';
import { type ServerRecord, stored } from './stored-event.ts';

/** Mostly the last event is an own one; behind many of others the pages grow. */
const [firstPage, largestPage] = [4, 512];

/** What a look came to: the record at the end of `$all` then, and the last event that was an own one. */
interface Examined {
  /** Of the look: one that began earlier knows less. */
  readonly turn: number;
  readonly end: Position;
  /** Id of the record there: at the same position of another log stands another one. */
  readonly id: string | undefined;
  readonly last: Position;
}

/**
 * Position of the last event that subscriptions of this installation deliver; 0 when there is none. What strangers, the server itself and
 * plans of commands wrote after it does not count: nobody who follows the log would ever reach that. Looks only at what came since it
 * last looked, as long as it finds there what it found then; otherwise, as the first time, it may take long on a server of many.
 */
export const ownHead = (server: Connection, names: ServerNames): (() => Promise<Position>) => {
  let examined: Examined = { turn: 0, end: 0, id: undefined, last: 0 };
  let turns = 0;

  const entities = new RegExp(names.entities(), 'u');
  const isOwn = (record: ServerRecord): boolean => {
    const stream = names.ofServer(record.streamId);
    return stream !== undefined && entities.test(record.streamId) && stored(record, stream, server.where) !== undefined;
  };

  return async () => {
    turns += 1;
    const turn = turns;
    const known = examined;
    let from: 'end' | (ServerPosition & { readonly prepare: bigint }) = 'end';
    let end: Pick<Examined, 'end' | 'id'> = { end: 0, id: undefined };
    let page = firstPage;

    const told = (last: Position): Position => {
      if (turn > examined.turn) examined = { turn, ...end, last };
      return last;
    };

    for (;;) {
      const reading = server.client.readAll({ direction: 'backwards', fromPosition: from, maxCount: page });
      const found = await server.collected('Reading the end of $all', reading);
      for (const { event, link } of found) {
        const record = event ?? link;
        const position = positionOf(record?.position, 'an event of $all');
        if (end.end === 0) end = { end: position, id: record?.id };
        if (position === known.end && record?.id === known.id) return told(known.last);
        if (event !== undefined && isOwn(event)) return told(position);
      }
      const first = found.at(-1);
      const before = (first?.event ?? first?.link)?.position;
      if (before === undefined || found.length < page) return told(0);
      from = before;
      page = Math.min(largestPage, page * 4);
    }
  };
};
