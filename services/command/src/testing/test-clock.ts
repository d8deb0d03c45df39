/** A clock that only the test moves, and whoever sleeps by it. */
export const testClock = (start: string) => {
  let now = Date.parse(start);
  /** Sleep is not measured by the clock on the wall. */
  let elapsed = 0;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  let watchers: readonly (() => void)[] = [];

  return {
    now: (): number => now,

    wait: (milliseconds: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted) {
          resolve();
          return;
        }
        const sleeper = {
          until: elapsed + milliseconds,
          wake: () => {
            sleepers.delete(sleeper);
            signal.removeEventListener('abort', sleeper.wake);
            resolve();
          },
        };
        signal.addEventListener('abort', sleeper.wake);
        sleepers.add(sleeper);
        const waiting = watchers;
        watchers = [];
        for (const look of waiting) look();
      }),

    /** Time goes by. */
    advance(milliseconds: number): void {
      now += milliseconds;
      elapsed += milliseconds;
      for (const { until, wake } of sleepers) if (until <= elapsed) wake();
    },

    /** Somebody sets the clock on the wall; nobody who sleeps hears of it. */
    set(instant: number): void {
      now = instant;
    },

    /** Resolves when so many sleep. */
    async asleep(count = 1): Promise<void> {
      while (sleepers.size < count) {
        await new Promise<void>((resolve) => {
          watchers = [...watchers, resolve];
        });
      }
    },
  };
};

export type TestClock = ReturnType<typeof testClock>;
