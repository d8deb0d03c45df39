import type { Kopecks } from '../money.ts';
import type { PaymentStatus, PlacementStatus } from '../placement/events.ts';

/** One row of an imported file as it was read: what is absent is left as it is, or as it is when nobody says. */
export type ImportRow = {
  /** Counts from 1 below the heading. */
  readonly row: number;
  /** The placement that it changes; absent = it adds one. */
  readonly placementId?: string;
  /** A nick, as it is spelled. */
  readonly contractor?: string;
  readonly buyerId?: string;
  readonly category?: string;
  readonly date?: string;
  readonly format?: string;
  readonly price?: Kopecks;
  readonly leads?: number;
  /** Or `NO_CREATIVE`. */
  readonly creativeId?: string;
  readonly paymentStatus?: PaymentStatus;
  readonly status?: PlacementStatus;
  readonly comment?: string;
  readonly postUrl?: string;
};
