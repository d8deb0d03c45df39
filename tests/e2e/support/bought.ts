import type { CampaignWire, ChannelWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { dayFromToday, type PersonName, type Team } from './team.ts';

/** Who buys in a campaign, and what of it is not as the server would have it. */
interface Terms {
  readonly userId: string;
  readonly budget: number;
  readonly salaryType?: 'budget' | 'performance';
  readonly salaryRate?: number;
  readonly cplThreshold?: number;
}

export interface Opened {
  readonly channel: ChannelWire;
  readonly campaign: CampaignWire;
}

/** An active campaign of a channel of its own, with nothing bought in it yet. */
export const givenOpenCampaign = async (
  { done }: Team,
  {
    participants,
    totalBudget = 1_000_000_000,
    channelName = 'Кухня за 15 минут',
    name = 'Ноябрь | Подписчики',
  }: {
    readonly participants: readonly Terms[];
    readonly totalBudget?: number;
    readonly channelName?: string;
    readonly name?: string;
  },
): Promise<Opened> => {
  const { channel } = await done<{ channel: ChannelWire }>('POST', '/channels', { name: channelName });
  const { campaign } = await done<{ campaign: CampaignWire }>('POST', '/campaigns', {
    name,
    channelId: channel.id,
    totalBudget,
    status: 'ACTIVE',
    participants,
  });
  return { channel, campaign };
};

/** One placement more, and what came of it. `day` counts from today. */
export const givenPlacement = async (
  { done, member }: Team,
  campaign: CampaignWire,
  {
    contractor,
    buyer,
    price,
    day = 0,
    category = 'Кулинария',
    creativeId = 'NO_CREATIVE',
    leads,
  }: {
    readonly contractor: string;
    readonly buyer: PersonName;
    readonly price: number;
    readonly day?: number;
    readonly category?: string;
    readonly creativeId?: string;
    readonly leads?: number;
  },
): Promise<PlacementWire> => {
  const { placement } = await done<{ placement: PlacementWire }>('POST', '/placements', {
    campaignId: campaign.id,
    contractor,
    buyerId: member(buyer).id,
    category,
    date: dayFromToday(day),
    price,
    creativeId,
  });
  if (leads !== undefined) await done('PATCH', `/placements/${placement.id}`, { leads });
  return placement;
};
