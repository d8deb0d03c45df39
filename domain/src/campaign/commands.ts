import type { Kopecks } from '../money.ts';
import type { CampaignStatus, Participant } from './events.ts';

export interface CampaignChanges {
  readonly name?: string;
  readonly channelId?: string;
  readonly totalBudget?: Kopecks;
  readonly startDate?: string | null;
  readonly endDate?: string | null;
  /** `ACTIVE` activates a draft or reopens, `COMPLETED` completes; nothing goes back to `DRAFT`. */
  readonly status?: CampaignStatus;
  readonly participants?: { readonly set: readonly Participant[]; readonly remove: readonly string[] };
}

export type CampaignCommand =
  | {
      readonly type: 'CreateCampaign';
      readonly name: string;
      readonly channelId: string;
      readonly totalBudget: Kopecks;
      /** Absent = `DRAFT`. */
      readonly status?: CampaignStatus;
      readonly startDate: string | null;
      readonly endDate: string | null;
      readonly participants: readonly Participant[];
    }
  | { readonly type: 'ChangeCampaign'; readonly changes: CampaignChanges }
  | { readonly type: 'CompleteCampaign' }
  | { readonly type: 'ReopenCampaign' }
  | { readonly type: 'DeleteCampaign' }
  | { readonly type: 'RestoreCampaign' };

export interface CampaignFacts {
  /** The wanted channel for `CreateCampaign` and a move, the campaign's own for `RestoreCampaign`; `null` = no such one in this licence. */
  readonly channel: { readonly deleted: boolean } | null;
  /** Which of the wanted participants are people of this licence. */
  readonly knownPeople: readonly string[];
}
