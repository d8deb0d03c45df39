import { createYielder } from '@zakup/async/yielder';

/** Work that would fill the processor, one piece at a time in the order of asking, so that ten at once hold the loop no longer than one. */
export interface Turns {
  /** `yieldIfDue` is to be awaited between the steps of the piece. */
  run<Result>(work: (yieldIfDue: () => Promise<void>) => Promise<Result>): Promise<Result>;
}

/** A queue of its own. */
export const turns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(() => work(createYielder()));
      last = result.catch(() => undefined);
      return result;
    },
  };
};
