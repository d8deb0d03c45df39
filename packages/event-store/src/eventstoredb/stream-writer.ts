import { DeadlineExceededError, WrongExpectedVersionError } from '@eventstore/db-client';
import type {
  AppendedEvent,
  ExpectedRevision,
  RecordedEvent,
  Revision,
  StreamName,
  StreamWrite,
} from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { type Connection, pause, pauseBefore } from './connection.ts';
import type { ServerNames } from './names.ts';
import { positionOf, wholeNumber } from './positions.ts';
import { isSame, mostBytes, proposed, taken, type TakenEvent } from './stored-event.ts';
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

export type Written =
  | { readonly kind: 'written'; readonly events: readonly AppendedEvent[] }
  | { readonly kind: 'lost'; readonly actual: Revision | 'no_stream' };

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

const partsOf = (events: readonly TakenEvent[]): readonly (readonly TakenEvent[])[] => {
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

/**
 * Milliseconds. The client sends an instant of its own clock: one that is far away, for a server whose clock is ahead would refuse every
 * append. It gives no append more than two seconds by itself.
 */
const sentDeadline = 3_600_000;
/** Milliseconds that an event may take from where appends are checked to where reads look for it. */
const longestIndexing = 2000;

const serverExpectation = (expected: ExpectedRevision) => (typeof expected === 'number' ? BigInt(expected) : expected);

export const streamWriter = (server: Connection, names: ServerNames, reader: StreamReader): StreamWriter => {
  const { client, closing } = server;

  /** The events of the part, if they stand where they belong. */
  const standing = async (
    stream: StreamName,
    first: Revision,
    part: readonly TakenEvent[],
  ): Promise<readonly RecordedEvent[] | undefined> => {
    const shown = await reader.read(stream, { from: first, to: first + part.length - 1 });
    const whole = shown.length === part.length && shown.every((event, index) => event.id === part[index]?.event.id);
    return whole ? shown : undefined;
  };

  /**
   * Resolves when reads show the revision. The server refuses an append for an event that it has taken but not yet indexed; whoever
   * decides anew on what is read then would lose again and again.
   */
  const untilShown = async (stream: StreamName, revision: Revision): Promise<void> => {
    const began = performance.now();
    for (let attempt = 0; performance.now() - began < longestIndexing && !closing.aborted; attempt += 1) {
      const last = await reader.revision(stream);
      if (last !== 'no_stream' && last >= revision) return;
      await pause(Math.min(100, pauseBefore(attempt, 0) / 25), closing);
    }
  };

  const appendPart: StreamWriter['appendPart'] = async (stream, expected, part) => {
    const events = part.map((event, index) => proposed(event, part.length - 1 - index));
    const options = { expectedRevision: serverExpectation(expected), deadline: sentDeadline };
    const placedAt = expected === 'any' ? undefined : expected === 'no_stream' ? 0 : expected + 1;
    let result: Awaited<ReturnType<typeof client.appendToStream>>;
    try {
      result = await server.answered(
        `Appending to ${stream}`,
        client.appendToStream(names.onServer(stream), events, options),
      );
    } catch (error) {
      if (error instanceof DeadlineExceededError && placedAt !== undefined) {
        // The server drops an append whose very events somebody else is just writing, until its own time for it is over.
        const made = await standing(stream, placedAt, part);
        if (made !== undefined) return { kind: 'written', events: made };
      }
      if (!(error instanceof WrongExpectedVersionError)) throw error;
      const { actualVersion } = error;
      const actual =
        actualVersion === 'no_stream' ? actualVersion : wholeNumber(actualVersion, `Revision of ${stream}`);
      if (actual !== 'no_stream') await untilShown(stream, actual);
      return { kind: 'lost', actual };
    }
    const first = placedAt ?? wholeNumber(result.nextExpectedRevision, `Revision of ${stream}`) - part.length + 1;
    const [only] = part;
    if (only !== undefined && part.length === 1 && result.position !== undefined) {
      const position = positionOf(result.position, `${stream}@${first}`);
      return { kind: 'written', events: [{ ...only.event, stream, revision: first, position }] };
    }
    // The answer tells the place of the last event only, and none when the server had carried out the same append before.
    const shown = await standing(stream, first, part);
    if (shown === undefined) {
      throw new EventStoreUnavailable(`${stream} does not show what was just appended at revision ${first}`);
    }
    return { kind: 'written', events: shown };
  };

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
    appendPart,
    find,

    async carryOut(write, known) {
      const { stream, events: wanted } = write;
      let state = known?.state ?? 'open';
      let events: readonly AppendedEvent[] = known?.events ?? [];
      while (state === 'open') {
        const done = events.length;
        const part = partsOf(wanted.slice(done))[0] ?? [];
        const expected = done === 0 ? write.expectedRevision : firstRevision(write) + done - 1;
        const result = await appendPart(stream, expected, part);
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
