import { separatedTable } from './separated-table.ts';
import type { Table } from './table.ts';
import { TooManyRows, UnsupportedFile } from './unsupported-file.ts';
import { xlsxTable } from './xlsx-table.ts';

export type ReadTable =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'too_many_rows' };

const isZip = (file: Buffer): boolean => file.length > 3 && file.readUInt32LE(0) === 0x04034b50;

/**
 * The table in a file, told by its content: a workbook, or a text whose cells are separated. Nothing in it is evaluated. Others have their
 * turn meanwhile.
 */
export const readTable = async (file: Buffer): Promise<ReadTable> => {
  try {
    return { kind: 'table', table: await (isZip(file) ? xlsxTable(file) : separatedTable(file)) };
  } catch (error) {
    if (error instanceof UnsupportedFile) return { kind: 'unsupported' };
    if (error instanceof TooManyRows) return { kind: 'too_many_rows' };
    // What a broken file says of its own lengths.
    if (error instanceof RangeError) return { kind: 'unsupported' };
    throw error;
  }
};
