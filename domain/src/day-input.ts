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

/** Nine months: a day that is further from today than this is meant in the year beside. */
const mostDays = 274;

/** The day of this year; around the turn of a year the one of the year beside, as December is typed in January and January in December. */
const withoutYear = (monthAndDay: string, asOf: Day): Day | null => {
  const year = Number(asOf.slice(0, 4));
  const day = parseDay(`${year}-${monthAndDay}`);
  if (day === null) return null;
  const ahead = (Date.parse(day) - Date.parse(asOf)) / millisOfDay;
  if (Math.abs(ahead) <= mostDays) return day;
  return parseDay(`${ahead > 0 ? year - 1 : year + 1}-${monthAndDay}`) ?? day;
};

/**
 * A day as it is typed or pasted into a cell: `15.11.2026`, `15.11.26`, `2026-11-15`, `сегодня`, `вчера`, `позавчера`, and `15.11`, which is
 * of the year of `asOf`, or of the one beside where that day is more than nine months away (TABLE-28). `null` = 'Некорректная дата'.
 */
export const readDay = (text: string, asOf: Day): Day | null => {
  const bare = text.trim();
  const back = namedDays.get(textKey(bare));
  if (back !== undefined) return daysBefore(asOf, back);
  const match = dotted.exec(bare);
  if (match === null) return parseDay(bare);
  const [, date = '', month = '', year] = match;
  const monthAndDay = `${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  if (year === undefined) return withoutYear(monthAndDay, asOf);
  return parseDay(`${year.length === 2 ? `20${year}` : year}-${monthAndDay}`);
};
