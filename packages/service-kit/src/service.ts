import type { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { RequestHandler } from 'express';
import type { Config } from './config.ts';
import { type Readiness, readiness } from './health.ts';
import { httpFront, type Pages } from './http-front.ts';
import { listening } from './listening.ts';
import type { Log } from './log.ts';
import { appMetrics, type Metrics } from './metrics.ts';
import { type NamedServer, opening } from './opening.ts';
import type { ServiceName } from './service-names.ts';
import { gracefulShutdown, type Shutdown, type ShutdownStep } from './shutdown.ts';
import { type Steps, watchedSteps } from './steps.ts';
import { tracerOf } from './traces.ts';
import { unreadWatch } from './unread.ts';
import { type Dependency, watchDependencies } from './dependency-health.ts';

/** What every process is started with. */
export interface ServiceStart {
  readonly config: Config;
  readonly log: Log;
  /** Emits `SIGTERM` and `SIGINT`; `process` outside tests. */
  readonly signals: EventEmitter;
  readonly exit: (code: number) => void;
}

/** What a service begins its work with, once the process listens. */
export interface ServiceContext extends ServiceStart {
  readonly metrics: Metrics;
  /** Told of the steps of changes. */
  readonly steps: Steps;
  readonly readiness: Readiness;
  readonly server: Server;
  /** `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Aborts as soon as the process is told to stop: for what is waited for before the work can begin. */
  readonly stopping: AbortSignal;
  /** Does what needs a server, however long it is away. Throws `ServerRefused`. */
  readonly whenThere: <Result>(server: NamedServer, work: () => Promise<Result>) => Promise<Result>;
  /** Opens a store on a server, however long it is away, and closes it at the end. Throws `ServerRefused`. */
  readonly opened: <Store extends { close(): Promise<void> }>(
    server: NamedServer,
    open: () => Promise<Store>,
  ) => Promise<Store>;
  /** Runs when the process stops; what was registered last runs first. */
  readonly atEnd: (step: ShutdownStep) => void;
  /** Readiness follows these parts from now on. */
  readonly watch: (watched: readonly Dependency[]) => Promise<void>;
}

export interface ServiceOptions extends ServiceStart {
  /** Those that the process is, whose figures `/metrics` shows; default all. */
  readonly services?: readonly ServiceName[];
  readonly pages?: Pages | undefined;
  /** Members of `/readyz` beside the state. */
  readonly about?: () => Readonly<Record<string, string>>;
  /** Opens stores and begins the work; resolves with what is served under `/api`, in order. */
  readonly begin: (context: ServiceContext) => Promise<readonly RequestHandler[]>;
}

export interface Service {
  /** Where it listens, `http://127.0.0.1:3000`. */
  readonly address: string;
  /** Resolves when its calls are served; rejects with what forbids the start. Never settles when it is stopped before. */
  readonly opened: Promise<void>;
  /** Resolves when `/readyz` says so for the first time; rejects as `opened`. */
  readonly ready: Promise<void>;
  readonly shutdown: Shutdown;
}

/** Milliseconds that a client may take to send a request: its head, all of it; and how often that is looked at. */
const slowest = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 };

/** Milliseconds for which nobody needs to take anything of an answer, how slowly it may be taken, and how often that is looked at. */
const unreadFor = { patience: 30_000, least: { bytesPerSecond: 4_096, grace: 60_000 }, lookEvery: 1_000 };

const forever = (): Promise<never> => new Promise(() => undefined);

/**
 * Starts a process that serves HTTP: it listens at once, answers health, readiness and metrics, and everything under `/api` with UNAVAILABLE
 * until `begin` has resolved. Rejects with the listen error.
 */
export const startService = async ({ services, pages, about, begin, ...start }: ServiceOptions): Promise<Service> => {
  const { config, log, signals, exit } = start;
  const metrics = appMetrics({ runtime: true, ...(services === undefined ? {} : { services }) });
  const tracer = await tracerOf(start, services);
  const steps = watchedSteps(log, tracer);
  const state = readiness({ start: 'запускается' });
  const unread = unreadWatch({ ...unreadFor, now: () => performance.now() });
  const looking = setInterval(() => unread.look(), unreadFor.lookEvery).unref();
  const front = httpFront({ config, readiness: state, log, metrics, steps, unread, pages, about });
  const server = createServer(slowest, front.app);
  const stopping = new AbortController();
  const atEnd: ShutdownStep[] = [
    { name: 'traces', run: () => tracer?.close() },
    { name: 'unread answers', run: async () => clearInterval(looking) },
  ];
  const address = await listening(server, config);
  const graceful = gracefulShutdown({
    readiness: state,
    servers: [server],
    log,
    signals,
    exit,
    steps: { [Symbol.iterator]: () => atEnd.toReversed().values() },
  });
  const shutdown: Shutdown = {
    stop: (reason) => {
      stopping.abort();
      return graceful.stop(reason);
    },
    get inFlight() {
      return graceful.inFlight;
    },
  };
  signals.once('SIGTERM', () => stopping.abort());
  signals.once('SIGINT', () => stopping.abort());

  const whenThere = opening({ readiness: state, log, signal: stopping.signal });
  const context: ServiceContext = {
    ...start,
    metrics,
    steps,
    readiness: state,
    server,
    address,
    stopping: stopping.signal,
    atEnd: (step) => void atEnd.push(step),
    whenThere,
    opened: async (named, open) => {
      const store = await whenThere(named, open);
      atEnd.push({ name: named.setting, run: () => store.close() });
      return store;
    },
    watch: async (watched) => {
      const stop = await watchDependencies({ watched, readiness: state, log });
      atEnd.push({ name: 'watch', run: stop });
    },
  };
  const open = async (): Promise<void> => {
    try {
      front.open(await begin(context));
      state.release('start');
    } catch (error) {
      if (stopping.signal.aborted) return forever();
      throw error;
    }
  };
  const opened = open();
  // Whoever starts it looks at it; a process that stops at once may not get there.
  opened.catch(() => undefined);
  const ready = opened.then(() => state.ready());
  ready.catch(() => undefined);
  return { address, opened, ready, shutdown };
};
