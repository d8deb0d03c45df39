import type { DocumentReader, ReadStore } from '@zakup/read-store/read-store';
import type { ReadContext } from '../http/read-context.ts';

/** How often the read models are tried before the past is asked. */
const mostReads = 3;

/** Position of the last entry in a licence's history; 0 where there is none. */
export const lastEntryOf = async (readStore: Pick<ReadStore, 'scanIndex'>, licenceId: string): Promise<number> => {
  const [entry] = await readStore.scanIndex('history', { licenceId, direction: 'desc', limit: 1 });
  return entry?.position ?? 0;
};

/**
 * An answer whose parts are all of one moment, and the position of that moment. Several reads of the read models are, where the licence went
 * through nothing in between; where it keeps changing, the past of a position is read instead.
 */
export const atOneMoment = async <Result>(
  { deps, licence: { id: licenceId }, readStore, position, at, waiting }: ReadContext,
  answer: (documents: DocumentReader, position: number) => Promise<Result>,
): Promise<{ readonly result: Result; readonly position: number }> => {
  if (at !== null) return { result: await answer(readStore, position), position };
  for (let reads = 0; reads < mostReads; reads += 1) {
    const before = await lastEntryOf(deps.readStore, licenceId);
    const of = Math.max(position, before);
    const result = await answer(readStore, of);
    if ((await lastEntryOf(deps.readStore, licenceId)) === before) return { result, position: of };
  }
  const past = await deps.past.at(licenceId, { by: 'position', position }, waiting);
  const documents = past.kind === 'found' ? past.documents : readStore;
  return { result: await answer(documents, position), position };
};
