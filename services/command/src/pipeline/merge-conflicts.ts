import type { Conflict, Problem } from '@zakup/contracts/problems';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import { keyActorName, keyIn, keysDecider } from '@zakup/domain/keys/keys.decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import {
  type FieldConflict,
  type Fields,
  type Merged,
  mergeChange,
  mergeRemoval,
  type TouchedSince,
} from '@zakup/domain/merge';
import { messages } from '@zakup/domain/messages';
import type { EventStore } from '@zakup/event-store/event-store';
import type { DecisionSession } from './decision-session.ts';
import { foldStream, type Loaded } from './stream-cache.ts';

/** Where the events of a stream are read from. */
export type StreamReader = Pick<EventStore, 'read'>;

/** Reads each stretch of a stream from the store once, for a command that merges into the same stream again and again. */
export const readingOnce = (eventStore: StreamReader): StreamReader => {
  const known = new Map<string, ReturnType<StreamReader['read']>>();
  return {
    read(stream, options) {
      const key = `${stream} ${JSON.stringify(options ?? {})}`;
      const reading = known.get(key) ?? eventStore.read(stream, options);
      known.set(key, reading);
      return reading;
    },
  };
};

/** An entity as the session loaded it, and where it came from. */
export interface LoadedAt<State, Event extends DomainEvent> {
  readonly entity: Entity<State, Event>;
  readonly stream: string;
  readonly loaded: Loaded<State>;
  readonly seen?: ConflictSeen;
  /** A member that is sent is meant also where it equals its value at the base. */
  readonly isDeliberate?: true;
}

/** A conflict with its values as everybody sees them, where they do not say it themselves. */
export type ConflictSeen = (session: DecisionSession, conflict: FieldConflict) => Promise<FieldConflict>;

export type Merging =
  /** `apply`: what of the wanted remains a change, by single name (`participants/<userId>`, `permissions/<key>`). */
  { readonly kind: 'merged'; readonly apply: Fields } | { readonly kind: 'refused'; readonly problem: Problem };

/** Lays a change (in outside form) over what happened since the revision the person saw (CALL-6). */
export const mergeWith = async <State, Event extends DomainEvent>(
  eventStore: StreamReader,
  session: DecisionSession,
  at: LoadedAt<State, Event>,
  baseRevision: number | undefined,
  wanted: Fields,
): Promise<Merging> => {
  const since = await sinceRevision(eventStore, session, at, baseRevision);
  if (since === null) return { kind: 'refused', problem: revisionAhead };
  return outcome(session, at, mergeChange({ ...since, wanted, isDeliberate: at.isDeliberate }));
};

/** A removal conflicts when any field changed since the person looked (CALL-7); null = it does not. */
export const conflictOfAnyField = async <State, Event extends DomainEvent>(
  eventStore: StreamReader,
  session: DecisionSession,
  at: LoadedAt<State, Event>,
  baseRevision: number | undefined,
): Promise<Problem | null> => {
  const since = await sinceRevision(eventStore, session, at, baseRevision);
  if (since === null) return revisionAhead;
  const { base, current, eventsSince } = since;
  if (base === null) return null;
  const merging = await outcome(session, at, mergeRemoval({ base, current, eventsSince }));
  return merging.kind === 'refused' ? merging.problem : null;
};

const revisionAhead: Problem = {
  code: 'VALIDATION_FAILED',
  message: messages.revisionInvalid,
  errors: [{ pointer: '/baseRevision', detail: messages.revisionInvalid }],
};

/** A base revision that the entity has not reached is wrong in itself, whatever else stands against the change. */
export const aheadOf = ({ revision }: Loaded<unknown>, baseRevision: number | undefined): Problem | null =>
  baseRevision !== undefined && baseRevision > revision ? revisionAhead : null;

/** The fields at the base revision, now, and what was touched in between; null when the base is ahead of the stream. */
const sinceRevision = async <State, Event extends DomainEvent>(
  eventStore: StreamReader,
  session: DecisionSession,
  { entity, stream, loaded }: LoadedAt<State, Event>,
  baseRevision: number | undefined,
): Promise<{ base: Fields | null; current: Fields; eventsSince: readonly TouchedSince[] } | null> => {
  if (loaded.state === null) throw new Error(`${stream} has no state to merge with`);
  const current = entity.fields(loaded.state);
  if (baseRevision === undefined) return { base: null, current, eventsSince: [] };
  if (baseRevision > loaded.revision) return null;
  if (baseRevision === loaded.revision) return { base: current, current, eventsSince: [] };
  const emitted = session.emittedTo(stream);
  const stored = loaded.revision - emitted.length;
  const events = [...(stored < 0 ? [] : await eventStore.read(stream, { to: stored })), ...emitted];
  const base = foldStream(entity, events.slice(0, baseRevision + 1)).state;
  if (base === null) throw new Error(`${stream} has no state at revision ${baseRevision}`);
  const eventsSince = events.slice(baseRevision + 1).map(({ type, data, metadata }) => ({
    touched: entity.changedFields({ type, data } as unknown as Event),
    actorId: metadata.actorId,
    at: metadata.at,
  }));
  return { base: entity.fields(base), current, eventsSince };
};

const actorNameOf = async (session: DecisionSession, actorId: string): Promise<string> => {
  const person = (await session.load(employeeDecider, actorId)).state;
  if (person !== null) return person.name;
  const key = keyIn((await session.load(keysDecider, session.licenceId)).state, actorId);
  return key === null ? '' : keyActorName(key.name);
};

/** The same conflicts with the names of who caused them. */
export const namedConflicts = async (
  session: DecisionSession,
  unnamed: readonly FieldConflict[],
  seen: ConflictSeen = async (_session, conflict) => conflict,
): Promise<readonly Conflict[]> => {
  const conflicts: Conflict[] = [];
  for (const one of unnamed) {
    const name = await actorNameOf(session, one.actorId);
    const { actorId, ...conflict } = await seen(session, one);
    conflicts.push({ ...conflict, by: { userId: actorId, name } });
  }
  return conflicts;
};

const outcome = async (
  session: DecisionSession,
  { loaded: { revision }, seen }: Pick<LoadedAt<unknown, never>, 'loaded' | 'seen'>,
  merged: Merged,
): Promise<Merging> => {
  if (merged.kind === 'merged') return merged;
  const conflicts = await namedConflicts(session, merged.conflicts, seen);
  return { kind: 'refused', problem: { code: 'CONFLICT', message: messages.conflict, revision, conflicts } };
};
