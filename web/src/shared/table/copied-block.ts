import { formulaSafe } from '@zakup/domain/csv-text';
import type { CopiedCell } from './grid-column.ts';
import { type CellBlock, columnsOf, rowsOf } from './grid-range.ts';

/** Begins with `@` and is no formula: it stays as a person reads it. */
const nick = /^@[\w.]+$/u;

/** A text that a spreadsheet would take for a formula stands behind an apostrophe. */
const safe = (text: string): string => (nick.test(text) ? text : formulaSafe(text));

/** As a Russian spreadsheet reads it back: decimal comma, no groups, no sign of the currency; days as `21.11.2026`. */
const plainText = (cell: CopiedCell): string => {
  switch (cell.kind) {
    case 'number':
      return String(cell.value).replace('.', ',');
    case 'day':
      return cell.day.split('-').toReversed().join('.');
    case 'text':
      return safe(cell.text);
  }
};

/** As Excel does: in quotes where a tab, a line break or a quote stands in it. */
const tsvCell = (text: string): string => (/["\t\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const htmlCell = (text: string): string =>
  `<td>${text.replaceAll(/[&<>"]/gu, (sign) => escapes[sign] ?? sign).replaceAll(/\r\n|\r|\n/gu, '<br>')}</td>`;

export interface CopiedBlock {
  /** TSV. */
  readonly text: string;
  /** A table. */
  readonly html: string;
}

/** A block that has nothing to give. */
export const emptyTable = '<table></table>';

/** What a block gives to the clipboard; columns that have nothing to give are left out. */
export const copiedBlock = <Row>(block: CellBlock<Row>): CopiedBlock => {
  const givers = columnsOf(block).flatMap(({ copied }) => copied ?? []);
  if (givers.length === 0) return { text: '', html: emptyTable };
  const rows = rowsOf(block).map((row) => givers.map((copied) => plainText(copied(row))));
  const table = rows.map((cells) => `<tr>${cells.map(htmlCell).join('')}</tr>`).join('');
  return {
    text: rows.map((cells) => cells.map(tsvCell).join('\t')).join('\n'),
    html: `<table>${table}</table>`,
  };
};
