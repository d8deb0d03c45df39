/** Milliseconds after which a paint is not waited for any more: a page that was left meanwhile has none. */
export const longestFrame = 100;

/** So many milliseconds at least lie between two turns: nobody reads more changes of others, and each costs a paint. */
export const apart = 100;

/** Runs it once before the next paint, and soon where there is none. */
const beforePaint = (run: () => void): void => {
  const once = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    run();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, longestFrame);
};

/**
 * Turns before paints: the first one that is asked for comes before the next paint, and later ones, while many are asked for, ten times a second.
 * Who asked waits for the turn before asking again. In a page that nobody sees each turn is at once.
 */
export const paintTurns = (): ((run: () => void) => void) => {
  let isResting = false;
  let next: (() => void) | null = null;
  const take = (run: () => void): void =>
    beforePaint(() => {
      isResting = true;
      setTimeout(rested, apart);
      run();
    });
  const rested = (): void => {
    const run = next;
    [isResting, next] = [false, null];
    if (run !== null) take(run);
  };
  return (run) => {
    // Nothing is painted, and timers of such a page may come a minute late.
    if (document.hidden) run();
    else if (isResting) next = run;
    else take(run);
  };
};
