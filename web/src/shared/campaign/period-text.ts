import { showDate } from '@zakup/domain/calendar';
import { plural } from '@zakup/domain/russian';
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
  const sameMonth = startDate?.slice(0, 7) === endDate?.slice(0, 7);
  const period =
    startDate === null
      ? `до ${showDate(endDate ?? '')}`
      : endDate === null
        ? `с ${showDate(startDate)}`
        : sameMonth
          ? `${Number(startDate.slice(8))}–${showDate(endDate)}`
          : `${showDate(startDate)} – ${showDate(endDate)}`;
  const left = campaign.status === 'ACTIVE' ? daysLeft(campaign, today) : null;
  if (left === 0) return `${period}, последний день`;
  return left === null
    ? period
    : `${period}, ${plural(left, 'остался', 'осталось', 'осталось')} ${left} ${plural(left, 'день', 'дня', 'дней')}`;
};
