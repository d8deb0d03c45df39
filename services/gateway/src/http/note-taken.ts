import { networkOf } from '@zakup/service-kit/network-address';
import type { Taken } from '../exports/send-file.ts';
import type { ReadContext } from './read-context.ts';

/** Longer names are cut: an entry is no place for them. */
const mostOfName = 200;

/** Keeps for the audit what is about to be handed out; without that it is not (AUTH-90). */
export const noteTaken = async (
  { deps, session }: Pick<ReadContext, 'deps' | 'session'>,
  taken: Taken,
  ip: string | undefined,
): Promise<void> => {
  const { licenceId, userId } = session;
  const name = Array.from(taken.name).slice(0, mostOfName).join('');
  await deps.credentials.noteTaking({ licenceId, userId, what: taken.what, name, network: networkOf(ip) }, deps.now());
};
