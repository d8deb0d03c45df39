import type { Collection, FindOptions } from 'mongodb';
import type { CheckpointWatch } from './checkpoint-watch.ts';
import type { Committing } from './committing.ts';
import type { StoredCheckpoint } from './stored.ts';

/** A content as a part of the store shows it. */
export interface Shown {
  /** Its number now. */
  readonly number: (options?: FindOptions) => Promise<number>;
  /** Its number as far as this process knows. */
  readonly known: () => number;
  readonly checkpoints: Collection<StoredCheckpoint>;
  readonly commits: Committing;
  readonly committed: CheckpointWatch['committed'];
}

/** A read of one moment outside a session: when another content has taken the place meanwhile, it is made again. */
export const ofOneContent = async <Result>(
  shown: Shown,
  work: (number: number) => Promise<Result>,
): Promise<Result> => {
  for (;;) {
    const number = shown.known();
    const [result, current] = await Promise.all([work(number), shown.number()]);
    if (current === number) return result;
  }
};
