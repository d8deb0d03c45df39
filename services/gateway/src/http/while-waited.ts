import type { DocumentReader } from '@zakup/read-store/read-store';
import type { Response } from 'express';

/** Aborted when nobody waits for the answer any more. */
export const whileWaited = (response: Response): AbortSignal => {
  const waiting = new AbortController();
  if (response.destroyed) waiting.abort();
  else response.once('close', () => waiting.abort());
  return waiting.signal;
};

/** The same documents, read no further once nobody waits: the next read then ends with the signal's reason. */
export const readWhile = (waiting: AbortSignal, documents: DocumentReader): DocumentReader => {
  const wanted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    waiting.throwIfAborted();
    return work();
  };
  return {
    get: (kind, id) => wanted(() => documents.get(kind, id)),
    getMany: (kind, ids) => wanted(() => documents.getMany(kind, ids)),
    query: (kind, query) => wanted(() => documents.query(kind, query)),
    readEach: (kind, query, take) =>
      wanted(() =>
        documents.readEach(kind, query, (docs) => {
          waiting.throwIfAborted();
          return take(docs);
        }),
      ),
  };
};
