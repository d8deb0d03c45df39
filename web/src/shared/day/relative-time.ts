import { showInstant } from './shown-day.ts';

/** `только что`, `5 мин назад`, `2 ч назад`, and from a day on the moment itself at UTC+3. `now`: milliseconds since 1970. */
export const relativeTime = (instant: string, now: number): string => {
  const minutes = Math.floor((now - Date.parse(instant)) / 60_000);
  if (Number.isNaN(minutes) || minutes >= 24 * 60) return showInstant(instant);
  if (minutes < 1) return 'только что';
  return minutes < 60 ? `${minutes} мин назад` : `${Math.floor(minutes / 60)} ч назад`;
};
