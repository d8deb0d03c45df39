import * as calendar from '@zakup/domain/calendar';

let today = (): calendar.Day => calendar.today(Date.now());

/** Days of another year than this one's are shown with their year, everywhere. */
export const showDaysAsOf = (read: () => calendar.Day): void => {
  today = read;
};

/** `21 НОЯБРЯ | СУББОТА`, of another year `21 НОЯБРЯ 2025 | ПТ`. */
export const showDay = (day: calendar.Day): string => calendar.showDay(day, today());

/** `21 нояб., сб`, of another year `21 нояб. 2025, пт`. */
export const showShortDay = (day: calendar.Day): string => calendar.showShortDay(day, today());

/** `21 нояб.`, of another year `21 нояб. 2025`. */
export const showShortDate = (day: calendar.Day): string => calendar.showShortDate(day, today());

/** `21 ноября`, of another year `21 ноября 2025`. */
export const showDate = (day: calendar.Day): string => calendar.showDate(day, today());

/** `июль`, of another year `июль 2025`. */
export const showMonth = (day: calendar.Day): string => calendar.showMonth(day, today());

/** `21 ноября, 14:36` at UTC+3, of another year `21 ноября 2025, 14:36`. */
export const showInstant = (instant: string): string => calendar.showInstant(instant, today());

/** `19–21 ноября`, `28 октября – 3 ноября`, `28 декабря 2025 – 3 января`, `с 19 ноября`, `до 21 ноября`; empty = no bounds. */
export const showPeriod = (from: calendar.Day | null, to: calendar.Day | null): string => {
  if (from === null) return to === null ? '' : `до ${showDate(to)}`;
  if (to === null) return `с ${showDate(from)}`;
  if (from === to) return showDate(from);
  return from.slice(0, 7) === to.slice(0, 7)
    ? `${Number(from.slice(8))}–${showDate(to)}`
    : `${showDate(from)} – ${showDate(to)}`;
};
