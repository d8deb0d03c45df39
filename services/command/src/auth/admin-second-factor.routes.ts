import {
  beginSecondFactorRequest,
  confirmSecondFactorRequest,
  provenRequest,
  secondFactorRequest,
} from '@zakup/contracts/requests/auth.requests';
import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { bearerOf } from '@zakup/credentials/authenticate';
import { authenticatorUrl } from '@zakup/credentials/authenticator-url';
import { adminAccount } from '@zakup/credentials/device-book';
import { messages } from '@zakup/domain/messages';
import { type Request, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { bodyRoute, type Outcome, refuse } from './body-route.ts';
import { type LoginThrottle, secondSecretOf } from './login-throttle.ts';
import { refusedAt, wrongCode } from './second-factor.routes.ts';

const issuer = 'Zakup';

/** The admin's realm, as those calls know it that belong to its second factor. */
export interface AdminDoor {
  /** The session that asks; null = there is none in order. */
  readonly sessionOf: (request: Request) => Promise<{ readonly login: string; readonly sessionId: string } | null>;
  /** A session of the admin who has shown all that is asked for. `stamp`: of the password that was right, read before the last secret was looked at. */
  readonly open: (login: string, stamp: string | null, request: Request) => Promise<Outcome>;
}

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

const over = refuse({ code: 'UNAUTHENTICATED', message: messages.signInStepOver });
const signedOut = refuse(signInProblems.over);

const stepOf = async (deps: CommandDeps, request: Request) => {
  const token = bearerOf(request.get('Authorization'));
  const step = token === null ? null : await deps.credentials.signInStep(token, deps.now());
  return token === null || step === null || step.via !== 'admin' ? null : { token, account: step.userId };
};

const loginOfAccount = (account: string): string => account.slice(adminAccount('').length);

/** Whether the password is not all that opens the realm. */
export const adminAsksMore = async (deps: CommandDeps, login: string): Promise<boolean> =>
  deps.adminSecondFactor === 'required' || (await deps.credentials.secondFactorOf(adminAccount(login))) !== null;

/**
 * Instead of a session, where more than the password is asked for: a code, or where one is required that is not there yet, to set it up.
 * Null = the password is enough.
 */
export const adminStep = async (deps: CommandDeps, login: string): Promise<Outcome | null> => {
  const account = adminAccount(login);
  const isOn = (await deps.credentials.secondFactorOf(account)) !== null;
  if (!isOn && deps.adminSecondFactor !== 'required') return null;
  const options = { via: 'admin', endOldest: false, passwordChangeOnly: false, knownDevice: false } as const;
  const step = { userId: account, licenceId: '', ...options };
  const { token, expiresAt } = await deps.credentials.openSignInStep(step, deps.now());
  const asked = { secondFactorRequired: true, token, expiresAt: new Date(expiresAt).toISOString() };
  return { kind: 'done', data: isOn ? asked : { ...asked, secondFactorSetup: true } };
};

/** The platform admin's second factor: AUTH-54, AUTH-55. */
export const adminSecondFactorRoutes = (deps: CommandDeps, throttle: LoginThrottle, door: AdminDoor): Router => {
  const router = Router();
  router.post(
    '/second-factor',
    bodyRoute(secondFactorRequest, ({ code }, request, response) =>
      finish(deps, throttle, door, { request, response }, code),
    ),
  );
  router.post(
    '/second-factor/begin',
    bodyRoute(beginSecondFactorRequest, ({ currentPassword }, request, response) =>
      begin(deps, throttle, door, { request, response }, currentPassword),
    ),
  );
  router.post(
    '/second-factor/confirm',
    bodyRoute(confirmSecondFactorRequest, ({ code }, request) => confirm(deps, door, request, code)),
  );
  router.post(
    '/second-factor/off',
    bodyRoute(provenRequest, (body, request, response) =>
      proven(deps, throttle, door, { request, response }, body, async (account) => {
        if (deps.adminSecondFactor === 'required') return refusedAt('/code', messages.adminSecondFactorRequired);
        await deps.credentials.removeSecondFactor(account);
        return { kind: 'done', data: {} };
      }),
    ),
  );
  router.post(
    '/second-factor/recovery-codes',
    bodyRoute(provenRequest, (body, request, response) =>
      proven(deps, throttle, door, { request, response }, body, async (account) => ({
        kind: 'done',
        data: { recoveryCodes: (await deps.credentials.renewRecoveryCodes(account)) ?? [] },
      })),
    ),
  );
  return router;
};

const checkedCode = (deps: CommandDeps, throttle: LoginThrottle, exchange: Exchange, account: string, code: string) =>
  throttle.attempt(
    {
      ...exchange,
      account,
      ...secondSecretOf(account),
      device: { kind: 'browser' },
      wrong: wrongCode,
      told: { holders: [], door: 'admin', reason: 'wrong_second_factor' },
    },
    async (now) => ((await deps.credentials.checkSecondFactor(account, code, now)) ? true : null),
  );

const finish = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  { open }: AdminDoor,
  exchange: Exchange,
  code: string,
): Promise<Outcome> => {
  const stamp = await deps.credentials.adminStamp();
  const step = await stepOf(deps, exchange.request);
  if (step === null) return over;
  const attempted = await checkedCode(deps, throttle, exchange, step.account, code);
  if (attempted.kind === 'refused') return attempted;
  if (!(await deps.credentials.endSignInStep(step.token))) return over;
  return open(loginOfAccount(step.account), stamp, exchange.request);
};

