import type { Session } from '@zakup/credentials/credentials';
import { changePasswordRequest } from '@zakup/contracts/requests/auth.requests';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { messages } from '@zakup/domain/messages';
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import type { CommandDeps } from '../deps.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { handleCommand } from '../pipeline/handle-command.ts';
import { authenticate, authOf } from '../pipeline/authenticate.ts';
import { bodyRoute, type Outcome, refuse, sendOutcome, unkeyedEnvelope } from './body-route.ts';
import { accountById } from './directory.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { rememberDevice } from './known-device.ts';
import { refusedPassword } from './new-password.ts';
import { refusedByLicence, openSession } from './open-session.ts';

/** How long the token that changed the password goes on working, so that parallel requests end well (AUTH-20). */
const oldTokenGraceMs = 5000;

/** Of one's own sessions and password: AUTH-19 to AUTH-21. */
export const sessionRoutes = (deps: CommandDeps, throttle: LoginThrottle): Router => {
  const router = Router();
  const own = authenticate(deps, { passwordChange: true });
  router.post(
    '/logout',
    own,
    bodyRoute(z.unknown(), (_body, _request, response) => logout(deps, response)),
  );
  router.post(
    '/password',
    own,
    bodyRoute(changePasswordRequest, (body, request, response) =>
      changePassword(deps, throttle, body, request, response),
    ),
  );
  router.delete('/sessions', authenticate(deps), async (_request, response) => {
    const { session } = authOf(response);
    const open = await deps.credentials.sessionsOf(session.userId, deps.now());
    const ended = await deps.credentials.endSessionsOf(session.userId, 'revoked', session.id);
    const others = open.map(({ id }) => id).filter((id) => id !== session.id);
    if (ended > 0) await tellRevoked(deps, session, others);
    sendOutcome(response, { kind: 'done', data: { ended } });
  });
  router.delete('/sessions/:id', authenticate(deps), async (request, response) => {
    sendOutcome(response, await endOneSession(deps, request, response));
  });
  return router;
};

const logout = async (deps: CommandDeps, response: Response): Promise<Outcome> => {
  const { id, licenceId, userId } = authOf(response).session;
  await deps.credentials.endSession(id, 'logged_out');
  const out = { type: 'SignedOut', data: { sessionId: id } } as const;
  await deps.access.tell({ licenceId, personId: userId }, userId, [out]);
  return { kind: 'done', data: {} };
};

const tellRevoked = (
  { access }: CommandDeps,
  { licenceId, userId }: Session,
  sessionIds: readonly string[],
): Promise<void> =>
  access.tell({ licenceId, personId: userId }, userId, [
    { type: 'SessionsEnded', data: { sessionIds, reason: 'revoked' } },
  ]);

const endOneSession = async (deps: CommandDeps, request: Request, response: Response): Promise<Outcome> => {
  const { session } = authOf(response);
  const own = await deps.credentials.sessionsOf(session.userId, deps.now());
  const id = String(request.params['id']);
  if (!own.some((one) => one.id === id)) return refuse({ code: 'NOT_FOUND', message: messages.sessionNotFound });
  await deps.credentials.endSession(id, 'revoked');
  await tellRevoked(deps, session, [id]);
  return { kind: 'done', data: { ended: 1 } };
};

const changePassword = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
  request: Request,
  response: Response,
): Promise<Outcome> => {
  const { session } = authOf(response);
  const { userId, licenceId } = session;
  const account = await accountById(deps, licenceId, userId);
  if (account === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.sessionExpired });
  const closed = refusedByLicence(account, deps.now());
  if (closed !== null) return refuse(closed);
  const refused = refusedPassword(
    { field: 'newPassword', password: newPassword },
    [account.employee.state],
    account.licence.state,
  );
  if (refused !== null) return refuse(refused);
  const message = messages.currentPasswordWrong;
  const errors = [{ pointer: '/currentPassword', detail: message }];
  const wrong = { code: 'VALIDATION_FAILED', message, errors } as const;
  const device = { kind: 'session', id: session.id } as const;
  const told = { holders: [{ licenceId, personId: userId }], door: 'password' } as const;
  const attempted = await throttle.attempt({ request, response, account: userId, device, wrong, told }, async (now) => {
    const checked = await deps.credentials.checkPassword([userId], currentPassword, now);
    return checked.kind === 'right' ? checked.record : null;
  });
  if (attempted.kind === 'refused') return attempted;

  const now = deps.now();
  const { authCode } = account.employee.state;
  const record = { userId, licenceId, temporary: false, validUntil: null, typedWith: authCode };
  const keep = { sessionId: session.id, until: now + oldTokenGraceMs, now };
  await deps.credentials.setPassword(record, newPassword, { reason: 'password_changed', keep });
  await rememberDevice(deps, request, response, userId);
  const signedIn = await openSession(deps, request, account, {
    via: session.via,
    endOldest: false,
    passwordChangeOnly: false,
    expiresAt: session.expiresAt,
    extraSeats: 1,
    knownDevice: null,
  });
  if (signedIn.kind === 'refused') return signedIn;
  const envelope = unkeyedEnvelope(deps, request, { licenceId, actorId: userId });
  const handled = await handleCommand(deps, envelope, { entity: employeeDecider, id: userId }, (decision) =>
    decideOn(
      { session: decision },
      employeeDecider,
      userId,
      { type: 'RecordPasswordChange' },
      { isSelf: true, otherActiveCeos: 0 },
    ),
  );
  if (handled.kind === 'refused') return handled;
  const recorded = { position: handled.position, commandId: envelope.commandId };
  return { kind: 'done', data: signedIn.data, recorded };
};
