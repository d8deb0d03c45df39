import { daysText, daysUntil, expiringDays, leftText } from '../../shared/licence/licence-labels.ts';
import type { Tone } from '../../shared/ui/chip.tsx';
import { dayOf } from '@zakup/domain/calendar';
import { showDate } from '../../shared/day/shown-day.ts';
import type { AdminLicence } from './admin-api.tsx';

/** State in a word with its tone. */
export const licenceState = (licence: AdminLicence, now: number): { readonly word: string; readonly tone: Tone } => {
  if (!licence.activated && licence.status === 'active') return { word: 'Не активирована', tone: 'neutral' };
  switch (licence.status) {
    case 'active':
      return daysUntil(licence.expiresAt, now) <= expiringDays
        ? { word: 'Истекает', tone: 'mid' }
        : { word: 'Активна', tone: 'good' };
    case 'grace_period':
      return { word: 'Льготный срок', tone: 'mid' };
    case 'suspended':
      return { word: 'Приостановлена', tone: 'bad' };
    case 'expired':
      return { word: 'Истекла', tone: 'bad' };
  }
};

/** What stands beside the expiry date. */
export const licenceTerm = (licence: AdminLicence, now: number): string => {
  if (licence.status === 'grace_period' && licence.gracePeriodExpiresAt !== null)
    return `льготный срок: ещё ${daysText(Math.max(0, daysUntil(licence.gracePeriodExpiresAt, now)))}`;
  const days = daysUntil(licence.expiresAt, now);
  return days >= 0 ? leftText(days) : `${daysText(-days)} назад`;
};

/** `8:41` of what is left; `0:00` when over. */
export const countdown = (until: string, now: number): string => {
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now) / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** `сейчас` within five minutes, `12 мин назад`, `2 ч назад`, from a day on its date; `—` = nobody was there. */
export const activityText = ({ lastActiveAt = null }: Pick<AdminLicence, 'lastActiveAt'>, now: number): string => {
  if (lastActiveAt === null) return '—';
  const ago = now - Date.parse(lastActiveAt);
  if (ago < 5 * minute) return 'сейчас';
  if (ago < hour) return `${Math.floor(ago / minute)} мин назад`;
  return ago < day ? `${Math.floor(ago / hour)} ч назад` : showDate(dayOf(lastActiveAt));
};
