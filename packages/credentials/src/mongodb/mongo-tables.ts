import type { ClientSession, Collection } from 'mongodb';
import type { RandomBytes } from '../codes.ts';
import {
  ofEachTable,
  type ReadableTable,
  type ReadableTables,
  type SessionWatch,
  type Tables,
  type TableShape,
  tableShapes,
  type WritableTable,
  type WritableTables,
} from '../tables.ts';
import { prepareCollections, type StoredRow } from './collections.ts';
import { connectMongo } from '@zakup/mongodb/connection';
import { openingError, storeError } from './errors.ts';
import { type Patience, withPatience } from './patience.ts';
import { type SessionStream, sessionStream } from './session-stream.ts';
import { transactionRunner } from './transactions.ts';

/** Where the store says that it lost sight of other processes, and that it has caught up; a pino logger fits. */
export interface CredentialsLog {
  warn(about: object, message: string): void;
  info(about: object, message: string): void;
}

export interface MongoTablesOptions {
  /** With the database, as in `mongodb://user:password@host:27017/zakup?authSource=admin`; of a replica set. */
  readonly url: string;
  readonly random: RandomBytes;
  readonly log?: CredentialsLog;
  /** Milliseconds after which a request is given up with `CredentialsUnavailable`. Default 5,000. */
  readonly patience?: number;
}

export type MongoTables = Tables & {
  /** When the changes of other processes are followed for the first time; rejects as the opening does. */
  readonly following: () => Promise<void>;
};

const rowFrom = <Row>(shape: TableShape<Row>, { _id, ...columns }: StoredRow): Row =>
  ({ ...columns, [shape.key]: _id }) as Row;

const readable = <Row extends object>(
  collection: Collection<StoredRow>,
  shape: TableShape<Row>,
  session?: ClientSession,
): ReadableTable<Row> => {
  const inSession = session === undefined ? {} : { session };
  return {
    get: async (key) => {
      const found = await collection.findOne({ _id: key }, inSession);
      return found === null ? undefined : rowFrom(shape, found);
    },
    by: async (column, value) =>
      (await collection.find({ [column]: value }, inSession).toArray()).map((stored) => rowFrom(shape, stored)),
    all: async () => (await collection.find({}, inSession).toArray()).map((stored) => rowFrom(shape, stored)),
  };
};

const writable = <Row extends object>(
  collection: Collection<StoredRow>,
  shape: TableShape<Row>,
  session: ClientSession,
): WritableTable<Row> => ({
  ...readable(collection, shape, session),
  put: async (row) => {
    const { [shape.key]: key, ...columns } = row;
    // Always a whole document: the change stream then carries it, and need not look it up later.
    await collection.replaceOne({ _id: String(key) }, columns as Omit<StoredRow, '_id'>, { upsert: true, session });
  },
  remove: async (key) => {
    await collection.deleteOne({ _id: key }, { session });
  },
  removeBy: async (column, value) => {
    await collection.deleteMany({ [column]: value }, { session });
  },
});

/**
 * Tables in MongoDB, which several processes may share. Throws `CredentialsUnavailable` when it is away, and an Error when the URL, the
 * credentials, the kind of server or what is in the database does not fit.
 */
export const mongoTables = async ({
  url,
  random,
  log,
  patience: milliseconds = 5_000,
}: MongoTablesOptions): Promise<MongoTables> => {
  const { client, database, where } = await connectMongo({
    url,
    store: 'credential store',
    patience: Math.min(milliseconds, 3_000),
    queuePatience: milliseconds,
    journal: true,
    seen: openingError,
  });
  const asking = async <Result>(
    work: (patience: Patience) => Promise<Result>,
    told: (where: string, error: unknown) => Error = storeError,
  ): Promise<Result> => {
    try {
      return await withPatience({ where, milliseconds }, work);
    } catch (error) {
      throw told(where, error);
    }
  };
  const collections = await asking(() => prepareCollections(database, where), openingError).catch(
    async (error: unknown) => {
      await client.close().catch(() => undefined);
      throw error;
    },
  );
  const { rows } = collections;
  const runner = transactionRunner(client, collections, { where, random });
  const streams: SessionStream[] = [];

  const outside = <Row extends object>(
    collection: Collection<StoredRow>,
    shape: TableShape<Row>,
  ): ReadableTable<Row> => {
    const table = readable(collection, shape);
    return {
      get: (key) => asking(() => table.get(key)),
      by: (column, value) => asking(() => table.by(column, value)),
      all: () => asking(() => table.all()),
    };
  };

  return {
    ...(ofEachTable((name, shape) => outside(rows[name], shape)) as ReadableTables),

    transaction: (work, { turn } = {}) =>
      asking((patience) =>
        runner.run(
          patience,
          (session) => work(ofEachTable((name, shape) => writable(rows[name], shape, session)) as WritableTables),
          turn,
        ),
      ),

    watchSessions: (watcher): SessionWatch => {
      const stream = sessionStream({
        collection: rows.sessions,
        rowOf: (stored) => rowFrom(tableShapes.sessions, stored),
        watcher,
        onBreak: (error) => {
          const { message } = storeError(where, error);
          log?.warn({ reason: message }, 'session changes are not followed, every look-up reads the store');
        },
        onMended: () => log?.info({}, 'session changes are followed again'),
      });
      streams.push(stream);
      return stream;
    },

    following: async () => {
      await asking(() => Promise.all(streams.map(({ following }) => following)), openingError);
    },

    close: async () => {
      for (const stream of streams) stream.stop();
      await client.close();
    },
  };
};
