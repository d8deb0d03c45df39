import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceStatus } from '@zakup/domain/licence/licence-status';
import { messages } from '@zakup/domain/messages';
import { may, personOf } from '@zakup/domain/permissions';
import { type Request, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { streamOf } from '../pipeline/ids.ts';
import { denied } from '../pipeline/requests.ts';
import { subjectOf } from './employee.routes.ts';
import { authenticate, authOf } from '../pipeline/authenticate.ts';
import { type Outcome, refuse, sendOutcome } from '../auth/body-route.ts';
import { accountById } from '../auth/directory.ts';
import { resetSecondFactor } from '../auth/reset-second-factor.ts';

/** Whoever may give a colleague a temporary password may do this too; nobody for themself, and nobody for the owner, whom the admin helps. */
export const employeeSecondFactorRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.delete('/users/:id/second-factor', authenticate(deps), async (request, response) => {
    sendOutcome(response, await resetOfColleague(deps, request, response));
  });
  return router;
};

const resetOfColleague = async (deps: CommandDeps, request: Request, response: Response): Promise<Outcome> => {
  const { licenceId, userId } = authOf(response).session;
  const asker = await accountById(deps, licenceId, userId);
  if (asker === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.sessionExpired });
  const { employee, licence } = asker;
  const status = licenceStatus(licence.state, new Date(deps.now()).toISOString());
  const person = personOf({ ...employee.state, id: userId }, { ...licence.state, id: licenceId }, status);
  const refusedToAll = denied(may(person, 'employee.reissue', 'some'));
  if (refusedToAll !== null) return refuse(refusedToAll);
  const personId = String(request.params['id']);
  const { state } = await deps.cache.load(employeeDecider, streamOf('employee', licenceId, personId), true);
  if (state === null || !state.isActive) return refuse({ code: 'NOT_FOUND', message: messages.employeeNotFound });
  if (personId === userId) return refuse({ code: 'ACCESS_DENIED', message: messages.secondFactorOwn });
  const refused = denied(may(person, 'employee.reissue', { before: subjectOf(personId, state) }));
  if (refused !== null) return refuse(refused);
  const none = messages.secondFactorOfOthers;
  return resetSecondFactor(deps, request, { licenceId, personId }, { actorId: userId, none });
};
