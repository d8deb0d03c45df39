import type { ReadModelDeps } from '../read-models/read-model-deps.ts';

type Reaching = Pick<ReadModelDeps, 'readStore' | 'partition'> & { readonly patience?: number };

const defaultPatience = 5_000;
/** A store may miss a commitSignal, so the checkpoint is looked at again by itself. */
const lookAgain = 100;

/** The position that answers are complete to now. */
export const checkpointOf = async ({ readStore, partition }: Reaching): Promise<number> =>
  (await readStore.checkpoint(partition))?.position ?? 0;

/** Waits until the read models are complete to the position; false when they are not in time. */
export const waitForPosition = async (deps: Reaching, position: number): Promise<boolean> => {
  if ((await checkpointOf(deps)) >= position) return true;
  const deadline = performance.now() + (deps.patience ?? defaultPatience);
  let wake = (): void => undefined;
  const stop = deps.readStore.onCommit(() => wake());
  try {
    for (;;) {
      const woken = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lookAgain);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      if ((await checkpointOf(deps)) >= position) return true;
      if (performance.now() >= deadline) return false;
      await woken;
    }
  } finally {
    wake();
    stop();
  }
};
