import type { EventStore, Position } from '@zakup/event-store/event-store';
import { LeaseLost } from '@zakup/projections/fenced-store';
import type { Parked } from '@zakup/projections/projection-runner';
import { projectionVersion } from '@zakup/projections/version';
import type { ReadStore } from '@zakup/read-store/read-store';
import { noteLog } from '@zakup/service-kit/stores/log-identity';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { resumeRebuild } from './projection-rebuild.ts';
import { type BatchFigures, runProjector } from './run-projector.ts';

/** Nobody else waits for the thread, and larger commits write each total less often. An event makes one or two documents. */
const unshared = ({ mostInCommit = 4_000 }: ReadStore) =>
  ({ maxBatch: mostInCommit / 2, maxDocs: mostInCommit, spacing: 0 }) as const;

/**
 * Folds the log up to its head of now into a content beside the one that is read, which then takes that one's place; what a rebuild that was
 * broken off had folded is gone on with. Until then readers see what they saw, and nothing else may write the store. Resolves with the
 * position reached. Whoever read the store before is answered with a reset: the content of a position may differ. Throws `LeaseLost` when a
 * later holder of the lease has taken over, `ProjectorEnded` when the signal aborts.
 */
export const rebuildAll = async ({
  eventStore,
  readStore,
  partition = allPartitions,
  fence: given,
  version = projectionVersion,
  now,
  signal = new AbortController().signal,
  onParked = () => undefined,
  onBegin = () => undefined,
  onBatch = () => undefined,
}: {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly partition?: string;
  /** Of the lease under which it runs; default: the one that is stored. */
  readonly fence?: number;
  readonly version?: string;
  readonly now: () => number;
  readonly signal?: AbortSignal;
  readonly onParked?: (parked: Parked) => void;
  /** Called with the position that it goes on from: 0 unless one was broken off. */
  readonly onBegin?: (from: Position) => void;
  readonly onBatch?: (figures: BatchFigures) => void;
}): Promise<Position> => {
  const before = await readStore.checkpoint(partition);
  const fence = given ?? before?.fence ?? 0;
  /** Stores the fence: from then on an earlier holder of the lease, who may not know yet that it is lost, can commit nothing. */
  const fenced = async (): Promise<boolean> => {
    const position = (await readStore.checkpoint(partition))?.position ?? 0;
    const result = await readStore.commit({ docs: [], checkpoint: { partition, position, fence } });
    if (result.kind === 'lost_lease')
      throw new LeaseLost(`A writer with fence ${result.fence} has taken over ${partition}`);
    return result.kind === 'committed';
  };

  const head = await eventStore.head();
  // An earlier holder may go on until the fence is there.
  while (!(await fenced()));
  const next = await resumeRebuild({ eventStore, readStore, fence }, version, partition, { indexesLater: true });
  onBegin((await next.checkpoint(partition))?.position ?? 0);
  const projector = runProjector({
    eventStore,
    readStore: next,
    partition,
    fence,
    signal,
    now,
    onParked,
    onBatch,
    ...unshared(next),
  });
  try {
    await projector.waitFor(head);
  } finally {
    await projector.stop();
  }
  await noteLog({ eventStore, readStore: next }, fence);
  const taken = await next.promote(fence);
  if (taken.kind === 'lost_lease')
    throw new LeaseLost(`A writer with fence ${taken.fence} has taken over ${partition}`);
  await readStore.purge({ atOnce: true });
  return projector.position();
};
