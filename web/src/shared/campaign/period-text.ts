import { showPeriod } from '../day/shown-day.ts';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { CampaignWire } from '@zakup/contracts/entities';

const dayMillis = 86_400_000;

/** Days from `today` to the end, both counted; `null` without an end or after it. */
export const daysLeft = (campaign: Pick<CampaignWire, 'endDate'>, today: string): number | null => {
  if (campaign.endDate === null) return null;
  const days = Math.round((Date.parse(campaign.endDate) - Date.parse(today)) / dayMillis);
  return days < 0 ? null : days;
};

/** `1–30 ноября, осталось 9 дней`, on the last one `последний день`; empty without dates. */
export const periodText = (campaign: Pick<CampaignWire, 'startDate' | 'endDate' | 'status'>, today: string): string => {
  const { startDate, endDate } = campaign;
  if (startDate === null && endDate === null) return '';
  const period = showPeriod(startDate, endDate);
  const left = campaign.status === 'ACTIVE' ? daysLeft(campaign, today) : null;
  if (left === 0) return `${period}, последний день`;
  return left === null
    ? period
    : `${period}, ${plural(left, 'остался', 'осталось', 'осталось')} ${formatNumber(left)} ${plural(left, 'день', 'дня', 'дней')}`;
};
