import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { type Log, withoutKeys } from './log.ts';

const usableId = /^[\w.:-]{1,128}$/;
const quietPaths = new Set(['/healthz', '/readyz', '/metrics']);

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';
const originalUrl = (request: IncomingMessage): string | undefined =>
  'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : request.url;

export interface HttpLogOptions {
  readonly log: Log;
  /** Makes the id of a request that brings none. */
  readonly newId?: () => string;
}

/**
 * Gives each request an id (a usable `X-Request-Id` is taken over), answers it in `X-Request-Id`, binds it to `req.log` and writes
 * one line per answer. Query strings, headers and bodies are never logged.
 */
export function httpLog({ log, newId = randomUUID }: HttpLogOptions): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId(request: IncomingMessage, response: ServerResponse) {
      const given = request.headers['x-request-id'];
      const id = typeof given === 'string' && usableId.test(given) ? given : newId();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    autoLogging: { ignore: (request) => quietPaths.has(pathOf(request.url)) },
    customLogLevel: (_request, response, error) =>
      error !== undefined || response.statusCode >= 500 ? 'error' : 'info',
    wrapSerializers: false,
    serializers: {
      req: (request: IncomingMessage) => ({
        id: request.id,
        method: request.method,
        path: withoutKeys(pathOf(originalUrl(request))),
      }),
      res: (response: ServerResponse) => ({ status: response.statusCode }),
    },
  });
}

/** The id that `httpLog` gave the request; a fresh one where it is not installed. */
export function correlationId(request: IncomingMessage): string {
  return typeof request.id === 'string' ? request.id : randomUUID();
}
