import { mostRows, mostRowsOfSheet, type TableCell, type TableRow } from './table.ts';
import { TooManyRows } from './unsupported-file.ts';

const isBlank = (cell: TableCell): boolean => typeof cell === 'string' && cell.trim() === '';

/** Takes rows in order: the first that is not blank is the heading. Throws `TooManyRows`. */
export const tableBuilder = () => {
  let header: readonly string[] | null = null;
  let number = 0;
  let seen = 0;
  const rows: TableRow[] = [];
  return {
    add(cells: readonly TableCell[]): void {
      seen += 1;
      if (seen > mostRowsOfSheet) throw new TooManyRows(`More than ${mostRowsOfSheet} rows, blank ones with them`);
      if (header !== null) number += 1;
      if (cells.every(isBlank)) return;
      if (header === null) {
        header = cells.map((cell) => String(cell).trim());
        return;
      }
      if (rows.length === mostRows) throw new TooManyRows(`More than ${mostRows} rows`);
      rows.push({ number, cells });
    },
    /** `null` = there was no heading. */
    built: (): { readonly header: readonly string[]; readonly rows: readonly TableRow[] } | null =>
      header === null ? null : { header, rows },
  };
};
