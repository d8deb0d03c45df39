import type { Decision, DomainEvent, Entity, Recorded, Rejection } from './decider.ts';
import { type FieldConflict, fieldValue, type Merged, mergeRemoval, mergeUndo, type TouchedSince } from './merge.ts';

/** An event of a stream with what undoing asks of it. */
export interface PastEvent<Event> {
  readonly event: Event;
  readonly id: string;
  /** The command that caused it, told apart from those of other people. */
  readonly command: string;
  /** Of a compensating event: the id of the event that it undoes. */
  readonly undoes: string | undefined;
  readonly actorId: string;
  /** UTC instant, ISO 8601. */
  readonly at: string;
}

/** What a command did to one entity, and what came after. */
export interface Past<State, Event> {
  /** `null`: the command made the entity. */
  readonly before: State | null;
  readonly after: State;
  readonly current: State;
  /** The command's events on this entity, in order, at least one. */
  readonly events: readonly PastEvent<Event>[];
  /** Everything on this entity after them. */
  readonly since: readonly PastEvent<Event>[];
}

/** How an entity goes back: by ordinary commands, so that what comes of them is what anybody could have done. */
export interface Undoable<State, Event extends DomainEvent, Facts> extends Entity<State, Event> {
  /** What there was before the first event, where a stream is a list of things; absent = nothing, which the first event made. */
  readonly empty?: State;
  /** Nothing is left to take away: the entity is gone already, or one `made` like this stays. */
  readonly isGone: (current: State, made: State) => boolean;
  /** Takes away the entity that the command made. */
  readonly takeBack: (current: State, facts: Facts) => Decision<Event>;
  /** Gives the named fields the values of `before`; `names` as `Entity.touched` gives them. */
  readonly bringBack: (names: ReadonlySet<string>, before: State, current: State, facts: Facts) => Decision<Event>;
}

/** What becomes of entities that somebody changed since the command that is undone: they stay as they are, or go back all the same. */
export type UndoChoice = 'skip' | 'overwrite';

export type Undone<Event> =
  /** Compensating events, each with the event it undoes; none when all is as before already. */
  | { readonly kind: 'undone'; readonly events: readonly { readonly event: Event; readonly undoes: string }[] }
  | { readonly kind: 'conflict'; readonly conflicts: readonly FieldConflict[] }
  | { readonly kind: 'rejected'; readonly rejection: Rejection };

/** Single names of the fields that the command touched. */
export const touchedBy = <State, Event extends DomainEvent>(
  entity: Pick<Entity<State, Event>, 'changedFields'>,
  { events }: Past<State, Event>,
): readonly string[] => [...new Set(events.flatMap(({ event }) => entity.changedFields(event)))];

/**
 * Undoes what a command did to one entity: what it made is taken away, what it changed is as before (UNDO-1). Fields that somebody
 * touched since conflict (UNDO-2), unless they are to be overwritten (UNDO-11); a change that was itself undone since does not count as
 * one. What is gone since is in conflict all the same: there is nothing that could have its values of before.
 */
export const decideUndo = <State, Event extends DomainEvent, Facts>(
  entity: Undoable<State, Event, Facts>,
  past: Past<State, Event>,
  facts: Facts,
  choice?: UndoChoice,
): Undone<Event> => {
  const { before, current } = past;
  const touchedSince = standing(past.since).map(
    ({ event, actorId, at }): TouchedSince => ({ touched: entity.changedFields(event), actorId, at }),
  );
  const eventsSince = choice === 'overwrite' ? [] : touchedSince;
  const fields = { after: entity.fields(past.after), current: entity.fields(current) };
  if (before === null) {
    if (entity.isGone(current, past.after)) return { kind: 'undone', events: [] };
    const merged = mergeRemoval({ base: fields.after, current: fields.current, eventsSince });
    return concluded(entity, past, merged, () => entity.takeBack(current, facts));
  }
  const touched = touchedBy(entity, past);
  const merged = withGone(
    mergeUndo({ before: entity.fields(before), ...fields, touched, eventsSince }),
    fields.current,
    touched,
    touchedSince,
  );
  return concluded(entity, past, merged, (names) =>
    names.size === 0 ? { kind: 'accepted', events: [] } : entity.bringBack(names, before, current, facts),
  );
};

/**
 * Takes back what a command did that comes to nothing after all: as much as `decideUndo` would, and where others have changed something
 * since, all but that. What it made goes, whatever they did to it.
 */
