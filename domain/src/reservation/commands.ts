import type { Holder } from './events.ts';

export type ReservationCommand =
  | { readonly type: 'ClaimValue'; readonly holder: Holder }
  | { readonly type: 'ReleaseValue'; readonly holder: Holder };

export interface ReservationFacts {
  /** Whoever is in the way does not exist under this value and its claim is over 60 seconds old. */
  readonly holderIsDead: boolean;
}
