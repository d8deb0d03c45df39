import { type Category, decodeEvent } from '@zakup/domain/catalog';
import { type AnyEntity, entityByCategory, type StateByCategory } from '@zakup/domain/entities';
import type { EventStore, Position, RecordedEvent, Revision } from '@zakup/event-store/event-store';

/** An event that the answer follows from is one that this version does not know or cannot follow. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const folded = (entity: AnyEntity, before: unknown, event: RecordedEvent): unknown => {
  const { type, data, revision, stream } = event;
  const { schemaVersion, at, actorId } = event.metadata;
  const decoded = decodeEvent({ type, schemaVersion, data });
  if (decoded.kind !== 'event') throw new Unreadable(`${type} at ${stream}@${revision} (${decoded.kind})`);
  try {
    return entity.evolve(before, decoded.event, { at, actorId, revision });
  } catch (cause) {
    throw new Unreadable(`${type} at ${stream}@${revision}`, { cause });
  }
};

export interface StreamAsked<C extends Category> {
  readonly category: C;
  readonly licenceId: string;
  readonly id: string;
  /** Where it is known that no later event is needed. */
  readonly to?: Revision;
}

/** What a stream had come to at each of some rising positions, from its own events alone; null = it had not begun. */
export const statesAt = async <C extends Category>(
  eventStore: Pick<EventStore, 'read'>,
  { category, licenceId, id, to }: StreamAsked<C>,
  positions: readonly Position[],
): Promise<readonly (StateByCategory[C] | null)[]> => {
  const entity = entityByCategory[category] as unknown as AnyEntity;
  const states: (StateByCategory[C] | null)[] = [];
  let state: StateByCategory[C] | null = null;
  const keepBefore = (position: Position): boolean => {
    while (states.length < positions.length && (positions[states.length] as Position) < position) states.push(state);
    return states.length < positions.length;
  };
  for (const event of await eventStore.read(`${category}-${licenceId}~${id}`, to === undefined ? {} : { to })) {
    if (!keepBefore(event.position)) break;
    state = folded(entity, state, event) as StateByCategory[C];
  }
  keepBefore(Number.POSITIVE_INFINITY);
  return states;
};
