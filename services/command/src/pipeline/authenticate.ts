import { signInProblems, tooManyKeys } from '@zakup/contracts/sign-in-problems';
import { type Asker, authenticateBearer, bearerOf, type KeyUse } from '@zakup/credentials/authenticate';
import { messages } from '@zakup/domain/messages';
import { addressOf } from '@zakup/service-kit/network-address';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { RequestHandler, Response } from 'express';
import type { PipelineDeps } from './pipeline-deps.ts';

export interface Authenticated {
  readonly session: Asker;
}

/** What `authenticate` found; for handlers behind it. */
export const authOf = (response: Response): Authenticated => {
  const { auth } = response.locals as { auth?: Authenticated };
  if (auth === undefined) throw new Error('This route is not behind authenticate');
  return auth;
};

/** 401 unless the bearer token is valid and its session open; 403 with a one-time password's session, unless `passwordChange` is served, and with a key, unless it has the access that is named. */
export const authenticate =
  (
    deps: Pick<PipelineDeps, 'tokens' | 'credentials' | 'now' | 'keyThrottle'>,
    {
      passwordChange = false,
      keys: access = 'none',
    }: { readonly passwordChange?: boolean; readonly keys?: KeyUse['access'] } = {},
  ): RequestHandler =>
  async (request, response, next) => {
    const keys = { access, address: addressOf(request.ip), throttle: deps.keyThrottle };
    const found = await authenticateBearer(deps, bearerOf(request.get('Authorization')), { passwordChange, keys });
    if (found.kind === 'limited') {
      sendProblem(response, tooManyKeys(found.retryAfterSeconds));
      return;
    }
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
