import type { EarningsSums } from '@zakup/domain/analytics/earnings-sums';
import type { Kopecks } from '@zakup/domain/money';

/** A person in a campaign. */
export interface Pair {
  readonly licenceId: string;
  readonly campaignId: string;
  readonly userId: string;
}

/** One person's sums in one campaign, changed in place. */
export interface EarningsDraft {
  sums: EarningsSums;
  /** Under which the lines were summed. */
  threshold: Kopecks;
  /** Whether the document is hidden; null = it is not there. */
  storedHidden: boolean | null;
}
