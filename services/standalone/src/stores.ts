import { randomBytes } from 'node:crypto';
import { declaredFields } from '@zakup/contracts/read-models';
import type { Credentials } from '@zakup/credentials/credentials';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import { clockLeeway, datedAhead, steadyClock } from '@zakup/event-store/steady-clock';
import { type SqliteEventStore, sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { inProcessLeases } from '@zakup/projector/in-process-leases';
import { projectorLeaseTtl } from '@zakup/projector/leased-projector';
import type { Leases } from '@zakup/read-store/leases';
import type { ReadStore } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { ensureHeads, type SealHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import type { ClockAlarm } from '@zakup/service-kit/clock-alarm';
import type { Config } from '@zakup/service-kit/config';
import { derivedKey } from '@zakup/service-kit/derived-key';
import type { NamedServer } from '@zakup/service-kit/opening';
import { serverAddress } from '@zakup/service-kit/server-address';
import type { ServiceContext } from '@zakup/service-kit/service';
import type { LosableEventStore } from '@zakup/service-kit/stores/log-identity-guard';
import {
  headBounds,
  keptHeads,
  type KnownBound,
  knownBounds,
  openCredentials,
  openEventStore,
  openLeases,
  openReadStore,
  openSeals,
  type StoresOpening,
} from '@zakup/service-kit/stores/server-stores';
import { checkpointHeads, credentialHeads } from '@zakup/service-kit/stores/kept-heads';
import { type DataDir, openDataDir } from './data-dir/data-dir.ts';
import type { FolderUse } from './data-dir/demo-mark.ts';
import type { DiskSpaceOptions } from './data-dir/disk-space.ts';
import { storeFiles } from './data-dir/store-files.ts';
import { nextFence } from './next-fence.ts';

/** Where the data of this start lies. */
export interface Places {
  /** null = the log is embedded. */
  readonly eventStore: NamedServer | null;
  /** Of read models and credentials; null = they are embedded. */
  readonly readStore: NamedServer | null;
  /** Of everything embedded, and of keys that no setting gives; null = there is nothing to keep. */
  readonly dataDir: DataDir | null;
  readonly jwtSecret: string;
  /** Signs the seals of the history; null where nothing signs. */
  readonly sealKey: string | null;
  /** Hides access codes and licence keys. */
  readonly accessCodesKey: Uint8Array;
  /** 32 bytes. */
  readonly credentialsKey: Uint8Array;
}

export interface Stores {
  readonly eventStore: LosableEventStore;
  readonly readStore: ReadStore;
  readonly credentials: Credentials;
  readonly leases: Leases;
  readonly seals: SealStore;
  /** Where the last seals are kept, too. */
  readonly heads: readonly SealHeads[];
  /** The clock of an embedded log, in UTC milliseconds; absent = the log is on a server, which has one of its own. */
  readonly logClock?: () => number;
  /** Whether that clock, or the last event's, is ahead. */
  readonly clockAlarm?: () => ClockAlarm | null;
  /** Of an embedded log, for who follows its file from another thread; null = it is on a server. */
  readonly onPublished: SqliteEventStore['onPublished'] | null;
}

const named = (setting: string, url: string | null): NamedServer | null => (url === null ? null : { setting, url });

/** Finds out where the data lies, and locks the data folder where there is one. Throws `DataDirRefused` with a text for the operator. */
export const findPlaces = async (
  config: Config,
  {
    disk,
    use,
    serves = false,
  }: {
    readonly disk?: DiskSpaceOptions | undefined;
    readonly use: FolderUse;
    /** Everything is served on these stores: keys to seal the history and to hide codes are needed. */
    readonly serves?: boolean;
  },
): Promise<Places> => {
  const eventStore = named('EVENTSTOREDB_URL', config.eventStoreDbUrl);
  const readStore = named('MONGODB_URL', config.mongoDbUrl);
  const onServers = eventStore !== null && readStore !== null;
  if (onServers && config.jwtSecret !== null && (config.sealKey !== null || !serves)) {
    const { jwtSecret, sealKey } = config;
    const accessCodesKey = config.accessCodesKey ?? derivedKey(jwtSecret, 'access codes');
    const credentialsKey = config.credentialsKey ?? derivedKey(jwtSecret, 'credentials');
    return { eventStore, readStore, dataDir: null, jwtSecret, sealKey, accessCodesKey, credentialsKey };
  }
  const dataDir = await openDataDir(config.dataDir, {
    use,
    elsewhere: { events: eventStore !== null, credentials: readStore !== null },
    ...(disk === undefined ? {} : { disk }),
  });
  const { sealKey, accessCodesKey } = dataDir.secrets;
  const jwtSecret = config.jwtSecret ?? dataDir.secrets.jwtSecret;
  return {
    eventStore,
    readStore,
    dataDir,
    jwtSecret,
    sealKey: config.sealKey ?? sealKey,
    // What lies on servers is opened from other folders, and by separate services, too.
    accessCodesKey: config.accessCodesKey ?? (onServers ? derivedKey(jwtSecret, 'access codes') : accessCodesKey),
    credentialsKey: config.credentialsKey ?? dataDir.secrets.credentialsKey,
  };
};

type Opening = StoresOpening & Pick<ServiceContext, 'atEnd'>;

/** What is on servers needs no folder. */
const folderOf = ({ dataDir }: Places): DataDir => {
  if (dataDir === null) throw new Error('Something is embedded, and there is no data folder');
  return dataDir;
};

/** Read models, leases, credentials and seals lie together. */
type Documents = Omit<Stores, 'eventStore' | 'onPublished'> & { readonly bounds: readonly KnownBound[] };

const documentsOnServer = async (context: Opening, places: Places, server: NamedServer): Promise<Documents> => {
  const readStore = await openReadStore(context, server);
  const leases = await openLeases(context, server, projectorLeaseTtl);
  const credentials = await openCredentials(context, server, places.credentialsKey);
  const seals = await openSeals(context, server);
  const heads = keptHeads({ credentials, readStore }, server);
  const bounds = await knownBounds(context, server, { readStore, seals, heads });
  return { readStore, leases, credentials, seals, heads, bounds };
};

const documentsEmbedded = async ({ atEnd, config: { sessionIdle } }: Opening, places: Places): Promise<Documents> => {
  const files = storeFiles(folderOf(places).path);
  const readStore = sqliteReadStore({ file: files.readModels, declared: declaredFields });
  atEnd({ name: 'read store', run: () => readStore.close() });
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const credentials = sqliteCredentials({ file: files.credentials, key: places.credentialsKey, random, sessionIdle });
  atEnd({ name: 'credentials', run: () => credentials.close() });
  const seals = sqliteSealStore({ file: files.seals });
  atEnd({ name: 'seals', run: () => seals.close() });
  const heads = [credentialHeads(credentials, files.credentials), checkpointHeads(readStore, files.readModels)];
  const bounds = [
    { position: await readStore.reached(), source: files.readModels },
    { position: await seals.reached(), source: files.seals },
    ...(await headBounds(heads)),
  ];
  const leases = inProcessLeases({ fence: await nextFence({ readStore, seals }) });
  return { readStore, leases, credentials, seals, heads, bounds };
};

const eventsEmbedded = async (
  { atEnd }: Opening,
  places: Places,
  bounds: readonly KnownBound[],
  clock: () => number,
): Promise<SqliteEventStore> => {
  const file = storeFiles(folderOf(places).path).events;
  const eventStore = await sqliteEventStore({ file, clock, knownBounds: bounds });
  atEnd({ name: 'event store', run: () => eventStore.close() });
  return eventStore;
};

const setForward =
  'The clock was set forward: events are dated by the clock of the start until it is right, or the next start';

const datedAheadText =
  'The last event is dated ahead of the clock, and so is what follows until it has come so far: is the clock right?';

/** Told when the clock was set forward: recorded times are held back, and people wonder. */
const clockWatch = ({ log, metrics }: Pick<Opening, 'log' | 'metrics'>, now: () => number = Date.now) => {
  let ahead: ClockAlarm | null = null;
  /** Until when the last event is dated ahead of the clock, UTC milliseconds. */
  let dated: { readonly since: number; readonly until: number } | null = null;
  const alarm = (milliseconds: number, text: string): void => {
    metrics.clockJumps.inc();
    metrics.clockAhead.set(1);
    log.error({ milliseconds }, text);
  };
  return {
    onAhead(milliseconds: number): void {
      ahead = { since: now() - milliseconds, milliseconds };
      alarm(milliseconds, setForward);
    },
    onRight(): void {
      ahead = null;
      metrics.clockAhead.set(0);
      log.info({}, 'The clock is right again');
    },
    datedAhead(milliseconds: number): void {
      dated = { since: now(), until: now() + milliseconds };
      alarm(milliseconds, datedAheadText);
    },
    /** `look`: dates nothing, and finds out whether the clock is still ahead. */
    alarm(look: () => unknown): ClockAlarm | null {
      look();
      if (ahead !== null) return ahead;
      const left = dated === null ? 0 : dated.until - now();
      if (dated !== null && left > clockLeeway) return { since: dated.since, milliseconds: left };
      metrics.clockAhead.set(0);
      return null;
    },
  };
};

const openLog = async (
  context: Opening,
  places: Places,
  bounds: readonly KnownBound[],
  logClock: () => number,
): Promise<Pick<Stores, 'eventStore' | 'onPublished' | 'logClock'>> => {
  if (places.eventStore !== null) {
    const eventStore = await openEventStore(context, places.eventStore, { bounds, finishPlans: true });
    return { eventStore, onPublished: null };
  }
  const events = await eventsEmbedded(context, places, bounds, logClock);
  return { eventStore: events, onPublished: events.onPublished, logClock };
};

export interface OpenOptions {
  /** An embedded log's, in UTC milliseconds. */
  readonly clock?: (() => number) | undefined;
  /** Whatever is known elsewhere of the last seals. */
  readonly trustsSeals?: boolean;
}

/**
 * Opens every store where it lies, waiting for servers that are away; each is closed at the end. Throws `SealsReplaced` where the seals are
 * not those that are known elsewhere.
 */
export const openStores = async (
  context: Opening,
  places: Places,
  { clock, trustsSeals = false }: OpenOptions = {},
): Promise<Stores> => {
  const { bounds, ...documents } = await (places.readStore === null
    ? documentsEmbedded(context, places)
    : documentsOnServer(context, places, places.readStore));
  const watch = clockWatch(context);
  const logClock = clock ?? steadyClock(watch);
  const log = await openLog(context, places, bounds, logClock);
  if (places.eventStore === null && clock === undefined) {
    // Who reads a damaged event tells of it.
    const milliseconds = await datedAhead(log.eventStore, Date.now()).catch(() => 0);
    if (milliseconds > clockLeeway) watch.datedAhead(milliseconds);
  }
  if (!trustsSeals) await ensureHeads(documents.seals, documents.heads);
  const isWatched = places.eventStore === null && clock === undefined;
  return { ...log, ...documents, ...(isWatched && { clockAlarm: () => watch.alarm(logClock) }) };
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
