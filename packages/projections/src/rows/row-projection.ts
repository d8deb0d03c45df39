import type { RowByKind } from '@zakup/contracts/read-models';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import type { Position, RecordedEvent } from '@zakup/event-store/event-store';
import type { EntityKind } from '../documents.ts';

/** What one event made of one row. */
export type RowChange = {
  readonly [Kind in EntityKind]: {
    readonly kind: Kind;
    readonly id: string;
    readonly licenceId: string;
    readonly position: Position;
    readonly event: RecordedEvent;
    /** The event as the domain reads it. */
    readonly decoded: DomainEvent;
    readonly before: RowByKind[Kind] | null;
    readonly after: RowByKind[Kind];
  };
}[EntityKind];

/** How the streams of one category become rows. */
export interface RowProjection<Row extends object> {
  readonly category: string;
  readonly kind: EntityKind;
  /** As of a `Projection`. */
  readonly version: number;
  /** The row after the event. Throws when the event cannot follow. */
  readonly fold: (before: Row | null, event: DomainEvent, recorded: RecordedEvent, id: string) => Row;
  readonly scopes: (row: Row) => readonly string[];
  /** Whether readers must not see the row now, though it may come back. */
  readonly hidden: (row: Row) => boolean;
}

/** A rule whose kind is known only when the program runs: give it events and rows of its own category only. */
export type AnyRowProjection = RowProjection<RowByKind[EntityKind]>;

/** `extra`: what the row holds beside its folded state, kept from row to row. */
export const rowProjection = <Kind extends EntityKind, State, Event extends DomainEvent>(
  kind: Kind,
  entity: Entity<State, Event>,
  {
    version,
    scopes,
    hidden = () => false,
    extra,
  }: {
    readonly version: number;
    readonly scopes: (row: RowByKind[Kind]) => readonly string[];
    readonly hidden?: (row: RowByKind[Kind]) => boolean;
    readonly extra?: (before: RowByKind[Kind] | null) => object;
  },
): AnyRowProjection => {
  const rule: RowProjection<RowByKind[Kind]> = {
    category: entity.category,
    kind,
    version,
    scopes,
    hidden,
    fold(before, event, { metadata: { at, actorId }, revision }, id) {
      const state = entity.evolve(before as State | null, event as Event, { at, actorId, revision });
      const createdAt = before === null ? at : (before as { readonly createdAt: string }).createdAt;
      const members = extra === undefined ? state : { ...extra(before), ...state };
      return { ...members, id, revision, createdAt, updatedAt: at } as unknown as RowByKind[Kind];
    },
  };
  return rule as unknown as AnyRowProjection;
};
