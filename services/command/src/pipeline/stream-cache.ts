import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { decodeEvent } from '@zakup/domain/catalog';
import { advance, type DomainEvent, type Entity, type Folded, nothing } from '@zakup/domain/decider';
import { entityOfStream } from '@zakup/domain/entities';
import type { CodeCipher } from '@zakup/credentials/code-cipher';
import type { AppendedEvent, Revision } from '@zakup/event-store/event-store';
import type { CommandLog } from './hidden-codes.ts';

/** A folded stream with the position of its last event, 0 when it has none. */
export interface Loaded<State> extends Folded<State> {
  readonly position: number;
}

/** A stream without events. */
export const absent: Loaded<never> = { ...nothing, position: 0 };

/** What the streams of entities and reservations are called. An id from a path or a body that makes another name is nobody's. */
const streamName = /^[a-z]+-[a-zA-Z0-9]{1,64}~[a-zA-Z0-9][\w-]{0,63}$/u;

export interface StreamCache {
  /** Of the log. */
  readonly codes: CodeCipher;
  /**
   * The stream's state. Remembered ones may be old unless `fresh`: whoever appends on them names their revisions as preconditions,
   * so that an old state can cost a second attempt but never a wrong decision. A name that no stream can have is absent, unread.
   */
  load<State, Event extends DomainEvent>(
    entity: Entity<State, Event>,
    stream: string,
    fresh: boolean,
  ): Promise<Loaded<State>>;
  /** Carries remembered streams forward by events just appended. */
  remember(events: readonly AppendedEvent[]): void;
  /** An append was refused because the stream ends there. What the next fresh load does not see up to there is no event of this product. */
  endsAt(stream: string, revision: Revision | 'no_stream'): void;
  /**
   * Brings the command that wrote the stream's last event to its end, should its process have ended half way: what it has left to write
   * then comes before what is decided now, never after.
   */
  settle(stream: string): Promise<void>;
}

/** Folds one recorded event, brought to its type's latest version; strangers' events may lie before it. Throws for one that the catalog does not know. */
export const foldRecorded = <State, Event extends DomainEvent>(
  entity: Entity<State, Event>,
  before: Loaded<State>,
  { type, data, metadata, stream, revision, position }: AppendedEvent,
): Loaded<State> => {
  const decoded = decodeEvent({ type, schemaVersion: metadata.schemaVersion, data });
  if (decoded.kind !== 'event') throw new Error(`${stream}@${revision}: ${type} cannot be folded (${decoded.kind})`);
  const recorded = { at: metadata.at, actorId: metadata.actorId };
  const at = { ...before, revision: revision - 1 };
  return { ...advance(entity, at, decoded.event as unknown as Event, recorded), position };
};

/** Folds events of one stream from its beginning. */
export const foldStream = <State, Event extends DomainEvent>(
  entity: Entity<State, Event>,
  events: readonly AppendedEvent[],
): Loaded<State> => events.reduce<Loaded<State>>((state, event) => foldRecorded(entity, state, event), absent);

/**
 * Streams as they stood just before a position, whatever came since; those of a command's `own` events just before the first of these,
 * which others may have come before. Nothing is remembered.
 */
export const streamsBefore = (
  eventStore: CommandLog,
  position: number,
  own: readonly AppendedEvent[] = [],
): StreamCache => ({
  codes: eventStore.codes,

  async load(entity, stream) {
    if (!streamName.test(stream)) return absent;
    const events = await eventStore.read(stream);
    const end = own.find((event) => event.stream === stream)?.position ?? position;
    return foldStream(
      entity,
      events.filter((event) => event.position < end),
    );
  },
  remember() {},
  endsAt() {},
  async settle() {},
});

/** Folded streams of this process, the least recently used dropped beyond `capacity`. */
export const streamCache = (eventStore: CommandLog, capacity = 50_000): StreamCache => {
  const remembered = new Map<string, Loaded<unknown>>();
  /** Where streams were said to end, until they are loaded again. */
  const ends = new Map<string, Revision>();

  const keep = (stream: string, loaded: Loaded<unknown>): void => {
    remembered.delete(stream);
    remembered.set(stream, loaded);
    if (remembered.size > capacity) {
      const oldest = remembered.keys().next();
      if (!oldest.done) remembered.delete(oldest.value);
    }
  };

  return {
    codes: eventStore.codes,

    async load<State, Event extends DomainEvent>(entity: Entity<State, Event>, stream: string, fresh: boolean) {
      if (!streamName.test(stream)) return absent;
      const known = remembered.get(stream) as Loaded<State> | undefined;
      if (known !== undefined && !fresh) return known;
      let loaded: Loaded<State> = known ?? absent;
      for (const event of await eventStore.read(stream, { from: loaded.revision + 1 }))
        loaded = foldRecorded(entity, loaded, event);
      const end = ends.get(stream) ?? -1;
      ends.delete(stream);
      if (end > loaded.revision) loaded = { ...loaded, revision: end };
      keep(stream, loaded);
      return loaded;
    },

    endsAt(stream, revision) {
      if (revision !== 'no_stream') ends.set(stream, revision);
    },

    async settle(stream) {
      if (eventStore.atomicAcrossStreams) return;
      const [last] = await eventStore.read(stream, { direction: 'backwards', limit: 1 });
      if (last === undefined) return;
      const { actorId, commandId, part } = last.metadata;
      await eventStore.readCommand(commandKeyOf(actorId, commandId, part));
    },

    remember(events) {
      for (const event of events) {
        const entity = entityOfStream(event.stream);
        const before = remembered.get(event.stream) ?? (event.revision === 0 ? absent : undefined);
        if (entity !== null && before !== undefined && before.revision + 1 === event.revision)
          keep(event.stream, foldRecorded(entity, before, event));
      }
    },
  };
};
