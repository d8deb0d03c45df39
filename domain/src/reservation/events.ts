import type { DomainEvent } from '../decider.ts';

/** Kinds of values that only one holder may have: the first two within a licence, the others everywhere. */
export type ReservationCategory = 'nick' | 'email' | 'authcode' | 'licencekey';

/** The entity that holds a value. */
export type Holder = {
  readonly licenceId: string;
  readonly id: string;
};

export type ReservationEvent =
  | DomainEvent<'ValueClaimed', { readonly holder: Holder }>
  | DomainEvent<'ValueReleased', { readonly holder: Holder }>;
