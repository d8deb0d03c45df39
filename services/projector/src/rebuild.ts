import type { EventStore, Position } from '@zakup/event-store/event-store';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { Parked } from './projection.ts';
import { runProjector } from './run-projector.ts';

/** Nobody else waits for the thread, and larger commits write each total less often. */
const unshared = { maxBatch: 1_000, maxDocs: 2_000, spacing: 0 } as const;

/**
 * Removes every document and folds the log again up to its head of now; nothing else may write the store meanwhile.
 * Resolves with the position reached. Whoever read the store before is answered with a reset: the content of a position may differ.
 */
export const rebuildAll = async ({
  eventStore,
  readStore,
  partition = 'all',
  fence = 0,
  now,
  onParked = () => undefined,
}: {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly partition?: string;
  readonly fence?: number;
  readonly now: () => number;
  readonly onParked?: (parked: Parked) => void;
}): Promise<Position> => {
  const head = await eventStore.head();
  await readStore.clear();
  const { signal } = new AbortController();
  const projector = runProjector({ eventStore, readStore, partition, fence, signal, now, onParked, ...unshared });
  try {
    await projector.waitFor(head);
    return projector.position();
  } finally {
    await projector.stop();
  }
};
