import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { dayOf, showDateWithYear } from '@zakup/domain/calendar';
import { formatNumber, plural } from '@zakup/domain/russian';
import { licenceStatusLabels } from '@zakup/domain/topics';
import type { Tone } from '../ui/chip.tsx';

const day = 86_400_000;
/** From so many days before its end a licence counts as ending. */
export const expiringDays = 30;

/** Whole days until an instant, rounded up; negative once it is over. */
export const daysUntil = (instant: string, now: number): number => Math.ceil((Date.parse(instant) - now) / day);

export const daysText = (days: number): string => `${formatNumber(days)} ${plural(days, 'день', 'дня', 'дней')}`;

const year = 365;

/** `осталось 12 дней`, `остался 1 день`; from a year on `остался год`, `осталось больше 2 лет`. */
export const leftText = (days: number): string => {
  if (days < year) return `${plural(days, 'остался', 'осталось', 'осталось')} ${daysText(days)}`;
  const years = Math.floor(days / year);
  // A term of whole years has a day more for each leap year, and one of rounding up.
  if (days - years * year > years)
    return years === 1
      ? 'осталось больше года'
      : `осталось больше ${formatNumber(years)} ${plural(years, 'года', 'лет', 'лет')}`;
  return years === 1
    ? 'остался год'
    : `${plural(years, 'остался', 'осталось', 'осталось')} ${formatNumber(years)} ${plural(years, 'год', 'года', 'лет')}`;
};

export const dateText = (instant: string): string => showDateWithYear(dayOf(instant));

/** `21 ноября 2027 (осталось 12 дней)`, without the rest once it is over. */
export const untilText = (instant: string, now: number): string => {
  const days = daysUntil(instant, now);
  return days < 0 ? dateText(instant) : `${dateText(instant)} (${leftText(days)})`;
};

/** `3 из 10, владелец отдельно`: sessions that take a seat; without their number, null, how many there can be. */
export const seatsText = (openSessions: number | null, maxConcurrentSessions: number): string =>
  `${seatsTaken(openSessions, maxConcurrentSessions)}, ${ownerApart}`;

/** `3 из 10`, where `ownerApart` stands below it. */
export const seatsTaken = (openSessions: number | null, maxConcurrentSessions: number): string => {
  const most = formatNumber(maxConcurrentSessions);
  return openSessions === null ? `не больше ${most}` : `${formatNumber(openSessions)} из ${most}`;
};

/** An owner's sessions take no seat, so that nobody can lock the owner out. */
export const ownerApart = 'владелец отдельно';

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
