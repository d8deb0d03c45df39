import { type Kopecks, kopecks } from '../money.ts';

export type ChannelSize = 'large' | 'medium' | 'small';

/** From the largest down. */
export const channelSizes = ['large', 'medium', 'small'] as const satisfies readonly ChannelSize[];

const largeAbove = kopecks(5000_00);
const mediumAbove = kopecks(2000_00);

/** By the price of a placement: large above 5 000 ₽, medium above 2 000 ₽, else small (NUM-18). */
export const channelSizeOf = (price: Kopecks): ChannelSize => {
  if (price > largeAbove) return 'large';
  return price > mediumAbove ? 'medium' : 'small';
};

export const channelSizeLabels: Readonly<Record<ChannelSize, string>> = {
  large: 'Крупные каналы: дороже 5 000 ₽',
  medium: 'Средние каналы: дороже 2 000 ₽',
  small: 'Небольшие каналы: до 2 000 ₽',
};

/** In a heading, where the limits stand elsewhere. */
export const channelSizeNames: Readonly<Record<ChannelSize, string>> = {
  large: 'Крупные',
  medium: 'Средние',
  small: 'Небольшие',
};
