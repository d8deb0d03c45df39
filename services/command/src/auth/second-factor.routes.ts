import {
  beginSecondFactorRequest,
  confirmSecondFactorRequest,
  provenRequest,
  secondFactorRequest,
} from '@zakup/contracts/requests/auth.requests';
import type { Problem } from '@zakup/contracts/problems';
import { bearerOf } from '@zakup/credentials/authenticate';
import { authenticatorUrl } from '@zakup/credentials/authenticator-url';
import { messages } from '@zakup/domain/messages';
import { type Request, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { authenticate, authOf } from './authenticate.ts';
import { bodyRoute, type Outcome, refuse } from './body-route.ts';
import { type Account, accountById } from './directory.ts';
import { type GuessGuard, secondSecretOf } from './guess-guard.ts';
import { openSession, refusedByLicence } from './open-session.ts';

/** Whose codes an authenticator shows them as. */
const issuer = 'Zakup';

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** The second secret of a sign-in, and one's own second factor: AUTH-50 to AUTH-53. */
export const secondFactorRoutes = (deps: CommandDeps, guard: GuessGuard): Router => {
  const router = Router();
  const own = authenticate(deps);
  router.post(
    '/second-factor',
    bodyRoute(secondFactorRequest, (body, request, response) => finishSignIn(deps, guard, { request, response }, body)),
  );
  router.post(
    '/second-factor/begin',
    own,
    bodyRoute(beginSecondFactorRequest, ({ currentPassword }, request, response) =>
      begin(deps, guard, { request, response }, currentPassword),
    ),
  );
  router.post(
    '/second-factor/confirm',
    own,
    bodyRoute(confirmSecondFactorRequest, ({ code }, _request, response) => confirm(deps, response, code)),
  );
  router.post(
    '/second-factor/off',
    own,
    bodyRoute(provenRequest, (body, request, response) =>
      proven(deps, guard, { request, response }, body, async (userId) => {
        await deps.credentials.removeSecondFactor(userId);
        return { kind: 'done', data: {} };
      }),
    ),
  );
  router.post(
    '/second-factor/recovery-codes',
    own,
    bodyRoute(provenRequest, (body, request, response) =>
      proven(deps, guard, { request, response }, body, async (userId) => {
        const recoveryCodes = await deps.credentials.renewRecoveryCodes(userId);
        return recoveryCodes === null
          ? refusedAt('/code', messages.secondFactorOff)
          : { kind: 'done', data: { recoveryCodes } };
      }),
    ),
  );
  return router;
};

const refusedAt = (pointer: string, message: string): Outcome =>
  refuse({ code: 'VALIDATION_FAILED', message, errors: [{ pointer, detail: message }] });

const wrongCode: Problem = {
  code: 'VALIDATION_FAILED',
  message: messages.secondFactorWrong,
  errors: [{ pointer: '/code', detail: messages.secondFactorWrong }],
};

/**
 * Opens the session that a right first secret stood for. A seat that was missing needs no second code, which could not be shown twice: the
 * step remembers that it was right.
 */
const finishSignIn = async (
  deps: CommandDeps,
  guard: GuessGuard,
  { request, response }: Exchange,
  { code, endOldest }: { readonly code: string; readonly endOldest?: boolean | undefined },
): Promise<Outcome> => {
  const over = refuse({ code: 'UNAUTHENTICATED', message: messages.signInStepOver });
  const token = bearerOf(request.get('Authorization'));
  const step = token === null ? null : await deps.credentials.signInStep(token, deps.now());
  if (token === null || step === null) return over;
  const { userId, licenceId, via } = step;
  if (!step.passed) {
    const attempted = await guard.attempt(
      {
        request,
        response,
        account: userId,
        ...secondSecretOf(userId),
        device: { kind: 'browser' },
        wrong: wrongCode,
        told: { holders: [{ licenceId, personId: userId }], door: via, reason: 'wrong_second_factor' },
      },
      // Read anew: the step may be over when its turn comes.
      async (now) =>
        (await deps.credentials.signInStep(token, now)) !== null &&
        (await deps.credentials.checkSecondFactor(userId, code, now))
          ? true
          : null,
    );
    if (attempted.kind === 'refused') return attempted;
  }
  const account = await accountById(deps, licenceId, userId);
  if (account === null) return over;
  const opened = await openSession(deps, request, account, {
    via,
    endOldest: endOldest ?? step.endOldest,
    passwordChangeOnly: step.passwordChangeOnly,
    knownDevice: step.knownDevice,
  });
  if (opened.kind === 'done') await deps.credentials.endSignInStep(token);
  else if (!step.passed) await deps.credentials.passSignInStep(token);
  return opened;
};

type Allowed = { readonly kind: 'right'; readonly account: Account };

/** Whose session it is, where their licence lets them in. */
const ownAccount = async (deps: CommandDeps, response: Response): Promise<Outcome | Allowed> => {
  const { userId, licenceId } = authOf(response).session;
  const account = await accountById(deps, licenceId, userId);
  if (account === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.sessionExpired });
  const closed = refusedByLicence(account, deps.now());
  return closed === null ? { kind: 'right', account } : refuse(closed);
};

