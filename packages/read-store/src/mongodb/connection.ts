import { type Db, MongoClient, MongoError } from 'mongodb';
import { ReadStoreUnavailable } from '../read-store.ts';
import { ownCollections } from './collections.ts';
import { isAway, isRefused } from './errors.ts';
import { type StoredMeta, schemaId } from './stored.ts';

/** A client of a replica set and the database that its URL names. */
export interface MongoConnection {
  readonly client: MongoClient;
  readonly database: Db;
  /** Servers and database, for messages; no credentials. */
  readonly where: string;
}

/** Milliseconds after which a server counts as away; the URL may say otherwise. */
const patience = {
  serverSelectionTimeoutMS: 3_000,
  connectTimeoutMS: 3_000,
  socketTimeoutMS: 10_000,
  waitQueueTimeoutMS: 5_000,
  heartbeatFrequencyMS: 2_000,
} as const;

const databaseInUrl = /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/;

/** Says what the driver says, without the password, which it may have quoted; hence no cause either. */
const wrongUrl = (url: string, reason: string): Error => {
  const secret = /^[a-z+]+:\/\/[^/]*?:([^/]*)@/.exec(url)?.[1] ?? '';
  return new Error(`The URL of MongoDB cannot be used: ${secret === '' ? reason : reason.replaceAll(secret, '…')}`);
};

const clientOf = (url: string): MongoClient => {
  const patient = Object.entries(patience).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  try {
    return new MongoClient(url, {
      ...Object.fromEntries(patient),
      appName: 'zakup',
      retryReads: true,
      retryWrites: true,
      readPreference: 'primary',
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority' },
    });
  } catch (error) {
    throw wrongUrl(url, error instanceof Error ? error.message : String(error));
  }
};

/**
 * Connects to the primary of the replica set. Throws `ReadStoreUnavailable` when it is away, and an Error that says what is wrong
 * with the URL, the credentials or the kind of server.
 */
export const connectMongo = async (url: string): Promise<MongoConnection> => {
  const client = clientOf(url);
  if (!databaseInUrl.test(url))
    throw wrongUrl(url, 'it names no database after the servers, as in mongodb://host/zakup');
  const database = client.db();
  const { srvHost, hosts } = client.options;
  const where = `MongoDB ${srvHost ?? hosts.map((host) => host.toString()).join(',')}/${database.databaseName}`;
  try {
    const hello = await database.command({ hello: 1 });
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
      throw new Error(`${where} is no replica set: transactions and change streams need one, of one member at least`);
    }
    // Everybody may say hello: only what is in the database shows that there are rights to it.
    await database.collection<StoredMeta>(ownCollections.meta).findOne({ _id: schemaId });
    return { client, database, where };
  } catch (error) {
    await client.close().catch(() => undefined);
    if (isRefused(error)) throw new Error(`${where} does not accept the credentials`, { cause: error });
    if (isAway(error) && error instanceof MongoError) {
      throw new ReadStoreUnavailable(`${where} is away: ${error.message}`, { cause: error });
    }
    throw error;
  }
};
