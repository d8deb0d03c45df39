import type { AppendedEvent, EventToAppend, Position, Revision, StreamName } from './recorded-event.ts';

/** `no_stream`: the stream must not exist; `any`: no check; a number: the revision of its last event. */
export type ExpectedRevision = Revision | 'no_stream' | 'any';

export interface StreamWrite {
  readonly stream: StreamName;
  readonly expectedRevision: ExpectedRevision;
  /** At least one event. A stream appears at most once among the writes of an append. */
  readonly events: readonly [EventToAppend, ...EventToAppend[]];
}

/** The stream must still be at this revision (`no_stream`: still absent) when the writes are made. */
export interface Unchanged {
  readonly stream: StreamName;
  readonly revision: Revision | 'no_stream';
}

export interface AppendOptions {
  readonly unchanged?: readonly Unchanged[];
  /** At most one append succeeds per key, for ever; `readCommand` finds its events. */
  readonly commandKey?: string;
  /** With a key: token of the partial writes of the command that the caller knows of. */
  readonly planToken?: number;
}

export type AppendResult =
  | {
      readonly kind: 'appended';
      /** Position of the last event written. */
      readonly position: Position;
      /** Last revision of each write's stream, in the order of the writes. */
      readonly revisions: readonly Revision[];
      /** The events as they stand in the log, in log order. */
      readonly events: readonly AppendedEvent[];
    }
  | { readonly kind: 'wrong_revision'; readonly stream: StreamName; readonly actual: Revision | 'no_stream' }
  | { readonly kind: 'changed'; readonly stream: StreamName; readonly actual: Revision | 'no_stream' }
  | { readonly kind: 'command_known'; readonly commandKey: string }
  /** The command has partial writes that the caller's `planToken` does not know; nothing was written. */
  | { readonly kind: 'command_partial'; readonly commandKey: string };
