import { type Db, MongoClient } from 'mongodb';
import { openingError } from './errors.ts';

/** A client of a replica set and the database that its URL names. */
export interface Connection {
  readonly client: MongoClient;
  readonly database: Db;
  /** Servers and database, for messages; no credentials. */
  readonly where: string;
}

const databaseInUrl = /^mongodb(?:\+srv)?:\/\/[^/]+\/[^?]/;

const wrongUrl = (reason: string): Error => new Error(`The URL of the credential store cannot be used: ${reason}`);

/** Every text between `:` and `@` of the servers' part, so that no message of the driver can carry the password on. */
const withoutPassword = (text: string, url: string): string => {
  const secret = /^[a-z+]+:\/\/[^/]*?:([^/]*)@/.exec(url)?.[1];
  return secret === undefined || secret === '' ? text : text.replaceAll(secret, '…');
};

/** `milliseconds`: after which a server that is silent counts as away; the URL does not change what the rules rely on. */
const clientOf = (url: string, milliseconds: number): MongoClient => {
  try {
    return new MongoClient(url, {
      appName: 'zakup credentials',
      serverSelectionTimeoutMS: milliseconds,
      connectTimeoutMS: milliseconds,
      socketTimeoutMS: 2 * milliseconds,
      waitQueueTimeoutMS: milliseconds,
      heartbeatFrequencyMS: 2_000,
      retryReads: true,
      retryWrites: true,
      readPreference: 'primary',
      readConcern: { level: 'majority' },
      writeConcern: { w: 'majority', journal: true },
    });
  } catch (error) {
    throw wrongUrl(withoutPassword(error instanceof Error ? error.message : String(error), url));
  }
};

/**
 * Connects to the primary of a replica set. Throws `CredentialsUnavailable` when it is away, and an Error that says what is wrong with the
 * URL, the credentials or the kind of server.
 */
export const connect = async (url: string, milliseconds: number): Promise<Connection> => {
  const client = clientOf(url, milliseconds);
  if (!databaseInUrl.test(url)) throw wrongUrl('it names no database after the servers, as in mongodb://host/zakup');
  const database = client.db();
  const { srvHost, hosts } = client.options;
  const where = `MongoDB ${srvHost ?? hosts.map((host) => host.toString()).join(',')}/${database.databaseName}`;
  try {
    const hello = await database.command({ hello: 1 });
    if (hello['setName'] === undefined && hello['msg'] !== 'isdbgrid') {
      throw new Error(
        `Credential store ${where} is no replica set: transactions and change streams need one, of one member at least`,
      );
    }
    return { client, database, where };
  } catch (error) {
    await client.close().catch(() => undefined);
    throw openingError(where, error);
  }
};
