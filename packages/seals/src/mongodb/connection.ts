import { type Db, MongoClient } from 'mongodb';
import { openingError } from './errors.ts';

/** A client of a replica set and the database that its URL names. */
export interface Connection {
  readonly client: MongoClient;
  readonly database: Db;
  /** Servers and database, for messages; no credentials. */
  readonly where: string;
}

/** Milliseconds after which a server counts as away. */
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
  return new Error(
    `The URL of the seal store cannot be used: ${secret === '' ? reason : reason.replaceAll(secret, '…')}`,
  );
};

const clientOf = (url: string): MongoClient => {
  const patient = Object.entries(patience).filter(([name]) => !new RegExp(`[?&]${name}=`, 'i').test(url));
  try {
    return new MongoClient(url, {
      ...Object.fromEntries(patient),
      appName: 'zakup seals',
      retryReads: true,
      retryWrites: true,
      readPreference: 'primary',
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', journal: true },
    });
  } catch (error) {
    throw wrongUrl(url, error instanceof Error ? error.message : String(error));
  }
};

/**
 * Connects to the primary of a replica set. Throws `SealsUnavailable` when it is away, and an Error that says what is wrong with the URL,
 * the credentials or the kind of server.
 */
export const connect = async (url: string): Promise<Connection> => {
  const client = clientOf(url);
  if (!databaseInUrl.test(url))
    throw wrongUrl(url, 'it names no database after the servers, as in mongodb://host/zakup');
  const database = client.db();
  const { srvHost, hosts } = client.options;
  const where = `MongoDB ${srvHost ?? hosts.map((host) => host.toString()).join(',')}/${database.databaseName}`;
  try {
    const hello = await database.command({ hello: 1 });
    // A server alone may forget a write that it has answered.
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid')
      throw new Error(`Seal store ${where} is no replica set, of one member at least`);
    return { client, database, where };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw openingError(where, error);
  }
};
