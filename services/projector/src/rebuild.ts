import type { EventStore, Position } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import { noteLog } from '@zakup/service-kit/stores/log-identity';
import { wholeLog } from '@zakup/service-kit/stores/whole-log';
import { LeaseLost, type Parked } from '@zakup/projections/projection';
import { type BatchFigures, runProjector } from './run-projector.ts';

/** Nobody else waits for the thread, and larger commits write each total less often. */
const unshared = { maxBatch: 1_000, maxDocs: 1_000, spacing: 0 } as const;

/**
 * Removes every document and folds the log again up to its head of now; nothing else may write the store meanwhile.
 * Resolves with the position reached. Whoever read the store before is answered with a reset: the content of a position may differ.
 * Broken off at any moment it leaves a beginning of the log folded, from which any projector goes on. Throws `LeaseLost` when a later
 * holder of the lease has taken over, `ProjectorEnded` when the signal aborts.
 */
export const rebuildAll = async ({
  eventStore,
  readStore,
  partition = wholeLog,
  fence: given,
  now,
  signal = new AbortController().signal,
  onParked = () => undefined,
  onBatch = () => undefined,
}: {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly partition?: string;
  /** Of the lease under which it runs; default: the one that is stored. */
  readonly fence?: number;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  readonly onParked?: (parked: Parked) => void;
  readonly onBatch?: (figures: BatchFigures) => void;
}): Promise<Position> => {
  const before = await readStore.checkpoint(partition);
  const fence = given ?? before?.fence ?? 0;
  /** Stores the fence: from then on an earlier holder of the lease, who may not know yet that it is lost, can commit nothing. */
  const fenced = async (position: Position): Promise<boolean> => {
    const result = await readStore.commit({ docs: [], checkpoint: { partition, position, fence } });
    if (result.kind === 'lost_lease')
      throw new LeaseLost(`A writer with fence ${result.fence} has taken over ${partition}`);
    return result.kind === 'committed';
  };

  const head = await eventStore.head();
  // An earlier holder may go on until the fence is there.
  while (!(await fenced((await readStore.checkpoint(partition))?.position ?? 0)));
  do await readStore.clear();
  while (!(await fenced(0)));
  await noteLog({ eventStore, readStore }, fence);
  const projector = runProjector({
    eventStore,
    readStore,
    partition,
    fence,
    signal,
    now,
    onParked,
    onBatch,
    ...unshared,
  });
  try {
    await projector.waitFor(head);
    return projector.position();
  } finally {
    await projector.stop();
  }
};
