import { StreamDeletedError } from '@eventstore/db-client';
import type { Position, RecordedEvent } from '../event-store.ts';
import { CorruptEvent, EventStoreUnavailable } from '../event-store.ts';
import { closesPlan, plannedType } from './command-plans.ts';
import { type Connection, pause, pauseBefore } from './connection.ts';
import { portError } from './errors.ts';
import { finisherCheckpoint } from './finisher-checkpoint.ts';
import { logSource } from './log-source.ts';
import type { ServerNames } from './names.ts';
import { positionOf } from './positions.ts';
import { type SettlingDeps, settlePlan } from './settle-plan.ts';
import { type ServerRecord, stored } from './stored-event.ts';

export interface FinisherDeps extends SettlingDeps {
  readonly server: Connection;
  readonly names: ServerNames;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** Milliseconds that a plan is left to whoever made it. */
  readonly patience: number;
  /** Called whenever following has ended before its time. */
  readonly onLost: () => void;
}

/** How many settled plans may have to be looked at again after a restart. */
const plansPerCheckpoint = 50;
/** Looks at a plan that cannot be settled, e.g. as an event of it is damaged, before it is passed over. */
const mostLooks = 4;
/** Settles the plan that the record closes; resolves with the event, if the record is one of ours. */
const lookAfter = async (deps: FinisherDeps, record: ServerRecord): Promise<RecordedEvent | undefined> => {
  const { server, names, clock, patience } = deps;
  const { closing, where } = server;
  const stream = names.ofServer(record.streamId);
  const entry = stream === undefined ? undefined : stored(record, stream, `EventStoreDB at ${where}`);
  if (entry === undefined || entry.event.type !== plannedType) return undefined;
  if (!closesPlan(entry.event)) return entry.event;
  // No longer than that, whatever the two clocks say.
  const age = Math.max(0, clock() - Date.parse(entry.event.recordedAt));
  await pause(Math.max(0, patience - age), closing);
  if (!closing.aborted) await settlePlan(deps, entry.event);
  return entry.event;
};

/** Tells which plans are to be passed over: those that will not be better the next time. */
const hopelessPlans = ({ server, log, onLeftPlan }: FinisherDeps) => {
  const { closing, where } = server;
  let looks = { position: 0, count: 0 };
  return (position: Position, error: unknown): boolean => {
    const said = portError(error, where);
    const ofThePlan = said instanceof CorruptEvent || said instanceof StreamDeletedError || said instanceof RangeError;
    if (!ofThePlan || closing.aborted) return false;
    looks = { position, count: looks.position === position ? looks.count + 1 : 1 };
    if (looks.count < mostLooks) return false;
    log.warn({ err: error, position }, 'An unfinished command that cannot be looked after is passed over');
    onLeftPlan('lost');
    return true;
  };
};

/** How far plans are settled, also in the log that a new connection shows. */
const settledPlans = ({ reader, writer, clock }: FinisherDeps) => {
  const checkpoint = finisherCheckpoint(reader, writer, clock);
  /** The last event of a plan that all is settled up to. */
  let settled: RecordedEvent | undefined;
  let sinceSaved = 0;
  const stillThere = async ({ stream, revision, id }: RecordedEvent): Promise<boolean> =>
    (await reader.read(stream, { from: revision, to: revision })).some((event) => event.id === id);
  return {
    /** All plans up to here are settled in the log that is there now. */
    async begun(): Promise<Position> {
      if (settled !== undefined && !(await stillThere(settled))) settled = undefined;
      return settled?.position ?? checkpoint.read();
    },
    settle(event: RecordedEvent): void {
      settled = event;
    },
    /** Following begins: what was passed before counts no more. */
    restart(): void {
      sinceSaved = 0;
    },
    /** The record at this position is done with. */
    async pass(position: Position): Promise<void> {
      sinceSaved += 1;
      if (sinceSaved < plansPerCheckpoint) return;
      await checkpoint.save(position);
      sinceSaved = 0;
    },
  };
};

/** Looks after every plan behind the position, until closing. `onPassed`: told of each one that is done with. Throws what ends the way. */
const followPlans = async (
  deps: FinisherDeps,
  after: Position,
  isHopeless: (position: Position, error: unknown) => boolean,
  plans: ReturnType<typeof settledPlans>,
  onPassed: (position: Position) => void,
): Promise<void> => {
  const { server, names } = deps;
  const { closing } = server;
  plans.restart();
  const source = logSource(server.client, after, { types: `^${plannedType}$` });
  try {
    for (;;) {
      const item = source.take();
      if (closing.aborted) return;
      if (item === undefined) {
        await source.ready(closing);
        continue;
      }
      if (item.kind === 'dropped') throw item.error;
      if (item.kind !== 'record') continue;
      if (names.ofServer(item.record.streamId) === undefined) continue;
      const position = positionOf(item.record.position, item.record.streamId);
      try {
        const event = await lookAfter(deps, item.record);
        if (!closing.aborted && event !== undefined) plans.settle(event);
      } catch (error) {
        if (!isHopeless(position, error)) throw error;
      }
      if (closing.aborted) return;
      onPassed(position);
      await plans.pass(position);
    }
  } finally {
    source.close();
  }
};

/**
 * Follows plans of several writes and makes those that were left open, until the connection closes. Several at once do no harm: a plan is
 * only ever made once. How far they are is kept in a stream of the server's; whichever position is read there, all plans up to it are settled.
 * After a lost connection it goes on behind the last plan that it has settled, if that still stands where it stood: behind the new
 * connection may be another log, whose positions say nothing of this one's plans.
 */
export const finisher = async (deps: FinisherDeps): Promise<void> => {
  const { server, log, chance, onLost } = deps;
  const { closing, where } = server;
  const plans = settledPlans(deps);
  const isHopeless = hopelessPlans(deps);
  let attempt = 0;
  /** How far it is while the server answers. */
  let reached: Position | undefined;
  while (!closing.aborted) {
    let progress = false;
    try {
      reached ??= await plans.begun();
      await followPlans(deps, reached, isHopeless, plans, (position) => {
        reached = position;
        progress = true;
      });
    } catch (error) {
      if (closing.aborted) return;
      onLost();
      const said = portError(error, where);
      if (progress) attempt = 0;
      const wait = pauseBefore(attempt, chance());
      attempt += 1;
      const away = said instanceof EventStoreUnavailable;
      const after = reached;
      if (away) reached = undefined;
      log.warn(
        { err: error, after, retryInMilliseconds: Math.round(wait) },
        away ? 'Following unfinished commands is begun again' : 'An unfinished command cannot be looked after',
      );
      await pause(wait, closing);
    }
  }
};
