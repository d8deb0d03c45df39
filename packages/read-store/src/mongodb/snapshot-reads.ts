import { setTimeout as delay } from 'node:timers/promises';
import { isCut, isLostRead } from '@zakup/mongodb/errors';
import type { ClientSession, FindCursor, FindOptions, MongoClient } from 'mongodb';
import type { ReadDocument } from '../read-store.ts';
import { NamesGivenAway } from './active-generation.ts';
import { documentOf, type StoredDocument } from './stored.ts';

/** Documents of one reply: so many are decoded without a turn of the event loop between. */
export const slice = 500;
/** How often a read of several commands begins again when its snapshot is gone, and milliseconds between. */
const lostReads = 20;
const lostReadPause = 50;

/** Options of a read within a session's snapshot; each needs its own, for the driver writes into it. */
export const within = (session: ClientSession): FindOptions => ({
  session,
  readConcern: { level: 'snapshot' },
  batchSize: slice,
});

/** All reads of the work see the database as it was at the first of them. */
export const inSnapshot = async <Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> => {
  let cuts = 0;
  for (let failures = 0; ; failures += 1) {
    const session = client.startSession({ snapshot: true });
    try {
      return await work(session);
    } catch (error) {
      // Each cut may have taken all patience that there is.
      if (isCut(error)) cuts += 1;
      const isLost = isLostRead(error) || error instanceof NamesGivenAway;
      if (!isLost || failures >= lostReads || cuts > 1) throw error;
    } finally {
      await session.endSession();
    }
    await delay(lostReadPause);
  }
};

/** What is made of each document that the cursor finds. Throws `CorruptDocument`. */
export const readAll = async <Result>(
  where: string,
  kind: string,
  cursor: FindCursor<StoredDocument>,
  make: (doc: ReadDocument) => Result,
): Promise<Result[]> => {
  const found: Result[] = [];
  for await (const stored of cursor) found.push(make(documentOf(where, kind, stored)));
  return found;
};
