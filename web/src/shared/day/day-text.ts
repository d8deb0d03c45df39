import { today } from '@zakup/domain/calendar';
import { readDay } from '@zakup/domain/day-input';

/** `21.11.2026`. What is no day is shown as it stands. */
export const dayText = (day: string): string => {
  const [year, month, date] = day.split('-');
  return date === undefined ? day : `${date}.${month}.${year}`;
};

/** What `readDay` reads, as of today: `21.11.2026`, `21.11`, `вчера` → `2026-11-21`; `null` = no such day from 2000 to 2100. */
export const readDayText = (text: string): string | null => readDay(text, today(Date.now()));
