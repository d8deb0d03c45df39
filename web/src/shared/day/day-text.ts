import { parseDay } from '@zakup/domain/calendar';

/** `21.11.2026`. What is no day is shown as it stands. */
export const dayText = (day: string): string => {
  const [year, month, date] = day.split('-');
  return date === undefined ? day : `${date}.${month}.${year}`;
};

/** `21.11.2026`, `1.2.2026`, `21.11.26` or `2026-11-21` → `2026-11-21`; `null` = no such day from 2000 to 2100. */
export const readDayText = (text: string): string | null => {
  const bare = text.trim();
  const match = /^(\d{1,2})\.(\d{1,2})\.(\d{2}|\d{4})$/u.exec(bare);
  if (match === null) return parseDay(bare);
  const [, date = '', month = '', year = ''] = match;
  return parseDay(`${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
};
