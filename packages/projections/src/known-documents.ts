import type { DocumentData, DocumentKey, DocumentKind } from './documents.ts';
import type { WorkingSet } from './working-set.ts';

/** Present data of a document; null = there is none. */
export type ReadKnown = <Kind extends DocumentKind>(key: DocumentKey<Kind>) => DocumentData[Kind] | null;

/** The document is not at hand. */
class NotKnown extends Error {
  override readonly name = 'NotKnown';
  readonly key: DocumentKey<DocumentKind>;
  constructor(key: DocumentKey<DocumentKind>) {
    super(`${key.kind}/${key.id} has to be looked for`);
    this.key = key;
  }
}

const lookedFor = async <Result>(
  set: WorkingSet,
  key: DocumentKey<DocumentKind>,
  work: (read: ReadKnown) => Result,
): Promise<Result> => {
  await set.get(key);
  return readingKnown(set, work);
};

/**
 * Does work that only reads, at once where every document is at hand; where one is not, that is looked for and the work done again.
 * Throws what the work throws, and as `WorkingSet.get`.
 */
export const readingKnown = <Result>(set: WorkingSet, work: (read: ReadKnown) => Result): Result | Promise<Result> => {
  const read: ReadKnown = (key) => {
    const data = set.known(key);
    if (data === undefined) throw new NotKnown(key);
    return data;
  };
  try {
    return work(read);
  } catch (error) {
    if (!(error instanceof NotKnown)) throw error;
    return lookedFor(set, error.key, work);
  }
};
