/** Work that runs one after another, in the order of asking. */
export interface SerialQueue {
  /** Begins at once when nothing runs. Rejects with the work's own error, which ends nothing but the work. */
  readonly run: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** As `run`, for what needs no waiting of its own. */
  readonly read: <Result>(look: () => Result) => Promise<Result>;
  readonly isBusy: () => boolean;
}

export const serialQueue = (): SerialQueue => {
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
    run,
    read: async (look) => (unfinished === 0 ? look() : run(async () => look())),
    isBusy: () => unfinished > 0,
  };
};

/** A serial queue for each key, kept as long as something runs or waits in it. */
export const keyedSerialQueue = () => {
  const queues = new Map<string, SerialQueue>();
  return async <Result>(key: string, work: () => Promise<Result>): Promise<Result> => {
    const queue = queues.get(key) ?? serialQueue();
    queues.set(key, queue);
    try {
      return await queue.run(work);
    } finally {
      if (!queue.isBusy() && queues.get(key) === queue) queues.delete(key);
    }
  };
};
