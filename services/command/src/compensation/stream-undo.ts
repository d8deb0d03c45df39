import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { Conflict, Problem } from '@zakup/contracts/problems';
import { decodeEvent } from '@zakup/domain/catalog';
import type { DomainEvent, Rejection } from '@zakup/domain/decider';
import { type FieldConflict, fieldValue } from '@zakup/domain/merge';
import { messages } from '@zakup/domain/messages';
import type { Verdict } from '@zakup/domain/permissions';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import {
  decideTakeBack,
  decideUndo,
  type Past,
  type PastEvent,
  touchedBy,
  type Undoable,
  type UndoChoice,
  type Undone,
} from '@zakup/domain/undo';
import type { AppendedEvent, EventStore } from '@zakup/event-store/event-store';
import { becauseOf, type DecisionSession } from '../pipeline/decision-session.ts';
import { type ConflictSeen, namedConflicts } from '../pipeline/merge-conflicts.ts';
import { denied } from '../pipeline/requests.ts';
import { absent, foldRecorded, foldStream } from '../pipeline/stream-cache.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** A command's part on one stream, to be undone. The questions are asked in this order, each of all streams before the next. */
export interface StreamUndo {
  /** `<category>:<id>`. */
  readonly name: string;
  /** Of the entity as it is now. */
  readonly revision: number;
  /** Why this person may not; null = they may. */
  readonly denied: Problem | null;
  /** They may not only because of what others changed since: it is a conflict that nobody but who may can overwrite (UNDO-12). */
  readonly taken: boolean;
  /** What stands against any change of the entity, whatever conflicts. */
  readonly closed: Problem | null;
  readonly conflicts: readonly FieldConflict[];
  /** Conflicts of this entity as everybody sees them. */
  readonly told: (conflicts: readonly FieldConflict[]) => Promise<readonly Conflict[]>;
  readonly rejected: Rejection | null;
  /** Emits the compensating events. */
  readonly apply: (reason: string | undefined) => Promise<Problem | null>;
}

/** How one kind of entity is undone here: what the pure rule must be told, and what hangs on the entity beside its own stream. */
export interface UndoRule<State, Event extends DomainEvent, Facts> {
  readonly entity: Undoable<State, Event, Facts>;
  /** May this person undo it? `touched`: the fields that the command touched, none when it made the entity. */
  readonly rights: (context: TenantContext, past: Past<State, Event>, touched: readonly string[]) => readonly Verdict[];
  /** The field by whose present value some may and others may not. */
  readonly rightsBy?: string;
  readonly facts: (context: TenantContext, past: Past<State, Event>, touched: readonly string[]) => Promise<Facts>;
  readonly closed?: (facts: Facts) => Problem | null;
  readonly seen?: ConflictSeen;
  /** Does, on the session given, what else has to be done; calls `emit` once. */
  readonly around?: (
    context: TenantContext,
    id: string,
    change: { readonly past: Past<State, Event>; readonly events: readonly Event[] },
    emit: () => void,
  ) => Promise<Problem | null>;
}

/** Reads what the command did to one stream and decides how it is undone; `null`: nothing there has to be. */
export type PrepareUndo = (
  eventStore: EventStore,
  context: TenantContext,
  stream: { readonly name: string; readonly id: string; readonly events: readonly AppendedEvent[] },
  choice?: UndoChoice,
) => Promise<StreamUndo | 'stale' | null>;

/**
 * Emits what takes back a command's part on one stream, whoever may do what now. `once`: the session as it was just before the command,
 * by which the facts go. A problem when what is remembered is older than the command, or something else stands against it.
 */
export type TakeBack = (
  eventStore: EventStore,
  context: TenantContext,
  once: DecisionSession,
  stream: { readonly name: string; readonly id: string; readonly events: readonly AppendedEvent[] },
) => Promise<Problem | null>;

