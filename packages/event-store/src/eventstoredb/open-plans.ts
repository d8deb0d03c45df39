import { randomUUID } from 'node:crypto';
import type { EventMetadata, Revision, StreamName } from '../event-store.ts';
import { alreadyWritten, type CommandPlan, type Judged, judged, planEvents } from './command-plans.ts';
import { pause } from './connection.ts';
import type { StreamWriter } from './stream-writer.ts';
import type { PartialCommand } from './unfinished.ts';

export interface PlanDeps {
  readonly writer: StreamWriter;
  /** Aborted when closing begins. */
  readonly closing: AbortSignal;
  /** From 0 to 1: spreads the attempts of several callers. */
  readonly chance: () => number;
}

/**
 * Milliseconds that whoever makes a plan has for its next write before somebody who needs it makes what is missing; up to twice as many by
 * chance. Each write that appears begins them anew: a maker on a slow machine is alive, and help would only get in its way.
 */
const makersTime = 150;
/** Milliseconds between the first two looks at a plan. */
const firstLook = 5;

/** The plan as its maker leaves it. Who writes the same events at the same moment is kept waiting by the server for two seconds. */
export const leftPlan = async ({ writer, closing, chance }: PlanDeps, plan: CommandPlan): Promise<Judged> => {
  const most = makersTime * (1 + chance());
  let patience = most;
  let made = 0;
  for (let wait = firstLook; ; wait = Math.min(wait * 2, makersTime)) {
    const found = await judged(plan, writer);
    if (found.events.length > made) patience = most;
    made = found.events.length;
    if (found.state !== 'open' || patience <= 0 || closing.aborted) return found;
    await pause(Math.min(wait, patience), closing);
    patience -= wait;
  }
};

/** Appends the plan behind the stream's last event; the revision it ends at, or undefined when somebody else was there first. */
export const openPlan = async (
  { writer }: Pick<PlanDeps, 'writer'>,
  stream: StreamName,
  expected: Revision | 'no_stream',
  plan: CommandPlan,
  metadata: EventMetadata,
): Promise<Revision | undefined> => {
  let last = expected;
  for (const part of planEvents(plan, metadata, randomUUID)) {
    const written = await writer.appendPart(stream, last, [part]);
    if (written.kind === 'lost') return undefined;
    last = last === 'no_stream' ? 0 : last + 1;
  }
  return last === 'no_stream' ? undefined : last;
};

/** The partial writes of the plans, those of abandoned ones apart. */
export const partialWrites = async (
  { writer }: Pick<PlanDeps, 'writer'>,
  plans: readonly CommandPlan[],
): Promise<Omit<PartialCommand, 'planToken'>> => {
  const first = plans.findLastIndex(({ givesUp }) => givesUp === true) + 1;
  return {
    events: await alreadyWritten(plans.slice(first), writer),
    abandoned: await alreadyWritten(plans.slice(0, first), writer),
  };
};
