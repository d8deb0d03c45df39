import { readLeads } from '@zakup/domain/leads';
import { messages } from '@zakup/domain/messages';
import { type Kopecks, readPrice } from '@zakup/domain/money';
import { orWrong, type ReadCell } from '@zakup/domain/placement/cell-input';
import type { TableCell } from './file/table.ts';

/** Characters of a price or a day beyond which it is none, so that blanks in it are not looked through again and again. */
export const longestValue = 100;

const currency = /\s*(?:руб(?:\.|лей|ля|ль)?|р\.?|rub)$/iu;

/** Numbers of a workbook are reckoned with errors far behind the kopecks. */
const whole = (amount: number, decimals: number): number => {
  const scale = 10 ** decimals;
  const rounded = Math.round(amount * scale) / scale;
  return Math.abs(rounded - amount) < 1e-6 ? rounded : amount;
};

const withoutCurrency = (cell: string): string =>
  cell.length > longestValue ? cell : cell.trim().replace(currency, '');

export const readPriceCell = (cell: TableCell): ReadCell<Kopecks> =>
  orWrong(readPrice(typeof cell === 'number' ? whole(cell, 2) : withoutCurrency(cell)), messages.priceInvalid);

export const readLeadsCell = (cell: TableCell): ReadCell<number> =>
  orWrong(readLeads(typeof cell === 'number' ? whole(cell, 0) : cell), messages.leadsInvalid);
