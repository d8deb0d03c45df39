import type { ContractorRow, PlacementRow } from '@zakup/contracts/read-models';
import type { Sign } from '@zakup/domain/analytics/sums';
import { kopecks } from '@zakup/domain/money';
import type { ContractorUse } from '../documents.ts';
import { shiftCount } from './counted.ts';

type Totals = ContractorRow['totals'];

/** Sums of a contractor, or of what it has in one campaign, changed in place. */
export interface UseDraft {
  spent: number;
  leads: number;
  placements: number;
  /** Placements by day. */
  readonly days: Map<string, number>;
}

export interface ContractorDraft extends UseDraft {
  readonly licenceId: string;
  readonly mergedInto: string | undefined;
  /** Placements by campaign. */
  readonly campaigns: Map<string, number>;
}

/** A contractor in a campaign. */
export interface Use {
  readonly contractorId: string;
  readonly campaignId: string;
}

export const draftOfUse = ({ spent, leads, placements, days }: ContractorUse): UseDraft => ({
  spent,
  leads,
  placements,
  days: new Map(Object.entries(days)),
});

export const emptyUseDraft = (): UseDraft => ({ spent: 0, leads: 0, placements: 0, days: new Map() });

export const contractorDraftOf = (licenceId: string, { totals, mergedInto }: ContractorRow): ContractorDraft => ({
  ...draftOfUse(totals),
  licenceId,
  mergedInto,
  campaigns: new Map(Object.entries(totals.campaigns)),
});

export const useOf = ({ spent, leads, placements, days }: UseDraft): ContractorUse => ({
  spent: kopecks(spent),
  leads,
  placements,
  days: Object.fromEntries(days),
});

export const totalsOf = (draft: ContractorDraft): Totals => ({
  ...useOf(draft),
  campaigns: Object.fromEntries(draft.campaigns),
});

/** A placement comes in (1), or one that is in goes out (−1). */
export const shiftUse = (draft: UseDraft, { price, leads, date }: PlacementRow, sign: Sign): void => {
  draft.spent += sign * price;
  draft.leads += sign * leads;
  draft.placements += sign;
  shiftCount(draft.days, date, sign);
};

/** As `shiftUse`, of a placement of this campaign. */
export const shiftContractor = (draft: ContractorDraft, campaignId: string, row: PlacementRow, sign: Sign): void => {
  shiftUse(draft, row, sign);
  shiftCount(draft.campaigns, campaignId, sign);
};

const shiftSums = (draft: UseDraft, other: UseDraft, sign: Sign): void => {
  draft.spent += sign * other.spent;
  draft.leads += sign * other.leads;
  draft.placements += sign * other.placements;
  for (const [day, count] of other.days) shiftCount(draft.days, day, sign * count);
};

/** All that the contractor has in a campaign comes in, or goes out. */
export const joinCampaign = (draft: ContractorDraft, campaignId: string, use: UseDraft, sign: Sign): void => {
  shiftSums(draft, use, sign);
  shiftCount(draft.campaigns, campaignId, sign * use.placements);
};

/** All of another contractor comes in, or goes out. */
export const joinContractor = (draft: ContractorDraft, other: ContractorDraft, sign: Sign): void => {
  shiftSums(draft, other, sign);
  for (const [campaignId, count] of other.campaigns) shiftCount(draft.campaigns, campaignId, sign * count);
};
