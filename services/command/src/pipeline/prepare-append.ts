import { isDeepStrictEqual } from 'node:util';
import type { EventToAppend, StreamWrite, Unchanged } from '@zakup/event-store/event-store';
import { createYielder } from '@zakup/async/yielder';
import { foldableEvent } from './foldable-event.ts';
import { hideCodes } from './hidden-codes.ts';
import { eventIdOf } from './ids.ts';
import { type AlreadyWritten, recordedAt, type SessionState, type TouchedStream } from './session-state.ts';

export interface PreparedAppend {
  readonly writes: readonly StreamWrite[];
  readonly unchanged: readonly Unchanged[];
  /** Whether something of the command stands in the log that this decision would not have written. */
  readonly diverged: boolean;
}

/** What a session has emitted, as writes, and what it has only loaded, as preconditions. */
export const prepareAppend = async (state: SessionState): Promise<PreparedAppend> => {
  const { touched, alreadyWritten } = state;
  const yieldIfDue = createYielder();
  const writes: StreamWrite[] = [];
  const unchanged: Unchanged[] = [];
  let diverged = [...alreadyWritten.keys()].some((stream) => (touched.get(stream)?.emitted.length ?? 0) === 0);
  for (const [stream, one] of touched) {
    const revision = one.loaded.revision === -1 ? 'no_stream' : one.loaded.revision;
    const written = alreadyWritten.get(stream);
    if (hasDiverged(state, stream, one, written)) diverged = true;
    const [first, ...rest] = one.emitted.map((_, index) => eventAt(state, stream, one, index, written));
    if (first === undefined) unchanged.push({ stream, revision });
    else writes.push({ stream, expectedRevision: revision, events: [first, ...rest] });
    await yieldIfDue();
  }
  return { writes: writes.toSorted((a, b) => rank(a) - rank(b)), unchanged, diverged };
};

/** Claims first, as what they are for refers to nothing else; releases last, when what held the value has let it go. */
const rank = ({ events }: StreamWrite): number => {
  const type = events.at(-1)?.type;
  return type === 'ValueClaimed' ? 0 : type === 'ValueReleased' ? 2 : 1;
};

const hasDiverged = (
  { command }: SessionState,
  stream: string,
  { emitted }: TouchedStream,
  written: AlreadyWritten | undefined,
): boolean => {
  if (written === undefined) return false;
  const more = emitted.length - written.events.length;
  if (more < 0 || (more > 0 && !written.last)) return true;
  return written.events.some((there, index) => {
    const one = emitted[index];
    return one !== undefined && !sayTheSame(recordedAt(command, one, stream, 0), there);
  });
};

/** By what they say, as JSON carries it. */
const sayTheSame = (one: EventToAppend, other: EventToAppend): boolean =>
  one.type === other.type && isDeepStrictEqual(JSON.parse(JSON.stringify(one.data)), other.data);

/** One that stands already is appended as it stands. */
const eventAt = (
  { command, cache }: SessionState,
  stream: string,
  { loaded, emitted }: TouchedStream,
  index: number,
  written: AlreadyWritten | undefined,
): EventToAppend => {
  const there = written?.events[index];
  if (there !== undefined) return { id: there.id, type: there.type, data: there.data, metadata: there.metadata };
  const one = emitted[index];
  if (one === undefined) throw new Error(`${stream} has no event ${index} of this session`);
  // As it is kept: from its id nobody guesses a short code.
  const { type, data, metadata } = hideCodes(cache.codes, recordedAt(command, one, stream, 0));
  const place = loaded.revision + 1 + index;
  const id = eventIdOf(command.commandKey, stream, place, { type, data, at: metadata.at });
  return foldableEvent(stream, { id, type, data, metadata });
};
