import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router-dom';
import { keepItem } from '../../shared/storage/keep-item.ts';

const lastChannelKey = 'analytics_lastChannelId';
const lastCampaignKey = 'analytics_lastCampaignId';

export interface Selection {
  readonly channel: ChannelWire | null;
  readonly campaign: CampaignWire | null;
  /** The channel again takes it away; another one keeps the campaign only when it is its own. */
  readonly pickChannel: (id: string) => void;
  readonly pickCampaign: (id: string) => void;
}

const remember = (key: string, id: string | null): void => {
  if (id === null) localStorage.removeItem(key);
  else keepItem(localStorage, key, id);
};

/** Channel and campaign of the address, else the last ones of this browser; what does not exist any more is nothing. */
export const useSelection = (channels: readonly ChannelWire[], campaigns: readonly CampaignWire[]): Selection => {
  const [params, setParams] = useSearchParams();
  const past = params.has('at');
  const asked = params.has('channel') || params.has('campaign');
  const wanted = (name: string, key: string): string | null => (asked ? params.get(name) : localStorage.getItem(key));
  const found = campaigns.find(({ id }) => id === wanted('campaign', lastCampaignKey)) ?? null;
  const channelId = wanted('channel', lastChannelKey) ?? found?.channelId ?? null;
  const channel = channels.find(({ id }) => id === channelId) ?? null;
  const campaign = channel === null || found?.channelId === channel.id ? found : null;

  // A link chooses as a press does; one to what is not there (any more) makes nothing forgotten.
  useEffect(() => {
    if (!asked || campaign === null || past) return;
    remember(lastChannelKey, campaign.channelId);
    remember(lastCampaignKey, campaign.id);
  }, [asked, campaign, past]);

  const select = (nextChannel: string | null, nextCampaign: string | null): void => {
    remember(lastChannelKey, nextChannel);
    remember(lastCampaignKey, nextCampaign);
    setParams((before) => ({
      ...(before.has('at') && { at: before.get('at') ?? '' }),
      ...(nextChannel === null ? {} : { channel: nextChannel }),
      ...(nextCampaign === null ? {} : { campaign: nextCampaign }),
    }));
  };

  return {
    channel,
    campaign,
    pickChannel: (id) => {
      if (channel?.id === id) select(null, null);
      else select(id, campaign?.channelId === id ? campaign.id : null);
    },
    pickCampaign: (id) => select(campaigns.find((one) => one.id === id)?.channelId ?? null, id),
  };
};
