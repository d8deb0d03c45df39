import type {
  AppendedEvent,
  ExpectedRevision,
  RecordedEvent,
  Revision,
  StreamName,
  StreamWrite,
} from '../event-store.ts';
import { appendPart, type Written } from './append-part.ts';
import type { Connection } from './connection.ts';
import type { ServerNames } from './names.ts';
import { isSame, mostBytes, taken, type TakenEvent } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';

/** A write taken down at the moment of the call, in appends that the server takes. */
export interface TakenWrite<Expected extends ExpectedRevision = ExpectedRevision> {
  readonly stream: StreamName;
  readonly expectedRevision: Expected;
  readonly events: readonly TakenEvent[];
  /** The events again, cut where an append would become too large; most writes have one part. */
  readonly parts: readonly (readonly TakenEvent[])[];
}

/** A write whose place is known beforehand, so that it can be found again. */
export type PlacedWrite = TakenWrite<Revision | 'no_stream'>;

/** How much of a placed write is in the log. `lost`: another event stands where one of its events would have to. */
export interface Found {
  readonly events: readonly RecordedEvent[];
  readonly state: 'fulfilled' | 'open' | 'lost';
}

export interface StreamWriter {
  /** One append of one part. */
  appendPart(stream: StreamName, expected: ExpectedRevision, part: readonly TakenEvent[]): Promise<Written>;
  /** What a placed write has left in the log so far. */
  find(write: PlacedWrite): Promise<Found>;
  /** Makes the write unless it was made; `known`: what `find` has just said. Carried out twice it does nothing twice. */
  carryOut(write: PlacedWrite, known?: Found): Promise<Written>;
}

export const partsOf = (events: readonly TakenEvent[]): readonly (readonly TakenEvent[])[] => {
  const parts: TakenEvent[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const event of events) {
    if (bytes + event.bytes > mostBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(event);
    bytes += event.bytes;
  }
  return parts;
};

export const takenWrite = ({ stream, expectedRevision, events }: StreamWrite): TakenWrite => {
  const list = events.map(taken);
  return { stream, expectedRevision, events: list, parts: partsOf(list) };
};

/** The write at a place: `revision` is that of the stream's last event. */
export const placed = (write: TakenWrite, revision: Revision | 'no_stream'): PlacedWrite => ({
  ...write,
  expectedRevision: revision,
});

export const isPlaced = (write: TakenWrite): write is PlacedWrite => write.expectedRevision !== 'any';

/** Revision of the first event of a placed write. */
const firstRevision = ({ expectedRevision }: PlacedWrite): Revision =>
  expectedRevision === 'no_stream' ? 0 : expectedRevision + 1;

export const streamWriter = (server: Connection, names: ServerNames, reader: StreamReader): StreamWriter => {
  const append: StreamWriter['appendPart'] = (stream, expected, part) =>
    appendPart({ server, names, reader }, stream, expected, part);

  const find: StreamWriter['find'] = async (write) => {
    const first = firstRevision(write);
    const there = await reader.read(write.stream, { from: first, limit: write.events.length });
    const events: RecordedEvent[] = [];
    for (const [index, wanted] of write.events.entries()) {
      const event = there[index];
      if (event === undefined) return { events, state: 'open' };
      if (event.revision !== first + index || !isSame(event, wanted)) return { events, state: 'lost' };
      events.push(event);
    }
    return { events, state: 'fulfilled' };
  };

  return {
    appendPart: append,
    find,

    async carryOut(write, known) {
      const { stream, events: wanted } = write;
      let state = known?.state ?? 'open';
      let events: readonly AppendedEvent[] = known?.events ?? [];
      while (state === 'open') {
        const done = events.length;
        const part = partsOf(wanted.slice(done))[0] ?? [];
        const expected = done === 0 ? write.expectedRevision : firstRevision(write) + done - 1;
        const result = await append(stream, expected, part);
        if (result.kind === 'written') {
          events = [...events, ...result.events];
          if (events.length === wanted.length) state = 'fulfilled';
          continue;
        }
        const found = await find(write);
        if (found.state === 'open' && found.events.length <= done) return result;
        ({ state, events } = found);
      }
      if (state === 'fulfilled') return { kind: 'written', events };
      return { kind: 'lost', actual: await reader.revision(stream) };
    },
  };
};
