import type { Problem } from '@zakup/contracts/problems';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { holdsNick } from '@zakup/domain/contractor/nicks';
import { messages } from '@zakup/domain/messages';
import { receiverIn } from './contractor-alias.ts';
import { decideOn } from '../pipeline/decide-on.ts';
import { claim, holderOf } from '../pipeline/reservations.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** Whom a nick names. */
export interface NamedContractor {
  readonly id: string;
  /** Makes them where there is nobody yet (ADD-7); a problem refuses. */
  readonly make: (first: FirstPlacement) => Promise<Problem | null>;
}

/** What a contractor who is made on the fly takes over from the placement that names them. */
interface FirstPlacement {
  readonly channelName: string;
  readonly category: string;
}

/**
 * The contractor with this nick in the person's licence, or who will be made on the fly (ADD-6, ADD-7): one, also when two
 * people name a new one in the same instant, because the claim of the nick is part of the same append. A claim whose holder was
 * never made is finished with the id that it names; one whose holder goes by another nick counts for a while.
 */
export const contractorByNick = async (
  context: TenantContext,
  contact: { readonly nick: string; readonly adminUsername: string },
): Promise<NamedContractor> => {
  const { session, person, newId } = context;
  const reserved = { category: 'nick', licenceId: person.licence.id, value: contact.nick } as const;
  const holder = await holderOf(session, reserved);
  const held = holder === null ? null : (await session.load(contractorDecider, holder.id)).state;
  if (holder !== null && held !== null && holdsNick(held, contact.nick))
    return { id: await receiverIn(session, holder.id), make: async () => null };
  const id = holder !== null && held === null ? holder.id : newId('contractor');
  return {
    id,
    async make(first) {
      const actor = { id: person.userId, role: person.role };
      await session.load(contractorDecider, id);
      const taken = await claim(session, reserved, { licenceId: person.licence.id, id });
      if (taken !== null) return { code: 'DUPLICATE', message: messages.nickTaken };
      const command = { type: 'CreateContractor', ...contact, ...first, automatic: true } as const;
      return decideOn(context, contractorDecider, id, command, { actor });
    },
  };
};
