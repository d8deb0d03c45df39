/** Lets transactions on one connection run one after another, and reads of others only between them. */
export const serialQueue = () => {
  let unfinished = 0;
  let last: Promise<unknown> = Promise.resolve();

  const run = <Result>(work: () => Promise<Result>): Promise<Result> => {
    unfinished += 1;
    const mine = (unfinished === 1 ? work() : last.then(work)).finally(() => {
      unfinished -= 1;
    });
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    /** The work begins at once when nothing runs. */
    run,
    /** As `run`, for what needs no waiting of its own. */
    read: async <Result>(look: () => Result): Promise<Result> => (unfinished === 0 ? look() : run(async () => look())),
    isBusy: (): boolean => unfinished > 0,
  };
};
