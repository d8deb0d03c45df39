import type { Problem } from '@zakup/contracts/problems';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import type { CampaignCommand, CampaignFacts } from '@zakup/domain/campaign/commands';
import type { Campaign } from '@zakup/domain/campaign/state';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { decideOn } from '../pipeline/decide-on.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';

/** Decides a campaign's command and tells its channels. */
export const decideCampaign = (
  context: Pick<TenantContext, 'session'>,
  id: string,
  command: CampaignCommand,
  facts: CampaignFacts,
): Promise<Problem | null> =>
  tellingChannels(context, id, () => decideOn(context, campaignDecider, id, command, facts));

/**
 * Decides on a campaign and tells its channels, in the same append, whether they have it now: a channel that loses its last
 * campaign and one that gets its first are then written, so that none is deleted under a campaign that comes in the same instant.
 */
export const tellingChannels = async (
  context: Pick<TenantContext, 'session'>,
  id: string,
  decide: () => Promise<Problem | null>,
): Promise<Problem | null> => {
  const { session } = context;
  const before = channelOf((await session.load(campaignDecider, id)).state);
  const refused = await decide();
  if (refused !== null) return refused;
  const after = channelOf((await session.load(campaignDecider, id)).state);
  if (before === after) return null;
  if (before !== null && (await hasCampaign(context, before, id))) {
    const detach = { type: 'DetachCampaign', campaignId: id } as const;
    const problem = await decideOn(context, channelDecider, before, detach, { campaignNames: [] });
    if (problem !== null) return problem;
  }
  if (after === null) return null;
  return decideOn(context, channelDecider, after, { type: 'AttachCampaign', campaignId: id }, { campaignNames: [] });
};

/** The channel that has the campaign; null = none, as it is deleted or not yet made. */
const channelOf = (campaign: Campaign | null): string | null =>
  campaign === null || campaign.deleted ? null : campaign.channelId;

const hasCampaign = async (
  { session }: Pick<TenantContext, 'session'>,
  channelId: string,
  id: string,
): Promise<boolean> => (await session.load(channelDecider, channelId)).state?.campaigns.includes(id) === true;
