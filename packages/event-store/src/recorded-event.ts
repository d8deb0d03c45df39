/** `<category>-<licenceId>~<id>`; category and id hold no further `-` before the `~`. Licence ids begin with two hex digits. */
export type StreamName = string;

/** Place of an event in its stream; the first is 0. */
export type Revision = number;

/** Place of an event in the whole log: an integer from 1 to 2^53−1, strictly rising, equal for append, read and subscription. */
export type Position = number;

export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

/** Who did it, through which door, and when by the command side's clock. */
export interface EventMetadata {
  readonly licenceId: string;
  /** The person, the key that acts for the owner, `admin` for the platform admin, or `system` for a process. */
  readonly actorId: string;
  /** What the key was called; absent = no key did it. */
  readonly keyName?: string | undefined;
  readonly source: 'screen' | 'phone' | 'paste' | 'undo' | 'import' | 'api' | 'system';
  /** UUID of the command that caused the event; unique per actor. */
  readonly commandId: string;
  /** Which part of the command, where it is written part by part; absent = at once. Each part has a command key of its own. */
  readonly part?: string | undefined;
  /** Hex SHA-256 of method, path and body, keyed by the command side, so that a reused key with another request is seen. */
  readonly requestHash: string;
  /** Id of the event that a process reacted to, or that a compensating event undoes. */
  readonly causedBy?: string | undefined;
  /** Why it was undone, in the words of the person who did. */
  readonly reason?: string | undefined;
  /** UTC instant, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly schemaVersion: number;
}

export interface EventToAppend {
  /** UUID. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

export interface RecordedEvent extends EventToAppend {
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: Position;
  /** UTC instant given by the store, ISO 8601; non-decreasing in log order. */
  readonly recordedAt: string;
  /** Its position in the log that it was moved from, which is what its seal attests; absent = it was written to this one. */
  readonly movedFrom?: Position;
}

/** As an append answers it: the store's instant is told only by reads and subscriptions. */
export type AppendedEvent = Omit<RecordedEvent, 'recordedAt'>;

/** The two hex digits that partition the log: what follows the first `-` of a stream name. */
export const partitionOf = (stream: StreamName): string => {
  const dash = stream.indexOf('-');
  return stream.slice(dash + 1, dash + 3);
};
