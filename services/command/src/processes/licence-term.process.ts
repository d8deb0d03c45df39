import { categoryOf } from '@zakup/domain/entities';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { type DueStep, nextStep } from '@zakup/domain/licence/licence-term';
import { decideOn } from '../entity-routes.ts';
import { type CommandHandlerDeps, handleCommand } from '../handle-command.ts';
import { derivedEventId, requestHashOf, streamOf } from '../ids.ts';
import type { Process } from './process.ts';

/** Actor of every event that no person caused. */
const systemActor = 'system';

/** Tells of a term's end, starts its grace period and ends it: ACT-16, ACT-22. */
export const licenceTermProcess = (deps: CommandHandlerDeps): Process => ({
  name: 'licence-term',
  kind: 'license',
  subjectOf: ({ stream, metadata }) => (categoryOf(stream) === licenceDecider.category ? metadata.licenceId : null),

  async next(licenceId) {
    const stream = streamOf(licenceDecider.category, licenceId, licenceId);
    const { state } = await deps.cache.load(licenceDecider, stream, true);
    const due = state === null ? null : nextStep(state);
    const term = state?.term?.revision;
    if (due === null || term === undefined) return null;
    return { at: Date.parse(due.at), run: (now) => advanceTerm(deps, licenceId, term, due, now) };
  },
});

const advanceTerm = async (
  deps: CommandHandlerDeps,
  licenceId: string,
  term: number,
  { step, at: dueAt }: DueStep,
  now: number,
): Promise<void> => {
  const path = `/${licenceDecider.category}/${licenceId}/${term}/${step}/${dueAt}`;
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
    decideOn({ session }, licenceDecider, licenceId, { type: 'AdvanceTerm', term, step, now: at }, {}),
  );
  if (handled.kind === 'refused') throw new Error(`${path} was refused: ${handled.problem.code}`);
};
