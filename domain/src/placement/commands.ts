import type { Kopecks } from '../money.ts';
import type { PaymentStatus, PlacementStatus } from './events.ts';

/** The members of a placement that `ChangePlacement` can set; the contractor comes resolved from its nick. */
export interface PlacementChanges {
  readonly date?: string;
  readonly contractorId?: string;
  readonly price?: Kopecks;
  readonly leads?: number;
  readonly creativeId?: string;
  readonly category?: string;
  readonly format?: string;
  readonly buyerId?: string;
  readonly status?: PlacementStatus;
  /** '' empties. */
  readonly comment?: string;
  /** As `parsePostUrl` gives it; `null` empties. */
  readonly postUrl?: string | null;
}

export type PlacementCommand =
  | {
      readonly type: 'AddPlacement';
      readonly campaignId: string;
      readonly contractorId: string;
      readonly buyerId: string;
      readonly category: string;
      readonly date: string;
      readonly format: string;
      readonly price: Kopecks;
      readonly creativeId: string;
      readonly paymentStatus: PaymentStatus;
      /** Absent or '' = none. */
      readonly comment?: string;
      /** As `parsePostUrl` gives it; absent or `null` = none. */
      readonly postUrl?: string | null;
    }
  | { readonly type: 'ChangePlacement'; readonly changes: PlacementChanges }
  /** `toggle`: paid becomes unpaid, anything else becomes paid. */
  | { readonly type: 'SetPayment'; readonly paymentStatus: PaymentStatus | 'toggle' }
  | { readonly type: 'RemovePlacement' }
  | { readonly type: 'RestorePlacement' };

/** What the decider must be told of other entities; `null` = there is no such one in this licence. */
export interface PlacementFacts {
  readonly campaign: { readonly status: 'DRAFT' | 'ACTIVE' | 'COMPLETED'; readonly deleted: boolean } | null;
  /** The wanted buyer: the command's for `AddPlacement` and a change of buyer; otherwise unused. */
  readonly buyer: { readonly role: string; readonly isActive: boolean } | null;
  /** The wanted creative, unless `NO_CREATIVE`; otherwise unused. */
  readonly creative: { readonly isActive: boolean } | null;
}
