import {
  ceoLoginRequest,
  employeeLoginRequest,
  loginCodeRequest,
  refreshRequest,
} from '@zakup/contracts/requests/auth.requests';
import { messages, wrongCodeInDemo } from '@zakup/domain/messages';
import { type Request, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { afterFirstSecret, asksForMore, lacksSecondFactor } from './after-first-secret.ts';
import { bodyRoute, type Outcome, refuse } from './body-route.ts';
import { type Account, accountById, accountByMadeCode, accountsByCode, holdersOf } from './directory.ts';
import type { LoginThrottle } from './login-throttle.ts';
import { knownDeviceOf } from './known-device.ts';
import { tokensOf } from './open-session.ts';

/** The doors without a token: AUTH-6, AUTH-7, AUTH-13, AUTH-22, AUTH-28. Known and unknown accounts get the same answer in the same time. */
export const signInRoutes = (deps: CommandDeps, throttle: LoginThrottle): Router => {
  const router = Router();
  router.post(
    '/employee-login',
    bodyRoute(employeeLoginRequest, ({ authCode, ...rest }, request, response) =>
      signInWithPassword(
        deps,
        throttle,
        { request, response },
        {
          ...rest,
          code: authCode,
          owner: false,
          failure: messages.wrongEmployeeLogin,
        },
      ),
    ),
  );
  router.post(
    '/ceo-login',
    bodyRoute(ceoLoginRequest, ({ loginCode, ...rest }, request, response) =>
      signInWithPassword(
        deps,
        throttle,
        { request, response },
        { ...rest, code: loginCode, owner: true, failure: messages.wrongLogin },
      ),
    ),
  );
  router.post(
    '/login-code',
    bodyRoute(loginCodeRequest, ({ authCode, endOldest = false }, request, response) =>
      signInWithCode(deps, throttle, { request, response }, { code: authCode, endOldest }),
    ),
  );
  router.post(
    '/refresh',
    bodyRoute(refreshRequest, ({ refreshToken }) => refresh(deps, refreshToken)),
  );
  return router;
};

interface Exchange {
  readonly request: Request;
  readonly response: Response;
}

const signInWithPassword = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  exchange: Exchange,
  given: {
    readonly code: string;
    readonly password: string;
    readonly endOldest?: boolean | undefined;
    readonly owner: boolean;
    readonly failure: string;
  },
): Promise<Outcome> => {
  const { code, password, endOldest = false, owner, failure } = given;
  const wrong = { code: 'UNAUTHENTICATED', message: failure } as const;
  const named = await namedByCode(deps, exchange.request, code);
  const ids = new Set(named.map(({ employee }) => employee.id));
  const via = owner ? 'owner' : 'employee';
  const isWrongDoor = named.length > 0 && named.every(({ employee }) => employee.state.isOwner !== owner);
  const attempted = await throttle.attempt(
    {
      ...exchange,
      account: (named.length === 1 ? named[0]?.employee.id : undefined) ?? deps.cache.codes.hash(code),
      isShared: named.length > 1,
      device: { kind: 'browser' },
      wrong,
      told: { holders: holdersOf(named), door: via, reason: isWrongDoor ? 'wrong_door' : 'wrong_secret' },
    },
    async (now) => {
      // Read anew: it may have been long until its turn.
      const known = (await accountsByCode(deps, code)).filter(
        ({ employee }) => ids.has(employee.id) && employee.state.isOwner === owner,
      );
      const checked = await deps.credentials.checkPassword(
        known.map(({ employee }) => employee.id),
        password,
        now,
      );
      if (checked.kind === 'wrong') return null;
      const account = known.find(({ employee }) => employee.id === checked.record.userId);
      if (account === undefined) return null;
      const more = await asksForMore(deps, account);
      return { account, temporary: checked.record.temporary, more };
    },
    ({ account, more }) => (more ? null : account.employee.id),
  );
  if (attempted.kind === 'refused') return attempted;
  const { account, temporary } = attempted.found;
  const { knownDevice } = attempted;
  const options = { via, endOldest, passwordChangeOnly: temporary, knownDevice } as const;
  return afterFirstSecret(deps, exchange.request, account, options);
};

