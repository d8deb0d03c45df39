import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import { pinoHttp } from 'pino-http';
import { correlate, type CorrelationIds, correlationIdsOf } from './correlation.ts';
import { type Log, withoutKeys } from './log.ts';

const quietPaths = new Set(['/healthz', '/readyz', '/metrics']);

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';
const originalUrl = (request: IncomingMessage): string | undefined =>
  'originalUrl' in request && typeof request.originalUrl === 'string' ? request.originalUrl : request.url;

/** Whether a machine asks how the process is: such requests leave neither line nor span. */
export const isProbe = (request: IncomingMessage): boolean => quietPaths.has(pathOf(request.url));

export interface HttpLogOptions {
  readonly log: Log;
  /** Makes the id of a request that brings none. */
  readonly newId?: () => string;
}

/** What was known when the request came: bound to its log. */
const atBegin = new WeakMap<IncomingMessage, CorrelationIds>();

const idsAtBegin = (request: IncomingMessage): CorrelationIds => {
  const known = atBegin.get(request) ?? correlationIdsOf(request);
  atBegin.set(request, known);
  return known;
};

/** A command whose sender named none has its id only by the time that it is answered. */
const withLateCommand = (request: IncomingMessage, line: object): object => {
  const { commandId } = correlationIdsOf(request);
  return commandId === idsAtBegin(request).commandId ? line : { ...line, commandId };
};

/**
 * Gives each request its correlation id, answers it in `X-Request-Id`, binds it and the id of its command to `req.log` and writes one line
 * per answer. Query strings, headers and bodies are never logged.
 */
export function httpLog({ log, newId = randomUUID }: HttpLogOptions): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId(request: IncomingMessage, response: ServerResponse) {
      const { correlationId: id } = correlate(request, newId);
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customProps: (request: IncomingMessage) => ({ ...idsAtBegin(request) }),
    customSuccessObject: (request: IncomingMessage, _response, line: object) => withLateCommand(request, line),
    customErrorObject: (request: IncomingMessage, _response, _error, line: object) => withLateCommand(request, line),
    autoLogging: { ignore: isProbe },
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
