import type { Problem } from '@zakup/contracts/problems';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import type { AppendedEvent } from '@zakup/event-store/event-store';
import { streamOf } from './ids.ts';
import { type PreparedAppend, prepareAppend } from './prepare-append.ts';
import {
  type AlreadyWritten,
  type Because,
  recordedAt,
  type SessionCommand,
  type SessionState,
  type TouchedStream,
} from './session-state.ts';
import { foldRecorded, foldStream, type Loaded, type StreamCache } from './stream-cache.ts';

/**
 * One attempt at a decision. Every stream it loads becomes a precondition of the append, every stream it emits to a write at the
 * revision it was loaded at: what is decided is decided on one consistent picture, or not at all.
 */
export interface DecisionSession {
  /** UTC instant of the command, ISO 8601. */
  readonly at: string;
  /** Of the acting person. */
  readonly licenceId: string;
  /** Of the log that is decided on. */
  readonly codes: CodeCipher;
  /** The entity of the acting person's licence with this id, including what this session has emitted to it. */
  load<State, Event extends DomainEvent>(entity: Entity<State, Event>, id: string): Promise<Loaded<State>>;
  /** The same for a stream named in full, such as a reservation. */
  loadStream<State, Event extends DomainEvent>(entity: Entity<State, Event>, stream: string): Promise<Loaded<State>>;
  /** Adds events to what will be appended. The stream must have been loaded before. */
  emit<State, Event extends DomainEvent>(
    entity: Entity<State, Event>,
    id: string,
    events: readonly Event[],
    because?: Because,
  ): void;
  emitTo<State, Event extends DomainEvent>(
    entity: Entity<State, Event>,
    stream: string,
    events: readonly Event[],
    because?: Because,
  ): void;
  /** What this session has emitted to the stream, as it would stand in the log; positions are 0. */
  emittedTo(stream: string): readonly AppendedEvent[];
  /** As the cache's: what it brings about is seen by the preconditions of the append. */
  settle(stream: string): Promise<void>;
  /** Decides a part of the whole: a problem takes back what that part emitted, and nothing else. */
  attempt(decide: () => Promise<Problem | null>): Promise<Problem | null>;
}

/** The same session, whose events all tell this cause. */
export const becauseOf = (session: DecisionSession, because: Because): DecisionSession => ({
  ...session,
  emit: (entity, id, events) => session.emit(entity, id, events, because),
  emitTo: (entity, stream, events) => session.emitTo(entity, stream, events, because),
});

/** `fresh`: streams are read, not remembered. `alreadyWritten`: by stream, what partial writes of the command left. */
export const decisionSession = (
  cache: StreamCache,
  command: SessionCommand,
  fresh: boolean,
  alreadyWritten: ReadonlyMap<string, AlreadyWritten> = new Map(),
): { readonly session: DecisionSession; readonly prepare: () => Promise<PreparedAppend> } => {
  const state: SessionState = { command, cache, alreadyWritten, touched: new Map(), emissions: [] };
  const streamNamed = (category: string, id: string): string => streamOf(category, command.licenceId, id);

  const session: DecisionSession = {
    at: command.metadata.at,
    licenceId: command.licenceId,
    codes: cache.codes,
    load: (entity, id) => session.loadStream(entity, streamNamed(entity.category, id)),

    async loadStream(entity, stream) {
      const touched = state.touched.get(stream) ?? (await touch(state, entity, stream, fresh));
      return currentOf(state, entity, stream, touched);
    },

    emit: (entity, id, events, because) => session.emitTo(entity, streamNamed(entity.category, id), events, because),
    emitTo: (_entity, stream, events, because = {}) => emitTo(state, stream, events, because),

    emittedTo(stream) {
      const touched = state.touched.get(stream);
      if (touched === undefined) return [];
      const next = touched.loaded.revision + 1;
      return touched.emitted.map((one, index) => recordedAt(command, one, stream, next + index));
    },

    settle: (stream) => cache.settle(stream),

    async attempt(decide) {
      const start = state.emissions.length;
      const problem = await decide();
      if (problem !== null) takeBackSince(state, start);
      return problem;
    },
  };

  return { session, prepare: () => prepareAppend(state) };
};

const touch = async <State, Event extends DomainEvent>(
  { cache, alreadyWritten, touched }: SessionState,
  entity: Entity<State, Event>,
  stream: string,
  fresh: boolean,
): Promise<TouchedStream> => {
  const before = alreadyWritten.get(stream)?.before;
  const loaded =
    before === undefined ? await cache.load(entity, stream, fresh) : foldStream<State, Event>(entity, before);
  const one: TouchedStream = { loaded, emitted: [], current: loaded, folded: 0 };
  touched.set(stream, one);
  return one;
};

/** The stream with everything emitted to it. */
const currentOf = <State, Event extends DomainEvent>(
  { command }: SessionState,
  entity: Entity<State, Event>,
  stream: string,
  touched: TouchedStream,
): Loaded<State> => {
  let current = touched.current as Loaded<State>;
  for (const one of touched.emitted.slice(touched.folded))
    current = foldRecorded(entity, current, recordedAt(command, one, stream, current.revision + 1));
  touched.current = current;
  touched.folded = touched.emitted.length;
  return current;
};

const emitTo = (state: SessionState, stream: string, events: readonly DomainEvent[], because: Because): void => {
  const touched = state.touched.get(stream);
  if (touched === undefined) throw new Error(`${stream} was not loaded before events were emitted to it`);
  const { current, folded } = touched;
  state.emissions.push({ touched, count: events.length, before: { current, folded } });
  for (const event of events) touched.emitted.push({ event, because });
  // Moved to the end at its first events: what came to be first also stands first in the log.
  if (touched.emitted.length === events.length && events.length > 0) {
    state.touched.delete(stream);
    state.touched.set(stream, touched);
  }
};

const takeBackSince = ({ emissions }: SessionState, start: number): void => {
  for (const { touched, count, before } of emissions.splice(start).toReversed()) {
    touched.emitted.length -= count;
    touched.current = before.current;
    touched.folded = before.folded;
  }
};