/**
 * Who may be meant by a code. Where several chose it, a device that one of them signed in on means that one: nobody guesses at the others
 * with what their own device is allowed.
 */
const namedByCode = async (deps: CommandDeps, request: Request, code: string): Promise<readonly Account[]> => {
  const accounts = await accountsByCode(deps, code);
  if (accounts.length < 2) return accounts;
  const known = await Promise.all(accounts.map(({ employee }) => knownDeviceOf(deps, request, employee.id)));
  const own = accounts.filter((_, index) => known[index] !== null);
  return own.length === 0 ? accounts : own;
};

/** Those of the demo are known to everybody, and chosen for that. */
const openedAlone = async (deps: CommandDeps, code: string): Promise<Account | null> =>
  deps.demoCodes === undefined ? accountByMadeCode(deps, code) : ((await accountsByCode(deps, code))[0] ?? null);

/**
 * Refused in the same words whether the code is unknown or its licence has the switch off. The code is all the secret there is: whose it
 * would be nobody knows before it is right, so that the door counts failures by addresses. One that somebody chose opens nothing alone.
 */
const signInWithCode = async (
  deps: CommandDeps,
  throttle: LoginThrottle,
  exchange: Exchange,
  { code, endOldest }: { readonly code: string; readonly endOldest: boolean },
): Promise<Outcome> => {
  const wrong =
    deps.demoCodes === undefined
      ? ({ code: 'ACCESS_DENIED', message: messages.codeOnlyLoginOff } as const)
      : ({ code: 'UNAUTHENTICATED', message: wrongCodeInDemo(...deps.demoCodes) } as const);
  const named = await openedAlone(deps, code);
  const reason = named?.employee.state.isOwner === true ? 'wrong_door' : 'switched_off';
  const secretTry = {
    ...exchange,
    account: named?.employee.id ?? code,
    door: 'code alone',
    device: { kind: 'browser' },
    wrong,
    told: { holders: holdersOf([named]), door: 'code', reason: named === null ? 'wrong_secret' : reason },
  } as const;
  const attempted = await throttle.attempt(
    secretTry,
    async () => {
      const account = await openedAlone(deps, code);
      const open = account !== null && !account.employee.state.isOwner && account.licence.state.settings.codeOnlyLogin;
      return open ? { account, more: await asksForMore(deps, account) } : null;
    },
    ({ more }) => (more ? null : secretTry.account),
  );
  if (attempted.kind === 'refused') return attempted;
  const { found, knownDevice } = attempted;
  const options = { via: 'code', endOldest, passwordChangeOnly: false, knownDevice } as const;
  return afterFirstSecret(deps, exchange.request, found.account, options);
};

const refresh = async (deps: CommandDeps, token: string): Promise<Outcome> => {
  const over = refuse({ code: 'UNAUTHENTICATED', message: messages.sessionExpired });
  const refreshed = await deps.credentials.refresh(token, deps.now());
  if (refreshed.kind === 'reused') {
    const { id, licenceId, userId } = refreshed.session;
    const ended = { type: 'SessionsEnded', data: { sessionIds: [id], reason: 'reused' } } as const;
    await deps.access.tell({ licenceId, personId: userId }, 'system', [ended]);
  }
  if (refreshed.kind !== 'refreshed') return over;
  const { session, refreshToken } = refreshed;
  const account = await accountById(deps, session.licenceId, session.userId);
  // Also who opened a session in the moment in which a second factor began to be needed.
  if (account === null || (await lacksSecondFactor(deps, account))) {
    await deps.credentials.endSession(session.id, 'revoked');
    return over;
  }
  return { kind: 'done', data: tokensOf(deps, session, account.employee.state.role, refreshToken) };
};
