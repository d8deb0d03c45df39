/** Milliseconds that recorded times may be ahead of a clock that only goes forward. */
export const clockLeeway = 5_000;

export interface SteadyClockOptions {
  /** Milliseconds since 1970 (UTC). */
  readonly wall?: () => number;
  /** Milliseconds that only go forward, whatever is done to the clock. */
  readonly monotonic?: () => number;
  /** The clock was found further ahead than it may be; told again once it was right meanwhile. */
  readonly onAhead?: (milliseconds: number) => void;
}

/**
 * The clock as it may date events: never more than five seconds ahead of where it was at the start and what has passed since. One that was set
 * forward would date everything that follows ahead, since the log's instants never go back.
 */
export const steadyClock = ({
  wall = Date.now,
  monotonic = () => performance.now(),
  onAhead,
}: SteadyClockOptions = {}): (() => number) => {
  const since = wall() - monotonic();
  let isAhead = false;
  return () => {
    const now = wall();
    const most = Math.floor(since + monotonic() + clockLeeway);
    if (now <= most) {
      isAhead = false;
      return now;
    }
    if (!isAhead) onAhead?.(now - most + clockLeeway);
    isAhead = true;
    return most;
  };
};
