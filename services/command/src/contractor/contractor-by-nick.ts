import type { Problem } from '@zakup/contracts/problems';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { holdsNick } from '@zakup/domain/contractor/nicks';
import { messages } from '@zakup/domain/messages';
import { receiverIn } from './contractor-alias.ts';
import { claim, holderOf } from '../pipeline/reservations.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/**
 * The contractor with this nick in the person's licence, made on the fly when there is none (ADD-6, ADD-7): also when two
 * people name a new one in the same instant, because the claim of the nick is part of the same append. A claim whose holder was
 * never made is finished with the id that it names; one whose holder goes by another nick counts for a while.
 */
export const contractorByNick = async (
  { session, person, newId }: TenantContext,
  contact: { readonly nick: string; readonly adminUsername: string },
  made: { readonly channelName: string; readonly category: string },
): Promise<
  { readonly kind: 'found'; readonly id: string } | { readonly kind: 'refused'; readonly problem: Problem }
> => {
  const reserved = { category: 'nick', licenceId: person.licence.id, value: contact.nick } as const;
  const holder = await holderOf(session, reserved);
  const held = holder === null ? null : (await session.load(contractorDecider, holder.id)).state;
  if (holder !== null && held !== null && holdsNick(held, contact.nick))
    return { kind: 'found', id: await receiverIn(session, holder.id) };
  const id = holder !== null && held === null ? holder.id : newId('contractor');
  const { state } = await session.load(contractorDecider, id);
  const rejected = await claim(session, reserved, { licenceId: person.licence.id, id });
  if (rejected !== null) return { kind: 'refused', problem: { code: 'DUPLICATE', message: messages.nickTaken } };
  const decision = contractorDecider.decide({ type: 'CreateContractor', ...contact, ...made, automatic: true }, state, {
    actor: { id: person.userId, role: person.role },
  });
  if (decision.kind === 'rejected') return { kind: 'refused', problem: decision.rejection };
  session.emit(contractorDecider, id, decision.events);
  return { kind: 'found', id };
};
