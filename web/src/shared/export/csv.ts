export type CsvCell = string | number | null;

const formula = /^[=+\-@\t\r]/u;

const cellText = (cell: CsvCell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[;"\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A table as a Russian Excel opens it: BOM, `;`, decimal comma; a text that would begin a formula gets a leading `'`. */
export const csvOf = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\u{feff}${[header, ...rows].map((row) => row.map(cellText).join(';')).join('\r\n')}\r\n`;
