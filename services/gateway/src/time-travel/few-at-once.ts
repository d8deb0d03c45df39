/** Work of which only some goes on at once; the rest begins in the order of asking. */
export interface FewAtOnce {
  /** Rejects with the signal's reason, without beginning, when it is aborted before its turn comes. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
  /** Whether nothing goes on or waits. */
  isIdle(): boolean;
}

export const fewAtOnce = (most: number): FewAtOnce => {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        waiting.delete(begin);
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.add(begin);
    });

  return {
    async run(work, signal) {
      signal.throwIfAborted();
      if (running < most) running += 1;
      else await turn(signal);
      try {
        return await work();
      } finally {
        const [next] = waiting;
        if (next === undefined) running -= 1;
        else next();
      }
    },
    isIdle: () => running === 0,
  };
};
