import { randomUUID } from 'node:crypto';
import { changePasswordRequest } from '@zakup/contracts/requests/auth.requests';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { messages } from '@zakup/domain/messages';
import { jsonBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { type RequestHandler, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn } from '../entity-routes.ts';
import { handleCommand } from '../handle-command.ts';
import { requestHashOf } from '../ids.ts';
import { parseBody } from '../requests.ts';
import { authenticate, authOf } from './authenticate.ts';
import { accountById } from './directory.ts';
import { guessGuard } from './guess-guard.ts';
import { openSession } from './open-session.ts';

/** How long the token that changed the password goes on working, so that parallel requests end well (contract.md §4). */
const oldTokenGraceMs = 5000;

/** Of one's own sessions and password: contract.md §2. */
export const sessionRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  const own = authenticate(deps, { passwordChange: true });
  router.post('/logout', own, ...jsonBody(), logout(deps));
  router.post('/password', own, ...jsonBody(), changePassword(deps));
  router.delete('/sessions', authenticate(deps), endOtherSessions(deps));
  router.delete('/sessions/:id', authenticate(deps), endOneSession(deps));
  return router;
};

const logout =
  (deps: CommandDeps): RequestHandler =>
  async (_request, response) => {
    await deps.credentials.endSession(authOf(response).session.id, 'logged_out');
    response.json({ success: true, error: null, data: {} });
  };

const endOtherSessions =
  (deps: CommandDeps): RequestHandler =>
  async (_request, response) => {
    const { session } = authOf(response);
    const ended = await deps.credentials.endSessionsOf(session.userId, 'revoked', session.id);
    response.json({ success: true, error: null, data: { ended } });
  };

const endOneSession =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const { session } = authOf(response);
    const own = await deps.credentials.sessionsOf(session.userId, deps.now());
    const id = String(request.params['id']);
    if (!own.some((one) => one.id === id)) {
      sendProblem(response, { code: 'NOT_FOUND', message: messages.sessionNotFound });
      return;
    }
    await deps.credentials.endSession(id, 'revoked');
    response.json({ success: true, error: null, data: { ended: 1 } });
  };

const changePassword =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const { session } = authOf(response);
    const parsed = parseBody(changePasswordRequest, request.body);
    if (parsed.kind === 'refused') {
      sendProblem(response, parsed.problem);
      return;
    }
    const now = deps.now();
    const { userId, licenceId } = session;
    const guard = guessGuard(deps.credentials, { account: userId, address: request.ip ?? '', now });
    const waiting = await guard.admit();
    const account = await accountById(deps, licenceId, userId);
    if (waiting !== null || account === null) {
      sendProblem(response, waiting ?? { code: 'UNAUTHENTICATED', message: messages.sessionExpired });
      return;
    }
    const checked = await deps.credentials.checkPassword(userId, parsed.body.currentPassword, now);
    if (checked.kind === 'wrong') {
      await guard.failed();
      const errors = [{ pointer: '/currentPassword', detail: messages.currentPasswordWrong }];
      sendProblem(response, { code: 'VALIDATION_FAILED', message: messages.currentPasswordWrong, errors });
      return;
    }
    const record = { userId, licenceId, temporary: false, validUntil: null };
    await deps.credentials.setPassword(record, parsed.body.newPassword);
    await deps.credentials.endSessionsOf(userId, 'password_changed', session.id);
    const signedIn = await openSession(deps, request, account, {
      via: session.via,
      endOldest: false,
      passwordChangeOnly: false,
      expiresAt: session.expiresAt,
      extraSeats: 1,
    });
    if (signedIn.kind === 'refused') {
      sendProblem(response, signedIn.problem);
      return;
    }
    const ending = setTimeout(() => {
      deps.credentials
        .endSession(session.id, 'password_changed')
        .catch((error: unknown) => deps.log.error({ err: error }, 'The replaced session could not be ended'));
    }, oldTokenGraceMs);
    ending.unref();
    const handled = await handleCommand(
      deps,
      {
        licenceId,
        actorId: userId,
        commandId: randomUUID(),
        requestHash: requestHashOf(request.method, request.originalUrl, null),
        source: 'screen',
        at: new Date(now).toISOString(),
      },
      { entity: employeeDecider, id: userId },
      (decision) =>
        decideOn(
          { session: decision },
          employeeDecider,
          userId,
          { type: 'RecordPasswordChange' },
          { isSelf: true, otherActiveCeos: 0 },
        ),
    );
    if (handled.kind === 'refused') sendProblem(response, handled.problem);
    else response.json({ success: true, error: null, data: signedIn.data, position: handled.position });
  };
