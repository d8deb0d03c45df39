import { withoutGuard } from '@zakup/domain/csv-text';
import type { PastedClip } from '../ui/single-value-paste.ts';

/** As much as is pasted at a time. */
export const mostRows = 1000;
export const mostCells = 10_000;
/** Characters of what is on the clipboard: more is not looked into. */
const longest = 4_000_000;

/** What was pasted, in rows of cells that may be of different length. */
export type PastedBlock =
  | {
      readonly kind: 'block';
      readonly rows: readonly (readonly string[])[];
      /** Its cells were told apart by blanks and signs, as nothing else parts them. */
      readonly isGuessed: boolean;
    }
  | { readonly kind: 'tooLarge' }
  | { readonly kind: 'nothing' };

type Rows = readonly (readonly string[])[];

const tooLarge: PastedBlock = { kind: 'tooLarge' };

const isBlank = (cell: string): boolean => cell.trim() === '';

/** Where a cell, a row or the text ends. */
const isEnd = (sign: string | undefined): boolean => sign === undefined || '\t\r\n'.includes(sign);

/** Behind the quote that closes the cell which the one at `from` opens; `null` = none does. */
const closedAt = (text: string, from: number): number | null => {
  let at = text.indexOf('"', from + 1);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at !== -1 && isEnd(text[at + 1]) ? at + 1 : null;
};

/**
 * Rows of cells that tabs part. A cell in quotes may hold tabs, line breaks and doubled quotes; one that only begins with a quote is what it
 * says. Stops behind the first row that is too many.
 */
const tabbedRows = (text: string): Rows => {
  const rows: string[][] = [];
  let cells: string[] = [];
  let at = 0;
  while (at <= text.length && rows.length <= mostRows) {
    const closed = text[at] === '"' ? closedAt(text, at) : null;
    let end = closed ?? at;
    while (!isEnd(text[end])) end += 1;
    cells.push(closed === null ? text.slice(at, end) : text.slice(at + 1, end - 1).replaceAll('""', '"'));
    if (text[end] !== '\t') {
      rows.push(cells);
      cells = [];
    }
    at = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1;
  }
  return rows;
};

const lineBreak = /\r\n|\r|\n/u;
const nickSign = /(?:^|\s)(?:@|(?:https?:\/\/)?(?:t|telegram)\.me\/)\S/iu;
/** Groups of one number, or two numbers. */
const groups = /(?:^|\s)\d{1,3}\s\d{3}(?:\s|$)/u;

const partings: readonly ((line: string) => readonly string[] | null)[] = [
  (line) => line.split(';'),
  (line) => line.split(/[\p{Zs}\t]{2,}/u),
  (line) => (nickSign.test(line) && !groups.test(line) ? line.split(/\p{Zs}+/u) : null),
];

/** Cells of lines as people write them to each other; `null` = nothing parts every one of them into as many. */
const guessedRows = (lines: readonly string[]): Rows | null => {
  const isList = lines.length > 1 || lines.some((line) => nickSign.test(line));
  if (!isList) return null;
  for (const part of partings) {
    const rows = lines.map((line) => part(line)?.map((cell) => cell.trim()) ?? []);
    const [first] = rows;
    if (first !== undefined && first.length > 1 && rows.every(({ length }) => length === first.length)) return rows;
  }
  return null;
};

/** Elements that begin a line of their own. */
const lines = 'br, p, div, li';

const cellText = (cell: Element): string => {
  for (const element of cell.querySelectorAll('style, script, template')) element.remove();
  for (const element of cell.querySelectorAll(lines)) element.before('\n');
  return (cell.textContent ?? '')
    .replaceAll(/[^\S\n]+/gu, ' ')
    .replaceAll(/ ?\n ?/gu, '\n')
    .trim();
};

const spanOf = (cell: Element): number => Math.min(100, Math.max(1, Number(cell.getAttribute('colspan')) || 1));

/** Rows of the first table; the document it stands in is never shown, so nothing of it is loaded or run. */
const htmlRows = (html: string): Rows => {
  const table = new DOMParser().parseFromString(html, 'text/html').querySelector('table');
  const rows = [...(table?.querySelectorAll('tr') ?? [])].filter((row) => row.closest('table') === table);
  return rows
    .slice(0, mostRows + 1)
    .map((row) =>
      [...row.children]
        .filter(({ localName }) => localName === 'td' || localName === 'th')
        .flatMap((cell) => [cellText(cell), ...Array<string>(spanOf(cell) - 1).fill('')]),
    );
};

const widthOf = (rows: Rows): number => rows.reduce((most, { length }) => Math.max(most, length), 0);

/** Without the blank rows and columns at the end, with which spreadsheets end even a single cell. */
const trimmed = (rows: Rows): Rows => {
  const last = rows.findLastIndex((cells) => !cells.every(isBlank));
  return rows.slice(0, last + 1);
};

const blockOf = (rows: Rows, isGuessed: boolean): PastedBlock => {
  const whole = trimmed(rows);
  if (whole.length === 0) return { kind: 'nothing' };
  if (whole.length > mostRows || whole.length * widthOf(whole) > mostCells) return tooLarge;
  return { kind: 'block', rows: whole.map((cells) => cells.map(withoutGuard)), isGuessed };
};

/**
 * The cells on the clipboard: of the text, or of the table beside it where that has more of them. Nothing is left out of a cell but the
 * apostrophe before what a spreadsheet would take for a formula.
 */
export const pastedBlock = ({ text, html }: PastedClip): PastedBlock => {
  if (text.length > longest || (html?.length ?? 0) > longest) return tooLarge;
  const tabbed = tabbedRows(text);
  if (widthOf(tabbed) > 1) return blockOf(tabbed, false);
  const inHtml = html === null ? [] : htmlRows(html);
  if (widthOf(inHtml) > 1 || (isBlank(text) && inHtml.length > 0)) return blockOf(inHtml, false);
  // A column of a spreadsheet keeps its blank cells and line breaks.
  if (inHtml.length > 0) return blockOf(tabbed, false);
  const written = text.split(lineBreak).filter((line) => !isBlank(line));
  if (written.length > mostRows) return tooLarge;
  const guessed = guessedRows(written);
  return guessed === null
    ? blockOf(text.includes('"') ? tabbed : written.map((line) => [line]), false)
    : blockOf(guessed, true);
};