/** The same, and that the password is theirs; a wrong one counts as a guess. */
const withPassword = async (
  deps: CommandDeps,
  guard: GuessGuard,
  { request, response }: Exchange,
  currentPassword: string,
): Promise<Outcome | Allowed> => {
  const { userId, licenceId, id } = authOf(response).session;
  const own = await ownAccount(deps, response);
  if (own.kind !== 'right') return own;
  const message = messages.currentPasswordWrong;
  const attempted = await guard.attempt(
    {
      request,
      response,
      account: userId,
      device: { kind: 'session', id },
      wrong: { code: 'VALIDATION_FAILED', message, errors: [{ pointer: '/currentPassword', detail: message }] },
      told: { holders: [{ licenceId, personId: userId }], door: 'password' },
    },
    async (now) => {
      const checked = await deps.credentials.checkPassword([userId], currentPassword, now);
      return checked.kind === 'right' ? true : null;
    },
  );
  return attempted.kind === 'refused' ? attempted : own;
};

const begin = async (
  deps: CommandDeps,
  guard: GuessGuard,
  exchange: Exchange,
  currentPassword: string,
): Promise<Outcome> => {
  const checked = await withPassword(deps, guard, exchange, currentPassword);
  if (checked.kind !== 'right') return checked;
  const { employee, licence } = checked.account;
  const secret = await deps.credentials.beginSecondFactor(employee.id, licence.id);
  if (secret === null) return refusedAt('/currentPassword', messages.secondFactorOn);
  return { kind: 'done', data: { secret, url: authenticatorUrl(secret, { issuer, label: employee.state.name }) } };
};

const confirm = async (deps: CommandDeps, response: Response, code: string): Promise<Outcome> => {
  const own = await ownAccount(deps, response);
  if (own.kind !== 'right') return own;
  const { userId } = authOf(response).session;
  const confirmed = await deps.credentials.confirmSecondFactor(userId, code, deps.now());
  switch (confirmed.kind) {
    case 'on':
      return { kind: 'done', data: { recoveryCodes: confirmed.recoveryCodes } };
    case 'wrong':
      return refuse(wrongCode);
    case 'not_begun':
      return refusedAt('/code', messages.secondFactorNotBegun);
  }
};

/** Runs what needs both secrets: whoever found an open browser has neither. */
const proven = async (
  deps: CommandDeps,
  guard: GuessGuard,
  { request, response }: Exchange,
  { currentPassword, code }: { readonly currentPassword: string; readonly code: string },
  work: (userId: string) => Promise<Outcome>,
): Promise<Outcome> => {
  const { userId, licenceId, id } = authOf(response).session;
  const checked = await withPassword(deps, guard, { request, response }, currentPassword);
  if (checked.kind !== 'right') return checked;
  if ((await deps.credentials.secondFactorOf(userId)) === null) return refusedAt('/code', messages.secondFactorOff);
  const attempted = await guard.attempt(
    {
      request,
      response,
      account: userId,
      ...secondSecretOf(userId),
      device: { kind: 'session', id },
      wrong: wrongCode,
      told: { holders: [{ licenceId, personId: userId }], door: 'password', reason: 'wrong_second_factor' },
    },
    async (now) => ((await deps.credentials.checkSecondFactor(userId, code, now)) ? true : null),
  );
  return attempted.kind === 'refused' ? attempted : work(userId);
};