/** Both ways back of one kind of entity. */
export interface WaysBack {
  readonly kind: 'ways';
  readonly prepare: PrepareUndo;
  readonly takeBack: TakeBack;
}

export const undoOf = <State, Event extends DomainEvent, Facts>(rule: UndoRule<State, Event, Facts>): WaysBack => ({
  kind: 'ways',
  prepare: prepareOf(rule),
  takeBack: takeBackOf(rule),
});

const takeBackOf =
  <State, Event extends DomainEvent, Facts>(rule: UndoRule<State, Event, Facts>): TakeBack =>
  async (eventStore, context, once, { name, id, events }) => {
    const { entity } = rule;
    const past = await pastOf(eventStore, rule, await context.session.load(entity, id), name, events);
    if (past === null) return { code: 'UNAVAILABLE', message: messages.tooBusy, retryAfterSeconds: 1 };
    const touched = past.before === null ? [] : touchedBy(entity, past);
    if (past.before === null && entity.isGone(past.current, past.after)) return null;
    const facts = await rule.facts({ ...context, session: once }, past, touched);
    const undone = decideTakeBack(entity, past, facts);
    return undone.kind === 'undone' ? applied(rule, context, id, past, undone, undefined) : null;
  };

const prepareOf =
  <State, Event extends DomainEvent, Facts>(rule: UndoRule<State, Event, Facts>): PrepareUndo =>
  async (eventStore, context, { name: stream, id, events }, choice) => {
    const { entity } = rule;
    const { session } = context;
    const loaded = await session.load(entity, id);
    const past = await pastOf(eventStore, rule, loaded, stream, events);
    if (past === null) return 'stale';
    const touched = past.before === null ? [] : touchedBy(entity, past);
    const untouched = past.before === null ? entity.isGone(past.current, past.after) : touched.length === 0;
    if (untouched) return null;
    const deniedIn = (one: Past<State, Event>): Problem | null =>
      rule.rights(context, one, touched).flatMap((verdict) => denied(verdict) ?? [])[0] ?? null;
    const deniedNow = deniedIn(past);
    const taker =
      deniedNow === null || choice === 'overwrite' || deniedIn({ ...past, current: past.after }) !== null
        ? null
        : takerOf(rule, past);
    const facts = await rule.facts(context, past, touched);
    const undone = decideUndo(entity, past, facts, choice);
    const conflicts = undone.kind === 'conflict' ? undone.conflicts : [];
    const name = `${entity.category}:${id}`;
    return {
      name,
      revision: loaded.revision,
      denied: deniedNow,
      taken: taker !== null,
      closed: rule.closed?.(facts) ?? null,
      conflicts:
        taker === null || conflicts.some(({ field }) => field === taker.field) ? conflicts : [...conflicts, taker],
      told: async (some) =>
        (await namedConflicts(session, some, rule.seen)).map((one): Conflict => ({ entity: name, ...one })),
      rejected: taker === null && undone.kind === 'rejected' ? undone.rejection : null,
      apply: (reason) => applied(rule, context, id, past, undone, reason),
    };
  };

/** Who took the entity from whom, by the field that decides about rights; null = there is no such field, or nobody did. */
const takerOf = <State, Event extends DomainEvent, Facts>(
  { entity, rightsBy }: UndoRule<State, Event, Facts>,
  { after, current, since }: Past<State, Event>,
): FieldConflict | null => {
  if (rightsBy === undefined) return null;
  const by = since.findLast(({ event }) => entity.changedFields(event).includes(rightsBy));
  if (by === undefined) return null;
  const base = fieldValue(entity.fields(after), rightsBy);
  const theirs = fieldValue(entity.fields(current), rightsBy);
  return { field: rightsBy, base, theirs, mine: base, actorId: by.actorId, at: by.at };
};

