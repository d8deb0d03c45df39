import { breather } from '@zakup/turns/breather';

/** Work that would fill the processor, one piece at a time in the order of asking, so that ten at once hold the loop no longer than one. */
export interface Turns {
  /** `breathe` is to be awaited between the steps of the piece. */
  run<Result>(work: (breathe: () => Promise<void>) => Promise<Result>): Promise<Result>;
}

/** A queue of its own. */
export const turns = (): Turns => {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(work) {
      const result = last.then(() => work(breather()));
      last = result.catch(() => undefined);
      return result;
    },
  };
};
