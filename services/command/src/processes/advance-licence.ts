import type { LicenceCommand } from '@zakup/domain/licence/commands';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { decideOn } from '../pipeline/decide-on.ts';
import { type CommandHandlerDeps, handleCommand } from '../pipeline/handle-command.ts';
import { derivedEventId, requestHashOf } from '../pipeline/ids.ts';

/** Actor of every event that no person caused. */
const systemActor = 'system';

/** Issues a licence's own step of its life; `about` says which one and when it was due, so that it is never done twice. */
export const advanceLicence = async (
  deps: CommandHandlerDeps,
  { licenceId, about, now }: { readonly licenceId: string; readonly about: string; readonly now: number },
  commandAt: (instant: string) => LicenceCommand,
): Promise<void> => {
  const path = `/${licenceDecider.category}/${licenceId}/${about}`;
  const at = new Date(now).toISOString();
  const envelope = {
    licenceId,
    actorId: systemActor,
    commandId: derivedEventId(path, 0),
    requestHash: () => requestHashOf('PROCESS', path, null),
    source: 'system',
    at,
  } as const;
  const handled = await handleCommand(deps, envelope, { entity: licenceDecider, id: licenceId }, (session) =>
    decideOn({ session }, licenceDecider, licenceId, commandAt(at), {}),
  );
  if (handled.kind === 'refused') throw new Error(`${path} was refused: ${handled.problem.code}`);
};
