/** Milliseconds of work between which the page may answer whoever uses it. */
const slice = 8;

/** Takes all steps at once; what they come to. */
export const finished = <Result>(steps: Generator<undefined, Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
};

/** Takes steps for one slice; whether there are no more. */
const isThrough = (steps: Generator<undefined, unknown>): boolean => {
  const end = performance.now() + slice;
  try {
    do if (steps.next().done === true) return true;
    while (performance.now() < end);
    return false;
  } catch {
    return true;
  }
};

/**
 * Takes steps in tasks of a few milliseconds, and then calls `onDone`, unless what it returns is called before. A step that throws is the
 * last one: whoever then asks for what was prepared throws in its own turn, where somebody sees it.
 */
export const runInSlices = (steps: Generator<undefined, unknown>, onDone: () => void): (() => void) => {
  const run = (): void => {
    if (isThrough(steps)) onDone();
    else timer = setTimeout(run);
  };
  let timer = setTimeout(run);
  return () => clearTimeout(timer);
};
