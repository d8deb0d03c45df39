import { DeadlineExceededError, WrongExpectedVersionError } from '@eventstore/db-client';
import type { AppendedEvent, ExpectedRevision, RecordedEvent, Revision, StreamName } from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { type Connection, pause, pauseBefore } from './connection.ts';
import type { ServerNames } from './names.ts';
import { positionOf, wholeNumber } from './positions.ts';
import { proposed, type TakenEvent } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';

export type Written =
  | { readonly kind: 'written'; readonly events: readonly AppendedEvent[] }
  | { readonly kind: 'lost'; readonly actual: Revision | 'no_stream' };

export interface PartAppenderDeps {
  readonly server: Connection;
  readonly names: ServerNames;
  readonly reader: StreamReader;
}

/**
 * Milliseconds. The client sends an instant of its own clock: one that is far away, for a server whose clock is ahead would refuse every
 * append. It gives no append more than two seconds by itself.
 */
const sentDeadline = 3_600_000;
/** Milliseconds that an event may take from where appends are checked to where reads look for it. */
const longestIndexing = 2000;

const serverExpectation = (expected: ExpectedRevision) => (typeof expected === 'number' ? BigInt(expected) : expected);

/** The events of the part, if they stand where they belong. */
const standing = async (
  reader: StreamReader,
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
const untilShown = async (
  { server, reader }: PartAppenderDeps,
  stream: StreamName,
  revision: Revision,
): Promise<void> => {
  const began = performance.now();
  for (let attempt = 0; performance.now() - began < longestIndexing && !server.closing.aborted; attempt += 1) {
    const last = await reader.revision(stream);
    if (last !== 'no_stream' && last >= revision) return;
    await pause(Math.min(100, pauseBefore(attempt, 0) / 25), server.closing);
  }
};

/** Appends one part in one call. */
export const appendPart = async (
  deps: PartAppenderDeps,
  stream: StreamName,
  expected: ExpectedRevision,
  part: readonly TakenEvent[],
): Promise<Written> => {
  const { server, names, reader } = deps;
  const { client } = server;
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
      const made = await standing(reader, stream, placedAt, part);
      if (made !== undefined) return { kind: 'written', events: made };
    }
    if (!(error instanceof WrongExpectedVersionError)) throw error;
    const { actualVersion } = error;
    const actual = actualVersion === 'no_stream' ? actualVersion : wholeNumber(actualVersion, `Revision of ${stream}`);
    if (actual !== 'no_stream') await untilShown(deps, stream, actual);
    return { kind: 'lost', actual };
  }
  const first = placedAt ?? wholeNumber(result.nextExpectedRevision, `Revision of ${stream}`) - part.length + 1;
  const [only] = part;
  if (only !== undefined && part.length === 1 && result.position !== undefined) {
    const position = positionOf(result.position, `${stream}@${first}`);
    return { kind: 'written', events: [{ ...only.event, stream, revision: first, position }] };
  }
  // The answer tells the place of the last event only, and none when the server had carried out the same append before.
  const shown = await standing(reader, stream, first, part);
  if (shown === undefined) {
    throw new EventStoreUnavailable(`${stream} does not show what was just appended at revision ${first}`);
  }
  return { kind: 'written', events: shown };
};
