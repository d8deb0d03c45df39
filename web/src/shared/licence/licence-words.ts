import type { LicenseWire } from '@zakup/contracts/entities';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { plural } from '@zakup/domain/russian';
import { licenceStatusLabels } from '@zakup/domain/topics';
import type { Tone } from '../ui/chip.tsx';

const day = 86_400_000;
/** From so many days before its end a licence counts as ending. */
export const expiringDays = 30;

/** Whole days until an instant, rounded up; negative once it is over. */
export const daysUntil = (instant: string, now: number): number => Math.ceil((Date.parse(instant) - now) / day);

export const daysText = (days: number): string => `${days} ${plural(days, 'день', 'дня', 'дней')}`;

/** `осталось 12 дней`, `остался 1 день`. */
export const leftText = (days: number): string =>
  `${plural(days, 'остался', 'осталось', 'осталось')} ${daysText(days)}`;

export const dateText = (instant: string): string => showDateWithYear(dayOf(instant));

/** `21 ноября 2027 (осталось 12 дней)`, without the rest once it is over. */
export const untilText = (instant: string, now: number): string => {
  const days = daysUntil(instant, now);
  return days < 0 ? dateText(instant) : `${dateText(instant)} (${leftText(days)})`;
};

/** What a licence opens, in words; a name nobody knows stays as it is. */
export const featureLabel = (feature: string): string => featureLabels[feature] ?? feature;

const featureLabels: Readonly<Record<string, string>> = {
  analytics: 'Аналитика',
  campaigns: 'Кампании',
  contractors: 'Контрагенты',
  creatives: 'Креативы',
  placements: 'Размещения',
  reports: 'Отчёты и журнал',
  settings: 'Настройки',
};

const tones: Readonly<Record<LicenseWire['status'], Tone>> = {
  active: 'good',
  grace_period: 'mid',
  expired: 'bad',
  suspended: 'bad',
};

/** What the owner's closing has come to; null = nobody closes it. */
export const closingOf = ({ closesAt }: Pick<LicenseWire, 'closesAt'>, now: number): 'announced' | 'over' | null =>
  closesAt === null ? null : Date.parse(closesAt) > now ? 'announced' : 'over';

/** How a licence stands, in a word with its tone; closed by its owner counts before the end of its term. */
export const licenceStanding = (licence: LicenseWire, now: number): { readonly word: string; readonly tone: Tone } =>
  closingOf(licence, now) === 'over' && licence.status !== 'suspended'
    ? { word: 'Закрыта', tone: 'bad' }
    : { word: licenceStatusLabels[licence.status], tone: tones[licence.status] };

/** Whether its end is near, or over: the moment to ask for a renewal. */
export const isEnding = (licence: Pick<LicenseWire, 'expiresAt'>, now: number): boolean =>
  daysUntil(licence.expiresAt, now) <= expiringDays;
