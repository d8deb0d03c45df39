import type { RecordedEvent } from '../event-store.ts';
import { carriedOut, judged, planIdOf, plansIn } from './command-plans.ts';
import type { StreamReader } from './stream-reader.ts';
import type { StreamWriter } from './stream-writer.ts';
import type { AdapterLog } from './subscription.ts';

/** What became of a plan that whoever made it had left open: its writes were made now, or one of them can never be made. */
export type LeftPlan = 'finished' | 'lost';

export interface SettlingDeps {
  readonly reader: StreamReader;
  readonly writer: StreamWriter;
  readonly log: AdapterLog;
  /** Called for each plan that was found open, for a metric. */
  readonly onLeftPlan: (left: LeftPlan) => void;
}

/** Makes what is missing of the plan that this event closes, unless it can never be made. */
export const settlePlan = async (
  { reader, writer, log, onLeftPlan }: SettlingDeps,
  closer: RecordedEvent,
): Promise<void> => {
  const plan = plansIn(await reader.read(closer.stream)).at(-1);
  // A later plan of the same command means that this one had lost its place and that somebody knew.
  if (plan === undefined || plan.id !== planIdOf(closer)) return;
  const before = await judged(plan, writer);
  if (before.state === 'fulfilled') return;
  const done = before.diverged ? undefined : await carriedOut(plan, writer, false);
  const { stream } = closer;
  const { commandId } = closer.metadata;
  const ids = { correlationId: commandId, commandId };
  if (done?.kind === 'fulfilled') {
    log.info({ ...ids, stream, plan: plan.id }, 'A command that was left half done has been finished');
    onLeftPlan('finished');
    return;
  }
  const made = before.events.map(({ stream: to, revision }) => `${to}@${revision}`);
  log.warn(
    { ...ids, stream, plan: plan.id, made },
    'A command that nobody acknowledged has lost its place and is left as it is',
  );
  onLeftPlan('lost');
};
