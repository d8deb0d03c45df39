import type { Position, RecordedEvent } from './recorded-event.ts';

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
