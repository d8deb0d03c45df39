import type { Kopecks } from '../money.ts';
import type { PaymentStatus, PlacementStatus } from './events.ts';

export interface Placement {
  readonly campaignId: string;
  readonly buyerId: string;
  readonly contractorId: string;
  /** A creative's id, or `NO_CREATIVE`. */
  readonly creativeId: string;
  readonly category: string;
  readonly format: string;
  readonly price: Kopecks;
  readonly leads: number;
  /** Calendar day `YYYY-MM-DD` at UTC+3. */
  readonly date: string;
  readonly paymentStatus: PaymentStatus;
  readonly status: PlacementStatus;
  /** '' = there is none. */
  readonly comment: string;
  /** An `https://t.me/…` address; `null` = there is none. */
  readonly postUrl: string | null;
  readonly removed: boolean;
}
