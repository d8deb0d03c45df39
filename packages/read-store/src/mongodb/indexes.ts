import { isDeepStrictEqual } from 'node:util';
import type { Collection, IndexDescription } from 'mongodb';
import { codeOf, namespaceNotFound } from '@zakup/mongodb/errors';
import type { SortField } from '../read-store.ts';
import type { StoredDocument } from './stored.ts';

type Index = Pick<IndexDescription, 'key'> & { readonly name: string };

/** For whoever looks at all documents of a licence. No change of a document touches it. */
export const licenceIndex: Index = { name: 'licence', key: { licenceId: 1, _id: 1 } };

/** What a collection of documents in scopes is searched by; every one costs each write, so there are no more. */
export const indexesFor = (lookups: readonly string[], sorts: readonly SortField[] = []): readonly Index[] => [
  // First loads, and what changed in a scope: most reads of the gateway.
  { name: 'scope', key: { licenceId: 1, scopes: 1, position: 1 } },
  // What left a scope; its members are of one array, as those of an index over two arrays may not be.
  { name: 'left', key: { licenceId: 1, 'left.scope': 1, 'left.position': 1 } },
  licenceIndex,
  // Pages of a licence in the order that all lists fall back to.
  { name: 'created', key: { licenceId: 1, 'data.createdAt': 1, _id: 1 } },
  // Equality that finds few documents among many.
  ...lookups.map((field) => ({ name: `lookup ${field}`, key: { licenceId: 1, [`data.${field}`]: 1 } })),
  // Pages of many documents that share a value, from either end.
  ...sorts.map(({ sort, within }) => ({
    name: `sort ${within} ${sort}`,
    key: {
      licenceId: 1,
      [`data.${within}`]: 1,
      deleted: 1,
      [`data.${sort}`]: 1,
      ...(sort !== 'createdAt' && { 'data.createdAt': 1 }),
      _id: 1,
    } as const,
  })),
];

/** What a collection of private documents is searched by. */
export const privateIndexesFor = (walks: readonly string[]): readonly Index[] => [
  licenceIndex,
  ...walks.map((field) => ({ name: `walk ${field}`, key: { licenceId: 1, [`data.${field}`]: 1, _id: 1 } })),
];

/** Members of an index's description that say nothing of what it does. */
const harmless: ReadonlySet<string> = new Set(['v', 'name', 'key', 'ns', 'background']);

interface Listed {
  readonly name: string;
  readonly key: Readonly<Record<string, unknown>>;
}

const listed = async (collection: Collection<StoredDocument>): Promise<readonly Listed[]> => {
  try {
    return await collection.listIndexes().toArray();
  } catch (error) {
    if (codeOf(error) === namespaceNotFound) return [];
    throw error;
  }
};

/** Makes the indexes that are absent. Throws an Error naming the index when there is another one under its name, or with other options. */
export const ensureIndexes = async (
  where: string,
  collection: Collection<StoredDocument>,
  wanted: readonly Index[],
): Promise<void> => {
  const present = await listed(collection);
  const absent: Index[] = [];
  for (const index of wanted) {
    const found = present.find(
      ({ name, key }) =>
        name === index.name || isDeepStrictEqual(Object.entries(key), Object.entries(index.key as object)),
    );
    if (found === undefined) {
      absent.push(index);
      continue;
    }
    const options = Object.keys(found).filter((option) => !harmless.has(option));
    const sameKey = isDeepStrictEqual(Object.entries(found.key), Object.entries(index.key as object));
    if (found.name !== index.name || !sameKey || options.length > 0) {
      throw new Error(
        `${where}: collection ${collection.collectionName} has another index where "${index.name}" belongs: ` +
          `"${found.name}" on ${JSON.stringify(found.key)}${options.map((option) => `, ${option}`).join('')}; ` +
          `expected ${JSON.stringify(index.key)}. Drop it, and it is made anew at the next start`,
      );
    }
  }
  if (absent.length > 0) await collection.createIndexes(absent.map(({ name, key }) => ({ name, key })));
};
