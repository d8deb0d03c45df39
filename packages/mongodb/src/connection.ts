/**
 * The way to a replica set, the same for every store on MongoDB.
 */
import '@zakup/driver-patches/mongodb';
import { type Db, MongoClient } from 'mongodb';
import { isRefused } from './errors.ts';

/** A client of a replica set and the database that its URL names. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly database: Db;
  /** Servers and database, for messages; no credentials. */
  readonly where: string;
}

export interface ConnectOptions {
  readonly url: string;
  /** What is kept there, for messages: `read store`. */
  readonly store: string;
  /** Milliseconds after which a silent server counts as away: given, the URL does not change it; default 3,000, unless the URL says otherwise. */
  readonly patience?: number;
  /** Milliseconds that a call waits for a connection while all are in use, which says nothing of the server; default `patience`. */
  readonly queuePatience?: number;
  /** Whether a write is on disk before it is answered; default false: on a majority of the members. */
  readonly journal?: boolean;
  /** Reads something, to see whether there are rights to the database: everybody may say hello. */
  readonly look?: (database: Db) => Promise<unknown>;
  /** What a caller gets to see of an error that the driver threw. */
  readonly seen: (where: string, error: unknown) => Error;
}

const usual = {
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  socketTimeoutMS: 10_000,
  waitQueueTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
} as const;

const timesOf = ({ url, patience, queuePatience }: ConnectOptions): Readonly<Record<string, number>> =>
  patience === undefined
    ? Object.fromEntries(Object.entries(usual).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url)))
    : {
        ...usual,
        serverSelectionTimeoutMS: patience,
        connectTimeoutMS: patience,
        socketTimeoutMS: 2 * patience,
        waitQueueTimeoutMS: queuePatience ?? patience,
      };

const databaseInUrl = /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/;

/** Says what the driver says, without the password, which it may have quoted; hence no cause either. */
const wrongUrl = ({ url, store }: ConnectOptions, reason: string): Error => {
  const secret = /^[a-z+]+:\/\/[^/]*?:([^/]*)@/.exec(url)?.[1] ?? '';
  return new Error(
    `The URL of the ${store} on MongoDB cannot be used: ${secret === '' ? reason : reason.replaceAll(secret, '…')}`,
  );
};

const clientOf = (options: ConnectOptions): MongoClient => {
  try {
    return new MongoClient(options.url, {
      ...timesOf(options),
      appName: `zakup ${options.store}`,
      retryReads: true,
      retryWrites: true,
      readPreference: 'primary',
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', ...(options.journal === true && { journal: true }) },
    });
  } catch (error) {
    throw wrongUrl(options, error instanceof Error ? error.message : String(error));
  }
};

/**
 * Connects to the primary of the replica set. Throws what `seen` makes of it when the server is away, and an Error that says what is wrong
 * with the URL, the credentials or the kind of server.
 */
export const connectMongo = async (options: ConnectOptions): Promise<MongoConnection> => {
  const client = clientOf(options);
  if (!databaseInUrl.test(options.url))
    throw wrongUrl(options, 'it names no database after the servers, as in mongodb://host/zakup');
  const database = client.db();
  const { srvHost, hosts } = client.options;
  const where = `MongoDB ${srvHost ?? hosts.map((host) => host.toString()).join(',')}/${database.databaseName}`;
  try {
    const hello = await database.command({ hello: 1 });
    // A server alone has no transactions and no change streams, and may forget a write that it has answered.
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid')
      throw new Error(`${where} is no replica set: the ${options.store} needs one, of one member at least`);
    await options.look?.(database);
    return { client, database, where };
  } catch (error) {
    await client.close().catch(() => undefined);
    // Whoever is refused at the opening should be told, and not wait.
    if (isRefused(error)) throw new Error(`${where} does not accept the credentials`, { cause: error });
    throw options.seen(where, error);
  }
};
