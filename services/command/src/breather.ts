import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which a long decision may hold the loop at a stretch. */
const stretch = 10;

/** To be awaited between the steps of long work: lets others have their turn when a stretch is over. */
export const breather = (): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < stretch) return;
    await turn();
    since = performance.now();
  };
};
