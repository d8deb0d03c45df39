import { showPeriod } from '../day/shown-day.ts';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { CampaignWire } from '@zakup/contracts/wire-entities';

const dayMillis = 86_400_000;

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMillis);

/** Days until a campaign begins; 0 once it has, and for one without a beginning. */
const daysBefore = ({ startDate }: Pick<CampaignWire, 'startDate'>, today: string): number =>
  startDate === null ? 0 : Math.max(0, daysBetween(today, startDate));

/**
 * Days that are left of a campaign after `today`; before it begins all of its days, with the first and the last.
 * `null` without an end or after it.
 */
export const daysLeft = (campaign: Pick<CampaignWire, 'startDate' | 'endDate'>, today: string): number | null => {
  if (campaign.endDate === null) return null;
  const days = daysBetween(today, campaign.endDate);
  if (days < 0) return null;
  const before = daysBefore(campaign, today);
  return before === 0 ? days : days - before + 1;
};

const daysText = (count: number): string => `${formatNumber(count)} ${plural(count, 'день', 'дня', 'дней')}`;

/** What stands beside the period of an active campaign; `null` where nothing is to be said. */
const termText = (campaign: Pick<CampaignWire, 'startDate' | 'endDate'>, today: string): string | null => {
  const before = daysBefore(campaign, today);
  if (before === 1) return 'начнётся завтра';
  if (before > 1) return `начнётся через ${daysText(before)}`;
  const left = daysLeft(campaign, today);
  if (left === null) return null;
  return left === 0 ? 'последний день' : `${plural(left, 'остался', 'осталось', 'осталось')} ${daysText(left)}`;
};

/** `1–30 ноября, осталось 9 дней`, on the last one `последний день`, before it `начнётся через 4 дня`; empty without dates. */
export const periodText = (campaign: Pick<CampaignWire, 'startDate' | 'endDate' | 'status'>, today: string): string => {
  const { startDate, endDate } = campaign;
  if (startDate === null && endDate === null) return '';
  const period = showPeriod(startDate, endDate);
  const term = campaign.status === 'ACTIVE' ? termText(campaign, today) : null;
  return term === null ? period : `${period}, ${term}`;
};
