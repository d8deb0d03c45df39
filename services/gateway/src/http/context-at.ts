import { rowOf } from '../read-models/rows.ts';
import type { PastMoment } from '../time-travel/resolve-at.ts';
import type { ReadContext } from './read-context.ts';
import { readWhile } from './while-waited.ts';

/** The context as it was at the moment; null when the licence itself was not there yet. */
export const contextAt = async (
  now: ReadContext,
  { moment, documents: all }: PastMoment,
): Promise<ReadContext | null> => {
  const { id } = now.licence;
  const documents = readWhile(now.waiting, all);
  const licence = await rowOf(documents, 'license', id, id);
  return licence === null ? null : { ...now, licence, readStore: documents, at: moment, position: moment.position };
};
