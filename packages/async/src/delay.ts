import { setTimeout as timeout } from 'node:timers/promises';

/** Waits so many milliseconds. Resolves early, and does not reject, when the signal is aborted: whoever waits looks at it. */
export type Delay = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const delayWith =
  (ref: boolean): Delay =>
  async (milliseconds, signal) => {
    try {
      await timeout(milliseconds, undefined, { signal, ref });
    } catch {
      // Only the signal ends it early.
    }
  };

export const delay: Delay = delayWith(true);

/** As `delay`, and keeps no process running. */
export const unrefDelay: Delay = delayWith(false);
