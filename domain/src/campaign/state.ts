import type { Kopecks } from '../money.ts';
import type { CampaignStatus, Participant } from './events.ts';

/** By whom and when a campaign was completed. */
export interface Completion {
  /** UTC instant, ISO 8601. */
  readonly at: string;
  readonly by: string;
}

export interface Campaign {
  readonly name: string;
  readonly channelId: string;
  readonly totalBudget: Kopecks;
  readonly status: CampaignStatus;
  /** Calendar days `YYYY-MM-DD` at UTC+3. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** One per person, in the order of joining. */
  readonly participants: readonly Participant[];
  readonly deleted: boolean;
  /** Of a campaign that is COMPLETED; `null` of any other. */
  readonly completion: Completion | null;
}
