import type { DomainEvent, NoData } from '../decider.ts';
import type { Kopecks } from '../money.ts';

export type PaymentStatus = 'paid' | 'unpaid';
export type PlacementStatus = 'PENDING' | 'PUBLISHED' | 'DONE' | 'CANCELLED' | 'REMOVED_EARLY';
export const noCreative = 'NO_CREATIVE';

export type PlacementEvent =
  | DomainEvent<
      'PlacementAdded',
      {
        readonly campaignId: string;
        readonly buyerId: string;
        readonly contractorId: string;
        /** A creative's id, or `NO_CREATIVE`. */
        readonly creativeId: string;
        readonly category: string;
        readonly format: string;
        readonly price: Kopecks;
        /** Calendar day `YYYY-MM-DD` at UTC+3. */
        readonly date: string;
        readonly paymentStatus: PaymentStatus;
        /** Absent = none. */
        readonly comment?: string;
        /** An address as `parsePostUrl` gives it; absent = none. */
        readonly postUrl?: string;
      }
    >
  | DomainEvent<'PlacementDateChanged', { readonly date: string }>
  | DomainEvent<'PlacementContractorChanged', { readonly contractorId: string }>
  | DomainEvent<'PlacementPriceChanged', { readonly price: Kopecks }>
  | DomainEvent<'PlacementLeadsRecorded', { readonly leads: number }>
  | DomainEvent<'PlacementCreativeChanged', { readonly creativeId: string }>
  | DomainEvent<'PlacementCategoryChanged', { readonly category: string }>
  | DomainEvent<'PlacementFormatChanged', { readonly format: string }>
  | DomainEvent<'PlacementBuyerChanged', { readonly buyerId: string }>
  | DomainEvent<'PlacementStatusChanged', { readonly status: PlacementStatus }>
  /** '' = there is none any more. */
  | DomainEvent<'PlacementCommentChanged', { readonly comment: string }>
  /** `null` = there is none any more. */
  | DomainEvent<'PlacementPostUrlChanged', { readonly postUrl: string | null }>
  | DomainEvent<'PlacementMarkedPaid', NoData>
  | DomainEvent<'PlacementMarkedUnpaid', NoData>
  | DomainEvent<'PlacementRemoved', NoData>
  | DomainEvent<'PlacementRestored', NoData>;
