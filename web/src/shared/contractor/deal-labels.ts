import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { showDate } from '../day/shown-day.ts';
import type { Kopecks } from '@zakup/domain/money';
import { formatNumber, formatPercent, plural } from '@zakup/domain/russian';

const day = 24 * 60 * 60 * 1000;

/** `сегодня`, `вчера`, `3 дня назад`; a day that is still to come by its date. Days as `YYYY-MM-DD`. */
export const daysAgo = (date: string, today: string): string => {
  const days = Math.round((Date.parse(today) - Date.parse(date)) / day);
  if (days < 0) return `на ${showDate(date)}`;
  if (days === 0) return 'сегодня';
  if (days === 1) return 'вчера';
  return `${formatNumber(days)} ${plural(days, 'день', 'дня', 'дней')} назад`;
};

export interface PriceWords {
  readonly text: string;
  readonly tone: 'good' | 'bad' | null;
}

/** How the price that is agreed stands to the last one; null while none is entered. */
export const againstLast = (last: Kopecks, entered: Kopecks | null): PriceWords | null => {
  if (entered === null || entered === 0) return null;
  if (entered === last) return { text: 'ваша такая же', tone: null };
  if (last === 0) return { text: 'прошлая была бесплатной', tone: null };
  const percent = Math.round((Math.abs(entered - last) / last) * 1000) / 10;
  const dearer = entered > last;
  const size = percent === 0 ? `меньше чем ${formatPercent(0.1)}` : formatPercent(percent);
  return { text: `ваша ${dearer ? 'выше' : 'ниже'} на ${size}`, tone: dearer ? 'bad' : 'good' };
};

/** How long ago a placement may be to still be told as bought lately, in days. */
const lately = 14;

/** Whether a placement is of the last days, or still to come. Days as `YYYY-MM-DD`. */
export const isLately = (date: string, today: string): boolean =>
  (Date.parse(today) - Date.parse(date)) / day <= lately;

/** The newest placement that somebody else than the chosen buyer bought; null = there is none, or nobody is chosen. */
export const boughtByAnother = (sorted: readonly PlacementWire[], buyerId: string): PlacementWire | null =>
  buyerId === '' ? null : (sorted.find((placement) => placement.buyerId !== buyerId) ?? null);
