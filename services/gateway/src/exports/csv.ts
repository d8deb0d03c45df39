import { csvText, formulaSafe } from '@zakup/domain/csv-text';

/** A cell of an exported table. */
export type Cell =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'whole'; readonly value: number }
  /** Roubles. */
  | { readonly kind: 'money'; readonly value: number }
  /** A calendar day `YYYY-MM-DD`. */
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'empty' };

/** By it Excel knows that the file is in UTF-8. */
export const byteOrderMark = '\ufeff';

const money = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2).replace('.', ','));

/** `21.11.2026`; what is no day as it stands. */
const showDay = (day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/u.test(day) ? day.split('-').toReversed().join('.') : formulaSafe(day);

const textOf = (cell: Cell): string => {
  switch (cell.kind) {
    case 'text':
      return csvText(cell.text);
    case 'whole':
      return String(cell.value);
    case 'money':
      return money(cell.value);
    case 'day':
      return showDay(cell.day);
    case 'empty':
      return '';
  }
};

/** One line as a Russian Excel reads it: `;` between cells, decimal comma, CRLF. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(textOf).join(';')}\r\n`;
