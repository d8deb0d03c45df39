import type { Problem } from '@zakup/contracts/problems';
import { messages } from '@zakup/domain/messages';
import { claim, release } from '../pipeline/reservations.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** Moves the claims of nicks from one contractor to another; the problem when one of them is a third one's. */
export const moveNicks = async (
  { session, person }: Pick<TenantContext, 'session' | 'person'>,
  nicks: readonly string[],
  fromId: string,
  toId: string,
): Promise<Problem | null> => {
  const licenceId = person.licence.id;
  for (const value of nicks) {
    const nick = { category: 'nick', licenceId, value } as const;
    await release(session, nick, { licenceId, id: fromId });
    const taken = await claim(session, nick, { licenceId, id: toId });
    if (taken !== null) return { code: 'DUPLICATE', message: messages.nickTaken };
  }
  return null;
};
