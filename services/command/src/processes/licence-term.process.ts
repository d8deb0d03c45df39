import { categoryOf } from '@zakup/domain/entities';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { type DueStep, nextStep } from '@zakup/domain/licence/licence-term';
import type { CommandHandlerDeps } from '../pipeline/handle-command.ts';
import { streamOf } from '../pipeline/ids.ts';
import { advanceLicence } from './advance-licence.ts';
import type { Process } from './process.ts';

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

const advanceTerm = (
  deps: CommandHandlerDeps,
  licenceId: string,
  term: number,
  { step, at }: DueStep,
  now: number,
): Promise<void> =>
  advanceLicence(deps, { licenceId, about: `${term}/${step}/${at}`, now }, (instant) => ({
    type: 'AdvanceTerm',
    term,
    step,
    now: instant,
  }));
