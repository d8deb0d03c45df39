import type { DomainEvent } from '../decider.ts';

/**
 * Kinds of values that only one holder may have: nick and e-mail within a licence; codes that were made here and keys everywhere. A code
 * that somebody chose may be held in many licences at once, once in each: a refusal would tell one team of another's (AUTH-37).
 */
export type ReservationCategory = 'nick' | 'email' | 'authcode' | 'chosencode' | 'licencekey';

/** The entity that holds a value. */
export type Holder = {
  readonly licenceId: string;
  readonly id: string;
};

export type ReservationEvent =
  | DomainEvent<'ValueClaimed', { readonly holder: Holder }>
  | DomainEvent<'ValueReleased', { readonly holder: Holder }>;
