import { showDate, showShortDate } from '../../shared/day/shown-day.ts';
import { showShortDate as bareShortDate } from '@zakup/domain/calendar';
import { formatNumber } from '@zakup/domain/russian';

/** Beyond so many days a tick without its month says nothing. */
const daysOfBareTicks = 45;

/** Ticks under days: `1 нояб.`, `4`, `7`; with the month each time where there are many days. */
export const dayTicks =
  (days: number) =>
  (date: string, index: number): string => {
    const day = Number(date.slice(8));
    const named = days > daysOfBareTicks || index === 0 || day === 1;
    if (!named) return String(day);
    // The year where the picture begins and where a new one does; beside each tick it would leave no room for the others.
    const begins = index === 0 || date.slice(5) === '01-01';
    return begins ? showShortDate(date) : bareShortDate(date);
  };

/** `30 тыс.`, `1,5 млн`; whole roubles below a thousand. */
export const roughRoubles = (roubles: number): string => {
  const size = Math.abs(roubles);
  if (size >= 1_000_000) return `${formatNumber(Math.round(roubles / 100_000) / 10)} млн`;
  if (size >= 10_000) return `${formatNumber(Math.round(roubles / 1000))} тыс.`;
  return formatNumber(Math.round(roubles));
};

export const fullDate = showDate;

/** A round number at or above the greatest value, for the end of an axis; 1 for nothing. */
export const roundUp = (value: number): number => {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((one) => one * power >= value) ?? 10;
  return step * power;
};
