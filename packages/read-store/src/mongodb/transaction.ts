import type { ClientSession, MongoClient } from 'mongodb';

/** All of the work's reads and writes in one transaction, which is begun again when it meets another one: all of them or nothing. */
export const inTransaction = <Result>(
  client: MongoClient,
  work: (session: ClientSession) => Promise<Result>,
): Promise<Result> =>
  client.withSession({ causalConsistency: false }, (session) =>
    session.withTransaction(() => work(session), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' },
    }),
  );
