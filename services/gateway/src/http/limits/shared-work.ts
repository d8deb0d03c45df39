/** Work done once for everybody who wants the same at once. */
export interface SharedWork<Result> {
  /** Equal keys must mean equal results. `work` is given up once nobody waits for it. Rejects with the signal's reason, and with what `work` throws. */
  of(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

interface Going<Result> {
  readonly result: Promise<Result>;
  readonly stop: AbortController;
  waiting: number;
}

/** Resolves like the promise, or rejects with the signal's reason. */
const whileWaited = <Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error);
    if (signal.aborted) return giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });

export const sharedWork = <Result>(): SharedWork<Result> => {
  const goingOn = new Map<string, Going<Result>>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<Result>): Going<Result> => {
    const stop = new AbortController();
    const begun: Going<Result> = { result: work(stop.signal), stop, waiting: 0 };
    goingOn.set(key, begun);
    const over = (): void => {
      if (goingOn.get(key) === begun) goingOn.delete(key);
    };
    begun.result.then(over, over);
    return begun;
  };

  return {
    async of(key, signal, work) {
      const one = goingOn.get(key) ?? begin(key, work);
      one.waiting += 1;
      try {
        return await whileWaited(one.result, signal);
      } finally {
        one.waiting -= 1;
        if (one.waiting === 0) {
          if (goingOn.get(key) === one) goingOn.delete(key);
          one.stop.abort();
        }
      }
    },
  };
};
