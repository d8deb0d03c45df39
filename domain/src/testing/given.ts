import { advance, type Decider, type Decision, type DomainEvent, type Folded, nothing } from '../decider.ts';

export const firstInstant = '2030-01-01T00:00:00.000Z';

/** Folds a history in which one person does everything, a second apart from the first instant on. */
export const foldOf = <State, Event extends DomainEvent>(
  entity: Pick<Decider<State, never, Event, never>, 'category' | 'evolve' | 'changedFields' | 'fields'>,
  history: readonly Event[],
  actorId = 'anna',
): Folded<State> =>
  history.reduce<Folded<State>>(
    (before, event, index) =>
      advance(entity, before, event, { at: new Date(Date.parse(firstInstant) + index * 1000).toISOString(), actorId }),
    nothing,
  );

export interface Given<State, Command, Event, Facts> {
  readonly state: State | null;
  readonly when: (command: Command, facts: Facts) => Decision<Event>;
}

/** A history to decide upon. */
export const given =
  <State, Command, Event extends DomainEvent, Facts>(decider: Decider<State, Command, Event, Facts>) =>
  (...history: readonly Event[]): Given<State, Command, Event, Facts> => {
    const { state } = foldOf(decider, history);
    return { state, when: (command, facts) => decider.decide(command, state, facts) };
  };
