import { isUnsent, waitsForRefused, withTarget } from './entry.ts';
import { entryStoreFor } from './entry-store.ts';

export interface Box {
  readonly licenceId: string;
  readonly personId: string;
}

export const boxName = ({ licenceId, personId }: Box): string => `${licenceId}:${personId}`;

/**
 * How many changes a person's box keeps that go by themselves, read from where they are kept: nothing else of the app need be there. 0 where
 * the browser keeps none.
 */
export const storedUnsent = async (box: Box, storeFor = entryStoreFor): Promise<number> => {
  const store = await storeFor(boxName(box));
  const entries = (await store.load()).map((entry) => withTarget(entry, box.personId));
  return entries.filter((entry) => isUnsent(entry) && !waitsForRefused(entry, entries)).length;
};
