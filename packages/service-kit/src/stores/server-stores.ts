/** How every process opens its stores on servers: each waits for its server, and is closed at the end. Drivers are loaded when they are wanted. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { declaredFields } from '@zakup/contracts/read-models';
import type { Credentials } from '@zakup/credentials/credentials';
import type { Leases } from '@zakup/read-store/leases';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { SealHeads } from '@zakup/seals/seal-heads';
import type { SealStore } from '@zakup/seals/seal-store';
import type { Config } from '../config.ts';
import { type NamedServer, openWithin } from '../opening.ts';
import { serverAddress } from '../server-address.ts';
import type { ServiceContext } from '../service.ts';
import type { ServiceName } from '../service-names.ts';
import { checkpointHeads, credentialHeads } from './kept-heads.ts';
import type { LosableEventStore } from './log-identity-guard.ts';

export type StoresOpening = Pick<ServiceContext, 'opened' | 'whenThere' | 'log' | 'metrics'> & {
  readonly config: Pick<Config, 'eventStoreDbNamespace'> & Partial<Pick<Config, 'sessionIdle'>>;
};

export type ReachedReadStore = ReadStore & {
  /** Position that the read models were ever complete to. */
  reached(): Promise<number>;
};

/** A position that the log must have come to, and who knows it. */
export interface KnownBound {
  readonly position: number;
  readonly source: string;
}

/** A server as texts for the operator name it: `MONGODB_URL (host:27017)`. */
export const serverSource = ({ setting, url }: NamedServer): string => `${setting} (${serverAddress(url)})`;

/** Names this process to people. */
const holder = (): string => `${hostname()}/${process.pid}`;

export const openReadStore = async ({ opened, log }: StoresOpening, server: NamedServer): Promise<ReachedReadStore> => {
  const { mongoReadStore } = await import('@zakup/read-store/mongodb/mongo-read-store');
  return opened(server, () => mongoReadStore({ url: server.url, declared: declaredFields, log }));
};

/** `ttl`: milliseconds after which a holder that is gone is given up. */
export const openLeases = async (
  { opened, log }: StoresOpening,
  server: NamedServer,
  ttl?: number,
): Promise<Leases> => {
  const { mongoLeases } = await import('@zakup/read-store/mongodb/mongo-leases');
  const time = ttl === undefined ? {} : { ttl };
  return opened(server, () => mongoLeases({ url: server.url, holder: holder(), log, ...time }));
};

/** `key`: of 32 bytes, equal in all processes. */
export const openCredentials = async (
  { opened, log, config: { sessionIdle } }: StoresOpening,
  server: NamedServer,
  key: Uint8Array,
): Promise<Credentials> => {
  const { mongoCredentials } = await import('@zakup/credentials/mongodb/mongo-credentials');
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  return opened(server, () => mongoCredentials({ url: server.url, key, random, sessionIdle, log }));
};

/** The list of processes, with this one in it. */
export const openProcesses = async (
  { opened }: Pick<ServiceContext, 'opened'>,
  server: NamedServer,
  service: ServiceName,
) => {
  const { mongoProcessRegistry } = await import('@zakup/read-store/mongodb/mongo-process-registry');
  return opened(server, () => mongoProcessRegistry({ url: server.url, holder: holder(), service }));
};

/** Seals of the signed history, beside the read models. */
export const openSeals = async ({ opened }: StoresOpening, server: NamedServer): Promise<SealStore> => {
  const { mongoSealStore } = await import('@zakup/seals/mongodb/mongo-seal-store');
  return opened(server, () => mongoSealStore({ url: server.url }));
};

/** Where the last seals are kept beside the seals. */
export const keptHeads = (
  { credentials, readStore }: { readonly credentials: Credentials; readonly readStore: ReadStore },
  server: NamedServer,
): readonly SealHeads[] => [
  credentialHeads(credentials, `учётным данным в ${serverSource(server)}`),
  checkpointHeads(readStore, `моделям чтения в ${serverSource(server)}`),
];

/** How far the log had come when the last seals were made. */
export const headBounds = (heads: readonly SealHeads[]): Promise<readonly KnownBound[]> =>
  Promise.all(
    heads.map(async (place) => ({
      position: Math.max(0, ...(await place.all()).map(({ position }) => position)),
      source: place.where,
    })),
  );

/** How far the read models and the seals say that the log has come. */
export const knownBounds = async (
  { whenThere }: StoresOpening,
  server: NamedServer,
  {
    readStore,
    seals,
    heads = [],
  }: { readonly readStore: ReachedReadStore; readonly seals: SealStore; readonly heads?: readonly SealHeads[] },
): Promise<readonly KnownBound[]> => [
  { position: await whenThere(server, () => readStore.reached()), source: serverSource(server) },
  { position: await whenThere(server, () => seals.reached()), source: `печатям в ${serverSource(server)}` },
  ...(await whenThere(server, () => headBounds(heads))),
];

/** `finishPlans`: whether this process makes what others have left half done. */
export const openEventStore = async (
  { opened, log, metrics, config }: StoresOpening,
  server: NamedServer,
  { bounds, finishPlans = false }: { readonly bounds: readonly KnownBound[]; readonly finishPlans?: boolean },
): Promise<LosableEventStore> => {
  const { eventStoreDbEventStore } = await import('@zakup/event-store/eventstoredb/eventstoredb-event-store');
  const namespace = config.eventStoreDbNamespace;
  return opened(server, () =>
    eventStoreDbEventStore({
      url: server.url,
      ...(namespace === null ? {} : { namespace }),
      knownBounds: bounds,
      openWithin,
      finishPlans,
      onLeftPlan: (outcome) => metrics.leftPlans.inc({ outcome }),
      log,
    }),
  );
};
