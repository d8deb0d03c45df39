import { expect, it } from 'vitest';
import { shortCampaignName } from './short-campaign-name.ts';

it.each([
  ['Кухня на каждый день | Новые подписчики, октябрь', 'Кухня на каждый день', 'Новые подписчики, октябрь'],
  ['кухня: завтраки | декабрь', 'Кухня', 'завтраки - декабрь'],
  ['Кухня', 'Кухня', 'Кухня'],
  ['Кухня | ', 'Кухня', 'Кухня - '],
  ['Кухнями полон дом', 'Кухня', 'Кухнями полон дом'],
  ['Кухня на двоих', 'Кухня', 'Кухня на двоих'],
  ['Ноябрь | Подписчики', 'Кухня', 'Ноябрь - Подписчики'],
  ['Ноябрь', undefined, 'Ноябрь'],
  ['Ноябрь', '  ', 'Ноябрь'],
])(
  'SCR-1640 of «%s» in «%s» a campaign’s own words are «%s»: nothing but the channel’s name is left out',
  (name, channel, own) => {
    expect(shortCampaignName(name, channel)).toBe(own);
  },
);
