import type { CampaignWire } from '@zakup/contracts/wire-entities';

const rank: Readonly<Record<CampaignWire['status'], number>> = { ACTIVE: 0, COMPLETED: 1, DRAFT: 2 };

/** Active first, then completed, drafts last; within each by creation. */
export const inOrder = (campaigns: readonly CampaignWire[]): readonly CampaignWire[] =>
  campaigns.toSorted(
    (a, b) =>
      rank[a.status] - rank[b.status] ||
      (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.id < b.id ? -1 : 1),
  );

/** The campaign to begin with, when none was chosen: the last one if it is active, else the first active one. */
export const autoSelected = (campaigns: readonly CampaignWire[], last: string | null): string | null => {
  const active = inOrder(campaigns).filter((campaign) => campaign.status === 'ACTIVE');
  return (active.find((campaign) => campaign.id === last) ?? active[0])?.id ?? null;
};

/**
 * The campaign on the screen: one chosen by hand or address stays, whatever its status; one that was selected by itself
 * stays as long as it exists; otherwise the automatic choice.
 */
export const currentCampaign = (
  campaigns: readonly CampaignWire[],
  choice: { readonly explicit: string | null; readonly automatic: string | null; readonly last: string | null },
): string | null => {
  const known = (id: string | null): string | null => (campaigns.some((campaign) => campaign.id === id) ? id : null);
  return known(choice.explicit) ?? known(choice.automatic) ?? autoSelected(campaigns, choice.last);
};
