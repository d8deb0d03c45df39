import type { ImportMapping } from '@zakup/contracts/imports';
import { mostColumns, type Table, type TableCell } from './file/table.ts';

/** The table with these cells in the place of its own; those of rows that it does not have are left out. */
export const mendedTable = (table: Table, mended: ImportMapping['cells'] = {}): Table => {
  if (Object.keys(mended).length === 0) return table;
  const rows = table.rows.map((row) => {
    const texts = mended[String(row.number)];
    if (texts === undefined) return row;
    const cells: TableCell[] = [...row.cells];
    for (const [index, text] of Object.entries(texts)) {
      const column = Number(index);
      if (column >= mostColumns) continue;
      while (cells.length <= column) cells.push('');
      cells[column] = text;
    }
    return { ...row, cells };
  });
  return { ...table, rows };
};
