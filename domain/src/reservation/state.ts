import type { Holder } from './events.ts';

export interface Claim {
  readonly holder: Holder;
  /** UTC instant, ISO 8601. */
  readonly claimedAt: string;
}

export interface Reservation {
  /** Who has the value, by the age of their claims; more than one only of a code that was chosen, each in another licence. */
  readonly claims: readonly Claim[];
}
