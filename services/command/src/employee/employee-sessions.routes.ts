import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceStatus } from '@zakup/domain/licence/licence-status';
import { messages } from '@zakup/domain/messages';
import { may, personOf } from '@zakup/domain/permissions';
import { type Request, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { streamOf } from '../pipeline/ids.ts';
import { denied } from '../pipeline/requests.ts';
import { authenticate, authOf } from '../pipeline/authenticate.ts';
import { type Outcome, refuse, sendOutcome } from '../auth/body-route.ts';
import { accountById } from '../auth/directory.ts';

/** The owner ends sessions of anybody in the licence, their own too but not the one that asks (AUTH-39). Told to the history as the owner's. */
export const employeeSessionsRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.delete('/users/:id/sessions', authenticate(deps), async (request, response) => {
    sendOutcome(response, await endSessions(deps, request, response, null));
  });
  router.delete('/users/:id/sessions/:session', authenticate(deps), async (request, response) => {
    sendOutcome(response, await endSessions(deps, request, response, String(request.params['session'])));
  });
  return router;
};

/** `one`: the id of the session that ends; null = all of the person. */
const endSessions = async (
  deps: CommandDeps,
  request: Request,
  response: Response,
  one: string | null,
): Promise<Outcome> => {
  const { id: asking, licenceId, userId } = authOf(response).session;
  const asker = await accountById(deps, licenceId, userId);
  if (asker === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.sessionExpired });
  const { employee, licence } = asker;
  const status = licenceStatus(licence.state, new Date(deps.now()).toISOString());
  const person = personOf({ ...employee.state, id: userId }, { ...licence.state, id: licenceId }, status);
  const refused = denied(may(person, 'session.ofOthers'));
  if (refused !== null) return refuse(refused);
  const personId = String(request.params['id']);
  const known = await deps.cache.load(employeeDecider, streamOf('employee', licenceId, personId), true);
  if (known.state === null) return refuse({ code: 'NOT_FOUND', message: messages.employeeNotFound });
  const open = (await deps.credentials.sessionsOf(personId, deps.now())).filter(
    (session) => session.licenceId === licenceId && session.id !== asking && (one === null || session.id === one),
  );
  if (one !== null && open.length === 0) return refuse({ code: 'NOT_FOUND', message: messages.sessionNotFound });
  for (const { id } of open) await deps.credentials.endSession(id, 'revoked');
  if (open.length > 0) {
    const data = { sessionIds: open.map(({ id }) => id), reason: 'revoked' } as const;
    await deps.access.tell({ licenceId, personId }, userId, [{ type: 'SessionsEnded', data }]);
  }
  return { kind: 'done', data: { ended: open.length } };
};
