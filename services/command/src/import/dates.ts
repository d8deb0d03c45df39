import { parseDay } from '@zakup/domain/calendar';
import { longestValue } from './cells.ts';
import type { TableCell } from './file/table.ts';

export type DateOrder = 'dmy' | 'mdy' | 'ymd';

const time = /[ T,]+\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s*(?:Z|[+-]\d{2}:?\d{2})?$/u;
const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/u;
const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/u;
/** The only dates that can be read in two ways. */
const yearLast = /^(\d{1,2})([-/])(\d{1,2})\2(\d{4}|\d{2})$/u;

const millisOfDay = 86_400_000;

/** '' = it is too long to be a day. */
const bare = (cell: TableCell): string => {
  const text = String(cell);
  return text.length > longestValue ? '' : text.trim().replace(time, '').trim();
};

const day = (year: string, month: string, dayOfMonth: string): string | null =>
  parseDay(`${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`);

/** A day `YYYY-MM-DD`, a time beside it left out; a number is the serial of a workbook. `null` = no date, or none in this order. */
export const readDate = (cell: TableCell, order: DateOrder, firstSerial: number): string | null => {
  if (typeof cell === 'number') {
    const millis = Date.UTC(1899, 11, 30) + Math.floor(cell + firstSerial) * millisOfDay;
    return cell < 1 || cell > 2_958_465 ? null : parseDay(new Date(millis).toISOString().slice(0, 10));
  }
  const text = bare(cell);
  const [, year, month = '', dayOfMonth = ''] = yearFirst.exec(text) ?? [];
  if (year !== undefined) return day(year, month, dayOfMonth);
  const [, ofMonth, ofYear = '', dottedYear = ''] = dotted.exec(text) ?? [];
  if (ofMonth !== undefined) return day(dottedYear, ofYear, ofMonth);
  const [, first, , second = '', lastYear = ''] = yearLast.exec(text) ?? [];
  if (first === undefined || order === 'ymd') return null;
  return order === 'dmy' ? day(lastYear, second, first) : day(lastYear, first, second);
};

/**
 * In which order the dates of a column stand. `ambiguous`: there are some that would be another day in the other order, and none that can
 * only be read in one; or some that can only be read in the one, and some in the other.
 */
export const guessDateOrder = (cells: Iterable<TableCell>): DateOrder | 'ambiguous' => {
  let [onlyDay, onlyMonth, either, iso, dots] = [0, 0, 0, 0, 0];
  for (const cell of cells) {
    const text = bare(cell);
    if (typeof cell === 'string' && yearFirst.test(text)) iso += 1;
    if (dotted.test(text)) dots += 1;
    const [, first, , second] = yearLast.exec(text) ?? [];
    if (first === undefined || second === undefined || Number(first) === Number(second)) continue;
    if (Number(first) > 12) onlyDay += 1;
    else if (Number(second) > 12) onlyMonth += 1;
    else either += 1;
  }
  if (onlyDay > 0 && onlyMonth > 0) return 'ambiguous';
  if (onlyMonth > 0) return 'mdy';
  if (onlyDay === 0 && either > 0) return 'ambiguous';
  return iso > 0 && dots === 0 && onlyDay === 0 ? 'ymd' : 'dmy';
};
