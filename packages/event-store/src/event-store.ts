/**
 * The EventStore port: one append-only log of events, read by stream, by licence or as a whole.
 * Words are KurrentDB's. A wrong expected revision is a value; a missing or broken store is an exception.
 */
import type { AppendOptions, AppendResult, StreamWrite } from './append.ts';
import type { Unfinished } from './eventstoredb/unfinished.ts';
import type { Position, RecordedEvent, Revision, StreamName } from './recorded-event.ts';
import type { SubscribeOptions, SubscriptionMessage } from './subscription.ts';

export type * from './append.ts';
export * from './errors.ts';
export * from './recorded-event.ts';
export type * from './subscription.ts';

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

export interface ReadOptions {
  /** First revision to read, inclusive. Forwards default 0, backwards default the last. */
  readonly from?: Revision;
  /** Last revision to read, inclusive. */
  readonly to?: Revision;
  readonly direction?: 'forwards' | 'backwards';
  readonly limit?: number;
}
