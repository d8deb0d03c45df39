import type { Session } from '@zakup/credentials/credentials';
import { messages } from '@zakup/domain/messages';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { RequestHandler, Response } from 'express';
import type { CommandDeps } from '../deps.ts';

export interface Authenticated {
  readonly session: Session;
}

const bearer = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/u;

export const tokenOf = (authorization: string | undefined): string | null =>
  bearer.exec(authorization ?? '')?.[1] ?? null;

/** What `authenticate` found; for handlers behind it. */
export const authOf = (response: Response): Authenticated => {
  const { auth } = response.locals as { auth?: Authenticated };
  if (auth === undefined) throw new Error('This route is not behind authenticate');
  return auth;
};

/** 401 unless the bearer token is valid and its session open; 403 with a one-time password's session, unless `passwordChange` is served. */
export const authenticate =
  (deps: Pick<CommandDeps, 'tokens' | 'credentials' | 'now'>, { passwordChange = false } = {}): RequestHandler =>
  async (request, response, next) => {
    const token = tokenOf(request.get('Authorization'));
    if (token === null) {
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.tokenMissing });
      return;
    }
    const verified = deps.tokens.verify(token, 'zakup');
    const session = verified.kind === 'valid' ? await deps.credentials.session(verified.claims.sid, deps.now()) : null;
    if (verified.kind !== 'valid' || session === null || session.userId !== verified.claims.sub) {
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.sessionExpired });
      return;
    }
    if (session.passwordChangeOnly && !passwordChange) {
      sendProblem(response, { code: 'PASSWORD_CHANGE_REQUIRED', message: messages.passwordChangeRequired });
      return;
    }
    (response.locals as { auth?: Authenticated }).auth = { session };
    next();
  };

/** 429 above the session's share, 503 while nothing may be written. */
export const admitChange =
  (deps: Pick<CommandDeps, 'changes' | 'readOnly'>): RequestHandler =>
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