export const decideTakeBack = <State, Event extends DomainEvent, Facts>(
  entity: Undoable<State, Event, Facts>,
  past: Past<State, Event>,
  facts: Facts,
): Undone<Event> => {
  const undone = decideUndo(entity, past, facts);
  if (undone.kind !== 'conflict') return undone;
  const { before, current } = past;
  if (before === null) return concluded(entity, past, noFields, () => entity.takeBack(current, facts));
  const theirs = new Set(undone.conflicts.map(({ field }) => field));
  const touched = touchedBy(entity, past);
  // Deleted, or part of another since: nothing of it is in effect.
  if ([...theirs].some((field) => !touched.includes(field))) return { kind: 'undone', events: [] };
  const own = new Set(touched.filter((field) => !theirs.has(field)));
  if (own.size === 0) return { kind: 'undone', events: [] };
  return concluded(entity, past, noFields, () => entity.bringBack(own, before, current, facts));
};

const noFields: Merged = { kind: 'merged', apply: {} };

const concluded = <State, Event extends DomainEvent>(
  entity: Entity<State, Event>,
  { events }: Past<State, Event>,
  merged: Merged,
  decide: (names: ReadonlySet<string>) => Decision<Event>,
): Undone<Event> => {
  if (merged.kind === 'conflict') return merged;
  const decision = decide(new Set(Object.keys(merged.apply)));
  if (decision.kind === 'rejected') return decision;
  const causeOf = (compensating: Event): string => {
    const names = entity.changedFields(compensating);
    const cause = events.findLast(({ event }) => entity.changedFields(event).some((name) => names.includes(name)));
    return (cause ?? events[0])?.id ?? '';
  };
  return { kind: 'undone', events: decision.events.map((event) => ({ event, undoes: causeOf(event) })) };
};

/** What an entity is while it is there, in the fields that say that it is not. */
const there: readonly (readonly [field: string, value: unknown])[] = [
  ['deleted', false],
  ['mergedInto', null],
];

/** Nothing of an entity goes back while it is deleted or part of another, unless that is what is undone. */
const withGone = (
  merged: Merged,
  current: Readonly<Record<string, unknown>>,
  touched: readonly string[],
  eventsSince: readonly TouchedSince[],
): Merged => {
  const found = there.find(([name, value]) => Object.hasOwn(current, name) && current[name] !== value);
  if (found === undefined || touched.includes(found[0])) return merged;
  const [field, value] = found;
  if (merged.kind === 'merged' && Object.keys(merged.apply).length === 0) return merged;
  const by = eventsSince.findLast((one) => one.touched.includes(field));
  const gone: FieldConflict = {
    field,
    base: value,
    theirs: fieldValue(current, field),
    mine: value,
    actorId: by?.actorId ?? '',
    at: by?.at ?? '',
  };
  return { kind: 'conflict', conflicts: [...(merged.kind === 'conflict' ? merged.conflicts : []), gone] };
};

/** Without what was undone since, and what undid it: from the latest back, as an undoing can itself have been undone. */
const standing = <Event>(since: readonly PastEvent<Event>[]): readonly PastEvent<Event>[] => {
  const commandOf = new Map(since.map(({ id, command }) => [id, command]));
  const cancelled = new Set<string>();
  for (const { command, undoes } of since.toReversed()) {
    const undone = undoes === undefined || cancelled.has(command) ? undefined : commandOf.get(undoes);
    if (undone === undefined || undone === command) continue;
    cancelled.add(command);
    cancelled.add(undone);
  }
  return since.filter(({ command }) => !cancelled.has(command));
};

const unrecorded: Recorded = { at: '', actorId: '', revision: 0 };

/** Decides commands one after the other, each on what the ones before it left; the first rejection is the whole's. */
export const inTurn = <State, Command, Event extends DomainEvent>(
  entity: Pick<Entity<State, Event>, 'evolve'>,
  current: State,
  commands: readonly Command[],
  decide: (command: Command, state: State) => Decision<Event>,
): Decision<Event> => {
  let state = current;
  const events: Event[] = [];
  for (const command of commands) {
    const decision = decide(command, state);
    if (decision.kind === 'rejected') return decision;
    events.push(...decision.events);
    state = decision.events.reduce<State>((folded, event) => entity.evolve(folded, event, unrecorded), state);
  }
  return { kind: 'accepted', events };
};

/** The members of `before` that have one of the names. */
export const membersOf = <State extends object, Name extends keyof State & string>(
  before: State,
  names: ReadonlySet<string>,
  allowed: readonly Name[],
): { readonly [N in Name]?: State[N] } =>
  Object.fromEntries(allowed.filter((name) => names.has(name)).map((name) => [name, before[name]])) as {
    readonly [N in Name]?: State[N];
  };
