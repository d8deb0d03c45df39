import { keyThrottle } from '@zakup/credentials/key-throttle';
import { accessTokens } from '@zakup/credentials/access-token';
import type { Credentials } from '@zakup/credentials/credentials';
import type { EventStore } from '@zakup/event-store/event-store';
import { steadyClock } from '@zakup/event-store/steady-clock';
import type { ReadStore } from '@zakup/read-store/read-store';
import type { SealStore } from '@zakup/seals/seal-store';
import type { NamedServer } from '@zakup/service-kit/opening';
import { type Service, type ServiceContext, type ServiceStart, startService } from '@zakup/service-kit/service';
import { reportingDamage } from '@zakup/service-kit/stores/damage-reports';
import { onServers } from '@zakup/service-kit/stores/on-servers';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import type { Router } from 'express';
import { gatewayApp } from './app.ts';
import type { GatewayDeps } from './deps.ts';
import { readGuard } from './http/limits/read-guard.ts';
import { showStatus } from './read-models/status-metrics.ts';
import { liveGateway } from './live/live-gateway.ts';
import type { ReadingThread } from './reading-thread/reading-thread.ts';
import { snapshotCache } from './time-travel/snapshot-cache.ts';

export interface GatewayServers {
  readonly eventStore: NamedServer;
  /** Read models and credentials. */
  readonly readStore: NamedServer;
}

export interface GatewayStores {
  readonly eventStore: EventStore;
  readonly readStore: ReadStore;
  readonly credentials: Credentials;
  readonly seals: SealStore;
  /** The clock of an embedded log, in UTC milliseconds; absent = the log is on a server, which has one of its own. */
  readonly logClock?: (() => number) | undefined;
  /** How every service is. */
  readonly services?: NonNullable<GatewayDeps['services']>;
}

export interface GatewaySettings
  extends Partial<
    Pick<
      GatewayDeps,
      | 'thread'
      | 'readOnly'
      | 'freeDiskBytes'
      | 'storeBytes'
      | 'backups'
      | 'clockAlarm'
      | 'positionsCountEvents'
      | 'eventsUpTo'
      | 'services'
      | 'adminEmails'
      | 'adminSecondFactor'
    >
  > {
  readonly jwtSecret: string;
  readonly codes: GatewayDeps['codes'];
}

/** What the gateway serves on these stores; sockets are taken on the context's server from now on. */
export const gatewayOn = (
  { config, log, metrics, steps, server, atEnd }: ServiceContext,
  stores: GatewayStores,
  { jwtSecret, readOnly = () => null, ...more }: GatewaySettings,
): Router => {
  const readStore = reportingDamage({ readStore: stores.readStore, log });
  const deps: GatewayDeps = {
    ...stores,
    ...more,
    logClock: stores.logClock ?? steadyClock(),
    readStore,
    readOnly,
    past: more.thread?.past ?? snapshotCache(stores),
    guard: readGuard(),
    keyThrottle: keyThrottle({ now: () => performance.now() }),
    tokens: accessTokens({ secret: jwtSecret, clock: Date.now }),
    now: Date.now,
    log,
    metrics,
    steps,
    partition: allPartitions,
  };
  showStatus(deps);
  const live = liveGateway({ server, deps, names: config });
  atEnd({ name: 'sockets', run: () => live.stop() });
  return gatewayApp(deps);
};

/** What only a gateway in a process of its own is given. */
export interface GatewayProcessSettings extends GatewaySettings {
  /** Makes what is costly beside the thread that serves; absent = that one makes it. */
  readonly readingThread?: (context: ServiceContext, stores: GatewayStores) => ReadingThread;
}

/** The gateway as a process of its own. Ready: the stores answer, and the read models follow the log. */
export const startGateway = (
  start: ServiceStart,
  { readingThread, ...settings }: GatewayProcessSettings,
  servers: GatewayServers,
  open: (context: ServiceContext) => Promise<GatewayStores>,
): Promise<Service> =>
  startService({
    ...start,
    services: ['gateway'],
    async begin(context) {
      const { stores, watch } = await onServers(context, servers, await open(context), { models: true });
      await watch();
      return [gatewayOn(context, stores, { ...settings, thread: readingThread?.(context, stores) })];
    },
  });
