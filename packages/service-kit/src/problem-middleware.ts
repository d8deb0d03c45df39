import type { IncomingMessage } from 'node:http';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';
import { frameProblems } from '@zakup/contracts/frame-problems';
import { problemStatus, toProblemBody, type Problem } from '@zakup/contracts/problems';
import { correlationIdsOf } from './correlation.ts';
import type { Log } from './log.ts';

/** Seconds after which a client may try again where nobody knows better. */
const retryAfterSeconds = 2;

/** What `jsonBody` refuses by throwing. */
export class RefusedBody extends Error {
  override readonly name = 'RefusedBody';
  readonly reason: 'wrong_content_type' | 'malformed' | 'too_large';
  constructor(reason: RefusedBody['reason']) {
    super(`Body refused: ${reason}`);
    this.reason = reason;
  }
}

/** Answers with `application/problem+json`; `Retry-After` where the problem, or a 429 or 503, asks for it. */
export function sendProblem(response: Response, problem: Problem): void {
  const status = problemStatus[problem.code];
  const wait = problem.retryAfterSeconds ?? (status === 503 || status === 429 ? retryAfterSeconds : undefined);
  if (wait !== undefined) response.set('Retry-After', String(Math.max(1, Math.ceil(wait))));
  response
    .status(status)
    .type('application/problem+json')
    .send(JSON.stringify(toProblemBody(problem, correlationIdsOf(response.req as IncomingMessage).correlationId)));
}

/** For unknown paths and methods; mount it last under `/api`. */
export const notFound: RequestHandler = (_request, response) => {
  sendProblem(response, frameProblems.pathUnknown);
};

const refusedBody: Readonly<Record<RefusedBody['reason'], Problem>> = {
  wrong_content_type: frameProblems.contentTypeWrong,
  malformed: frameProblems.jsonMalformed,
  too_large: frameProblems.tooLarge,
};

/** Whether a store is away: such errors, or what caused them, are named `…Unavailable`. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof Error && (error.name.endsWith('Unavailable') || isUnavailable(error.cause));

/** The answer while a store is away. */
export const unavailable: Problem = { ...frameProblems.unavailable, retryAfterSeconds };

/** The problem that a thrown value becomes. Errors named `…Unavailable` are missing stores; a 4xx status is the framework's refusal. */
export function problemOf(error: unknown): Problem {
  if (error instanceof RefusedBody) return refusedBody[error.reason];
  if (isUnavailable(error)) return unavailable;
  if (error instanceof Error && 'status' in error && typeof error.status === 'number') {
    if (error.status >= 400 && error.status < 500) return frameProblems.requestMalformed;
  }
  return frameProblems.internal;
}

/** Last in the chain: turns everything thrown into a problem; 500 and 503 are logged with the correlation id, no detail goes out. */
export function problemHandler(log: Log): ErrorRequestHandler {
  return (error, request, response, next) => {
    const problem = problemOf(error);
    if (problemStatus[problem.code] >= 500) {
      const line = { err: error as unknown, ...correlationIdsOf(request), problem: problem.code };
      log.error(line, `${request.method} ${request.path} failed`);
    }
    if (response.headersSent) {
      next(error);
      return;
    }
    sendProblem(response, problem);
  };
}
