import type { Answer } from '../reads/read-context.ts';

/** Costly answers, made once for everybody who asks the same at once or soon after. */
export interface SharedAnswers {
  /** Equal keys must mean equal answers; null is not kept. `make` is given up once nobody waits for it. Rejects with the signal's reason, and with what `make` throws. */
  of(key: string, signal: AbortSignal, make: (signal: AbortSignal) => Promise<Answer | null>): Promise<Answer | null>;
}

export interface SharedAnswersOptions {
  /** Answers that are kept. */
  readonly most: number;
  /** Milliseconds that one is kept. */
  readonly keptFor: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
  /** Whether it is small enough to be kept; others are shared only while they are made. */
  readonly isKept: (answer: Answer) => boolean;
}

interface Making {
  readonly answer: Promise<Answer | null>;
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

export const sharedAnswers = ({ most, keptFor, now, isKept }: SharedAnswersOptions): SharedAnswers => {
  const making = new Map<string, Making>();
  const kept = new Map<string, { readonly answer: Answer; readonly at: number }>();

  const keep = (key: string, answer: Answer | null): void => {
    if (answer === null || !isKept(answer)) return;
    for (const [other, { at }] of kept) {
      if (kept.size < most && now() - at < keptFor) break;
      kept.delete(other);
    }
    kept.set(key, { answer, at: now() });
  };

  const begin = (key: string, make: (signal: AbortSignal) => Promise<Answer | null>): Making => {
    const stop = new AbortController();
    const begun: Making = { answer: make(stop.signal), stop, waiting: 0 };
    making.set(key, begun);
    const over = (): void => {
      if (making.get(key) === begun) making.delete(key);
    };
    const end = async (): Promise<void> => {
      try {
        keep(key, await begun.answer);
      } catch {
        // Told to those who wait.
      } finally {
        over();
      }
    };
    void end();
    return begun;
  };

  return {
    async of(key, signal, make) {
      const known = kept.get(key);
      if (known !== undefined && now() - known.at < keptFor) return known.answer;
      const one = making.get(key) ?? begin(key, make);
      one.waiting += 1;
      try {
        return await whileWaited(one.answer, signal);
      } finally {
        one.waiting -= 1;
        if (one.waiting === 0) {
          if (making.get(key) === one) making.delete(key);
          one.stop.abort();
        }
      }
    },
  };
};
