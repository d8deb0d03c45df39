import type { EventStore } from './event-store.ts';

/** Milliseconds that recorded times may be ahead of a clock that only goes forward. */
export const clockLeeway = 5_000;

export interface SteadyClockOptions {
  /** Milliseconds since 1970 (UTC). */
  readonly wall?: () => number;
  /** Milliseconds that only go forward, whatever is done to the clock. */
  readonly monotonic?: () => number;
  /** The clock was found further ahead than it may be; told again once it was right meanwhile. */
  readonly onAhead?: (milliseconds: number) => void;
  /** It is no longer. */
  readonly onRight?: () => void;
}

/**
 * The clock as it may date events: never more than five seconds ahead of where it was at the start and what has passed since. One that was set
 * forward would date everything that follows ahead, since the log's instants never go back. Nor does this one: what it has passed is over, and
 * nothing more is dated there.
 */
export const steadyClock = ({
  wall = Date.now,
  monotonic = () => performance.now(),
  onAhead,
  onRight,
}: SteadyClockOptions = {}): (() => number) => {
  const since = wall() - monotonic();
  let isAhead = false;
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = wall();
    const most = Math.floor(since + monotonic() + clockLeeway);
    if (now > most && !isAhead) onAhead?.(now - most + clockLeeway);
    if (now <= most && isAhead) onRight?.();
    isAhead = now > most;
    last = Math.max(last, Math.min(now, most));
    return last;
  };
};

/**
 * Milliseconds that the last event of an embedded log is dated ahead of the clock; 0 = it is not. Then either the clock is wrong now, or it
 * was when that was recorded, and what follows is dated as that event until the clock has come so far.
 */
export const datedAhead = async (eventStore: Pick<EventStore, 'head' | 'subscribe'>, now: number): Promise<number> => {
  const head = await eventStore.head();
  if (head === 0) return 0;
  const stop = new AbortController();
  try {
    for await (const message of eventStore.subscribe({ after: head - 1, signal: stop.signal, maxBatch: 1 })) {
      if (message.kind === 'events') return Math.max(0, Date.parse(message.events[0].recordedAt) - now);
      // What was appended just now may not have been given to followers yet.
      if (message.position >= head) return 0;
    }
    return 0;
  } finally {
    stop.abort();
  }
};
