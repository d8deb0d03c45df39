/** Looks at something that changes: who asks is given what a look finds that began after they asked. */
export interface SharedLooks<Result> {
  /** Rejects with the signal's reason when it is aborted, and as the look does. */
  ask(signal?: AbortSignal): Promise<Result>;
  /** Ends the look that is under way, and the one that would follow it, for whoever waits for them. */
  end(): void;
}

interface Look<Result> {
  readonly stop: AbortController;
  readonly found: Promise<Result>;
  askers: number;
}

/** One look at a time. All who ask while it is under way share the next one; when nobody waits for it any more it is ended. */
export const sharedLooks = <Result>(look: (signal: AbortSignal) => Promise<Result>): SharedLooks<Result> => {
  /** Not begun yet: whoever asks now joins it. */
  let next: Look<Result> | undefined;
  let current: Look<Result> | undefined;
  let turns: Promise<unknown> = Promise.resolve();

  const begun = async (one: Look<Result>): Promise<Result> => {
    next = undefined;
    current = one;
    try {
      one.stop.signal.throwIfAborted();
      return await look(one.stop.signal);
    } finally {
      current = undefined;
    }
  };
  const planned = (): Look<Result> => {
    const one: Look<Result> = {
      stop: new AbortController(),
      found: turns.then(() => begun(one)),
      askers: 0,
    };
    turns = one.found.catch(() => undefined);
    return one;
  };

  return {
    ask(signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      // One that all who asked have left will not be carried out.
      if (next === undefined || next.stop.signal.aborted) next = planned();
      const one = next;
      one.askers += 1;
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          one.askers -= 1;
          if (one.askers === 0) one.stop.abort();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', leave, { once: true });
        void one.found.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave));
      });
    },
    end() {
      current?.stop.abort();
      next?.stop.abort();
    },
  };
};
