export type CsvCell = string | number | null;

/** As in the exports of the server, with signs in full width too. */
const formula = /^'*[=+\-@＝＋－＠\t\r\n]/u;
/** What a table that separates otherwise would take for a cell of its own, with a formula in it. */
const hidesFormula = /[,|\t][\s']*[=+\-@＝＋－＠]/u;

const cellText = (cell: CsvCell): string => {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell).replace('.', ',');
  const safe = formula.test(cell) ? `'${cell}` : cell;
  return /[;"\r\n]/u.test(safe) || hidesFormula.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** A table as a Russian Excel opens it: BOM, `;`, decimal comma; a text that would begin a formula gets a leading `'`, and one that hides one behind any separator stands in quotes. */
export const csvOf = (header: readonly string[], rows: readonly (readonly CsvCell[])[]): string =>
  `\u{feff}${[header, ...rows].map((row) => row.map(cellText).join(';')).join('\r\n')}\r\n`;
