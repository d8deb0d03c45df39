import { catalogEntry } from '@zakup/domain/catalog';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import type { EventMetadata, EventToAppend, JsonObject, StreamWrite, Unchanged } from '@zakup/event-store/event-store';
import { derivedEventId, streamOf } from './ids.ts';
import { foldRecorded, type Loaded, type StreamCache } from './stream-cache.ts';

/**
 * One attempt at a decision. Every stream it loads becomes a precondition of the append, every stream it emits to a write at the
 * revision it was loaded at: what is decided is decided on one consistent picture, or not at all.
 */
export interface DecisionSession {
  /** The entity of the acting person's licence with this id, including what this session has emitted to it. */
  load<State, Event extends DomainEvent>(entity: Entity<State, Event>, id: string): Promise<Loaded<State>>;
  /** The same for a stream named in full, such as a reservation. */
  loadStream<State, Event extends DomainEvent>(entity: Entity<State, Event>, stream: string): Promise<Loaded<State>>;
  /** Adds events to what will be appended. The stream must have been loaded before. */
  emit<State, Event extends DomainEvent>(entity: Entity<State, Event>, id: string, events: readonly Event[]): void;
  emitTo<State, Event extends DomainEvent>(
    entity: Entity<State, Event>,
    stream: string,
    events: readonly Event[],
  ): void;
}

interface Touched {
  /** As loaded, before anything emitted here. */
  readonly loaded: Loaded<unknown>;
  readonly emitted: DomainEvent[];
}

export interface PreparedAppend {
  readonly writes: readonly StreamWrite[];
  readonly unchanged: readonly Unchanged[];
}

export const decisionSession = (
  cache: StreamCache,
  command: {
    readonly licenceId: string;
    readonly commandKey: string;
    readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
  },
  fresh: boolean,
): { readonly session: DecisionSession; readonly prepare: () => PreparedAppend } => {
  const touched = new Map<string, Touched>();
  let emittedCount = 0;

  const recorded = (event: DomainEvent, stream: string, revision: number) => ({
    id: derivedEventId(command.commandKey, emittedCount),
    type: event.type,
    data: event.data as JsonObject,
    metadata: { ...command.metadata, schemaVersion: catalogEntry(event.type)?.version ?? 1 },
    stream,
    revision,
    position: 0,
  });

  const session: DecisionSession = {
    load: (entity, id) => session.loadStream(entity, streamOf(entity.category, command.licenceId, id)),

    async loadStream<State, Event extends DomainEvent>(entity: Entity<State, Event>, stream: string) {
      let entry = touched.get(stream);
      if (entry === undefined) {
        entry = {
          loaded: await cache.load(entity, stream, fresh),
          emitted: [],
        };
        touched.set(stream, entry);
      }
      let current = entry.loaded as Loaded<State>;
      for (const event of entry.emitted)
        current = foldRecorded(entity, current, recorded(event, stream, current.revision + 1));
      return current;
    },

    emit: (entity, id, events) => session.emitTo(entity, streamOf(entity.category, command.licenceId, id), events),

    emitTo(_entity, stream, events) {
      const entry = touched.get(stream);
      if (entry === undefined) throw new Error(`${stream} was not loaded before events were emitted to it`);
      entry.emitted.push(...events);
      // Moved to the end at its first events: what came to be first also stands first in the log.
      if (entry.emitted.length === events.length && events.length > 0) {
        touched.delete(stream);
        touched.set(stream, entry);
      }
    },
  };

  const prepare = (): PreparedAppend => {
    const writes: StreamWrite[] = [];
    const unchanged: Unchanged[] = [];
    for (const [stream, { loaded, emitted }] of touched) {
      const revision = loaded.revision === -1 ? 'no_stream' : loaded.revision;
      const events = emitted.map((event): EventToAppend => {
        const { id, type, data, metadata } = recorded(event, stream, 0);
        emittedCount += 1;
        return { id, type, data, metadata };
      });
      const [first, ...rest] = events;
      if (first === undefined) unchanged.push({ stream, revision });
      else writes.push({ stream, expectedRevision: revision, events: [first, ...rest] });
    }
    return { writes, unchanged };
  };

  return { session, prepare };
};
