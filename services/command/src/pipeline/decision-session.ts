import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '@zakup/contracts/problems';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import { catalogEntry } from '@zakup/domain/catalog';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import type {
  AppendedEvent,
  EventMetadata,
  EventToAppend,
  JsonObject,
  RecordedEvent,
  StreamWrite,
  Unchanged,
} from '@zakup/event-store/event-store';
import { createYielder } from '@zakup/async/yielder';
import { hideCodes } from './hidden-codes.ts';
import { eventIdOf, streamOf } from './ids.ts';
import { foldRecorded, foldStream, type Loaded, type StreamCache } from './stream-cache.ts';

/**
 * One attempt at a decision. Every stream it loads becomes a precondition of the append, every stream it emits to a write at the
 * revision it was loaded at: what is decided is decided on one consistent picture, or not at all.
 */
export interface DecisionSession {
  /** UTC instant of the command, ISO 8601. */
  readonly at: string;
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

/** What an event tells of its cause. */
export type Because = Pick<EventMetadata, 'causedBy' | 'reason'>;

/** The same session, whose events all tell this cause. */
export const becauseOf = (session: DecisionSession, because: Because): DecisionSession => ({
  ...session,
  emit: (entity, id, events) => session.emit(entity, id, events, because),
  emitTo: (entity, stream, events) => session.emitTo(entity, stream, events, because),
});

interface Touched {
  /** As loaded, before anything emitted here. */
  readonly loaded: Loaded<unknown>;
  readonly emitted: { readonly event: DomainEvent; readonly because: Because }[];
  /** With the first `folded` of the emitted ones. */
  current: Loaded<unknown>;
  folded: number;
}

export interface PreparedAppend {
  readonly writes: readonly StreamWrite[];
  readonly unchanged: readonly Unchanged[];
  /** Whether something of the command stands in the log that this decision would not have written. */
  readonly diverged: boolean;
}

/** What of the command stands in one stream already. */
export interface AlreadyWritten {
  /** Everything in the stream before it. */
  readonly before: readonly RecordedEvent[];
  readonly events: readonly RecordedEvent[];
  /** Whether nothing came after it. */
  readonly last: boolean;
}

const none: ReadonlyMap<string, AlreadyWritten> = new Map();

/** Claims first, as what they are for refers to nothing else; releases last, when what held the value has let it go. */
const rank = ({ events }: StreamWrite): number => {
  const type = events.at(-1)?.type;
  return type === 'ValueClaimed' ? 0 : type === 'ValueReleased' ? 2 : 1;
};

/** By what they say, as JSON carries it. */
const sayTheSame = (one: EventToAppend, other: EventToAppend): boolean =>
  one.type === other.type && isDeepStrictEqual(JSON.parse(JSON.stringify(one.data)), other.data);

export const decisionSession = (
  cache: StreamCache,
  command: {
    readonly licenceId: string;
    readonly commandKey: string;
    readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
  },
  fresh: boolean,
  /** By stream: these are decided on as they were before it, and are not written again where the decision comes out equal. */
  alreadyWritten: ReadonlyMap<string, AlreadyWritten> = none,
): { readonly session: DecisionSession; readonly prepare: () => Promise<PreparedAppend> } => {
  const touched = new Map<string, Touched>();

  /** What was emitted, in order, with the state of its stream before. */
  const journal: {
    readonly entry: Touched;
    readonly count: number;
    readonly before: Pick<Touched, 'current' | 'folded'>;
  }[] = [];

  const recorded = ({ event, because }: Touched['emitted'][number], stream: string, revision: number) => ({
    id: '',
    type: event.type,
    data: event.data as JsonObject,
    metadata: { ...command.metadata, ...because, schemaVersion: catalogEntry(event.type)?.version ?? 1 },
    stream,
    revision,
    position: 0,
  });

  const session: DecisionSession = {
    at: command.metadata.at,
    codes: cache.codes,

    load: (entity, id) => session.loadStream(entity, streamOf(entity.category, command.licenceId, id)),

    async loadStream<State, Event extends DomainEvent>(entity: Entity<State, Event>, stream: string) {
      let entry = touched.get(stream);
      if (entry === undefined) {
        const before = alreadyWritten.get(stream)?.before;
        const loaded =
          before === undefined ? await cache.load(entity, stream, fresh) : foldStream<State, Event>(entity, before);
        entry = { loaded, emitted: [], current: loaded, folded: 0 };
        touched.set(stream, entry);
      }
      let current = entry.current as Loaded<State>;
      for (const one of entry.emitted.slice(entry.folded))
        current = foldRecorded(entity, current, recorded(one, stream, current.revision + 1));
      entry.current = current;
      entry.folded = entry.emitted.length;
      return current;
    },

    emit: (entity, id, events, because) =>
      session.emitTo(entity, streamOf(entity.category, command.licenceId, id), events, because),

    emittedTo(stream) {
      const entry = touched.get(stream);
      if (entry === undefined) return [];
      return entry.emitted.map((one, index) => recorded(one, stream, entry.loaded.revision + 1 + index));
    },

    settle: (stream) => cache.settle(stream),

    async attempt(decide) {
      const start = journal.length;
      const problem = await decide();
      if (problem === null) return null;
      for (const { entry, count, before } of journal.splice(start).toReversed()) {
        entry.emitted.length -= count;
        entry.current = before.current;
        entry.folded = before.folded;
      }
      return problem;
    },

    emitTo(_entity, stream, events, because = {}) {
      const entry = touched.get(stream);
      if (entry === undefined) throw new Error(`${stream} was not loaded before events were emitted to it`);
      journal.push({ entry, count: events.length, before: { current: entry.current, folded: entry.folded } });
      for (const event of events) entry.emitted.push({ event, because });
      // Moved to the end at its first events: what came to be first also stands first in the log.
      if (entry.emitted.length === events.length && events.length > 0) {
        touched.delete(stream);
        touched.set(stream, entry);
      }
    },
  };

  const prepare = async (): Promise<PreparedAppend> => {
    const yieldIfDue = createYielder();
    const writes: StreamWrite[] = [];
    const unchanged: Unchanged[] = [];
    let diverged = [...alreadyWritten.keys()].some((stream) => (touched.get(stream)?.emitted.length ?? 0) === 0);
    for (const [stream, { loaded, emitted }] of touched) {
      const revision = loaded.revision === -1 ? 'no_stream' : loaded.revision;
      const written = alreadyWritten.get(stream);
      const more = emitted.length - (written?.events.length ?? 0);
      if (more < 0 || (more > 0 && written?.last === false)) diverged = true;
      const events = emitted.map((one, index): EventToAppend => {
        const there = written?.events[index];
        if (there !== undefined) {
          if (!sayTheSame(recorded(one, stream, 0), there)) diverged = true;
          return { id: there.id, type: there.type, data: there.data, metadata: there.metadata };
        }
        // As it is kept: from its id nobody guesses a short code.
        const { type, data, metadata } = hideCodes(cache.codes, recorded(one, stream, 0));
        const place = loaded.revision + 1 + index;
        const id = eventIdOf(command.commandKey, stream, place, { type, data, at: metadata.at });
        return { id, type, data, metadata };
      });
      const [first, ...rest] = events;
      if (first === undefined) unchanged.push({ stream, revision });
      else writes.push({ stream, expectedRevision: revision, events: [first, ...rest] });
      await yieldIfDue();
    }
    return { writes: writes.toSorted((a, b) => rank(a) - rank(b)), unchanged, diverged };
  };

  return { session, prepare };
};
