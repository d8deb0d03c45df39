import { readLeads } from '@zakup/domain/leads';
import { messages } from '@zakup/domain/messages';
import { type Kopecks, readPrice } from '@zakup/domain/money';
import { orWrong, type ReadCell } from '@zakup/domain/placement/cell-input';
import type { TableCell } from './file/table.ts';

const currency = /\s*(?:руб(?:\.|лей|ля|ль)?|р\.?|rub)$/iu;

/** Numbers of a workbook are reckoned with errors far behind the kopecks. */
const whole = (amount: number, decimals: number): number => {
  const scale = 10 ** decimals;
  const rounded = Math.round(amount * scale) / scale;
  return Math.abs(rounded - amount) < 1e-6 ? rounded : amount;
};

export const readPriceCell = (cell: TableCell): ReadCell<Kopecks> =>
  orWrong(
    readPrice(typeof cell === 'number' ? whole(cell, 2) : cell.trim().replace(currency, '')),
    messages.priceInvalid,
  );

export const readLeadsCell = (cell: TableCell): ReadCell<number> =>
  orWrong(readLeads(typeof cell === 'number' ? whole(cell, 0) : cell), messages.leadsInvalid);
