import { createYielder } from '@zakup/async/yielder';
import { withoutGuard } from '@zakup/domain/csv-text';
import { longestCell, mostColumns, type Table } from './table.ts';
import { tableBuilder } from './table-builder.ts';
import { readText } from './text-encoding.ts';
import { UnsupportedFile } from './unsupported-file.ts';

type Separator = Exclude<Table['separator'], null>;

const separators: readonly Separator[] = [';', ',', '\t'];

/** Excel's own word of which separator a file has. */
const toldSeparator = /^sep=([;,\t])\r?\n/u;

/** Characters of the first line that are looked at for its separator. */
const looked = 64 * 1024;

/** The one that parts the most cells of the first line, quotes passed over. */
const guessSeparator = (text: string): Separator => {
  const counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of text.trimStart().slice(0, looked)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  const of = (separator: Separator): number => counts.get(separator) ?? 0;
  return separators.reduce((best, one) => (of(one) > of(best) ? one : best));
};

/** Index of the quote that closes the cell opened at `from`; two after one another are one of its text. Throws `UnsupportedFile`. */
const closingQuote = (text: string, from: number): number => {
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) throw new UnsupportedFile('A quote without its other');
    if (quote - from > longestCell) throw new UnsupportedFile('A cell without an end');
    if (text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
};

/** The quoted cell that begins at `from`, and the index behind it. */
const quotedCell = (text: string, from: number): { readonly cell: string; readonly end: number } => {
  const quote = closingQuote(text, from);
  return { cell: text.slice(from + 1, quote).replaceAll('""', '"'), end: quote + 1 };
};

const lineEnd = /[\r\n]/gu;
/** Cells after which others may have their turn, in a record that has so many. */
const pulse = 1_000;

/** One record after the other. What stands behind a closing quote is part of the cell. `null` = a record goes on: others may have their turn. */
const records = function* (text: string, separator: Separator): Generator<readonly string[] | null, void, undefined> {
  let at = 0;
  let cells: string[] = [];
  let passed = 0;
  const push = (cell: string): void => {
    if (cell.length > longestCell) throw new UnsupportedFile('A cell without an end');
    if (cells.length < mostColumns) cells.push(cell);
    passed += 1;
  };
  let nextEnd = -1;
  const endFrom = (from: number): number => {
    if (nextEnd >= from) return nextEnd;
    lineEnd.lastIndex = from;
    nextEnd = lineEnd.exec(text)?.index ?? text.length;
    return nextEnd;
  };
  let nextSeparator = -1;
  const separatorFrom = (from: number): number => {
    if (nextSeparator >= from) return nextSeparator;
    const found = text.indexOf(separator, from);
    nextSeparator = found === -1 ? text.length : found;
    return nextSeparator;
  };
  while (at < text.length) {
    const quoted = text[at] === '"' ? quotedCell(text, at) : { cell: '', end: at };
    const end = Math.min(endFrom(quoted.end), separatorFrom(quoted.end));
    push(quoted.cell + text.slice(quoted.end, end));
    if (end < text.length && text[end] === separator) {
      at = end + 1;
      if (at === text.length) push('');
      if (passed % pulse === 0) yield null;
      continue;
    }
    yield cells;
    cells = [];
    passed = 0;
    at = text[end] === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1;
  }
  if (cells.length > 0) yield cells;
};

/** Reads a file whose cells are separated. Throws `UnsupportedFile` and `TooManyRows`. */
export const separatedTable = async (file: Buffer): Promise<Table> => {
  const yieldIfDue = createYielder();
  const { encoding, text: whole } = await readText(file);
  const told = toldSeparator.exec(whole);
  const text = told === null ? whole : whole.slice(told[0].length);
  const separator = (told?.[1] as Separator | undefined) ?? guessSeparator(text);
  const builder = tableBuilder();
  for (const cells of records(text, separator)) {
    if (cells !== null) builder.add(cells.map(withoutGuard));
    await yieldIfDue();
  }
  const built = builder.built();
  if (built === null) throw new UnsupportedFile('Nothing in it');
  return { encoding, separator, ...built, firstSerial: 0 };
};
