import { fieldOfHeading } from '@zakup/contracts/column-headings';
import type { ImportField, ImportMapping } from '@zakup/contracts/imports';
import type { Table } from './file/table.ts';

export interface ImportColumn {
  readonly index: number;
  readonly header: string;
  readonly field: ImportField | null;
}

const columnsOf = ({ header, rows }: Table): number =>
  rows.reduce((most, { cells }) => Math.max(most, cells.length), header.length);

/**
 * What each column holds: as the mapping says, else as its heading is known. Of several with one heading the first is taken, and none of a
 * field that the mapping gives to another column.
 */
export const importColumns = (table: Table, given: ImportMapping['columns'] = {}): readonly ImportColumn[] => {
  const taken = new Set<ImportField>(Object.values(given).filter((field) => field !== null));
  return Array.from({ length: columnsOf(table) }, (_, index) => {
    const header = table.header[index] ?? '';
    const told = given[String(index)];
    if (told !== undefined) return { index, header, field: told };
    const guessed = fieldOfHeading(header);
    if (guessed === null || taken.has(guessed)) return { index, header, field: null };
    taken.add(guessed);
    return { index, header, field: guessed };
  });
};
