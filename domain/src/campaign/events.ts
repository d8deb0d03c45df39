import type { DomainEvent, NoData } from '../decider.ts';
import type { Kopecks } from '../money.ts';

export type CampaignStatus = 'DRAFT' | 'ACTIVE' | 'COMPLETED';

/** A buyer's part of a campaign. Absent terms = the person's own. */
export type Participant = {
  readonly userId: string;
  readonly budget: Kopecks;
  readonly salaryType: string | null;
  /** Percent, 0 to 100. */
  readonly salaryRate: number | null;
  readonly cplThreshold: Kopecks | null;
};

export type CampaignEvent =
  | DomainEvent<
      'CampaignCreated',
      {
        readonly name: string;
        readonly channelId: string;
        readonly totalBudget: Kopecks;
        readonly status: CampaignStatus;
        /** Calendar days `YYYY-MM-DD` at UTC+3. */
        readonly startDate: string | null;
        readonly endDate: string | null;
        readonly participants: readonly Participant[];
      }
    >
  | DomainEvent<'CampaignRenamed', { readonly name: string }>
  | DomainEvent<'CampaignMovedToChannel', { readonly channelId: string }>
  | DomainEvent<'CampaignBudgetChanged', { readonly totalBudget: Kopecks }>
  /** Carries only the dates that changed, so that two people changing one each do not conflict. */
  | DomainEvent<'CampaignDatesChanged', { readonly startDate?: string | null; readonly endDate?: string | null }>
  | DomainEvent<'CampaignParticipantSet', { readonly participant: Participant }>
  | DomainEvent<'CampaignParticipantRemoved', { readonly userId: string }>
  | DomainEvent<'CampaignActivated', NoData>
  | DomainEvent<'CampaignCompleted', NoData>
  | DomainEvent<'CampaignReopened', NoData>
  | DomainEvent<'CampaignDeleted', NoData>
  | DomainEvent<'CampaignRestored', NoData>;
