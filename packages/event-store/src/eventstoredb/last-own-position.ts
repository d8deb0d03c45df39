import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import type { Position } from '../event-store.ts';
import type { Connection } from './connection.ts';
import type { ServerNames } from './names.ts';
import { positionOf, type ServerPosition } from './positions.ts';
import { searched } from './searching.ts';
import { sharedLooks } from './shared-look.ts';
import { type ServerRecord, stored } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';

/** Mostly the last event is an own one, or the last look was not long ago. */
const lastFew = 4;
/** Own streams that strangers write to are passed over, in pages that grow. */
const [firstPage, largestPage] = [8, 512];

/** What a look came to: the record at the end of `$all` then, and the last event that was an own one. */
interface Examined {
  readonly end: Position;
  /** Id of the record there: at the same position of another log stands another one. */
  readonly id: string | undefined;
  readonly last: Position;
}

type Place = 'end' | (ServerPosition & { readonly prepare: bigint });

export interface LastOwnPositionDeps {
  readonly server: Connection;
  readonly names: ServerNames;
  readonly reader: StreamReader;
}

const recordOf = ({ event, link }: AllStreamResolvedEvent) => event ?? link;

/**
 * Position of the last event that subscriptions of this installation deliver; 0 when there is none. What strangers, the server itself and
 * plans of commands wrote after it does not count: nobody who follows the log would ever reach that. The server looks for it, through all
 * of the log the first time, later only through what came since the last look, as long as the log still has what was found then.
 */
export const lastOwnPosition = ({
  server,
  names,
  reader,
}: LastOwnPositionDeps): ((signal?: AbortSignal) => Promise<Position>) => {
  const { client, where, deadline, closing } = server;
  let examined: Examined = { end: 0, id: undefined, last: 0 };

  const entities = new RegExp(names.entities(), 'u');
  const isOwn = (record: ServerRecord): boolean => {
    const stream = names.ofServer(record.streamId);
    return stream !== undefined && entities.test(record.streamId) && stored(record, stream, where) !== undefined;
  };

  /** The first own event from there on between two positions, both exclusive. */
  const searchedFor = async (
    from: Place,
    direction: 'forwards' | 'backwards',
    within: { readonly after: Position; readonly before: Position },
    signal: AbortSignal,
  ): Promise<Position | undefined> => {
    let [place, page] = [from, firstPage];
    for (;;) {
      let seen = 0;
      const judge = (item: AllStreamResolvedEvent): Position | 'beyond' | undefined => {
        seen += 1;
        const record = recordOf(item);
        const position = positionOf(record?.position, 'an event of $all');
        place = record?.position ?? place;
        if (direction === 'forwards' && position >= within.before) return 'beyond';
        const isWanted = position > within.after && position < within.before;
        return isWanted && item.event !== undefined && isOwn(item.event) ? position : undefined;
      };
      const stream = server.readFiltered({ direction, fromPosition: place, maxCount: page }, names.entities());
      const what = 'Looking for the last event';
      const found = await searched({ what, stream, judge, isAlive: () => reader.head(), deadline, signal });
      if (found !== undefined) return found === 'beyond' ? undefined : found;
      if (seen < page) return undefined;
      page = Math.min(largestPage, page * 8);
    }
  };

  /** What was examined is the beginning of the log that is there now. */
  const isStillThere = async ({ end, id }: Examined): Promise<boolean> => {
    const at = { commit: BigInt(end), prepare: BigInt(end) };
    try {
      const reading = client.readAll({ direction: 'forwards', fromPosition: at, maxCount: 1 });
      const [found] = await server.collected('Reading what was the end of $all', reading);
      const record = found === undefined ? undefined : recordOf(found);
      return record !== undefined && record.id === id && positionOf(record.position, 'an event of $all') === end;
    } catch {
      // A server refuses a place where no record begins in the log that it has now; if it is away, the next question says so.
      return false;
    }
  };

  const look = async (signal: AbortSignal): Promise<Position> => {
    const known = examined;
    const reading = client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: lastFew });
    const found = await server.collected('Reading the end of $all', reading);
    const records = found.map(recordOf);
    const positions = records.map((record) => positionOf(record?.position, 'an event of $all'));
    const [end = 0, id] = [positions[0], records[0]?.id];
    const told = (last: Position): Position => {
      examined = { end, id, last };
      return last;
    };

    for (const [index, position] of positions.entries()) {
      if (position === known.end && records[index]?.id === known.id) return told(known.last);
      const event = found[index]?.event;
      if (event !== undefined && isOwn(event)) return told(position);
    }
    const [from, before] = [records.at(-1)?.position, positions.at(-1)];
    if (from === undefined || before === undefined || found.length < lastFew) return told(0);
    signal.throwIfAborted();
    if (known.end > 0 && known.end < before && (await isStillThere(known))) {
      const at = { commit: BigInt(known.end), prepare: BigInt(known.end) };
      const since = await searchedFor(at, 'forwards', { after: known.end, before }, signal);
      if (since === undefined) return told(known.last);
    }
    return told((await searchedFor(from, 'backwards', { after: 0, before }, signal)) ?? 0);
  };

  const looks = sharedLooks(look);
  closing.addEventListener('abort', () => looks.end());
  return (signal) => looks.ask(signal);
};
