import { Readable } from 'node:stream';
import { dayOf, showDateWithYear, showTime } from '@zakup/domain/calendar';
import type { Moment } from '@zakup/projections/past/licence-fold';
import { byteOrderMark, type Cell, csvLine } from './csv.ts';
import { attachment, fileNamePart } from './file-name.ts';
import { inChunks } from './in-chunks.ts';
import type { FileAnswer } from './send-file.ts';
import { type SheetColumn, xlsxOf } from './xlsx.ts';

export interface Table {
  readonly columns: readonly SheetColumn[];
  /** How many rows there are. */
  readonly count: number;
  /** In order, once. */
  readonly rows: () => AsyncIterable<readonly Cell[]>;
}

export interface TableFile {
  readonly format: 'csv' | 'xlsx';
  /** What the file is called is made of these; empty ones are left out. */
  readonly names: readonly string[];
  /** For who does not know Russian names of files, without the ending. */
  readonly plainName: string;
  /** Of the sheet. */
  readonly sheet: string;
  /** The moment that it is of; null = now. */
  readonly at: Moment | null;
  readonly what: 'table' | 'lines';
}

const csvTexts = async function* ({ columns, rows }: Table): AsyncGenerator<string, void, undefined> {
  yield byteOrderMark + csvLine(columns.map(({ title }) => ({ kind: 'text', text: title })));
  for await (const cells of rows()) yield csvLine(cells);
};

/** `как было 14 ноября 2026, 18-42`: a colon may not be in the name of a file. */
const momentName = ({ time }: Moment): string =>
  `как было ${showDateWithYear(dayOf(time))}, ${showTime(time).replace(':', '-')}`;

/** A table as a file that is named after what it is of, and after its moment, if that is not now. */
export const tableFile = (table: Table, { format, names, plainName, sheet, at, what }: TableFile): FileAnswer => {
  const taken = { what, name: (what === 'table' ? names.slice(1) : names).filter((one) => one !== '').join(': ') };
  const name = [...names.map(fileNamePart), ...(at === null ? [] : [momentName(at)])].filter((part) => part !== '');
  const disposition = attachment(`${name.join(' - ')}.${format}`, `${plainName}.${format}`);
  if (format === 'csv')
    return {
      type: 'text/csv; charset=utf-8',
      disposition,
      taken,
      content: Readable.from(inChunks(csvTexts(table)), { objectMode: false }),
    };
  return {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    disposition,
    taken,
    content: xlsxOf({ name: sheet, ...table }),
  };
};
