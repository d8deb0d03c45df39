import { hash, randomUUID } from 'node:crypto';
import type {
  AppendedEvent,
  AppendResult,
  EventMetadata,
  RecordedEvent,
  Revision,
  StreamName,
} from '../event-store.ts';
import type { PartialCommand, Unfinished } from './unfinished.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import {
  type CommandPlan,
  carriedOut,
  type Judged,
  judged,
  planEvents,
  plansIn,
  alreadyWritten,
} from './command-plans.ts';
import { pause } from './connection.ts';
import type { ServerNames } from './names.ts';
import type { StreamReader } from './stream-reader.ts';
import { isPlaced, type PlacedWrite, placed, type StreamWriter, type TakenWrite } from './stream-writer.ts';

/** Commands as plans in `command-` streams. */
export interface CommandLog extends Unfinished {
  /** Plans the writes, then makes them. Without a key the plan only keeps the writes together. `planToken`: as the append's option. */
  append(
    writes: readonly TakenWrite[],
    commandKey: string | undefined,
    planToken: number | undefined,
  ): Promise<AppendResult>;
  /**
   * The events of a command one of whose plans is fulfilled, in log order; none otherwise. A plan that was left open is first brought to
   * its end: whoever decides anew must not find the command half done.
   */
  read(commandKey: string): Promise<readonly RecordedEvent[]>;
}

export interface CommandLogDeps {
  readonly names: ServerNames;
  readonly reader: StreamReader;
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

/** More lost races in a row for one command than there are callers that could be racing. */
const mostPlans = 100;

const inLogOrder = <Event extends AppendedEvent>(events: readonly Event[]): readonly Event[] =>
  events.toSorted((a, b) => a.position - b.position);

/** The answer to an append that was made; the events must be all of the writes' own. */
export const appendedResult = (
  writes: readonly { readonly stream: StreamName }[],
  events: readonly AppendedEvent[],
): AppendResult => {
  const sorted = inLogOrder(events);
  const last = new Map(events.map(({ stream, revision }) => [stream, revision]));
  return {
    kind: 'appended',
    position: sorted.at(-1)?.position ?? 0,
    revisions: writes.map(({ stream }) => last.get(stream) ?? 0),
    events: sorted,
  };
};

export const commandLog = ({ names, reader, writer, closing, chance }: CommandLogDeps): CommandLog => {
  /** The plan as its maker leaves it. Who writes the same events at the same moment is kept waiting by the server for two seconds. */
  const left = async (plan: CommandPlan): Promise<Judged> => {
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

  const placedNow = (writes: readonly TakenWrite[]): Promise<readonly PlacedWrite[]> =>
    Promise.all(
      writes.map(async (write) => (isPlaced(write) ? write : placed(write, await reader.revision(write.stream)))),
    );

  /** Appends the plan behind the stream's last event; the revision it ends at, or undefined when somebody else was there first. */
  const opened = async (
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
  const partialOf = async (plans: readonly CommandPlan[]): Promise<Omit<PartialCommand, 'planToken'>> => {
    const first = plans.findLastIndex(({ givesUp }) => givesUp === true) + 1;
    return {
      events: await alreadyWritten(plans.slice(first), writer),
      abandoned: await alreadyWritten(plans.slice(0, first), writer),
    };
  };

  return {
    async append(writes, commandKey, planToken) {
      // Without a key the events' own ids say that an append is the same one again.
      const ids =
        commandKey ?? hash('sha256', writes.flatMap(({ events }) => events.map(({ event }) => event.id)).join(), 'hex');
      const stream = names.command(commandKey === undefined ? `events ${ids}` : `key ${commandKey}`);
      const metadata = writes[0]?.events[0]?.event.metadata;
      if (metadata === undefined) throw new TypeError('An append needs at least one event');
      let expected: Revision | 'no_stream' = planToken ?? 'no_stream';
      for (let attempt = 0; attempt < mostPlans; attempt += 1) {
        const plan: CommandPlan = { id: randomUUID(), writes: await placedNow(writes) };
        const at: Revision | undefined = await opened(stream, expected, plan, metadata);
        if (at === undefined) {
          const events = await reader.read(stream);
          const plans = plansIn(events);
          const newest = plans.at(-1);
          if (newest !== undefined && newest.writes.length > 0) {
            await left(newest);
            const done = await carriedOut(newest, writer, false);
            if (done.kind === 'fulfilled') {
              if (commandKey !== undefined) return { kind: 'command_known', commandKey };
              return appendedResult(writes, done.events);
            }
          }
          if (commandKey !== undefined) {
            const { events: written, abandoned } = await partialOf(plans);
            if (planToken !== undefined || written.length + abandoned.length > 0)
              return { kind: 'command_partial', commandKey };
          }
          expected = events.at(-1)?.revision ?? 'no_stream';
          continue;
        }
        const done = await carriedOut(plan, writer, planToken === undefined);
        if (done.kind === 'fulfilled') return appendedResult(writes, done.events);
        const wanted = writes.find((write) => write.stream === done.stream)?.expectedRevision;
        if (wanted !== 'any') {
          // One that expects more than there is could come true later, when it has long been refused.
          const early = typeof wanted === 'number' && (done.actual === 'no_stream' || done.actual < wanted);
          if (early) await opened(stream, at, { id: randomUUID(), writes: [] }, metadata);
          return { kind: 'wrong_revision', stream: done.stream, actual: done.actual };
        }
        expected = at;
      }
      throw new EventStoreUnavailable(`${mostPlans} plans of one command lost their place in ${stream}`);
    },

    async read(commandKey) {
      const plans = plansIn(await reader.read(names.command(`key ${commandKey}`)));
      const newest = plans.at(-1);
      if (newest !== undefined && (await left(newest)).state === 'open') await carriedOut(newest, writer, false);
      const found = await Promise.all(plans.map((plan) => judged(plan, writer)));
      if (!found.some(({ state }) => state === 'fulfilled')) return [];
      // What was abandoned before belongs to the command no more.
      return (await partialOf(plans)).events;
    },

    async findPartial(commandKey) {
      const events = await reader.read(names.command(`key ${commandKey}`));
      const last = events.at(-1);
      if (last === undefined) return null;
      const plans = plansIn(events);
      const newest = plans.at(-1);
      if (newest !== undefined && (await left(newest)).state === 'open') await carriedOut(newest, writer, false);
      return { ...(await partialOf(plans)), planToken: last.revision };
    },

    async abandon(commandKey, planToken) {
      const stream = names.command(`key ${commandKey}`);
      const [last] = await reader.read(stream, { from: planToken, to: planToken });
      if (last === undefined) return false;
      const plan: CommandPlan = { id: randomUUID(), writes: [], givesUp: true };
      return (await opened(stream, planToken, plan, last.metadata)) !== undefined;
    },
  };
};
