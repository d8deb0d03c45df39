import type { Session, SignInStep } from '@zakup/credentials/credentials';
import type { Request } from 'express';
import type { CommandDeps } from '../deps.ts';
import type { Outcome } from './body-route.ts';
import type { Account } from './directory.ts';
import { openSession } from './open-session.ts';

/** Whether a password or a code is not all that opens this account. */
export const hasSecondFactor = async (
  { credentials }: Pick<CommandDeps, 'credentials'>,
  userId: string,
): Promise<boolean> => (await credentials.secondFactorOf(userId)) !== null;

/** Long enough to find an authenticator, put it on a telephone and show it the key. */
const setUpLife = 30 * 60_000;

/** Whether everybody of the licence needs a second factor, so that who has none sets one up before anything else (AUTH-74). */
const isDemanded = ({ licence }: Account): boolean => licence.state.settings.secondFactorForAll;

/** Whether the right first secret opens no session yet. */
export const asksForMore = async (deps: Pick<CommandDeps, 'credentials'>, account: Account): Promise<boolean> =>
  isDemanded(account) || hasSecondFactor(deps, account.employee.id);

/** The person came in before the whole licence needed a second factor, and has none. */
export const lacksSecondFactor = async (deps: Pick<CommandDeps, 'credentials'>, account: Account): Promise<boolean> =>
  isDemanded(account) && !(await hasSecondFactor(deps, account.employee.id));

/**
 * A session, or where the person has a second factor, a token that opens nothing but the question for it (AUTH-50); where they must have one
 * and do not, a token that opens nothing but setting it up (AUTH-74).
 */
export const afterFirstSecret = async (
  deps: CommandDeps,
  request: Request,
  account: Account,
  options: Omit<SignInStep, 'userId' | 'licenceId' | 'via'> & Pick<Session, 'via'>,
): Promise<Outcome> => {
  const { id: userId } = account.employee;
  if (!(await asksForMore(deps, account))) return openSession(deps, request, account, options);
  const isThere = await hasSecondFactor(deps, userId);
  const step = { ...options, userId, licenceId: account.licence.id };
  const { token, expiresAt } = await deps.credentials.openSignInStep(step, deps.now(), isThere ? undefined : setUpLife);
  const asked = isThere ? { secondFactorRequired: true } : { secondFactorSetUpRequired: true };
  return { kind: 'done', data: { ...asked, token, expiresAt: new Date(expiresAt).toISOString() } };
};
