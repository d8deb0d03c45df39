import type { Faults } from './mongodb-standin/faults.ts';
import { startMongoDbStandIn } from './mongodb-standin/mongodb-standin.ts';

/** What tests of adapters talk to. */
export interface MongoDbServer {
  /** Connection string for a database of that name. */
  url(database: string): string;
  readonly kind: 'server' | 'stand-in';
  /** Null for a real server, which does not misbehave on order. */
  readonly faults: Faults | null;
  stop(): Promise<void>;
}

/**
 * The same servers and credentials with another database. Credentials without `authSource` are looked up in the database that the URL
 * names, `admin` when it names none; that stays so.
 */
export const withDatabase = (url: string, database: string): string => {
  const match = /^(mongodb(?:\+srv)?:\/\/([^/?]+))(?:\/([^?]*))?(?:\?(.*))?$/.exec(url);
  if (match === null) throw new Error('MONGODB_URL is no connection string of MongoDB');
  const [, servers = '', hosts = '', named = '', given = ''] = match;
  const options = given === '' ? [] : given.split('&');
  if (hosts.includes('@') && !/(?:^|&)authSource=/i.test(given)) options.push(`authSource=${named || 'admin'}`);
  return `${servers}/${database}${options.length === 0 ? '' : `?${options.join('&')}`}`;
};

/** The server that `MONGODB_URL` names, else a stand-in. Throws when `REQUIRE_SERVERS` wants a real one and none is named. */
export const mongoDbServer = async (env: NodeJS.ProcessEnv = process.env): Promise<MongoDbServer> => {
  const url = env['MONGODB_URL'];
  if (url !== undefined && url !== '') {
    return {
      url: (database) => withDatabase(url, database),
      kind: 'server',
      faults: null,
      stop: () => Promise.resolve(),
    };
  }
  const required = (env['REQUIRE_SERVERS'] ?? '').split(',').map((name) => name.trim());
  if (required.includes('mongodb')) throw new Error('REQUIRE_SERVERS names mongodb, but MONGODB_URL is not set');
  const standIn = await startMongoDbStandIn();
  return {
    url: (database) => standIn.url(database),
    kind: 'stand-in',
    faults: standIn.faults,
    stop: () => standIn.stop(),
  };
};
