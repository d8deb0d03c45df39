import express, { type Express, type RequestHandler, Router } from 'express';
import type { Config } from './config.ts';
import { healthRoutes, type Readiness } from './health.ts';
import { httpLog } from './http-log.ts';
import { httpSpans } from './http-span.ts';
import type { Log } from './log.ts';
import { httpMetrics, type Metrics, metricsRoute } from './metrics.ts';
import { doubleSlash, malformedRequests } from './malformed-requests.ts';
import { notFound, problemHandler, sendProblem, unavailable } from './problem-middleware.ts';
import { securityHeaders } from './security.ts';
import type { Steps } from './steps.ts';
import { unreadAnswers, type UnreadWatch } from './unread.ts';

/** A web app that the process serves too. */
export interface Pages {
  /** Answers every path that nothing else answers. */
  readonly handler: RequestHandler;
  /** Of the page's inline scripts. */
  readonly scriptHashes: readonly string[];
}

export interface HttpFrontOptions {
  readonly config: Pick<Config, 'trustProxy' | 'publicHttps' | 'metrics'>;
  readonly readiness: Readiness;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Absent = there are no traces. */
  readonly steps?: Pick<Steps, 'tracer'> | undefined;
  /** Looks at every answer until it is taken; absent = nobody does. */
  readonly unread?: UnreadWatch | undefined;
  /** Absent = every other path is NOT_FOUND. */
  readonly pages?: Pages | undefined;
  /** Members of `/readyz` beside the state. */
  readonly about?: (() => Readonly<Record<string, string>>) | undefined;
}

export interface HttpFront {
  readonly app: Express;
  /** From now on these answer under `/api`, in order, and unknown paths are NOT_FOUND. Before, everything there is UNAVAILABLE. */
  open(api: readonly RequestHandler[]): void;
}

/** Tokens, secrets and a team's figures: no browser and no proxy keeps an answer, unless a call says that it may. */
const unkept: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store');
  next();
};

/** What every process answers by HTTP, whatever it serves: health, readiness and metrics at once, its calls when they are open. */
export const httpFront = ({
  config,
  readiness,
  log,
  metrics,
  steps,
  unread,
  pages,
  about,
}: HttpFrontOptions): HttpFront => {
  let calls: RequestHandler | null = null;
  const whenOpen: RequestHandler = (request, response, next) => {
    if (calls === null) sendProblem(response, unavailable);
    else calls(request, response, next);
  };

  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.trustProxy);
  if (unread !== undefined) app.use(unreadAnswers(unread));
  app.use(httpLog({ log }), httpMetrics(metrics));
  const tracer = steps?.tracer ?? null;
  if (tracer !== null) app.use(httpSpans(tracer));
  app.use(securityHeaders({ https: config.publicHttps, scriptHashes: pages?.scriptHashes ?? [] }));
  app.use(healthRoutes(readiness, about));
  app.get('/metrics', metricsRoute(metrics, { access: config.metrics }));
  app.use(doubleSlash);
  app.use('/api', unkept, malformedRequests, whenOpen, notFound);
  // Where sockets are served they are taken before this; until then, and in processes without any, a client may come again.
  app.use('/socket.io', (_request, response) => sendProblem(response, unavailable));
  app.use(pages?.handler ?? notFound);
  app.use(problemHandler(log));

  return {
    app,
    open(api) {
      const router = Router();
      if (api.length > 0) router.use(...api);
      calls = router;
    },
  };
};
