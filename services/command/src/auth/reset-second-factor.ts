import { networkOf } from '@zakup/service-kit/network-address';
import type { Request } from 'express';
import type { CommandDeps } from '../deps.ts';
import type { AccessHolder } from './access-entry.ts';
import { type Outcome, refuse } from './body-route.ts';

/**
 * Takes away the second factor of somebody who has lost it, ends all sessions of theirs and tells the journal who did it and whence
 * (AUTH-70).
 */
export const resetSecondFactor = async (
  { credentials, access }: Pick<CommandDeps, 'credentials' | 'access'>,
  request: Request,
  holder: AccessHolder,
  /** `none`: what is said where there is no second factor. */
  { actorId, none }: { readonly actorId: string; readonly none: string },
): Promise<Outcome> => {
  if (!(await credentials.resetSecondFactor(holder.personId))) return refuse({ code: 'NOT_FOUND', message: none });
  await access.tell(holder, actorId, [{ type: 'SecondFactorReset', data: { network: networkOf(request.ip) } }]);
  return { kind: 'done', data: {} };
};