/** Whose password it is; a wrong one counts as a guess. */
const withPassword = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  exchange: Exchange,
  account: string,
  password: string,
): Promise<Outcome | null> => {
  const message = messages.currentPasswordWrong;
  const attempted = await throttle.attempt(
    {
      ...exchange,
      account,
      device: { kind: 'browser' },
      wrong: { code: 'VALIDATION_FAILED', message, errors: [{ pointer: '/currentPassword', detail: message }] },
      told: { holders: [], door: 'admin' },
    },
    async () => ((await deps.credentials.checkAdmin(loginOfAccount(account), password)) ? true : null),
    () => null,
  );
  return attempted.kind === 'refused' ? attempted : null;
};

/** Who sets it up: the admin who is signed in, or one who cannot be before it is set up. */
const settingUp = async (deps: CommandDeps, { sessionOf }: AdminDoor, request: Request) => {
  const step = await stepOf(deps, request);
  if (step !== null) return { account: step.account, step: step.token, sessionId: null };
  const session = await sessionOf(request);
  return session === null ? null : { account: adminAccount(session.login), step: null, sessionId: session.sessionId };
};

const begin = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  door: AdminDoor,
  exchange: Exchange,
  currentPassword: string,
): Promise<Outcome> => {
  const who = await settingUp(deps, door, exchange.request);
  if (who === null) return signedOut;
  const refused = await withPassword(deps, throttle, exchange, who.account, currentPassword);
  if (refused !== null) return refused;
  const secret = await deps.credentials.beginSecondFactor(who.account, '');
  if (secret === null) return refusedAt('/currentPassword', messages.secondFactorOn);
  return {
    kind: 'done',
    data: { secret, url: authenticatorUrl(secret, { issuer, label: loginOfAccount(who.account) }) },
  };
};

/** With a first code it is on, and every session but the one that asks ends; who could not be signed in without it is now. */
const confirm = async (deps: CommandDeps, door: AdminDoor, request: Request, code: string): Promise<Outcome> => {
  const stamp = await deps.credentials.adminStamp();
  const who = await settingUp(deps, door, request);
  if (who === null) return signedOut;
  const confirmed = await deps.credentials.confirmSecondFactor(who.account, code, deps.now());
  if (confirmed.kind === 'wrong') return refuse(wrongCode);
  if (confirmed.kind === 'not_begun') return refusedAt('/code', messages.secondFactorNotBegun);
  await deps.credentials.endOtherAdminSessions(who.sessionId);
  const { recoveryCodes } = confirmed;
  if (who.step === null || !(await deps.credentials.endSignInStep(who.step)))
    return { kind: 'done', data: { recoveryCodes } };
  const opened = await door.open(loginOfAccount(who.account), stamp, request);
  return opened.kind === 'done' ? { ...opened, data: { recoveryCodes, ...opened.data } } : opened;
};

const proven = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  { sessionOf }: AdminDoor,
  exchange: Exchange,
  { currentPassword, code }: { readonly currentPassword: string; readonly code: string },
  work: (account: string) => Promise<Outcome>,
): Promise<Outcome> => {
  const session = await sessionOf(exchange.request);
  if (session === null) return signedOut;
  const account = adminAccount(session.login);
  const refused = await withPassword(deps, throttle, exchange, account, currentPassword);
  if (refused !== null) return refused;
  if ((await deps.credentials.secondFactorOf(account)) === null) return refusedAt('/code', messages.secondFactorOff);
  const attempted = await checkedCode(deps, throttle, exchange, account, code);
  return attempted.kind === 'refused' ? attempted : work(account);
};
