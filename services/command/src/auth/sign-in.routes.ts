import {
  ceoLoginRequest,
  employeeLoginRequest,
  loginCodeRequest,
  refreshRequest,
} from '@zakup/contracts/requests/auth.requests';
import { messages } from '@zakup/domain/messages';
import { jsonBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { type RequestHandler, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { parseBody } from '../requests.ts';
import { accountByCode, accountById } from './directory.ts';
import { guessGuard } from './guess-guard.ts';
import { openSession, tokensOf } from './open-session.ts';

/** The doors without a token: spec.md §7, decisions.md 8–11 and 15. Known and unknown accounts get the same answer in the same time. */
export const signInRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/employee-login', ...jsonBody(), employeeLogin(deps));
  router.post('/ceo-login', ...jsonBody(), ceoLogin(deps));
  router.post('/login-code', ...jsonBody(), loginByCode(deps));
  router.post('/refresh', ...jsonBody(), refresh(deps));
  return router;
};

interface LoginAttempt {
  readonly code: string;
  readonly password: string;
  readonly endOldest: boolean;
  readonly owner: boolean;
  readonly failure: string;
}

const passwordLogin =
  (deps: CommandDeps, attemptOf: (body: unknown) => LoginAttempt | ReturnType<typeof parseBody>): RequestHandler =>
  async (request, response) => {
    const attempt = attemptOf(request.body);
    if ('kind' in attempt) {
      if (attempt.kind === 'refused') sendProblem(response, attempt.problem);
      return;
    }
    const now = deps.now();
    const guard = guessGuard(deps.credentials, { account: attempt.code, address: request.ip ?? '', now });
    const waiting = await guard.admit();
    if (waiting !== null) {
      sendProblem(response, waiting);
      return;
    }
    const found = await accountByCode(deps, attempt.code);
    const account = found !== null && found.employee.state.isOwner === attempt.owner ? found : null;
    const checked = await deps.credentials.checkPassword(account?.employee.id ?? null, attempt.password, now);
    if (account === null || checked.kind === 'wrong') {
      await guard.failed();
      sendProblem(response, { code: 'UNAUTHENTICATED', message: attempt.failure });
      return;
    }
    await guard.succeeded();
    const signedIn = await openSession(deps, request, account, {
      via: attempt.owner ? 'owner' : 'employee',
      endOldest: attempt.endOldest,
      passwordChangeOnly: checked.record.temporary,
    });
    if (signedIn.kind === 'refused') sendProblem(response, signedIn.problem);
    else response.json({ success: true, error: null, data: signedIn.data });
  };

const employeeLogin = (deps: CommandDeps): RequestHandler =>
  passwordLogin(deps, (sent) => {
    const parsed = parseBody(employeeLoginRequest, sent);
    if (parsed.kind === 'refused') return parsed;
    const { authCode, password, endOldest = false } = parsed.body;
    return { code: authCode, password, endOldest, owner: false, failure: messages.wrongEmployeeLogin };
  });

const ceoLogin = (deps: CommandDeps): RequestHandler =>
  passwordLogin(deps, (sent) => {
    const parsed = parseBody(ceoLoginRequest, sent);
    if (parsed.kind === 'refused') return parsed;
    const { loginCode, password, endOldest = false } = parsed.body;
    return { code: loginCode, password, endOldest, owner: true, failure: messages.wrongLogin };
  });

/** Refused in the same words whether the code is unknown or its licence has the switch off. */
const loginByCode =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(loginCodeRequest, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const { authCode, endOldest = false } = parsed.body;
    const guard = guessGuard(deps.credentials, { account: authCode, address: request.ip ?? '', now: deps.now() });
    const waiting = await guard.admit();
    if (waiting !== null) {
      sendProblem(response, waiting);
      return;
    }
    const account = await accountByCode(deps, authCode);
    if (account === null || account.employee.state.isOwner || !account.licence.state.settings.codeOnlyLogin) {
      await guard.failed();
      sendProblem(response, { code: 'ACCESS_DENIED', message: messages.codeOnlyLoginOff });
      return;
    }
    const signedIn = await openSession(deps, request, account, { via: 'code', endOldest, passwordChangeOnly: false });
    if (signedIn.kind === 'refused') sendProblem(response, signedIn.problem);
    else response.json({ success: true, error: null, data: signedIn.data });
  };

const refresh =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const parsed = parseBody(refreshRequest, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const refreshed = await deps.credentials.refresh(parsed.body.refreshToken, deps.now());
    const account =
      refreshed.kind === 'refreshed'
        ? await accountById(deps, refreshed.session.licenceId, refreshed.session.userId)
        : null;
    if (refreshed.kind !== 'refreshed' || account === null) {
      if (refreshed.kind === 'refreshed') await deps.credentials.endSession(refreshed.session.id, 'revoked');
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.sessionExpired });
      return;
    }
    const { session, refreshToken } = refreshed;
    const data = tokensOf(deps, session, account.employee.state.role, refreshToken);
    response.json({ success: true, error: null, data });
  };
