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
import { z } from 'zod';
import type { CommandDeps } from '../deps.ts';
import type { AccessHolder } from './access-entry.ts';
import { networkOf } from '@zakup/service-kit/network-address';
import { authenticate, authOf } from '../pipeline/authenticate.ts';
import { bodyRoute, type Outcome, refuse } from './body-route.ts';
import { type Account, accountById } from './directory.ts';
import { type LoginThrottle, secondSecretOf } from './login-throttle.ts';
import { rememberDevice } from './known-device.ts';
import { openSession, refusedByLicence } from './open-session.ts';

/** Whose codes an authenticator shows them as. */
const issuer = 'Zakup';

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

/** The second secret of a sign-in, and one's own second factor: AUTH-50 to AUTH-53. */
export const secondFactorRoutes = (deps: CommandDeps, throttle: LoginThrottle): Router => {
  const router = Router();
  const own = authenticate(deps);
  router.post(
    '/second-factor',
    bodyRoute(secondFactorRequest, (body, request, response) =>
      finishSignIn(deps, throttle, { request, response }, body),
    ),
  );
  router.post(
    '/second-factor/set-up',
    bodyRoute(z.unknown(), (_body, request) => beginAtDoor(deps, request)),
  );
  router.post(
    '/second-factor/set-up/confirm',
    bodyRoute(confirmSecondFactorRequest, ({ code }, request, response) =>
      confirmAtDoor(deps, { request, response }, code),
    ),
  );
  router.post(
    '/second-factor/begin',
    own,
    bodyRoute(beginSecondFactorRequest, ({ currentPassword }, request, response) =>
      begin(deps, throttle, { request, response }, currentPassword),
    ),
  );
  router.post(
    '/second-factor/confirm',
    own,
    bodyRoute(confirmSecondFactorRequest, ({ code }, request, response) => confirm(deps, { request, response }, code)),
  );
  router.post(
    '/second-factor/off',
    own,
    bodyRoute(provenRequest, (body, request, response) =>
      proven(deps, throttle, { request, response }, body, async (holder, { licence }) => {
        if (licence.state.settings.secondFactorForAll) return refusedAt('/code', messages.secondFactorForAllOn);
        const removed = await deps.credentials.removeSecondFactor(holder.personId);
        if (removed) await tellOwn(deps, request, holder, 'SecondFactorDisabled');
        return { kind: 'done', data: {} };
      }),
    ),
  );
  router.post(
    '/second-factor/recovery-codes',
    own,
    bodyRoute(provenRequest, (body, request, response) =>
      proven(deps, throttle, { request, response }, body, async (holder) => {
        const recoveryCodes = await deps.credentials.renewRecoveryCodes(holder.personId);
        if (recoveryCodes === null) return refusedAt('/code', messages.secondFactorOff);
        await tellOwn(deps, request, holder, 'RecoveryCodesRenewed');
        return { kind: 'done', data: { recoveryCodes } };
      }),
    ),
  );
  return router;
};

/** A 422 about one field. */
export const refusedAt = (pointer: string, message: string): Outcome =>
  refuse({ code: 'VALIDATION_FAILED', message, errors: [{ pointer, detail: message }] });

export const wrongCode: Problem = {
  code: 'VALIDATION_FAILED',
  message: messages.secondFactorWrong,
  errors: [{ pointer: '/code', detail: messages.secondFactorWrong }],
};

/** Tells the journal of what a person did about their own (AUTH-72). */
const tellOwn = (
  { access }: CommandDeps,
  request: Request,
  holder: AccessHolder,
  type: 'SecondFactorEnabled' | 'SecondFactorDisabled' | 'RecoveryCodesRenewed',
): Promise<void> => access.tell(holder, holder.personId, [{ type, data: { network: networkOf(request.ip) } }]);

/** Spends a code; null = it is wrong. A recovery code that is gone is told to the journal: there are only so many. */
const spendCode = async (
  { credentials, access }: CommandDeps,
  request: Request,
  holder: AccessHolder,
  { code, now }: { readonly code: string; readonly now: number },
): Promise<true | null> => {
  const { personId } = holder;
  const spent = await credentials.spendSecondFactor(personId, code, now);
  if (spent?.kind === 'recovery_code') {
    const data = { network: networkOf(request.ip), left: spent.left };
    await access.tell(holder, personId, [{ type: 'RecoveryCodeUsed', data }]);
  }
  return spent === null ? null : true;
};

/**
 * Opens the session that a right first secret stood for. A seat that was missing needs no second code, which could not be shown twice: the
 * step remembers that it was right.
 */
