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

/** A session, or where the person has a second factor, a token that opens nothing but the question for it (AUTH-50). */
export const afterFirstSecret = async (
  deps: CommandDeps,
  request: Request,
  account: Account,
  options: Omit<SignInStep, 'userId' | 'licenceId' | 'via'> & Pick<Session, 'via'>,
): Promise<Outcome> => {
  const { id: userId } = account.employee;
  if (!(await hasSecondFactor(deps, userId))) return openSession(deps, request, account, options);
  const step = { ...options, userId, licenceId: account.licence.id };
  const { token, expiresAt } = await deps.credentials.openSignInStep(step, deps.now());
  const data = { secondFactorRequired: true, token, expiresAt: new Date(expiresAt).toISOString() };
  return { kind: 'done', data };
};
