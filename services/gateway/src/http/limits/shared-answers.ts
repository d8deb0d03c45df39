import type { Answer } from '../answer.ts';
import { sharedWork } from './shared-work.ts';

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

export const sharedAnswers = ({ most, keptFor, now, isKept }: SharedAnswersOptions): SharedAnswers => {
  const making = sharedWork<Answer | null>();
  const kept = new Map<string, { readonly answer: Answer; readonly at: number }>();

  const keep = (key: string, answer: Answer | null): void => {
    if (answer === null || !isKept(answer)) return;
    for (const [other, { at }] of kept) {
      if (kept.size < most && now() - at < keptFor) break;
      kept.delete(other);
    }
    kept.set(key, { answer, at: now() });
  };

  return {
    async of(key, signal, make) {
      const known = kept.get(key);
      if (known !== undefined && now() - known.at < keptFor) return known.answer;
      return making.of(key, signal, async (waiting) => {
        const answer = await make(waiting);
        keep(key, answer);
        return answer;
      });
    },
  };
};