const applied = async <State, Event extends DomainEvent, Facts>(
  { entity, around }: UndoRule<State, Event, Facts>,
  context: TenantContext,
  id: string,
  past: Past<State, Event>,
  undone: Undone<Event>,
  reason: string | undefined,
): Promise<Problem | null> => {
  if (undone.kind !== 'undone') throw new Error(`${entity.category}:${id} was not undone`);
  const [first] = undone.events;
  if (first === undefined) return null;
  const because = (causedBy: string): DecisionSession =>
    becauseOf(context.session, { causedBy, ...(reason !== undefined && { reason }) });
  const emit = (): void => {
    for (const { event, undoes } of undone.events) because(undoes).emit(entity, id, [event]);
  };
  if (around === undefined) {
    emit();
    return null;
  }
  const events = undone.events.map(({ event }) => event);
  return around({ ...context, session: because(first.undoes) }, id, { past, events }, emit);
};

/** `null`: what is remembered of the stream is older than the command. */
const pastOf = async <State, Event extends DomainEvent, Facts>(
  eventStore: EventStore,
  { entity }: UndoRule<State, Event, Facts>,
  loaded: { readonly state: State | null; readonly revision: number },
  stream: string,
  events: readonly AppendedEvent[],
): Promise<Past<State, Event> | null> => {
  const [first] = events;
  const last = events.at(-1);
  if (first === undefined || last === undefined) throw new Error(`Nothing was done to ${stream}`);
  if (loaded.state === null || loaded.revision < last.revision) return null;
  const all = await eventStore.read(stream, { to: loaded.revision });
  const before = first.revision === 0 ? absent : foldStream(entity, all.slice(0, first.revision));
  const after = all
    .slice(first.revision, last.revision + 1)
    .reduce((state, event) => foldRecorded(entity, state, event), before);
  if (after.state === null) throw new Error(`${stream} has no state after a command on it`);
  return {
    before: before.state ?? entity.empty ?? null,
    after: after.state,
    current: loaded.state,
    events: events.map((event) => pastEvent<Event>(event)),
    since: all.slice(last.revision + 1).map((event) => pastEvent<Event>(event)),
  };
};

const pastEvent = <Event extends DomainEvent>({ id, type, data, metadata }: AppendedEvent): PastEvent<Event> => {
  const { schemaVersion, actorId, commandId, source, causedBy, at } = metadata;
  const decoded = decodeEvent({ type, schemaVersion, data });
  if (decoded.kind !== 'event') throw new Error(`${type} of command ${commandId} cannot be read (${decoded.kind})`);
  return {
    event: decoded.event as unknown as Event,
    id,
    command: commandKeyOf(actorId, commandId),
    undoes: source === 'undo' ? causedBy : undefined,
    actorId,
    at,
  };
};

export const isPlacement = ({ name }: StreamUndo): boolean => name.startsWith(`${placementDecider.category}:`);

/** Conflicts that a refusal tells with their values; all are counted. As many as a batch has items. */
export const mostConflicts = 1_000;

/** The conflicts of all streams as one refusal; null = there are none. */
export const conflictOf = async (parts: readonly StreamUndo[]): Promise<Problem | null> => {
  const [first, ...more] = parts.filter(({ conflicts }) => conflicts.length > 0);
  if (first === undefined) return null;
  const conflicts: Conflict[] = [];
  for (const part of [first, ...more]) {
    if (conflicts.length === mostConflicts) break;
    conflicts.push(...(await part.told(part.conflicts.slice(0, mostConflicts - conflicts.length))));
  }
  const changed = [first, ...more].filter(isPlacement);
  return {
    code: 'CONFLICT',
    message: messages.conflict,
    conflicts,
    undo: {
      placements: parts.filter(isPlacement).length,
      changed: changed.length,
      denied: changed.filter(({ taken }) => taken).length,
      conflicts: [first, ...more].reduce((count, part) => count + part.conflicts.length, 0),
    },
    ...(more.length === 0 && { revision: first.revision }),
  };
};
