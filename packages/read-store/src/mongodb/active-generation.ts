import { isAway } from '@zakup/mongodb/errors';
import type { Collection, FindOptions } from 'mongodb';
import { ReadStoreUnavailable } from '../read-store.ts';
import type { CheckpointWatch } from './checkpoint-watch.ts';
import type { Committing } from './committing.ts';
import type { StoredCheckpoint } from './stored.ts';

/** A content as a part of the store shows it. */
export interface ActiveGeneration {
  /** Its number now. */
  readonly number: (options?: FindOptions) => Promise<number>;
  /** Its number as far as this process knows. */
  readonly known: () => number;
  readonly checkpoints: Collection<StoredCheckpoint>;
  readonly commits: Committing;
  readonly committed: CheckpointWatch['committed'];
}

/** The first content, whose names are given away when another one takes its place; those of all others are theirs for good. */
const first = 0;

/** Whether a read failed because another content has taken the place. A server that is away is not asked: that would take its patience again. */
export const isReplaced = async (shown: ActiveGeneration, number: number, error: unknown): Promise<boolean> =>
  !isAway(error) && (await shown.number().catch(() => number)) !== number;

/**
 * A read of one moment outside a session: when another content has taken the place meanwhile, it is made again. `isWhole`: nothing that was
 * looked for is absent. Of the first content what is absent may have been looked for when its name was nobody's any more.
 */
export const ofOneGeneration = async <Result>(
  shown: ActiveGeneration,
  work: (number: number) => Promise<Result>,
  isWhole: (result: Result) => boolean = () => false,
): Promise<Result> => {
  for (;;) {
    const number = shown.known();
    try {
      const [result, current] = await Promise.all([work(number), shown.number()]);
      if (current !== number) continue;
      if (number !== first || isWhole(result) || (await shown.number()) === number) return result;
    } catch (error) {
      // A cursor ends with the name that it was opened under.
      if (!(await isReplaced(shown, number, error))) throw error;
    }
  }
};

/** The content that a snapshot shows has given its names away: what was read under them was not of the snapshot. */
export class NamesGivenAway extends ReadStoreUnavailable {}

/**
 * Of what was read in a snapshot of a content, after it was read, or at least begun; `reading`: of what is read still, after that. Throws
 * `NamesGivenAway`.
 */
export const ensureNamed = async (shown: ActiveGeneration, number: number, reading?: unknown): Promise<void> => {
  if (number !== first) return;
  await reading;
  if ((await shown.number()) !== number) throw new NamesGivenAway('Another content took the place');
};
