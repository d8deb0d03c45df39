import { createHash, timingSafeEqual } from 'node:crypto';
import { signInProblems } from '@zakup/contracts/sign-in-problems';
import type { Request, RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { sendProblem } from './problem-middleware.ts';
import { type ServiceName, serviceNames } from './service-names.ts';

/** Everything measured in one process: its apps share one. Times are seconds. */
export interface Metrics {
  readonly registry: Registry;
  /** Run before each text is made, at most once a second: set figures that are noted elsewhere. Where one fails, its figures stay as they were. */
  readonly beforeText: Set<() => Promise<void>>;
  /** From the request to append until it is durable. */
  readonly appendLatency: Histogram<'outcome'>;
  /** From the event's recorded time until its read models are committed. */
  readonly projectionLag: Histogram;
  /** From a commit of read models until its changes are handed to all sockets of a scope. */
  readonly fanOut: Histogram;
  /** Open sockets. */
  readonly sockets: Gauge;
  /** Changes refused because somebody else changed the same field. */
  readonly conflicts: Counter<'command'>;
  readonly httpDuration: Histogram<'method' | 'route' | 'status'>;
  /** Commands of several appends that a process had left half done, by what became of them: `finished` or `lost`. */
  readonly leftPlans: Counter<'outcome'>;
  /** Tries to sign in that were refused, by door; never by reason or account, which would tell who has one. */
  readonly signInRefusals: Counter<'door'>;
  /** Entries of the audit that were given up: too many at once, or the log was away until the process ended. */
  readonly lostAccessEntries: Counter;
  /** Seals that the witness was told of: `told`, or `failed`, to be told again. */
  readonly sealWitness: Counter<'outcome'>;
  /** Whether it did not take what it was told last: 1 or 0. */
  readonly sealWitnessFailing: Gauge;
  /** When the last seal was made, in seconds since 1970; 0 = none since the projector started. */
  readonly sealsLast: Gauge;
  /** Licences whose log does not hold what their last seal attests: nothing of them is folded or sealed. */
  readonly sealsRefused: Gauge;
  /** Whether a witness is to be told of every seal: 1 or 0. */
  readonly sealsWatching: Gauge;
  /** Licences that are not folded any further. */
  readonly parkedLicences: Gauge;
  /** When stored documents were last compared with their events, in seconds since 1970; 0 = not yet. */
  readonly selfCheckLast: Gauge;
  /** The thread that makes costly answers ended by itself, and was started anew. */
  readonly readingThreadEnds: Counter;
  /** The thread that projects in the single process ended by itself, and was started anew. */
  readonly projectingThreadEnds: Counter;
  /** The clock was set forward by more than events may be dated ahead. */
  readonly clockJumps: Counter;
  /** Whether it is further ahead now than events may be dated: 1 or 0. */
  readonly clockAhead: Gauge;
  /** What comparing stored documents with their events came to: licences `checked`, documents `different`, documents `healed`. */
  readonly selfChecks: Counter<'outcome'>;
  /** Imports that this process is writing, and undos of imports: of several copies one works, the others have none. */
  readonly importsRunning: Gauge<'kind'>;
  /** Rows of imported files by what became of them: `added`, `changed`, `skipped` or `failed`. */
  readonly importRows: Counter<'outcome'>;
  /** Imports that ended: `done`, `failed` or `cancelled`. */
  readonly imports: Counter<'outcome'>;
  /** Imports that were taken back (`way`: `undo`), or brought in again (`redo`): `done` or `failed`. */
  readonly importUndos: Counter<'way' | 'outcome'>;
  /** Webhooks by `status`: `active` or `failing`; of several copies one tells them, and has these figures. */
  readonly webhooks: Gauge<'status'>;
  /** Deliveries of webhooks that are not done. */
  readonly webhookDeliveriesWaiting: Gauge;
  /** Tries to deliver, by what came of them: `taken` or `failed`. */
  readonly webhookTries: Counter<'outcome'>;
  /** Backups that this process made: `done` or `failed`. */
  readonly backups: Counter<'outcome'>;
  /** How often the process makes one by itself, in seconds; 0 = it makes none. */
  readonly backupEvery: Gauge;
  /** When the last backup was begun, in seconds since 1970; 0 = there was none. */
  readonly backupLast: Gauge;
  /** 1 = the last backup was made, 0 = it was not, or there was none. */
  readonly backupOk: Gauge;
  /** Position of the last event in the last whole backup. */
  readonly backupPosition: Gauge;
}

const quick = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * A registry of its own, so that tests can have several. `runtime` adds the process metrics, among them the loop's delay
 * (`nodejs_eventloop_lag_p99_seconds`, `…_max_seconds`, since the last scrape); ask for it once per process. `services`: those that the
 * process is; of others it shows nothing.
 */
export function appMetrics({
  runtime = false,
  services = serviceNames,
}: {
  readonly runtime?: boolean;
  readonly services?: readonly ServiceName[];
} = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const only = (service: ServiceName): Registry[] => (services.includes(service) ? registers : []);
  if (runtime) collectDefaultMetrics({ register: registry });
  const metrics: Metrics = {
    registry,
    beforeText: new Set(),
    appendLatency: new Histogram({
      name: 'zakup_append_seconds',
      help: 'Time until an append is durable',
      labelNames: ['outcome'],
      buckets: quick,
      registers: only('command'),
    }),
    projectionLag: new Histogram({
      name: 'zakup_projection_lag_seconds',
      help: 'Time from an event to its committed read models',
      buckets: quick,
      registers: only('projector'),
    }),
    fanOut: new Histogram({
      name: 'zakup_fan_out_seconds',
      help: 'Time from a commit to all sockets of a scope',
      buckets: quick,
      registers: only('gateway'),
    }),
    sockets: new Gauge({ name: 'zakup_sockets', help: 'Open sockets', registers: only('gateway') }),
    conflicts: new Counter({
      name: 'zakup_conflicts_total',
      help: 'Changes refused with CONFLICT',
      labelNames: ['command'],
      registers: only('command'),
    }),
    httpDuration: new Histogram({
      name: 'zakup_http_request_seconds',
      help: 'Time to answer an HTTP request',
      labelNames: ['method', 'route', 'status'],
      buckets: quick,
      registers,
    }),
    leftPlans: new Counter({
      name: 'zakup_left_plans_total',
      help: 'Commands that were left half done and looked after',
      labelNames: ['outcome'],
      registers: only('command'),
    }),
    signInRefusals: new Counter({
      name: 'zakup_sign_in_refusals_total',
      help: 'Tries to sign in that were refused',
      labelNames: ['door'],
      registers: only('command'),
    }),
    lostAccessEntries: new Counter({
      name: 'zakup_lost_access_entries_total',
      help: 'Entries of the audit about sign-ins that could not be written',
      registers: only('command'),
    }),
    sealWitness: new Counter({
      name: 'zakup_seal_witness_total',
      help: 'Seals that the witness was told of, and attempts that failed',
      labelNames: ['outcome'],
      registers: only('projector'),
    }),
    sealWitnessFailing: new Gauge({
      name: 'zakup_seal_witness_failing',
      help: 'Whether the witness did not take what it was told of the seals last',
      registers: only('projector'),
    }),
    sealsLast: new Gauge({
      name: 'zakup_seals_last_seconds',
      help: 'When the last seal was made, in seconds since 1970',
      registers: only('gateway'),
    }),
    sealsRefused: new Gauge({
      name: 'zakup_seals_refused',
      help: 'Licences whose log does not hold what their last seal attests',
      registers: only('gateway'),
    }),
    sealsWatching: new Gauge({
      name: 'zakup_seals_watching',
      help: 'Whether a witness is to be told of every seal',
      registers: only('gateway'),
    }),
    parkedLicences: new Gauge({
      name: 'zakup_parked_licences',
      help: 'Licences that are not folded any further',
      registers: only('gateway'),
    }),
    selfCheckLast: new Gauge({
      name: 'zakup_self_check_last_seconds',
      help: 'When stored documents were last compared with their events, in seconds since 1970',
      registers: only('gateway'),
    }),
    readingThreadEnds: new Counter({
      name: 'zakup_reading_thread_ends_total',
      help: 'Times that the thread which makes costly answers ended by itself',
      registers: only('gateway'),
    }),
    projectingThreadEnds: new Counter({
      name: 'zakup_projecting_thread_ends_total',
      help: 'Times that the thread which projects in the single process ended by itself',
      registers: only('projector'),
    }),
    clockAhead: new Gauge({
      name: 'zakup_clock_ahead',
      help: 'Whether the clock is further ahead than events may be dated',
      registers: only('command'),
    }),
    clockJumps: new Counter({
      name: 'zakup_clock_jumps_total',
      help: 'The clock was set forward by more than five seconds while the process ran',
      registers: only('command'),
    }),
    selfChecks: new Counter({
      name: 'zakup_self_check_total',
      help: 'Licences compared with their events, documents that differed, and documents put right',
      labelNames: ['outcome'],
      registers: only('projector'),
    }),
    webhooks: new Gauge({
      name: 'zakup_webhooks',
      help: 'Webhooks that tell of events, and that gave up',
      labelNames: ['status'],
      registers: only('command'),
    }),
    webhookDeliveriesWaiting: new Gauge({
      name: 'zakup_webhook_deliveries_waiting',
      help: 'Deliveries of webhooks that nobody took yet',
      registers: only('command'),
    }),
    webhookTries: new Counter({
      name: 'zakup_webhook_tries_total',
      help: 'Tries to deliver something by a webhook',
      labelNames: ['outcome'],
      registers: only('command'),
    }),
    importsRunning: new Gauge({
      name: 'zakup_imports_running',
      help: 'Imports, and undos of imports, that this process is writing',
      labelNames: ['kind'],
      registers: only('command'),
    }),
    importRows: new Counter({
      name: 'zakup_import_rows_total',
      help: 'Rows of imported files by what became of them',
      labelNames: ['outcome'],
      registers: only('command'),
    }),
    imports: new Counter({
      name: 'zakup_imports_total',
      help: 'Imports that ended',
      labelNames: ['outcome'],
      registers: only('command'),
    }),
    importUndos: new Counter({
      name: 'zakup_import_undos_total',
      help: 'Imports that were taken back, or brought in again',
      labelNames: ['way', 'outcome'],
      registers: only('command'),
    }),
    backups: new Counter({
      name: 'zakup_backups_total',
      help: 'Backups that this process made, or tried to',
      labelNames: ['outcome'],
      registers: only('command'),
    }),
    backupEvery: new Gauge({
      name: 'zakup_backup_every_seconds',
      help: 'How often backups are made by themselves, in seconds',
      registers: only('command'),
    }),
    backupLast: new Gauge({
      name: 'zakup_backup_last_seconds',
      help: 'When the last backup was begun, in seconds since 1970',
      registers: only('command'),
    }),
    backupOk: new Gauge({
      name: 'zakup_backup_ok',
      help: 'Whether the last backup was made',
      registers: only('command'),
    }),
    backupPosition: new Gauge({
      name: 'zakup_backup_position',
      help: 'Position of the last event in the last whole backup',
      registers: only('command'),
    }),
  };
  // What can be counted is there from the start: an increase from nothing to one is none to Prometheus.
  for (const outcome of ['finished', 'lost']) metrics.leftPlans.inc({ outcome }, 0);
  for (const outcome of ['told', 'failed']) metrics.sealWitness.inc({ outcome }, 0);
  for (const outcome of ['checked', 'different', 'healed', 'doubted']) metrics.selfChecks.inc({ outcome }, 0);
  for (const outcome of ['added', 'changed', 'skipped', 'failed']) metrics.importRows.inc({ outcome }, 0);
  for (const outcome of ['done', 'failed', 'cancelled']) metrics.imports.inc({ outcome }, 0);
  for (const way of ['undo', 'redo'])
    for (const outcome of ['done', 'failed']) metrics.importUndos.inc({ way, outcome }, 0);
  for (const outcome of ['taken', 'failed']) metrics.webhookTries.inc({ outcome }, 0);
  for (const outcome of ['done', 'failed']) metrics.backups.inc({ outcome }, 0);
  return metrics;
}

/** The pattern of the route that answered; `other` where none did. */
export const routeOf = (request: Request): string => {
  const pattern: unknown = (request.route as { path?: unknown } | undefined)?.path;
  return typeof pattern === 'string' ? `${request.baseUrl}${pattern}` : 'other';
};

/** Measures each answered request under its route's pattern, never under the address itself (ids would make endless series). */
export function httpMetrics(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const begun = performance.now();
    response.on('finish', () => {
      metrics.httpDuration.observe(
        { method: request.method, route: routeOf(request), status: String(response.statusCode) },
        (performance.now() - begun) / 1000,
      );
    });
    next();
  };
}

