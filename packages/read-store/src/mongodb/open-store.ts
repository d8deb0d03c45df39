import { readStoreError } from './errors.ts';

export interface WhileOpen {
  /** Does the work unless the store is closed; what it throws is told as the store's error. */
  readonly answer: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly isClosed: () => boolean;
  /** Answers nothing from now on; `end` gets what is still under way. Only the first call ends anything, all of them wait for it. */
  readonly close: (end: (running: readonly Promise<unknown>[]) => Promise<void>) => Promise<void>;
}

/** How a store answers its callers while it is open. */
export const whileOpen = (where: string): WhileOpen => {
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  return {
    answer: async (work) => {
      if (closing !== undefined) throw new Error(`Read store ${where} is closed`);
      const working = work();
      running.add(working);
      try {
        return await working;
      } catch (error) {
        throw readStoreError(where, error);
      } finally {
        running.delete(working);
      }
    },
    isClosed: () => closing !== undefined,
    close: (end) => {
      closing ??= end([...running]);
      return closing;
    },
  };
};
