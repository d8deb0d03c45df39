/** Time that goes on when the test says so. */
export const handTime = () => {
  let at = 0;
  const due = new Map<number, { readonly at: number; readonly run: () => void }>();
  let last = 0;
  return {
    now: () => at,
    timers: {
      setTimeout: (run: () => void, milliseconds: number): number => {
        last += 1;
        due.set(last, { at: at + milliseconds, run });
        return last;
      },
      clearTimeout: (timer: unknown): void => void due.delete(timer as number),
    },
    /** Timers that wait for at most so long. */
    waiting: (milliseconds: number): number => [...due.values()].filter((one) => one.at <= at + milliseconds).length,
    pass(milliseconds: number): void {
      at += milliseconds;
      for (const [id, one] of due)
        if (one.at <= at) {
          due.delete(id);
          one.run();
        }
    },
  };
};
