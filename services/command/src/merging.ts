import type { Problem } from '@zakup/contracts/problems';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { mergeChange } from '@zakup/domain/merge';
import { messages } from '@zakup/domain/messages';
import type { EventStore } from '@zakup/event-store/event-store';
import type { DecisionSession } from './decision-session.ts';
import { foldStream, type Loaded } from './stream-cache.ts';

export type Merged =
  /** `apply`: the wanted fields that are a change against what the person saw. */
  | { readonly kind: 'merged'; readonly apply: Readonly<Record<string, unknown>> }
  | { readonly kind: 'refused'; readonly problem: Problem };

/**
 * Lays a change over what happened since the revision the person saw (contract.md §2, Merge). `wanted` is in outside form.
 * Without a base revision the change applies to the current state.
 */
export const mergeWith = async <State, Event extends DomainEvent>(
  eventStore: EventStore,
  session: DecisionSession,
  at: { readonly entity: Entity<State, Event>; readonly stream: string; readonly loaded: Loaded<State> },
  baseRevision: number | undefined,
  wanted: Readonly<Record<string, unknown>>,
): Promise<Merged> => {
  const { entity, stream, loaded } = at;
  if (loaded.state === null || baseRevision === undefined) return { kind: 'merged', apply: wanted };
  if (baseRevision > loaded.revision) {
    const errors = [{ pointer: '/baseRevision', detail: messages.revisionInvalid }];
    return { kind: 'refused', problem: { code: 'VALIDATION_FAILED', message: messages.revisionInvalid, errors } };
  }
  const events = baseRevision === loaded.revision ? [] : await eventStore.read(stream, { to: loaded.revision });
  const base = events.length === 0 ? loaded.state : foldStream(entity, events.slice(0, baseRevision + 1)).state;
  if (base === null) throw new Error(`${stream} has no state at revision ${baseRevision}`);
  const merged = mergeChange({
    base: entity.fields(base),
    current: entity.fields(loaded.state),
    eventsSince: events.slice(baseRevision + 1).map((event) => ({
      touched: entity.touched({ type: event.type, data: event.data } as unknown as Event),
      by: event.metadata.actorId,
      at: event.metadata.at,
    })),
    wanted,
  });
  if (merged.kind === 'merged') return { kind: 'merged', apply: merged.fields };
  const conflicts = [];
  for (const { actorId, ...conflict } of merged.conflicts) {
    const actor = (await session.load(employeeDecider, actorId)).state;
    conflicts.push({ ...conflict, by: { userId: actorId, name: actor?.name ?? '' } });
  }
  return {
    kind: 'refused',
    problem: { code: 'CONFLICT', message: messages.conflict, revision: loaded.revision, conflicts },
  };
};
