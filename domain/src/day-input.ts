import { type Day, parseDay } from './calendar.ts';
import { textKey } from './text-key.ts';

/** Days back from today. */
const namedDays: ReadonlyMap<string, number> = new Map([
  ['сегодня', 0],
  ['вчера', 1],
  ['позавчера', 2],
]);

const millisOfDay = 86_400_000;

const daysBefore = (day: Day, days: number): Day | null =>
  parseDay(new Date(Date.parse(day) - days * millisOfDay).toISOString().slice(0, 10));

const dotted = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{2}|\d{4}))?$/u;

/** 29 February comes back after eight years at the latest. */
const yearsBetweenLeaps = 8;

/** The last such day that is not after `asOf`. */
const latest = (monthAndDay: string, asOf: Day): Day | null => {
  const year = Number(asOf.slice(0, 4));
  for (let back = 0; back <= yearsBetweenLeaps; back += 1) {
    const day = parseDay(`${year - back}-${monthAndDay}`);
    if (day !== null && day <= asOf) return day;
  }
  return null;
};

/**
 * A day as it is typed or pasted into a cell: `15.11.2026`, `15.11.26`, `2026-11-15`, `сегодня`, `вчера`, `позавчера`, and `15.11`, which is
 * the last such day that is not after `asOf` (TABLE-28). `null` = 'Некорректная дата'.
 */
export const readDay = (text: string, asOf: Day): Day | null => {
  const bare = text.trim();
  const back = namedDays.get(textKey(bare));
  if (back !== undefined) return daysBefore(asOf, back);
  const match = dotted.exec(bare);
  if (match === null) return parseDay(bare);
  const [, date = '', month = '', year] = match;
  const monthAndDay = `${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year === undefined) return latest(monthAndDay, asOf);
  return parseDay(`${year.length === 2 ? `20${year}` : year}-${monthAndDay}`);
};
