import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which hashing holds the thread before others get their turn. */
const stretch = 8;

/** To be awaited between the parts of long work: gives others their turn, but only once a stretch is over. */
export const breather = (): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < stretch) return;
    await turn();
    since = performance.now();
  };
};
