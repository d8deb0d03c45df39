import type { Holder } from './events.ts';

export interface Reservation {
  /** `null` = released. */
  readonly holder: Holder | null;
  /** UTC instant of the latest claim, ISO 8601. */
  readonly claimedAt: string;
}
