import { codeOf, namespaceExists } from '@zakup/mongodb/errors';
import type { Collection, Db } from 'mongodb';
import { lookupsFor, sortsFor, walksFor } from '../documents.ts';
import type { DeclaredFields } from '../read-store.ts';
import { collectionName, formerEnd, generationEnd, isPrivate, ownCollections, privatePrefix } from './collections.ts';
import { ensureIndexes, indexesFor, privateIndexesFor } from './indexes.ts';
import type { StoredCheckpoint, StoredDocument } from './stored.ts';

export interface GenerationCollectionsDeps {
  readonly database: Db;
  readonly where: string;
  readonly declared: DeclaredFields;
}

export type GenerationCollections = ReturnType<typeof generationCollections>;

/** The collections of each generation, by its number: found, made with their indexes, emptied and dropped. */
export const generationCollections = ({ database, where, declared }: GenerationCollectionsDeps) => {
  const isShared = (kind: string): boolean => Object.hasOwn(declared, kind) && walksFor(declared, kind).length === 0;
  const sharedKinds = Object.keys(declared).filter(isShared);

  const known = new Map<string, Collection<StoredDocument>>();
  const documents = (kind: string, generation: number): Collection<StoredDocument> => {
    const name = collectionName(kind, isShared(kind), generation);
    const found = known.get(name);
    if (found !== undefined) return found;
    const collection = database.collection<StoredDocument>(name);
    known.set(name, collection);
    return collection;
  };

  /** Whoever builds beside the active content writes this collection, which nobody watches. */
  const checkpointsOf = (generation: number): Collection<StoredCheckpoint> =>
    database.collection<StoredCheckpoint>(`${ownCollections.checkpoints}${generationEnd(generation)}`);

  const collectionNames = async (): Promise<readonly string[]> =>
    (await database.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()).map(({ name }) => name);
  const privateNames = async (generation: number): Promise<readonly string[]> =>
    (await collectionNames()).filter((name) => isPrivate(name, generation));

  const ensureCollection = async (name: string): Promise<void> => {
    await database.createCollection(name).catch((error: unknown) => {
      if (codeOf(error) !== namespaceExists) throw error;
    });
  };

  /** Names of private collections that are there, with their index: each before its first transaction. */
  const made = new Set<string>();
  const ensurePrivate = async (name: string): Promise<void> => {
    if (made.has(name)) return;
    const kind = name.slice(privatePrefix.length).split('.', 1)[0] ?? '';
    await ensureIndexes(where, database.collection<StoredDocument>(name), privateIndexesFor(walksFor(declared, kind)));
    made.add(name);
  };

  return {
    isShared,
    sharedKinds,
    documents,
    checkpointsOf,
    privateNames,
    ensureCollection,

    /** Kinds of which the generation holds documents that are in no scope. */
    privateKinds: async (generation: number): Promise<readonly string[]> => {
      const end = generationEnd(generation).length;
      return (await privateNames(generation)).map((name) => name.slice(privatePrefix.length, name.length - end));
    },

    ensurePrivateKind: (kind: string, generation: number): Promise<void> =>
      ensurePrivate(collectionName(kind, false, generation)),

    ensureContent: async (generation: number): Promise<void> => {
      await Promise.all(
        sharedKinds.map((kind) =>
          ensureIndexes(
            where,
            documents(kind, generation),
            indexesFor(lookupsFor(declared, kind), sortsFor(declared, kind)),
          ),
        ),
      );
      for (const name of await privateNames(generation)) await ensurePrivate(name);
    },

    /** Somebody may have removed what this process has made. */
    forgetMade: (): void => made.clear(),

    /** Removes the documents of a generation, and leaves its collections. */
    empty: async (generation: number): Promise<void> => {
      for (const kind of sharedKinds) await documents(kind, generation).deleteMany({});
      for (const name of await privateNames(generation)) await database.collection(name).deleteMany({});
    },

    /** The first one's plain names are those of views by then. */
    drop: async (generation: number): Promise<void> => {
      const end = generation === 0 ? formerEnd : generationEnd(generation);
      const names = new Set(sharedKinds.map((kind) => `${collectionName(kind, true)}${end}`));
      if (generation > 0) names.add(checkpointsOf(generation).collectionName);
      for (const name of await collectionNames())
        if (names.has(name) || isPrivate(name, generation)) await database.dropCollection(name);
    },
  };
};
