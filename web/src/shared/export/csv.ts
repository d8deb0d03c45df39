export type CsvCell = string | number | null;

/** As in the exports of the server, with signs in full width too. */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/u;

const cellText = (cell: CsvCell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[;,|\t"\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A table as a Russian Excel opens it: BOM, `;`, decimal comma; a text that would begin a formula gets a leading `'`, and one with any separator stands in quotes. */
export const csvOf = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\u{feff}${[header, ...rows].map((row) => row.map(cellText).join(';')).join('\r\n')}\r\n`;
