import { csvText } from '@zakup/domain/csv-text';

export type CsvCell = string | number | null;

const cellText = (cell: CsvCell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  return csvText(cell);
};

/** A table as a Russian Excel opens it: BOM, `;`, decimal comma; a text that would begin a formula gets a leading `'`, and one that hides one behind any separator stands in quotes. */
export const csvOf = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\u{feff}${[header, ...rows].map((row) => row.map(cellText).join(';')).join('\r\n')}\r\n`;
