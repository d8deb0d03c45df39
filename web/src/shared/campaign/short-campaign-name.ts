import { showCampaignName } from '@zakup/domain/topics';

/**
 * What a campaign's name says that its channel's name, which stands beside it, does not: of `Кухня | Подписчики` in «Кухня» it is
 * `Подписчики`. A name that does not begin with the channel is its own words whole.
 */
export const shortCampaignName = (name: string, channelName: string | undefined): string => {
  const whole = showCampaignName(name);
  const channel = channelName?.trim() ?? '';
  if (channel === '' || !whole.toLowerCase().startsWith(channel.toLowerCase())) return whole;
  return /^\s*[-–—:·/,]\s*(\S.*)$/su.exec(whole.slice(channel.length))?.[1] ?? whole;
};
