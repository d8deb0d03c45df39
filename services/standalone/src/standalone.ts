import { randomBytes } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import { commandApp } from '@zakup/command/app';
import { streamCache } from '@zakup/command/stream-cache';
import { declaredFields } from '@zakup/contracts/read-models';
import { accessTokens } from '@zakup/credentials/access-token';
import { makeTemporaryPassword } from '@zakup/credentials/codes';
import type { Credentials } from '@zakup/credentials/credentials';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { gatewayApp } from '@zakup/gateway/app';
import { liveGateway } from '@zakup/gateway/live/live-gateway';
import { runProjector } from '@zakup/projector/run-projector';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import type { Config } from '@zakup/service-kit/config';
import { healthRoutes, readiness } from '@zakup/service-kit/health';
import { httpLog } from '@zakup/service-kit/http-log';
import { listening } from '@zakup/service-kit/listening';
import type { Log } from '@zakup/service-kit/log';
import { appMetrics, httpMetrics, metricsRoute } from '@zakup/service-kit/metrics';
import { doubleSlash, oddRequests } from '@zakup/service-kit/odd-requests';
import { notFound, problemHandler } from '@zakup/service-kit/problem-middleware';
import { type RateLimit, rateLimit } from '@zakup/service-kit/rate-limit';
import { securityHeaders } from '@zakup/service-kit/security';
import { gracefulShutdown, type Shutdown } from '@zakup/service-kit/shutdown';
import express from 'express';
import { openDataDir } from './data-dir/data-dir.ts';
import type { DiskSpaceOptions } from './data-dir/disk-space.ts';
import { type StoreFiles, storeFiles } from './data-dir/store-files.ts';
import { scriptHashesOf, webFiles } from './web-files.ts';

export interface StandaloneOptions {
  readonly config: Config;
  readonly log: Log;
  /** Folder of the built web app. */
  readonly webDist: string;
  /** `process` outside tests. */
  readonly signals: EventEmitter;
  readonly exit: (code: number) => void;
  /** How the free space is watched; tests make it scarce. */
  readonly disk?: DiskSpaceOptions;
  /** Changes per session; benchmarks and kill tests raise it, and say so. */
  readonly changes?: RateLimit;
}

export interface Standalone {
  /** Where it listens, `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Shown once: the admin's password when it was made at this start. */
  readonly madeAdminPassword: string | null;
  /** Names of the files in use. */
  readonly stores: StoreFiles;
  /** Resolves when the read models have caught up and `/readyz` says so. */
  readonly ready: Promise<void>;
  readonly shutdown: Shutdown;
}

const readOnlyText = 'На диске осталось меньше 500 МБ: изменения не принимаются, пока место не освободят';

/** Milliseconds that a client may take to send a request: its head, all of it; and how often that is looked at. */
const slowest = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };

/** Command, projector and gateway in one process on the embedded stores. Throws when the folder or a store cannot be used. */
export const startStandalone = async (options: StandaloneOptions): Promise<Standalone> => {
  const { config, log, webDist, signals, exit } = options;
  const dataDir = await openDataDir(config.dataDir, options.disk === undefined ? {} : { disk: options.disk });
  const stores = storeFiles(dataDir.path);
  const now = Date.now;
  const random = (bytes: number): Uint8Array => randomBytes(bytes);
  const readStore = sqliteReadStore({ file: stores.readModels, declared: declaredFields });
  const knownBounds = [{ position: await readStore.reached(), source: stores.readModels }];
  const eventStore = await sqliteEventStore({ file: stores.events, clock: now, knownBounds });
  const credentials = sqliteCredentials({ file: stores.credentials, key: dataDir.secrets.credentialsKey, random });
  const tokens = accessTokens({ secret: config.jwtSecret ?? dataDir.secrets.jwtSecret, clock: now });

  const metrics = appMetrics({ runtime: true });
  const state = readiness({ catchUp: 'модели чтения догоняют журнал' });
  const stop = new AbortController();
  const projector = runProjector({
    eventStore,
    readStore,
    partition: 'all',
    fence: 1,
    signal: stop.signal,
    now,
    log,
    onBatch: ({ lagMilliseconds }) => metrics.projectionLag.observe(lagMilliseconds / 1000),
  });

  const readOnly = (): string | null => (dataDir.disk.readOnly ? readOnlyText : null);
  const gatewayDeps = {
    eventStore,
    readStore,
    credentials,
    tokens,
    now,
    readOnly,
    log,
    metrics,
    partition: 'all',
    freeDiskBytes: () => dataDir.disk.freeBytes,
    positionsCountEvents: true,
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  app.use(httpLog({ log }), httpMetrics(metrics));
  app.use(healthRoutes(state));
  app.get('/metrics', metricsRoute(metrics));
  app.use(securityHeaders({ https: config.publicHttps, scriptHashes: scriptHashesOf(webDist) }));
  app.use(doubleSlash);
  app.use(
    '/api',
    oddRequests,
    gatewayApp(gatewayDeps),
    commandApp({
      eventStore,
      cache: streamCache(eventStore),
      readStore,
      credentials,
      tokens,
      now,
      random,
      changes: options.changes ?? rateLimit({ now: () => performance.now() }),
      readOnly,
      log,
      metrics,
    }),
    notFound,
  );
  app.use(webFiles(webDist));
  app.use(problemHandler(log));

  const server = createServer(slowest, app);
  const live = liveGateway({ server, deps: gatewayDeps });
  const address = await listening(server, { port: config.port, host: config.host });
  // Only now can it still be shown: a start that fails before would keep the password to itself for ever.
  const madeAdminPassword = await prepareAdmin(credentials, config, random);
  const shutdown = gracefulShutdown({
    readiness: state,
    servers: [server],
    log,
    signals,
    exit,
    steps: [
      { name: 'sockets', run: () => live.stop() },
      {
        name: 'projector',
        run: async () => {
          stop.abort();
          await projector.stop();
        },
      },
      { name: 'event store', run: () => eventStore.close() },
      { name: 'read store', run: () => readStore.close() },
      { name: 'credentials', run: () => credentials.close() },
      { name: 'data folder', run: () => dataDir.close() },
    ],
  });
  const ready = projector.caughtUp.then(() => state.release('catchUp'));
  return { address, madeAdminPassword, stores, ready, shutdown };
};

/** The admin's password follows `ADMIN_PASSWORD`; without it one is made at the first start. */
const prepareAdmin = async (
  credentials: Credentials,
  { adminLogin, adminPassword }: Config,
  random: (bytes: number) => Uint8Array,
): Promise<string | null> => {
  if (adminPassword !== null) {
    if (!(await credentials.checkAdmin(adminLogin, adminPassword)))
      await credentials.setAdmin(adminLogin, adminPassword);
    return null;
  }
  if (await credentials.hasAdmin()) return null;
  const made = makeTemporaryPassword(random);
  await credentials.setAdmin(adminLogin, made);
  return made;
};
