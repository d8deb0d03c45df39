import type {
  AppendedEvent,
  EventMetadata,
  EventToAppend,
  JsonObject,
  RecordedEvent,
  Revision,
  StreamName,
} from '../event-store.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { mostBytes, takenOwn, type TakenEvent } from './stored-event.ts';
import { type Found, type PlacedWrite, placed, type StreamWriter, takenWrite } from './stream-writer.ts';

/** Everything a command is to write, kept in its `command-` stream before any of it is written. */
export interface CommandPlan {
  /** UUID; a command that is decided anew makes another plan. */
  readonly id: string;
  /** None: what was planned before is withdrawn. */
  readonly writes: readonly PlacedWrite[];
  /** What stands of the plans before is to be taken back. */
  readonly givesUp?: true;
}

/** Type of a plan that one append makes: nothing of it can be half done, so nobody but a repeat of the command looks after it. */
export const claimedType = 'CommandClaimed';
/** Type of a plan that takes several appends. */
export const plannedType = 'CommandPlanned';

/** An event of a `command-` stream; a plan too large for one has several, the last of which closes it. */
interface PlanPart {
  readonly plan: string;
  readonly part: number;
  readonly of: number;
  readonly givesUp?: true;
  readonly writes: readonly {
    readonly stream: StreamName;
    readonly expectedRevision: Revision | 'no_stream';
    readonly events: readonly EventToAppend[];
  }[];
}

/** Space that a part's frame and its metadata may need. */
const frame = 20_000;

const partsOf = (writes: readonly PlacedWrite[]): PlanPart['writes'][] => {
  const parts: { stream: StreamName; expectedRevision: Revision | 'no_stream'; events: EventToAppend[] }[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { stream, expectedRevision, events } of writes) {
    let continues = false;
    for (const event of events) {
      if (bytes + event.bytes > mostBytes) {
        parts.push([]);
        bytes = frame;
        continues = false;
      }
      bytes += event.bytes;
      if (continues) parts.at(-1)?.at(-1)?.events.push(event.event);
      else parts.at(-1)?.push({ stream, expectedRevision, events: [event.event] });
      continues = true;
    }
  }
  return parts;
};

const typeOf = (plan: CommandPlan): string =>
  plan.writes.reduce((count, { parts }) => count + parts.length, 0) > 1 ? plannedType : claimedType;

/** The plan's own events, each small enough for an append. `newId` makes their ids. */
export const planEvents = (
  plan: CommandPlan,
  metadata: EventMetadata,
  newId: () => string,
  type = typeOf(plan),
): readonly TakenEvent[] => {
  const parts = plan.writes.length === 0 ? [[]] : partsOf(plan.writes);
  return parts.map((writes, part) =>
    takenOwn({
      id: newId(),
      type,
      data: {
        plan: plan.id,
        part,
        of: parts.length,
        ...(plan.givesUp && { givesUp: plan.givesUp }),
        writes,
      } satisfies PlanPart as unknown as JsonObject,
      metadata: { ...metadata, schemaVersion: 1 },
    }),
  );
};

/** Whether the event closes its plan. */
export const closesPlan = ({ data }: EventToAppend): boolean => data['part'] === Number(data['of']) - 1;

/** The id of the plan that an event of a `command-` stream belongs to. */
export const planIdOf = ({ data }: EventToAppend): unknown => data['plan'];

const joined = (id: string, parts: readonly PlanPart[]): CommandPlan => {
  const writes: { stream: StreamName; expectedRevision: Revision | 'no_stream'; events: EventToAppend[] }[] = [];
  for (const { writes: some } of parts) {
    for (const { stream, expectedRevision, events } of some) {
      const last = writes.at(-1);
      if (last?.stream === stream) last.events.push(...events);
      else writes.push({ stream, expectedRevision, events: [...events] });
    }
  }
  return {
    id,
    ...(parts[0]?.givesUp && { givesUp: true }),
    writes: writes.map(({ stream, expectedRevision, events }) => {
      const [first, ...rest] = events;
      if (first === undefined) throw new EventStoreUnavailable(`Plan ${id} has a write to ${stream} without events`);
      return placed(takenWrite({ stream, expectedRevision, events: [first, ...rest] }), expectedRevision);
    }),
  };
};

/** The closed plans of a command, oldest first, from all events of its stream. One that was never closed was never begun. */
export const plansIn = (events: readonly EventToAppend[]): readonly CommandPlan[] => {
  const open = new Map<string, PlanPart[]>();
  const plans: CommandPlan[] = [];
  for (const event of events) {
    const part = event.data as unknown as PlanPart;
    const parts = open.get(part.plan) ?? [];
    open.set(part.plan, parts);
    parts.push(part);
    if (closesPlan(event) && parts.length === part.of) plans.push(joined(part.plan, parts));
  }
  return plans;
};

