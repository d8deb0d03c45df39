import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { authenticateToken, bearerOf } from '@zakup/credentials/authenticate';
import type { Session } from '@zakup/credentials/credentials';
import { messages } from '@zakup/domain/messages';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { RequestHandler, Response } from 'express';
import type { PipelineDeps } from './pipeline-deps.ts';

export interface Authenticated {
  readonly session: Session;
}

/** What `authenticate` found; for handlers behind it. */
export const authOf = (response: Response): Authenticated => {
  const { auth } = response.locals as { auth?: Authenticated };
  if (auth === undefined) throw new Error('This route is not behind authenticate');
  return auth;
};

/** 401 unless the bearer token is valid and its session open; 403 with a one-time password's session, unless `passwordChange` is served. */
export const authenticate =
  (deps: Pick<PipelineDeps, 'tokens' | 'credentials' | 'now'>, { passwordChange = false } = {}): RequestHandler =>
  async (request, response, next) => {
    const found = await authenticateToken(deps, bearerOf(request.get('Authorization')), { passwordChange });
    if (found.kind === 'refused') {
      sendProblem(response, signInProblems[found.reason]);
      return;
    }
    (response.locals as { auth?: Authenticated }).auth = { session: found.session };
    next();
  };

/** 429 above the session's share, 503 while nothing may be written. */
export const admitChange =
  (deps: Pick<PipelineDeps, 'changes' | 'readOnly'>): RequestHandler =>
  (_request, response, next) => {
    const taken = deps.changes.take(authOf(response).session.id);
    if (taken.kind === 'limited') {
      const seconds = Math.ceil(taken.retryAfterSeconds);
      sendProblem(response, { code: 'RATE_LIMITED', message: messages.tooManyChanges, retryAfterSeconds: seconds });
      return;
    }
    const reason = deps.readOnly();
    if (reason !== null) {
      sendProblem(response, { code: 'UNAVAILABLE', message: reason, retryAfterSeconds: 30 });
      return;
    }
    next();
  };
