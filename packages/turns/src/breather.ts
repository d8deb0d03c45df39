import { setImmediate as nextTurn } from 'node:timers/promises';

/** Milliseconds for which work may hold the loop at a stretch. */
const stretch = 8;

/** Since when no work of the process has let others have their turn; of one clock, as many short works after one another hold the loop like a long one. */
let since = performance.now();

/** Whoever waits for a turn, in the order of asking: one goes on in each turn of the loop, as many at once would hold it one after another. */
let queue: Promise<unknown> = Promise.resolve();

/** To be awaited between the steps of long work: lets others have their turn when a stretch is over. */
export const breather = (): (() => Promise<void>) => async () => {
  if (performance.now() - since < stretch) return;
  const mine = queue.then(() => nextTurn());
  queue = mine;
  await mine;
  since = performance.now();
};
