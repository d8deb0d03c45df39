/**
 * The EventStore port: one append-only log of events, read by stream, by licence or as a whole.
 * Words are KurrentDB's. A wrong expected revision is a value; a missing or broken store is an exception.
 */

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
  /** The person, `admin` for the platform admin, or `system` for a process. */
  readonly actorId: string;
  readonly source: 'screen' | 'phone' | 'paste' | 'undo' | 'import' | 'api' | 'system';
  /** UUID of the command that caused the event; unique per actor. */
  readonly commandId: string;
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
}

/** As an append answers it: the store's instant is told only by reads and subscriptions. */
export type AppendedEvent = Omit<RecordedEvent, 'recordedAt'>;

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

/** What a command has in the log although it was never fulfilled: a race was lost between two of its streams. */
export interface PartialCommand {
  /** Events that stand, in log order. */
  readonly events: readonly RecordedEvent[];
  /** Events of attempts that were abandoned, in log order: to be taken back by compensating events, and never the command's again. */
  readonly abandoned: readonly RecordedEvent[];
  /** Another one after each further attempt at the command. */
  readonly planToken: number;
}

/**
 * Of a store that is not atomic across streams. What a command has written already stands: its streams are decided on as they were just
 * before its own events. A write whose very events stand at its place is made already and not made again, whatever came after them; so
 * the next append holds them too. When they are not wanted any more, the command is abandoned first, then they are taken back.
 */
export interface Unfinished {
  /** The partial writes of the command; null when its key was never used. For one that is fulfilled, what `readCommand` gives. */
  findPartial(commandKey: string): Promise<PartialCommand | null>;
  /** Nothing that stands will be the command's any more. False when somebody has gone on with the command since `planToken`. */
  abandon(commandKey: string, planToken: number): Promise<boolean>;
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

export interface ReadOptions {
  /** First revision to read, inclusive. Forwards default 0, backwards default the last. */
  readonly from?: Revision;
  /** Last revision to read, inclusive. */
  readonly to?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}

export interface SubscribeOptions {
  /** Exclusive; 0 = from the beginning. */
  readonly after: Position;
  /** Two-hex-digit prefixes of what follows the `-` in stream names; absent = all. */
  readonly partitions?: readonly string[];
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
  /** Most events in one batch; default 500. */
  readonly maxBatch?: number;
}

/**
 * `events`: one or more, in log order, without gap or double within the wanted partitions; all events of one append arrive in one
 * batch unless it alone exceeds `maxBatch`. `caught_up`: everything up to `position` was delivered. It is said once after history, which
 * is what followers had been given when the subscription began, however fast the log goes on growing meanwhile; and again whenever the
 * subscription falls behind and comes to where the log ended then. Behind is who lacks more than one batch. What came on the way is
 * caught up with first, as long as each such way is at most half as long as the one before.
 */
export type SubscriptionMessage =
  | { readonly kind: 'events'; readonly events: readonly [RecordedEvent, ...RecordedEvent[]] }
  | { readonly kind: 'caught_up'; readonly position: Position };

export interface EventStore {
  /** Whether several writes of one append are all or none. */
  readonly atomicAcrossStreams: boolean;
  /** There when they are not. */
  readonly unfinished?: Unfinished;
  /**
   * Durable before it resolves. Refused appends leave nothing behind, except that a store that is not atomic across streams may keep
   * some writes of one that lost a race: `unfinished` tells of them. Throws `EventStoreUnavailable` when the store cannot say that it was written.
   */
  append(writes: readonly [StreamWrite, ...StreamWrite[]], options?: AppendOptions): Promise<AppendResult>;
  /** Events of one stream; an absent stream has none. Throws `CorruptEvent` when a stored checksum does not fit. */
  read(stream: StreamName, options?: ReadOptions): Promise<readonly RecordedEvent[]>;
  /** Revision of the stream's last event, or `no_stream`. */
  revision(stream: StreamName): Promise<Revision | 'no_stream'>;
  /** Events of one licence in log order, `after` exclusive, `to` inclusive. */
  readLicence(
    licenceId: string,
    range?: { after?: Position; to?: Position; limit?: number },
  ): Promise<readonly RecordedEvent[]>;
  /** Events appended under a command key, in log order; none when it is unknown. What a crash left half done is first brought to its end. */
  readCommand(commandKey: string): Promise<readonly RecordedEvent[]>;
  /**
   * Position of the last event that a follower of everything is given; 0 when there is none. It may have to be looked for. An aborted
   * signal ends waiting for it, with an error.
   */
  head(signal?: AbortSignal): Promise<Position>;
  /** History, then live. Several at once are independent of each other. */
  subscribe(options: SubscribeOptions): AsyncIterable<SubscriptionMessage>;
  /** Ends subscriptions, finishes what was accepted, frees the files or connections. */
  close(): Promise<void>;
}

/**
 * The store cannot be reached or written; nothing of the call was acknowledged. An embedded store has kept nothing of it; behind a network
 * it may have been carried out, which a repeat under the same command key finds.
 */
export class EventStoreUnavailable extends Error {
  override readonly name = 'EventStoreUnavailable';
}

/** A stored event's checksum does not fit its content. */
export class CorruptEvent extends Error {
  override readonly name = 'CorruptEvent';
  readonly where: string;
  readonly position: Position;
  constructor(where: string, position: Position) {
    super(`Event at position ${position} in ${where} does not match its checksum`);
    this.where = where;
    this.position = position;
  }
}

/** The log ends before a position that is known to have been reached. */
export class LogBehind extends Error {
  override readonly name = 'LogBehind';
  readonly where: string;
  readonly head: Position;
  readonly knownBound: Position;
  /** Who knows the position. */
  readonly boundSource: string;
  constructor(where: string, head: Position, knownBound: Position, boundSource: string) {
    super(`${where} ends at position ${head}, but ${boundSource} has seen ${knownBound}`);
    this.where = where;
    this.head = head;
    this.knownBound = knownBound;
    this.boundSource = boundSource;
  }
}

/** The two hex digits that partition the log: what follows the first `-` of a stream name. */
export const partitionOf = (stream: StreamName): string => {
  const dash = stream.indexOf('-');
  return stream.slice(dash + 1, dash + 3);
};
