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

/** Signs in full width too, which some tables read as the narrow ones. */
const startsFormula = /^'*[=+\-@＝＋－＠\t\r\n]/u;

/** With a leading `'` where a table would take the text for a formula; whoever reads it back takes one off such a text. */
export const formulaSafe = (text: string): string => (startsFormula.test(text) ? `'${text}` : text);

/** What a table that separates otherwise would take for a cell of its own, with a formula in it. */
const hidesFormula = /[,|\t][\s']*[=+\-@＝＋－＠]/u;

const quoted = (text: string): string =>
  /[;"\r\n]/u.test(text) || hidesFormula.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

const money = (value: number): string => (Number.isInteger(value) ? String(value) : value.toFixed(2).replace('.', ','));

/** `21.11.2026`; what is no day as it stands. */
const showDay = (day: string): string =>
  /^\d{4}-\d{2}-\d{2}$/u.test(day) ? day.split('-').toReversed().join('.') : formulaSafe(day);

const textOf = (cell: Cell): string => {
  switch (cell.kind) {
    case 'text':
      return quoted(formulaSafe(cell.text));
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
