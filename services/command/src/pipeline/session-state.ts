import { catalogEntry } from '@zakup/domain/catalog';
import type { DomainEvent } from '@zakup/domain/decider';
import type { AppendedEvent, EventMetadata, JsonObject, RecordedEvent } from '@zakup/event-store/event-store';
import type { Loaded, StreamCache } from './stream-cache.ts';

/** The command that is decided. */
export interface SessionCommand {
  readonly licenceId: string;
  readonly commandKey: string;
  readonly metadata: Omit<EventMetadata, 'schemaVersion'>;
}

/** What an event tells of its cause. */
export type Because = Pick<EventMetadata, 'causedBy' | 'reason'>;

/** What of the command stands in one stream already. */
export interface AlreadyWritten {
  /** Everything in the stream before it. */
  readonly before: readonly RecordedEvent[];
  readonly events: readonly RecordedEvent[];
  /** Whether nothing came after it. */
  readonly last: boolean;
}

export interface Emitted {
  readonly event: DomainEvent;
  readonly because: Because;
}

/** A stream that the session has loaded. */
export interface TouchedStream {
  /** As loaded, before anything emitted here. */
  readonly loaded: Loaded<unknown>;
  readonly emitted: Emitted[];
  /** With the first `folded` of the emitted ones. */
  current: Loaded<unknown>;
  folded: number;
}

/** Events that were emitted together, with the state of their stream before. */
export interface Emission {
  readonly touched: TouchedStream;
  readonly count: number;
  readonly before: Pick<TouchedStream, 'current' | 'folded'>;
}

/** What one attempt at a decision has loaded and emitted so far. */
export interface SessionState {
  readonly command: SessionCommand;
  readonly cache: StreamCache;
  /** By stream: these are decided on as they were before it, and are not written again where the decision comes out equal. */
  readonly alreadyWritten: ReadonlyMap<string, AlreadyWritten>;
  /** By stream, those with events behind all others in the order of their first ones. */
  readonly touched: Map<string, TouchedStream>;
  /** In order. */
  readonly emissions: Emission[];
}

/** An emitted event as it would stand in the log, before it has an id and a position. */
export const recordedAt = (
  { metadata }: SessionCommand,
  { event, because }: Emitted,
  stream: string,
  revision: number,
): AppendedEvent => ({
  id: '',
  type: event.type,
  data: event.data as JsonObject,
  metadata: { ...metadata, ...because, schemaVersion: catalogEntry(event.type)?.version ?? 1 },
  stream,
  revision,
  position: 0,
});
