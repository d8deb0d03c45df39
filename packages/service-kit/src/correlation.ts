import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { correlationIdOf, type TraceContext, traceContextIn, traceOf } from '@zakup/contracts/trace-context';

/** By what the log lines and spans of one click, call or command are found again. */
export interface CorrelationIds {
  /** Answered in `X-Request-Id` and as `instance` of a refusal. */
  readonly correlationId: string;
  /** Of the command that it is about. */
  readonly commandId?: string | undefined;
}

/** What a request is correlated by. */
export interface RequestCorrelation extends CorrelationIds {
  /** Where the request belongs in a trace; null = it begins one of its own. */
  readonly parent: TraceContext | null;
  /** Whether nobody but this process has used the id. */
  readonly isMade: boolean;
}

/** What holds `zk_` may be a program's key in the wrong header, which no span may keep. */
const isUsable = (id: string): boolean => /^[\w.:-]{1,128}$/.test(id) && !id.includes('zk_');
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const headerOf = ({ headers }: IncomingMessage, name: string): string =>
  typeof headers[name] === 'string' ? headers[name] : '';

const correlations = new WeakMap<IncomingMessage, RequestCorrelation>();

/**
 * Reads what a request is to be called: its usable `X-Request-Id`, else the trace of its `traceparent`, else its `Idempotency-Key`, which is
 * the id of its command, else `newId`. What has another form or length is as if it were not there.
 */
export const correlate = (request: IncomingMessage, newId: () => string): RequestCorrelation => {
  const given = headerOf(request, 'x-request-id');
  const trace = traceContextIn(headerOf(request, 'traceparent').trim());
  const key = headerOf(request, 'idempotency-key').toLowerCase();
  const commandId = uuid.test(key) ? key : undefined;
  const known = isUsable(given) ? given : trace === null ? commandId : correlationIdOf(trace);
  const correlationId = known ?? newId();
  const correlation: RequestCorrelation = {
    correlationId,
    ...(commandId !== undefined && { commandId }),
    // A command's trace is named by its id: what follows of it in other processes is found there.
    parent: trace ?? traceOf(commandId ?? correlationId),
    isMade: known === undefined,
  };
  correlations.set(request, correlation);
  return correlation;
};

/** What the request is correlated by; anew where nobody has asked yet. */
export const correlationOf = (request: IncomingMessage): RequestCorrelation =>
  correlations.get(request) ?? correlate(request, () => (typeof request.id === 'string' ? request.id : randomUUID()));

/** The ids alone, for a line of the log. */
export const correlationIdsOf = (request: IncomingMessage): CorrelationIds => {
  const { correlationId, commandId } = correlationOf(request);
  return { correlationId, ...(commandId !== undefined && { commandId }) };
};

/** The id of a command whose sender named none: that of the request, where this process made it; lines and spans then carry it. */
export const newCommandId = (request: IncomingMessage): string => {
  const correlation = correlationOf(request);
  const commandId =
    correlation.isMade && uuid.test(correlation.correlationId) ? correlation.correlationId : randomUUID();
  correlations.set(request, { ...correlation, commandId, isMade: false });
  return commandId;
};
