/** A fact that happened to one entity: a past-tense type and the least data that says it. */
export interface DomainEvent<Type extends string = string, Data extends object = object> {
  readonly type: Type;
  readonly data: Data;
}

/** Data of an event that says everything by its type. */
export type NoData = Readonly<Record<string, never>>;

/** What the log knows of an event beside its data. */
export interface Recorded {
  /** UTC instant by the command side's clock, ISO 8601. */
  readonly at: string;
  readonly actorId: string;
  /** Place in the entity's stream, first 0. */
  readonly revision: number;
}

/** Codes of refusals that a rule can give; the outside adds its own. */
export type RejectionCode =
  | 'ACCESS_DENIED'
  | 'LICENSE_INACTIVE'
  | 'NOT_FOUND'
  | 'VALIDATION_FAILED'
  | 'CAMPAIGN_COMPLETED'
  | 'CONFLICT'
  | 'DUPLICATE';

export interface FieldError {
  /** JSON pointer into the request's body, e.g. `/buyerId`. */
  readonly pointer: string;
  /** The text for the person. */
  readonly detail: string;
}

/** An expected refusal: a value, never an exception. */
export interface Rejection {
  readonly code: RejectionCode;
  /** The text for the person, in the words of the rules. */
  readonly message: string;
  readonly errors?: readonly FieldError[];
}

export type Decision<Event> =
  | { readonly kind: 'accepted'; readonly events: readonly Event[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

export const accept = <Event>(...events: readonly Event[]): Decision<Event> => ({ kind: 'accepted', events });

export const reject = (code: RejectionCode, message: string, errors?: readonly FieldError[]): Decision<never> => ({
  kind: 'rejected',
  rejection: errors === undefined ? { code, message } : { code, message, errors },
});

/** A 422 about several members, at least one, in the order of the rules: the first one's text is the message. */
export const rejectFields = (first: FieldError, ...more: readonly FieldError[]): Decision<never> =>
  reject('VALIDATION_FAILED', first.detail, [first, ...more]);

/** A 422 about one member of the request. */
export const rejectField = (pointer: string, message: string): Decision<never> =>
  reject('VALIDATION_FAILED', message, [{ pointer, detail: message }]);

/**
 * One kind of entity: how its stream folds into its state. `null` = the stream has no events.
 * No clock, no chance, no I/O.
 */
export interface Entity<State, Event extends DomainEvent> {
  /** First part of its stream names. */
  readonly category: string;
  readonly evolve: (state: State | null, event: Event, recorded: Recorded) => State;
  /** Names of the outside fields that the event changes, for merging and history; empty for facts without fields. */
  readonly changedFields: (event: Event) => readonly string[];
  /** The outside fields of a state, in outside form (roubles, not kopecks), for conflicts and history. */
  readonly fields: (state: State) => Readonly<Record<string, unknown>>;
}

/** How commands on one kind of entity are decided. */
export interface Decider<State, Command, Event extends DomainEvent, Facts> extends Entity<State, Event> {
  readonly decide: (command: Command, state: State | null, facts: Facts) => Decision<Event>;
}

/** An entity as its stream tells it. `revision` is the stream's last, −1 when it has no events. */
export interface Folded<State> {
  readonly state: State | null;
  readonly revision: number;
  /** UTC instants of the first and the last event; empty texts when there are none. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const nothing: Folded<never> = { state: null, revision: -1, createdAt: '', updatedAt: '' };

/** Folds one more event; its revision is the next one. */
export const advance = <State, Event extends DomainEvent>(
  entity: Entity<State, Event>,
  before: Folded<State>,
  event: Event,
  { at, actorId }: Omit<Recorded, 'revision'>,
): Folded<State> => {
  const revision = before.revision + 1;
  return {
    state: entity.evolve(before.state, event, { at, actorId, revision }),
    revision,
    createdAt: before.createdAt === '' ? at : before.createdAt,
    updatedAt: at,
  };
};