/**
 * `fulfilled`: all of it is in the log. `open`: somebody may yet write something of it. `lost`: it can never be whole, and nothing more of
 * it can come: its maker ends at the run of writes that lost a place, and every other write of that run and before it stands.
 */
export type PlanState = 'fulfilled' | 'open' | 'lost';

export interface Judged {
  readonly state: PlanState;
  /** Whether a write of it has lost its place: it can never be whole, though it may still be open. */
  readonly diverged: boolean;
  /** What of it is in the log. */
  readonly events: readonly RecordedEvent[];
}

/** What of these plans is in the log, in log order; a write that several of them have is looked for once. */
export const alreadyWritten = async (
  plans: readonly CommandPlan[],
  writer: StreamWriter,
): Promise<readonly RecordedEvent[]> => {
  const writes = new Map<string, PlacedWrite>();
  for (const write of plans.flatMap((plan) => plan.writes)) {
    const ids = write.events.map(({ event }) => event.id).join();
    writes.set(`${write.stream}@${write.expectedRevision} ${ids}`, write);
  }
  const found = await Promise.all([...writes.values()].map((write) => writer.find(write)));
  const events = new Map(found.flatMap((one) => one.events).map((event) => [event.position, event]));
  return [...events.values()].toSorted((a, b) => a.position - b.position);
};

/** How carrying a plan out ended. `lost`: what was made before the write that lost its place stays. */
export type CarriedOut =
  | { readonly kind: 'fulfilled'; readonly events: readonly AppendedEvent[] }
  | { readonly kind: 'lost'; readonly stream: StreamName; readonly actual: Revision | 'no_stream' };

/** Writes that are made at once. */
const mostAtOnce = 16;

const categoryOf = (stream: StreamName): string => stream.slice(0, stream.indexOf('-'));

/**
 * The writes in their order, in runs that may be made at once: changes of existing streams of one category, for none of these is what
 * another one refers to. The first is made alone: a command that meets a race at once has left nothing.
 */
const runsOf = (
  writes: readonly PlacedWrite[],
): readonly (readonly { readonly write: PlacedWrite; readonly index: number }[])[] => {
  const runs: { readonly write: PlacedWrite; readonly index: number }[][] = [];
  for (const [index, write] of writes.entries()) {
    const last = runs.at(-1);
    const before = last?.[0]?.write;
    const together =
      last !== undefined &&
      before !== undefined &&
      runs.length > 1 &&
      last.length < mostAtOnce &&
      before.expectedRevision !== 'no_stream' &&
      write.expectedRevision !== 'no_stream' &&
      categoryOf(before.stream) === categoryOf(write.stream);
    if (together) last.push({ write, index });
    else runs.push([{ write, index }]);
  }
  return runs;
};

/** By the first run that is not whole: no write behind it was begun. */
const stateOf = (plan: CommandPlan, found: readonly Found[]): PlanState => {
  if (plan.writes.length === 0) return 'lost';
  for (const run of runsOf(plan.writes)) {
    const states = run.map(({ index }) => found[index]?.state ?? 'open');
    if (states.includes('open')) return 'open';
    if (states.includes('lost')) return 'lost';
  }
  return 'fulfilled';
};

/** Reads on the plan's own targets what has become of it. */
export const judged = async (plan: CommandPlan, writer: StreamWriter): Promise<Judged> => {
  const found = await Promise.all(plan.writes.map((write) => writer.find(write)));
  return {
    state: stateOf(plan, found),
    diverged: plan.writes.length === 0 || found.some(({ state }) => state === 'lost'),
    events: found.flatMap(({ events }) => events),
  };
};

/**
 * Makes the plan's writes in their order, whoever began; ends behind the run in which one has lost its place. A write of that run or
 * before it may still be on its way from the plan's maker: made here, it stands where it belongs, and comes to nothing when it arrives
 * later. So what is in the log of a plan that was carried out is all that there will ever be. `own`: planned by this very call, so there
 * is nothing to look for before.
 */
export const carriedOut = async (plan: CommandPlan, writer: StreamWriter, own: boolean): Promise<CarriedOut> => {
  const known = own ? [] : await Promise.all(plan.writes.map((write) => writer.find(write)));
  const events: AppendedEvent[] = [];
  for (const run of runsOf(plan.writes)) {
    const made = await Promise.all(
      run.map(async ({ write, index }) => ({ write, written: await writer.carryOut(write, known[index]) })),
    );
    for (const { write, written } of made) {
      if (written.kind === 'lost') return { kind: 'lost', stream: write.stream, actual: written.actual };
      events.push(...written.events);
    }
  }
  return { kind: 'fulfilled', events };
};
