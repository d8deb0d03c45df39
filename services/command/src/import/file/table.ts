/** A cell as it is stored: a text, or a number of a workbook. '' = empty. */
export type TableCell = string | number;

export interface TableRow {
  /** Counts from 1 below the heading; blank rows are counted and left out. */
  readonly number: number;
  readonly cells: readonly TableCell[];
}

/** The table of a file: its heading, and what stands below it. */
export interface Table {
  /** `null` of a workbook. */
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1251' | null;
  /** `null` of a workbook. */
  readonly separator: ';' | ',' | '\t' | null;
  readonly header: readonly string[];
  readonly rows: readonly TableRow[];
  /** Serial of a workbook whose days count from 1904 begin so much later. */
  readonly firstSerial: 0 | 1462;
}

/** Rows below the heading that an import takes. */
export const mostRows = 20_000;
/** Cells of a row beyond these are not looked at. */
export const mostColumns = 200;
/** Rows that a sheet can have, blank ones with them. */
export const mostRowsOfSheet = 1_048_576;
/** Characters of a cell, several times what the cell of any sheet holds: with more it is no table. */
export const longestCell = 200_000;
