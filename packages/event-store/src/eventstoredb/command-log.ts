import { hash, randomUUID } from 'node:crypto';
import type { AppendedEvent, AppendResult, RecordedEvent, Revision, StreamName } from '../event-store.ts';
import type { Unfinished } from './unfinished.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { type CommandPlan, carriedOut, judged, plansIn } from './command-plans.ts';
import type { ServerNames } from './names.ts';
import { leftPlan, openPlan, partialWrites, type PlanDeps } from './open-plans.ts';
import type { StreamReader } from './stream-reader.ts';
import { isPlaced, type PlacedWrite, placed, type TakenWrite } from './stream-writer.ts';

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

export interface CommandLogDeps extends PlanDeps {
  readonly names: ServerNames;
  readonly reader: StreamReader;
}

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

export const commandLog = (deps: CommandLogDeps): CommandLog => {
  const { names, reader, writer } = deps;

  const placedNow = (writes: readonly TakenWrite[]): Promise<readonly PlacedWrite[]> =>
    Promise.all(
      writes.map(async (write) => (isPlaced(write) ? write : placed(write, await reader.revision(write.stream)))),
    );

  /** Somebody else's plan of the same command came first: the answer that follows from it, or where the stream ends for another attempt. */
  const afterOthers = async (
    stream: StreamName,
    writes: readonly TakenWrite[],
    commandKey: string | undefined,
    planToken: number | undefined,
  ): Promise<{ readonly answer: AppendResult | null; readonly last: Revision | 'no_stream' }> => {
    const events = await reader.read(stream);
    const last = events.at(-1)?.revision ?? 'no_stream';
    const plans = plansIn(events);
    const newest = plans.at(-1);
    if (newest !== undefined && newest.writes.length > 0) {
      await leftPlan(deps, newest);
      const done = await carriedOut(newest, writer, false);
      if (done.kind === 'fulfilled') {
        const known = commandKey !== undefined;
        return { answer: known ? { kind: 'command_known', commandKey } : appendedResult(writes, done.events), last };
      }
    }
    if (commandKey !== undefined) {
      const { events: written, abandoned } = await partialWrites(deps, plans);
      if (planToken !== undefined || written.length + abandoned.length > 0)
        return { answer: { kind: 'command_partial', commandKey }, last };
    }
    return { answer: null, last };
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
        const at: Revision | undefined = await openPlan(deps, stream, expected, plan, metadata);
        if (at === undefined) {
          const { answer, last } = await afterOthers(stream, writes, commandKey, planToken);
          if (answer !== null) return answer;
          expected = last;
          continue;
        }
        const done = await carriedOut(plan, writer, planToken === undefined);
        if (done.kind === 'fulfilled') return appendedResult(writes, done.events);
        const wanted = writes.find((write) => write.stream === done.stream)?.expectedRevision;
        if (wanted !== 'any') {
          // One that expects more than there is could come true later, when it has long been refused.
          const early = typeof wanted === 'number' && (done.actual === 'no_stream' || done.actual < wanted);
          if (early) await openPlan(deps, stream, at, { id: randomUUID(), writes: [] }, metadata);
          return { kind: 'wrong_revision', stream: done.stream, actual: done.actual };
        }
        expected = at;
      }
      throw new EventStoreUnavailable(`${mostPlans} plans of one command lost their place in ${stream}`);
    },

    async read(commandKey) {
      const plans = plansIn(await reader.read(names.command(`key ${commandKey}`)));
      const newest = plans.at(-1);
      if (newest !== undefined && (await leftPlan(deps, newest)).state === 'open')
        await carriedOut(newest, writer, false);
      const found = await Promise.all(plans.map((plan) => judged(plan, writer)));
      if (!found.some(({ state }) => state === 'fulfilled')) return [];
      // What was abandoned before belongs to the command no more.
      return (await partialWrites(deps, plans)).events;
    },

    async findPartial(commandKey) {
      const events = await reader.read(names.command(`key ${commandKey}`));
      const last = events.at(-1);
      if (last === undefined) return null;
      const plans = plansIn(events);
      const newest = plans.at(-1);
      if (newest !== undefined && (await leftPlan(deps, newest)).state === 'open')
        await carriedOut(newest, writer, false);
      return { ...(await partialWrites(deps, plans)), planToken: last.revision };
    },

    async abandon(commandKey, planToken) {
      const stream = names.command(`key ${commandKey}`);
      const [last] = await reader.read(stream, { from: planToken, to: planToken });
      if (last === undefined) return false;
      const plan: CommandPlan = { id: randomUUID(), writes: [], givesUp: true };
      return (await openPlan(deps, stream, planToken, plan, last.metadata)) !== undefined;
    },
  };
};
