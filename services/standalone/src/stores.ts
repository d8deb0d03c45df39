import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { declaredFields } from '@zakup/contracts/read-models';
import type { Credentials } from '@zakup/credentials/credentials';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import type { EventStore } from '@zakup/event-store/event-store';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { inProcessLeases } from '@zakup/projector/in-process-leases';
import { projectorLeaseTtl } from '@zakup/projector/leased-projector';
import { partition } from '@zakup/projector/start-projector';
import type { Leases } from '@zakup/read-store/leases';
import type { ReadStore } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import type { Config } from '@zakup/service-kit/config';
import { derivedKey } from '@zakup/service-kit/derived-key';
import { type NamedServer, openWithin } from '@zakup/service-kit/opening';
import { serverAddress } from '@zakup/service-kit/server-address';
import type { ServiceContext } from '@zakup/service-kit/service';
import { type DataDir, openDataDir } from './data-dir/data-dir.ts';
import type { DiskSpaceOptions } from './data-dir/disk-space.ts';
import { storeFiles } from './data-dir/store-files.ts';

/** Where the data of this start lies. */
export interface Places {
  /** null = the log is embedded. */
  readonly eventStore: NamedServer | null;
  /** Of read models and credentials; null = they are embedded. */
  readonly readStore: NamedServer | null;
  /** Of everything embedded, and of keys that no setting gives; null = there is nothing to keep. */
  readonly dataDir: DataDir | null;
  readonly jwtSecret: string;
}

export interface Stores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly credentials: Credentials;
  readonly leases: Leases;
}

const named = (setting: string, url: string | null): NamedServer | null => (url === null ? null : { setting, url });

/** Finds out where the data lies, and locks the data folder where there is one. Throws `DataDirRefused` with a text for the operator. */
export const findPlaces = async (config: Config, disk: DiskSpaceOptions | undefined): Promise<Places> => {
  const eventStore = named('EVENTSTOREDB_URL', config.eventStoreDbUrl);
  const readStore = named('MONGODB_URL', config.mongoDbUrl);
  if (eventStore !== null && readStore !== null && config.jwtSecret !== null) {
    return { eventStore, readStore, dataDir: null, jwtSecret: config.jwtSecret };
  }
  const dataDir = await openDataDir(config.dataDir, {
    elsewhere: { events: eventStore !== null, credentials: readStore !== null },
    ...(disk === undefined ? {} : { disk }),
  });
  return { eventStore, readStore, dataDir, jwtSecret: config.jwtSecret ?? dataDir.secrets.jwtSecret };
};

type Opening = Pick<ServiceContext, 'opened' | 'whenThere' | 'atEnd' | 'log' | 'metrics'> & {
  readonly config: Pick<Config, 'eventStoreDbNamespace'>;
};

/** What is on servers needs no folder. */
const folderOf = ({ dataDir }: Places): DataDir => {
  if (dataDir === null) throw new Error('Something is embedded, and there is no data folder');
  return dataDir;
};

type ReachedReadStore = ReadStore & { reached(): Promise<number> };

const openReadStore = async (
  { opened, atEnd, log }: Opening,
  places: Places,
): Promise<{ readonly readStore: ReachedReadStore; readonly source: string; readonly leases: Leases }> => {
  if (places.readStore !== null) {
    const server = places.readStore;
    const [{ mongoReadStore }, { mongoLeases }] = await Promise.all([
      import('@zakup/read-store/mongodb/mongo-read-store'),
      import('@zakup/read-store/mongodb/mongo-leases'),
    ]);
    const readStore = await opened(server, () => mongoReadStore({ url: server.url, declared: declaredFields, log }));
    const holder = `${hostname()}/${process.pid}`;
    const leases = await opened(server, () => mongoLeases({ url: server.url, holder, log, ttl: projectorLeaseTtl }));
    return { readStore, source: `${server.setting} (${serverAddress(server.url)})`, leases };
  }
  const file = storeFiles(folderOf(places).path).readModels;
  const readStore = sqliteReadStore({ file, declared: declaredFields });
  atEnd({ name: 'read store', run: () => readStore.close() });
  const before = await readStore.checkpoint(partition);
  return { readStore, source: file, leases: inProcessLeases({ fence: (before?.fence ?? 0) + 1 }) };
};

const openCredentials = async ({ opened, atEnd, log }: Opening, places: Places): Promise<Credentials> => {
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const key = places.dataDir?.secrets.credentialsKey ?? derivedKey(places.jwtSecret, 'credentials');
  if (places.readStore !== null) {
    const server = places.readStore;
    const { mongoCredentials } = await import('@zakup/credentials/mongodb/mongo-credentials');
    return opened(server, () => mongoCredentials({ url: server.url, key, random, log }));
  }
  const credentials = sqliteCredentials({ file: storeFiles(folderOf(places).path).credentials, key, random });
  atEnd({ name: 'credentials', run: () => credentials.close() });
  return credentials;
};

const openEventStore = async (
  { opened, atEnd, log, config, metrics }: Opening,
  places: Places,
  knownBounds: readonly { readonly position: number; readonly source: string }[],
): Promise<EventStore> => {
  if (places.eventStore !== null) {
    const server = places.eventStore;
    const { eventStoreDbEventStore } = await import('@zakup/event-store/eventstoredb/eventstoredb-event-store');
    const namespace = config.eventStoreDbNamespace;
    return opened(server, () =>
      eventStoreDbEventStore({
        url: server.url,
        knownBounds,
        openWithin,
        finishPlans: true,
        onLeftPlan: (outcome) => metrics.leftPlans.inc({ outcome }),
        log,
        ...(namespace === null ? {} : { namespace }),
      }),
    );
  }
  const eventStore = await sqliteEventStore({
    file: storeFiles(folderOf(places).path).events,
    clock: Date.now,
    knownBounds,
  });
  atEnd({ name: 'event store', run: () => eventStore.close() });
  return eventStore;
};

/** Opens every store where it lies, waiting for servers that are away; each is closed at the end. */
export const openStores = async (context: Opening, places: Places): Promise<Stores> => {
  const { readStore, source, leases } = await openReadStore(context, places);
  const credentials = await openCredentials(context, places);
  const reached = () => readStore.reached();
  const position = await (places.readStore === null ? reached() : context.whenThere(places.readStore, reached));
  const knownBounds = [{ position, source }];
  const eventStore = await openEventStore(context, places, knownBounds);
  return { eventStore, readStore, credentials, leases };
};

/** Where each store lies, for people. */
export const describePlaces = ({
  eventStore,
  readStore,
  dataDir,
}: Places): { readonly events: string; readonly readModels: string; readonly credentials: string } => {
  const files = dataDir === null ? null : storeFiles(dataDir.path);
  const place = (server: NamedServer | null, product: string, file: string | undefined): string =>
    server === null ? `${file ?? ''} (встроенный SQLite)` : `${product} ${serverAddress(server.url)}`;
  return {
    events: place(eventStore, 'EventStoreDB', files?.events),
    readModels: place(readStore, 'MongoDB', files?.readModels),
    credentials: place(readStore, 'MongoDB', files?.credentials),
  };
};
