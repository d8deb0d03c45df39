/** Runs work, some of it later. Rejects with the work's own error, or with that of one that came before it. */
export type Gate = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Waiting {
  readonly begin: () => void;
  readonly giveUp: (error: unknown) => void;
}

/**
 * Lets `most` run at once; the others begin in their order. When one ends with an error that is `hopeless`, all that wait end with it:
 * they need not find out for themselves, one after another.
 */
export const fewAtOnce = (most: number, hopeless: (error: unknown) => boolean): Gate => {
  let running = 0;
  const waiting: Waiting[] = [];

  const next = (): void => {
    const following = waiting.shift();
    if (following === undefined) running -= 1;
    else following.begin();
  };

  return async (work) => {
    if (running < most) running += 1;
    else await new Promise<void>((begin, giveUp) => waiting.push({ begin, giveUp }));
    try {
      return await work();
    } catch (error) {
      if (hopeless(error)) {
        for (const { giveUp } of waiting.splice(0)) giveUp(error);
      }
      throw error;
    } finally {
      next();
    }
  };
};
