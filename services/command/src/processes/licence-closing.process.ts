import { categoryOf } from '@zakup/domain/entities';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { type DueClosingStep, nextClosingStep } from '@zakup/domain/licence/licence-closing';
import type { CommandHandlerDeps } from '../pipeline/handle-command.ts';
import { streamOf } from '../pipeline/ids.ts';
import { advanceLicence } from './advance-licence.ts';
import type { Process } from './process.ts';

/** Tells of a licence's end that its owner asked for, and ends it: ACT-26, ACT-27. */
export const licenceClosingProcess = (deps: CommandHandlerDeps): Process => ({
  name: 'licence-closing',
  kind: 'license',
  subjectOf: ({ stream, metadata }) => (categoryOf(stream) === licenceDecider.category ? metadata.licenceId : null),

  async next(licenceId) {
    const stream = streamOf(licenceDecider.category, licenceId, licenceId);
    const { state } = await deps.cache.load(licenceDecider, stream, true);
    const due = state === null ? null : nextClosingStep(state);
    const closing = state?.closing?.revision;
    if (due === null || closing === undefined) return null;
    const run = (now: number): Promise<void> => close(deps, licenceId, closing, due, now);
    return { at: Date.parse(due.at), run };
  },
});

const close = (
  deps: CommandHandlerDeps,
  licenceId: string,
  closing: number,
  { step, at }: DueClosingStep,
  now: number,
): Promise<void> =>
  advanceLicence(deps, { licenceId, about: `closing/${closing}/${step}/${at}`, now }, (instant) => ({
    type: 'AdvanceClosing',
    closing,
    step,
    now: instant,
  }));
