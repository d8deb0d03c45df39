/** Milliseconds of work between which the page may answer whoever uses it. */
const slice = 8;

/** Takes all steps at once; what they come to. */
export const finished = <Result>(steps: Generator<undefined, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** Takes steps in tasks of a few milliseconds, and then calls `onDone`, unless what it returns is called before. */
export const runInSlices = (steps: Generator<undefined, unknown>, onDone: () => void): (() => void) => {
  const run = (): void => {
    const end = performance.now() + slice;
    do {
      if (steps.next().done !== true) continue;
      onDone();
      return;
    } while (performance.now() < end);
    timer = setTimeout(run);
  };
  let timer = setTimeout(run);
  return () => clearTimeout(timer);
};
