import { makeLoginCode, makeTemporaryPassword } from '@zakup/credentials/codes';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { denied } from '../pipeline/requests.ts';
import { claimCode, releaseCode } from '../pipeline/reservations.ts';
import { tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import {
  answerWithUser,
  type EmployeeRoute,
  employeeTarget,
  subjectOf,
  temporaryPasswordMs,
} from './employee.routes.ts';

/** New means of signing in for a person: AUTH-28, AUTH-29, ROLE-13. */
export const employeeAccessRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post('/users/:id/reissue-code', tenantRoute(deps, reissueCode(deps)));
  router.post('/users/:id/temporary-password', tenantRoute(deps, issueTemporaryPassword(deps)));
  return router;
};

/**
 * The active person of a path whom the acting one may give new means of signing in. The owner's are the licence's own: they come from
 * the activation dialog only.
 */
const reissuable = async ({ session, person }: TenantContext, id: string) => {
  const refusedToAll = denied(may(person, 'employee.reissue', 'some'));
  if (refusedToAll !== null) return { kind: 'refused', problem: refusedToAll } as const;
  const { state } = await session.load(employeeDecider, id);
  if (state === null || !state.isActive)
    return { kind: 'refused', problem: { code: 'NOT_FOUND', message: messages.employeeNotFound } } as const;
  const refused = denied(may(person, 'employee.reissue', { before: subjectOf(id, state) }));
  if (refused !== null) return { kind: 'refused', problem: refused } as const;
  if (state.isOwner)
    return { kind: 'refused', problem: { code: 'ACCESS_DENIED', message: messages.accessDenied } } as const;
  return { kind: 'open', state } as const;
};

const reissueCode = (deps: CommandDeps) => (): EmployeeRoute => {
  const authCode = makeLoginCode(deps.random);
  return {
    closedToKeys: true,
    target: employeeTarget,

    async decide(context, id) {
      const opened = await reissuable(context, id);
      if (opened.kind === 'refused') return opened.problem;
      const holder = { licenceId: context.person.licence.id, id };
      if ((await claimCode(context.session, { value: authCode, chosen: false }, holder)) !== null)
        return { code: 'DUPLICATE', message: messages.authCodeTaken };
      await releaseCode(context.session, opened.state.authCode, holder);
      const facts = { isSelf: id === context.person.userId, otherActiveCeos: 0 };
      return decideOn(context, employeeDecider, id, { type: 'ReissueCode', authCode }, facts);
    },

    answer: (done) => ({ authCode: done.target.state?.authCode ?? '' }),
  };
};

const issueTemporaryPassword = (deps: CommandDeps) => (): EmployeeRoute => {
  const temporaryPassword = makeTemporaryPassword(deps.random);
  return {
    closedToKeys: true,
    target: employeeTarget,

    async decide(context, id) {
      const opened = await reissuable(context, id);
      if (opened.kind === 'refused') return opened.problem;
      const facts = { isSelf: id === context.person.userId, otherActiveCeos: 0 };
      return decideOn(context, employeeDecider, id, { type: 'RecordTemporaryPassword' }, facts);
    },

    async answer(done, id, auth) {
      const answered = await answerWithUser(deps)(done, id, auth);
      if (done.appended !== 'now') return answered;
      const { licenceId } = auth.session;
      const validUntil = deps.now() + temporaryPasswordMs;
      const typedWith = done.target.state?.authCode ?? '';
      const record = { userId: id, licenceId, temporary: true, validUntil, typedWith };
      await deps.credentials.setPassword(record, temporaryPassword, { reason: 'password_changed' });
      return { ...answered, temporaryPassword };
    },
  };
};
