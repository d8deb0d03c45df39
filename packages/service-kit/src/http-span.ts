import type { IncomingMessage } from 'node:http';
import type { TraceContext } from '@zakup/contracts/trace-context';
import type { Tracer } from '@zakup/tracing/tracer';
import type { RequestHandler } from 'express';
import { correlationOf } from './correlation.ts';
import { isProbe } from './http-log.ts';
import { routeOf } from './metrics.ts';
import { preciseNow } from './steps.ts';

const spans = new WeakMap<IncomingMessage, TraceContext>();

/** Where the steps of a request belong; null = it has no span. */
export const spanOf = (request: IncomingMessage): TraceContext | null => spans.get(request) ?? null;

/** A span for each answer, under the pattern of its route: addresses, headers and bodies stay out. Goes behind `httpLog`. */
export const httpSpans =
  (tracer: Tracer): RequestHandler =>
  (request, response, next) => {
    if (isProbe(request)) {
      next();
      return;
    }
    const { method } = request;
    const attributes = { 'http.request.method': method };
    const { parent } = correlationOf(request);
    const span = tracer.begin({ name: method, kind: 'server', parent, at: preciseNow(), attributes });
    spans.set(request, span.context);
    response.once('close', () => {
      const route = routeOf(request);
      const { correlationId, commandId } = correlationOf(request);
      span.end({
        at: preciseNow(),
        name: `${method} ${route}`,
        attributes: {
          'http.route': route,
          'http.response.status_code': response.statusCode,
          'zakup.correlationId': correlationId,
          ...(commandId !== undefined && { 'zakup.commandId': commandId }),
        },
        failed: response.statusCode >= 500,
      });
    });
    next();
  };
