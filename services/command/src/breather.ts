import { setImmediate as turn } from 'node:timers/promises';

/** Milliseconds for which a long decision may hold the loop at a stretch. */
const stretch = 10;

/** Since when no decision of the process has let others have their turn: many short ones after one another hold the loop like a long one. */
let since = performance.now();

/** To be awaited between the steps of long work: lets others have their turn when a stretch is over. */
export const breather = (): (() => Promise<void>) => async () => {
  if (performance.now() - since < stretch) return;
  await turn();
  since = performance.now();
};
