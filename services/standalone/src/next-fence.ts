import type { ReadStore } from '@zakup/read-store/read-store';
import type { SealStore } from '@zakup/seals/seal-store';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';

/** Above every fence that was used on these stores, which no other process has open. */
export const nextFence = async ({
  readStore,
  seals,
}: {
  readonly readStore: Pick<ReadStore, 'checkpoint'>;
  readonly seals: Pick<SealStore, 'fence'>;
}): Promise<number> => {
  const checkpoint = await readStore.checkpoint(allPartitions);
  // Read models that were removed to be made anew know no fence any more, the seals do.
  return Math.max(checkpoint?.fence ?? 0, await seals.fence()) + 1;
};
