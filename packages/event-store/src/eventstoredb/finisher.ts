import { randomUUID } from 'node:crypto';
import { StreamDeletedError } from '@eventstore/db-client';
import type { EventMetadata, Position, RecordedEvent } from '../event-store.ts';
import { CorruptEvent, EventStoreUnavailable } from '../event-store.ts';
import { carriedOut, closesPlan, judged, planIdOf, plannedType, plansIn } from './command-plans.ts';
import { type Connection, pause, pauseBefore } from './connection.ts';
import { portError } from './errors.ts';
import { logSource } from './log-source.ts';
import type { ServerNames } from './names.ts';
import { positionOf } from './positions.ts';
import { type ServerRecord, stored, takenOwn } from './stored-event.ts';
import type { StreamReader } from './stream-reader.ts';
import type { StreamWriter } from './stream-writer.ts';
import type { AdapterLog } from './subscription.ts';

/** What became of a plan that whoever made it had left open: its writes were made now, or one of them can never be made. */
export type LeftPlan = 'finished' | 'lost';

export interface FinisherDeps {
  readonly server: Connection;
  readonly names: ServerNames;
  readonly reader: StreamReader;
  readonly writer: StreamWriter;
  readonly log: AdapterLog;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** Milliseconds that a plan is left to whoever made it. */
  readonly patience: number;
  /** Called for each plan that was found open, for a metric. */
  readonly onLeftPlan: (left: LeftPlan) => void;
  /** Called whenever following has ended before its time. */
  readonly onLost: () => void;
}

/** How many settled plans may have to be looked at again after a restart. */
const plansPerCheckpoint = 50;
/** Looks at a plan that cannot be settled, e.g. as an event of it is damaged, before it is passed over. */
const mostLooks = 4;
const checkpointStream = 'command-00~finisher';

const ownMetadata = (at: string): EventMetadata => ({
  licenceId: 'system',
  actorId: 'system',
  source: 'system',
  commandId: 'finisher',
  requestHash: '',
  at,
  schemaVersion: 1,
});

/**
 * Follows plans of several writes and makes those that were left open, until the connection closes. Several at once do no harm: a plan is
 * only ever made once. How far they are is kept in a stream of the server's; whichever position is read there, all plans up to it are settled.
 * After a lost connection it goes on behind the last plan that it has settled, if that still stands where it stood: behind the new
 * connection may be another log, whose positions say nothing of this one's plans.
 */
export const finisher = async (deps: FinisherDeps): Promise<void> => {
  const { server, names, reader, writer, log, clock, chance, patience, onLeftPlan, onLost } = deps;
  const { closing, where } = server;

  const savedPosition = async (): Promise<Position> => {
    const [last] = await reader.read(checkpointStream, { direction: 'backwards', limit: 1 });
    const position = last?.data['position'];
    return typeof position === 'number' ? position : 0;
  };
  const save = async (position: Position): Promise<void> => {
    const metadata = ownMetadata(new Date(clock()).toISOString());
    const event = takenOwn({ id: randomUUID(), type: 'FinisherCheckpoint', data: { position }, metadata });
    await writer.appendPart(checkpointStream, 'any', [event]);
  };

  const settle = async (closer: RecordedEvent): Promise<void> => {
    const plan = plansIn(await reader.read(closer.stream)).at(-1);
    // A later plan of the same command means that this one had lost its place and that somebody knew.
    if (plan === undefined || plan.id !== planIdOf(closer)) return;
    const before = await judged(plan, writer);
    if (before.state === 'fulfilled') return;
    const done = before.diverged ? undefined : await carriedOut(plan, writer, false);
    const { stream } = closer;
    if (done?.kind === 'fulfilled') {
      log.info({ stream, plan: plan.id }, 'A command that was left half done has been finished');
      onLeftPlan('finished');
      return;
    }
    const made = before.events.map(({ stream: to, revision }) => `${to}@${revision}`);
    log.warn(
      { stream, plan: plan.id, made },
      'A command that nobody acknowledged has lost its place and is left as it is',
    );
    onLeftPlan('lost');
  };

  const looks = { position: 0, count: 0 };
  /** Whether the plan at this position is to be passed over: it will not be better the next time. */
  const isHopeless = (position: Position, error: unknown): boolean => {
    const said = portError(error, where);
    const ofThePlan = said instanceof CorruptEvent || said instanceof StreamDeletedError || said instanceof RangeError;
    if (!ofThePlan || closing.aborted) return false;
    looks.count = looks.position === position ? looks.count + 1 : 1;
    looks.position = position;
    if (looks.count < mostLooks) return false;
    log.warn({ err: error, position }, 'An unfinished command that cannot be looked after is passed over');
    onLeftPlan('lost');
    return true;
  };

  /** The last event of a plan that all is settled up to. */
  let settled: RecordedEvent | undefined;
  const stillThere = async ({ stream, revision, id }: RecordedEvent): Promise<boolean> =>
    (await reader.read(stream, { from: revision, to: revision })).some((event) => event.id === id);
  /** All plans up to here are settled in the log that is there now. */
  const begun = async (): Promise<Position> => {
    if (settled !== undefined && !(await stillThere(settled))) settled = undefined;
    return settled?.position ?? savedPosition();
  };

  /** Settles the plan that the record closes; resolves with the event, if the record is one of ours. */
  const lookAfter = async (record: ServerRecord): Promise<RecordedEvent | undefined> => {
    const stream = names.ofServer(record.streamId);
    const entry = stream === undefined ? undefined : stored(record, stream, `EventStoreDB at ${where}`);
    if (entry === undefined || entry.event.type !== plannedType) return undefined;
    if (!closesPlan(entry.event)) return entry.event;
    // No longer than that, whatever the two clocks say.
    const age = Math.max(0, clock() - Date.parse(entry.event.recordedAt));
    await pause(Math.max(0, patience - age), closing);
    if (!closing.aborted) await settle(entry.event);
    return entry.event;
  };

  let attempt = 0;
  /** How far it is while the server answers. */
  let reached: Position | undefined;
  while (!closing.aborted) {
    let progress = false;
    try {
      reached ??= await begun();
      let sinceSaved = 0;
      const source = logSource(server.client, reached, { types: `^${plannedType}$` });
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
            const event = await lookAfter(item.record);
            if (!closing.aborted) settled = event ?? settled;
          } catch (error) {
            if (!isHopeless(position, error)) throw error;
          }
          if (closing.aborted) return;
          reached = position;
          progress = true;
          sinceSaved += 1;
          if (sinceSaved >= plansPerCheckpoint) {
            await save(position);
            sinceSaved = 0;
          }
        }
      } finally {
        source.close();
      }
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
