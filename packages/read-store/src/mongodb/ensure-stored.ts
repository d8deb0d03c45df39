import type { Collection } from 'mongodb';
import type { Clearing } from './clearing.ts';
import { ownCollections } from './collections.ts';
import type { GenerationCollections } from './generation-collections.ts';
import type { PlainNames } from './plain-names.ts';
import { ensureSchema } from './schema.ts';
import type { StoredMeta } from './stored.ts';
import type { GenerationsRecord } from './stored-generations.ts';

export interface StoredParts {
  /** Names the server in errors. */
  readonly where: string;
  readonly meta: Collection<StoredMeta>;
  readonly record: Pick<GenerationsRecord, 'look'>;
  readonly contents: GenerationCollections;
  readonly names: Pick<PlainNames, 'settle'>;
  readonly cleared: Pick<Clearing, 'resume'>;
}

/** Another content may take the place meanwhile, and the names of the first one with it. */
const ensureActive = async ({ record, contents }: StoredParts): Promise<void> => {
  for (;;) {
    const number = await record.look();
    try {
      await contents.ensureContent(number);
      if ((await record.look()) === number) return;
    } catch (error) {
      if ((await record.look()) === number) throw error;
    }
  }
};

/** Makes collections and indexes where they are absent, and finishes a clearing that was cut off. */
export const ensureStored = async (parts: StoredParts): Promise<void> => {
  const { where, meta, contents, names, cleared } = parts;
  await ensureSchema(where, meta);
  // Not left to the first transactions: several that make the same collection get into each other's way.
  for (const name of [ownCollections.checkpoints, ownCollections.floors]) await contents.ensureCollection(name);
  await cleared.resume();
  contents.forgetMade();
  await ensureActive(parts);
  await names.settle();
};
