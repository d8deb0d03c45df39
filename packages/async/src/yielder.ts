/** Milliseconds for which work may hold the loop at a stretch: whatever else is asked needs several turns of the loop, and each is so long. */
const stretch = 2;
/** Of those who wait for the first time, so many go before one who has waited already. */
const firstInARow = 4;

/** Since when no work of the process has let others have their turn; of one clock, as many short works after one another hold the loop like a long one. */
let since = performance.now();

/**
 * Whoever waits for a turn, in the order of asking: one goes on in each turn of the loop, as many at once would hold it one after another.
 * What is short waits once at most, so those who wait for the first time go before those who have waited already.
 */
const waiting: Readonly<Record<'first' | 'again', (() => void)[]>> = { first: [], again: [] };
let inARow = 0;
let isTurning = false;

const next = (): (() => void) | undefined => {
  const { first, again } = waiting;
  if (first.length > 0 && (again.length === 0 || inARow < firstInARow)) {
    inARow += 1;
    return first.shift();
  }
  inARow = 0;
  return again.shift();
};

const turn = (): void => {
  const goOn = next();
  isTurning = goOn !== undefined;
  if (goOn === undefined) return;
  since = performance.now();
  goOn();
  setImmediate(turn);
};

const nothingDue = Promise.resolve();

export type YieldIfDue = () => Promise<void>;

/**
 * To be awaited between the steps of long work: lets others have their turn when a stretch is over. `long`: known to be so, and never to go
 * before what waits for the first time; else many a createYielder of one long work would.
 */
export const createYielder = ({ long = false }: { readonly long?: boolean } = {}): YieldIfDue => {
  let waited = long;
  return () => {
    if (performance.now() - since < stretch) return nothingDue;
    const queue = waited ? waiting.again : waiting.first;
    waited = true;
    return new Promise<void>((resolve) => {
      queue.push(resolve);
      if (isTurning) return;
      isTurning = true;
      setImmediate(turn);
    });
  };
};
