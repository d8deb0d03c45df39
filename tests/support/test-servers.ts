import { join } from 'node:path';
import { withDatabase } from './mongodb-server.ts';
import { type ServerName, type StandInProcess, startStandIn } from './standin-process.ts';
import { temporaryDataDir } from './zakup-process.ts';

export type { ServerName } from './standin-process.ts';

/** EventStoreDB and MongoDB for processes that are tested as a whole. */
export interface TestServers {
  readonly eventStoreDbUrl: string;
  /** Connection string for a database of that name. */
  mongoDbUrl(database: string): string;
  /** Those that can be killed and ordered to misbehave; null = a real server. */
  readonly standIns: Readonly<Record<ServerName, StandInProcess | null>>;
  /** Ends stand-ins and removes their files; real servers are left alone. */
  close(): Promise<void>;
}

const given = (setting: string): string | null => {
  const url = process.env[setting] ?? '';
  return url === '' ? null : url;
};

const named = { eventstoredb: given('EVENTSTOREDB_URL'), mongodb: given('MONGODB_URL') } as const;

/** What answers here, for titles: what only met a stand-in is to be called so. */
export const serversSaid = [
  named.eventstoredb === null ? 'a stand-in for EventStoreDB' : 'EventStoreDB',
  named.mongodb === null ? 'a stand-in for MongoDB' : 'MongoDB',
].join(' and ');

/** `server`: both are real. */
export const serversKind: 'server' | 'stand-in' =
  named.eventstoredb !== null && named.mongodb !== null ? 'server' : 'stand-in';

/**
 * The servers that `EVENTSTOREDB_URL` and `MONGODB_URL` name, a stand-in in a process of its own for each that is not named. Rejects when
 * `REQUIRE_SERVERS` names one that is not.
 */
export const testServers = async (): Promise<TestServers> => {
  const required = (process.env['REQUIRE_SERVERS'] ?? '').split(',').map((name) => name.trim());
  const missing = (['eventstoredb', 'mongodb'] as const).filter((name) => required.includes(name) && !named[name]);
  if (missing.length > 0) throw new Error(`REQUIRE_SERVERS names ${missing.join(', ')}, but its URL is not set`);
  const folder = await temporaryDataDir();
  const start = (name: ServerName) =>
    named[name] === null ? startStandIn(name, join(folder.path, `${name}.journal`)) : null;
  const [eventstoredb, mongodb] = await Promise.all([start('eventstoredb'), start('mongodb')]);
  return {
    eventStoreDbUrl: named.eventstoredb ?? eventstoredb?.url ?? '',
    mongoDbUrl: (database) => withDatabase(named.mongodb ?? mongodb?.url ?? '', database),
    standIns: { eventstoredb, mongodb },
    async close() {
      await Promise.all([eventstoredb?.kill(), mongodb?.kill()]);
      await folder.remove();
    },
  };
};
