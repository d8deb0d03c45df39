/** Work of which only some goes on at once; the rest begins in the order of asking. */
export interface Semaphore {
  /** Rejects with the work's own error; with the signal's reason, without beginning, when it is aborted before its turn comes. */
  readonly run: <Result>(work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;
  /** Whether nothing goes on or waits. */
  readonly isIdle: () => boolean;
}

interface Waiting {
  readonly begin: () => void;
  readonly abandon: (error: unknown) => void;
}

export interface SemaphoreOptions {
  /** An error of one work with which all that wait end, too: they need not find out for themselves, one after another. */
  readonly hopeless?: (error: unknown) => boolean;
}

/** Lets `most` run at once. */
export const semaphore = (most: number, { hopeless = () => false }: SemaphoreOptions = {}): Semaphore => {
  let running = 0;
  const waiting = new Set<Waiting>();

  const turn = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(mine);
        signal?.removeEventListener('abort', aborted);
      };
      const aborted = (): void => mine.abandon(signal?.reason);
      const mine: Waiting = {
        begin: () => {
          leave();
          resolve();
        },
        abandon: (error) => {
          leave();
          reject(error);
        },
      };
      signal?.addEventListener('abort', aborted, { once: true });
      waiting.add(mine);
    });

  return {
    async run(work, signal) {
      signal?.throwIfAborted();
      if (running < most) running += 1;
      else await turn(signal);
      try {
        return await work();
      } catch (error) {
        if (hopeless(error)) for (const { abandon } of waiting) abandon(error);
        throw error;
      } finally {
        const [next] = waiting;
        if (next === undefined) running -= 1;
        else next.begin();
      }
    },
    isIdle: () => running === 0,
  };
};

export interface SharedSemaphore {
  /** As `Semaphore.run`, for somebody: what they may not begin yet holds up nobody else. */
  readonly run: <Result>(who: string, work: () => Promise<Result>, signal?: AbortSignal) => Promise<Result>;
}

/** Lets `most` run at once, and `mostOfOne` of one and the same. */
export const sharedSemaphore = (most: number, mostOfOne: number): SharedSemaphore => {
  const all = semaphore(most);
  const each = new Map<string, Semaphore>();
  return {
    async run(who, work, signal) {
      const own = each.get(who) ?? semaphore(mostOfOne);
      each.set(who, own);
      try {
        return await own.run(() => all.run(work, signal), signal);
      } finally {
        if (own.isIdle() && each.get(who) === own) each.delete(who);
      }
    },
  };
};
