import {
  ceoLoginRequest,
  employeeLoginRequest,
  loginCodeRequest,
  refreshRequest,
} from '@zakup/contracts/requests/auth.requests';
import { messages, wrongCodeInDemo } from '@zakup/domain/messages';
import { type Request, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { bodyRoute, type Outcome, refuse } from './body-route.ts';
import { accountByCode, accountById, holderOf } from './directory.ts';
import type { GuessGuard } from './guess-guard.ts';
import { openSession, tokensOf } from './open-session.ts';

/** The doors without a token: AUTH-6, AUTH-7, AUTH-13, AUTH-22, AUTH-28. Known and unknown accounts get the same answer in the same time. */
export const signInRoutes = (deps: CommandDeps, guard: GuessGuard): Router => {
  const router = Router();
  router.post(
    '/employee-login',
    bodyRoute(employeeLoginRequest, ({ authCode, ...rest }, request, response) =>
      signInWithPassword(
        deps,
        guard,
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
        guard,
        { request, response },
        { ...rest, code: loginCode, owner: true, failure: messages.wrongLogin },
      ),
    ),
  );
  router.post(
    '/login-code',
    bodyRoute(loginCodeRequest, ({ authCode, endOldest = false }, request, response) =>
      signInWithCode(deps, guard, { request, response }, { code: authCode, endOldest }),
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
  guard: GuessGuard,
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
  const named = await accountByCode(deps, code);
  const via = owner ? 'owner' : 'employee';
  const told = {
    holder: holderOf(named),
    door: via,
    reason: named !== null && named.employee.state.isOwner !== owner ? 'wrong_door' : 'wrong_secret',
  } as const;
  const device = { kind: 'browser' } as const;
  const guessing = { ...exchange, account: named?.employee.id ?? code, device, wrong, told } as const;
  const attempted = await guard.attempt(guessing, async (now) => {
    // Read anew: it may have been long until its turn.
    const known = await accountByCode(deps, code);
    const account = known !== null && known.employee.state.isOwner === owner ? known : null;
    const checked = await deps.credentials.checkPassword(account?.employee.id ?? null, password, now);
    return account === null || checked.kind === 'wrong' ? null : { account, temporary: checked.record.temporary };
  });
  if (attempted.kind === 'refused') return attempted;
  const { account, temporary } = attempted.found;
  const { knownDevice } = attempted;
  return openSession(deps, exchange.request, account, { via, endOldest, passwordChangeOnly: temporary, knownDevice });
};

/**
 * Refused in the same words whether the code is unknown or its licence has the switch off. The code is all the secret there is: whose it
 * would be nobody knows before it is right, so that the door counts failures by addresses.
 */
const signInWithCode = async (
  deps: CommandDeps,
  guard: GuessGuard,
  exchange: Exchange,
  { code, endOldest }: { readonly code: string; readonly endOldest: boolean },
): Promise<Outcome> => {
  const wrong =
    deps.demoCodes === undefined
      ? ({ code: 'ACCESS_DENIED', message: messages.codeOnlyLoginOff } as const)
      : ({ code: 'UNAUTHENTICATED', message: wrongCodeInDemo(...deps.demoCodes) } as const);
  const named = await accountByCode(deps, code);
  const reason = named?.employee.state.isOwner === true ? 'wrong_door' : 'switched_off';
  const guessing = {
    ...exchange,
    account: named?.employee.id ?? code,
    door: 'code alone',
    device: { kind: 'browser' },
    wrong,
    told: { holder: holderOf(named), door: 'code', reason: named === null ? 'wrong_secret' : reason },
  } as const;
  const attempted = await guard.attempt(guessing, async () => {
    const account = await accountByCode(deps, code);
    const open = account !== null && !account.employee.state.isOwner && account.licence.state.settings.codeOnlyLogin;
    return open ? account : null;
  });
  if (attempted.kind === 'refused') return attempted;
  const { found, knownDevice } = attempted;
  const options = { via: 'code', endOldest, passwordChangeOnly: false, knownDevice } as const;
  return openSession(deps, exchange.request, found, options);
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
  if (account === null) {
    await deps.credentials.endSession(session.id, 'revoked');
    return over;
  }
  return { kind: 'done', data: tokensOf(deps, session, account.employee.state.role, refreshToken) };
};