/**
 * Who may read the figures: `open` everybody who reaches the process other than through a proxy, `closed` nobody, else
 * whoever sends this as a bearer token.
 */
export type MetricsAccess = 'open' | 'closed' | { readonly token: string };

/** Milliseconds for which one text answers everybody. */
const freshFor = 1000;

type Shown = Pick<Metrics, 'registry' | 'beforeText'>;

/** All figures in Prometheus' text form, those that are noted elsewhere as they are now. */
export const metricsText = async ({ registry, beforeText }: Shown): Promise<string> => {
  await Promise.allSettled([...beforeText].map((set) => set()));
  return registry.metrics();
};

/** Makes the text at most once a second, however many ask: making it holds the thread. */
const sharedText = (metrics: Shown, now: () => number): (() => Promise<string>) => {
  let made: { readonly at: number; readonly text: Promise<string> } | null = null;
  return () => {
    if (made !== null && now() - made.at < freshFor) return made.text;
    const next = { at: now(), text: metricsText(metrics) };
    next.text.catch(() => {
      if (made === next) made = null;
    });
    made = next;
    return next.text;
  };
};

/** Proxies add one of these, and nobody behind them can take it out. */
const cameByProxy = ({ headers }: Request): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Answers all of them in Prometheus' text form; a path that nobody may read is as one that does not exist. `now`: milliseconds. */
export function metricsRoute(
  metrics: Metrics,
  {
    access = 'open',
    now = () => performance.now(),
  }: { readonly access?: MetricsAccess; readonly now?: () => number } = {},
): RequestHandler {
  const text = sharedText(metrics, now);
  return async (request, response, next) => {
    if (access === 'closed' || (access === 'open' && cameByProxy(request))) return next();
    if (access !== 'open') {
      const given = /^Bearer (\S+)$/iu.exec(request.headers.authorization ?? '')?.[1] ?? '';
      if (!timingSafeEqual(digest(given), digest(access.token))) return sendProblem(response, signInProblems.no_token);
    }
    response
      .set('Cache-Control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await text());
  };
}
