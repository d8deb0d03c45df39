import type { EventEmitter } from 'node:events';

/** Aborts at the first signal to stop; at the second the process ends at once. */
export const stopOnSignals = (process: EventEmitter, exit: (code: number) => void): AbortSignal => {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) exit(1);
      stop.abort();
    });
  }
  return stop.signal;
};
