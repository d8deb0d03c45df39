import { keyIn, keysDecider } from '@zakup/domain/keys/keys.decider';
import type { CommandEnvelope } from './handle-command.ts';
import { streamOf } from './ids.ts';
import type { PipelineDeps } from './pipeline-deps.ts';

/** What goes with the id of who acts, where that is a key. */
export const keyNameOf = async (
  { cache }: Pick<PipelineDeps, 'cache'>,
  licenceId: string,
  actorId: string,
): Promise<Pick<CommandEnvelope, 'keyName'>> => {
  const { state } = await cache.load(keysDecider, streamOf(keysDecider.category, licenceId, licenceId), true);
  const key = keyIn(state, actorId);
  return key === null ? {} : { keyName: key.name };
};