const finishSignIn = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  { request, response }: Exchange,
  { code, endOldest }: { readonly code: string; readonly endOldest?: boolean | undefined },
): Promise<Outcome> => {
  const over = refuse({ code: 'UNAUTHENTICATED', message: messages.signInStepOver });
  const token = bearerOf(request.get('Authorization'));
  const step = token === null ? null : await deps.credentials.signInStep(token, deps.now());
  if (token === null || step === null || step.via === 'admin') return over;
  const { userId, licenceId, via } = step;
  const holder = { licenceId, personId: userId };
  if (!step.passed) {
    const attempted = await throttle.attempt(
      {
        request,
        response,
        account: userId,
        ...secondSecretOf(userId),
        device: { kind: 'browser' },
        wrong: wrongCode,
        told: { holders: [holder], door: via, reason: 'wrong_second_factor' },
      },
      // Read anew: the step may be over when its turn comes.
      async (now) =>
        (await deps.credentials.signInStep(token, now)) === null
          ? null
          : spendCode(deps, request, holder, { code, now }),
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

/** Whose sign-in it is that waits behind the token of a right first secret; null = it is over. */
const waiting = async (deps: CommandDeps, request: Request) => {
  const token = bearerOf(request.get('Authorization'));
  const step = token === null ? null : await deps.credentials.signInStep(token, deps.now());
  if (token === null || step === null) return null;
  const account = await accountById(deps, step.licenceId, step.userId);
  return account === null ? null : { token, step, account };
};

const stepOver = refuse({ code: 'UNAUTHENTICATED', message: messages.signInStepOver });

/**
 * The key for who must have a second factor and has none. Where there is one, nothing here touches it: whoever has the password alone would
 * put another in its place.
 */
const beginAtDoor = async (deps: CommandDeps, request: Request): Promise<Outcome> => {
  const found = await waiting(deps, request);
  if (found === null || found.step.passed) return stepOver;
  const closed = refusedByLicence(found.account, deps.now());
  if (closed !== null) return refuse(closed);
  const { employee, licence } = found.account;
  const secret = await deps.credentials.beginSecondFactor(employee.id, licence.id);
  if (secret === null) return refuse({ code: 'UNAUTHENTICATED', message: messages.secondFactorOn });
  return { kind: 'done', data: { secret, url: authenticatorUrl(secret, { issuer, label: employee.state.name }) } };
};

/** Switches it on and answers the recovery codes; the sign-in has passed then, and its token opens the session. */
const confirmAtDoor = async (deps: CommandDeps, { request, response }: Exchange, code: string): Promise<Outcome> => {
  const found = await waiting(deps, request);
  if (found === null || found.step.passed) return stepOver;
  const { userId, licenceId } = found.step;
  const confirmed = await deps.credentials.confirmSecondFactor(userId, code, deps.now());
  if (confirmed.kind === 'wrong') return refuse(wrongCode);
  if (confirmed.kind === 'not_begun') return refusedAt('/code', messages.secondFactorNotBegun);
  await deps.credentials.endSessionsOf(userId, 'revoked');
  await deps.credentials.passSignInStep(found.token);
  await rememberDevice(deps, request, response, userId);
  await tellOwn(deps, request, { licenceId, personId: userId }, 'SecondFactorEnabled');
  return { kind: 'done', data: { recoveryCodes: confirmed.recoveryCodes } };
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
  throttle: LoginThrottle,
  { request, response }: Exchange,
  currentPassword: string,
): Promise<Outcome | Allowed> => {
  const { userId, licenceId, id } = authOf(response).session;
  const own = await ownAccount(deps, response);
  if (own.kind !== 'right') return own;
  const message = messages.currentPasswordWrong;
  const attempted = await throttle.attempt(
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
  throttle: LoginThrottle,
  exchange: Exchange,
  currentPassword: string,
): Promise<Outcome> => {
  const checked = await withPassword(deps, throttle, exchange, currentPassword);
  if (checked.kind !== 'right') return checked;
  const { employee, licence } = checked.account;
  const secret = await deps.credentials.beginSecondFactor(employee.id, licence.id);
  if (secret === null) return refusedAt('/currentPassword', messages.secondFactorOn);
  return { kind: 'done', data: { secret, url: authenticatorUrl(secret, { issuer, label: employee.state.name }) } };
};

/** Whoever had the password alone has it no more: the person's other sessions end (AUTH-73). */
const confirm = async (deps: CommandDeps, { request, response }: Exchange, code: string): Promise<Outcome> => {
  const own = await ownAccount(deps, response);
  if (own.kind !== 'right') return own;
  const { id, userId, licenceId } = authOf(response).session;
  const confirmed = await deps.credentials.confirmSecondFactor(userId, code, deps.now());
  switch (confirmed.kind) {
    case 'on':
      await deps.credentials.endSessionsOf(userId, 'revoked', id);
      await tellOwn(deps, request, { licenceId, personId: userId }, 'SecondFactorEnabled');
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
  throttle: LoginThrottle,
  { request, response }: Exchange,
  { currentPassword, code }: { readonly currentPassword: string; readonly code: string },
  work: (holder: AccessHolder, account: Account) => Promise<Outcome>,
): Promise<Outcome> => {
  const { userId, licenceId, id } = authOf(response).session;
  const holder = { licenceId, personId: userId };
  const checked = await withPassword(deps, throttle, { request, response }, currentPassword);
  if (checked.kind !== 'right') return checked;
  if ((await deps.credentials.secondFactorOf(userId)) === null) return refusedAt('/code', messages.secondFactorOff);
  const attempted = await throttle.attempt(
    {
      request,
      response,
      account: userId,
      ...secondSecretOf(userId),
      device: { kind: 'session', id },
      wrong: wrongCode,
      told: { holders: [holder], door: 'password', reason: 'wrong_second_factor' },
    },
    (now) => spendCode(deps, request, holder, { code, now }),
  );
  return attempted.kind === 'refused' ? attempted : work(holder, checked.account);
};
