import { createYielder } from '@zakup/async/yielder';
import { longestCell, mostColumns, type Table, type TableCell } from './table.ts';
import { tableBuilder } from './table-builder.ts';
import { UnsupportedFile } from './unsupported-file.ts';
import { decodeXml, type XmlListener, xmlReader } from './xml-tags.ts';
import { type ZipArchive, zipArchive } from './zip-archive.ts';

const readPart = async (archive: ZipArchive, name: string, listener: XmlListener): Promise<void> => {
  const yieldIfDue = createYielder();
  const decoder = new TextDecoder('utf-8');
  const reader = xmlReader(listener);
  for await (const piece of archive.read(name)) {
    for (let at = 0; at < piece.length; at += 16 * 1024) {
      reader.write(decoder.decode(piece.subarray(at, at + 16 * 1024), { stream: true }));
      await yieldIfDue();
    }
  }
  reader.write(decoder.decode());
  reader.end();
};

const nothing = (): undefined => undefined;

/** Where a part that another one names lies in the archive. */
const resolved = (from: string, target: string): string => {
  const path = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
};

interface Relationship {
  readonly id: string;
  /** The last part of its address, such as `worksheet`. */
  readonly type: string;
  readonly target: string;
}

const relationshipsOf = async (archive: ZipArchive, part: string): Promise<readonly Relationship[]> => {
  const folder = part.split('/').slice(0, -1).join('/');
  const name = `${folder === '' ? '' : `${folder}/`}_rels/${part.split('/').at(-1) ?? ''}.rels`;
  if (!archive.has(name)) return [];
  const found: Relationship[] = [];
  await readPart(archive, name, {
    open(tag, attributes) {
      if (tag !== 'Relationship') return;
      const type = attributes('Type')?.split('/').at(-1) ?? '';
      found.push({ id: attributes('Id') ?? '', type, target: resolved(part, attributes('Target') ?? '') });
    },
    close: nothing,
    text: nothing,
  });
  return found;
};

interface Workbook {
  /** Relationship of its first visible sheet. */
  readonly sheet: string | null;
  readonly from1904: boolean;
}

const workbookOf = async (archive: ZipArchive, part: string): Promise<Workbook> => {
  let sheet: string | null = null;
  let from1904 = false;
  await readPart(archive, part, {
    open(tag, attributes) {
      if (tag === 'workbookPr') from1904 = ['1', 'true'].includes(attributes('date1904') ?? '');
      if (tag === 'sheet' && sheet === null && (attributes('state') ?? 'visible') === 'visible')
        sheet = attributes('id') ?? null;
    },
    close: nothing,
    text: nothing,
  });
  return { sheet, from1904 };
};

/** What the format writes for characters that XML does not hold. */
const decodeText = (written: string): string =>
  decodeXml(written).replaceAll(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );

/** Throws `UnsupportedFile` where a text has no end. */
const withPiece = (written: string, piece: string): string => {
  if (written.length + piece.length > longestCell) throw new UnsupportedFile('A cell without an end');
  return written + piece;
};

/** Text of `t` within something, that of phonetic hints left out. */
const textCollector = () => {
  let written = '';
  let isText = false;
  let hints = 0;
  return {
    begin(): void {
      written = '';
    },
    open(tag: string): void {
      if (tag === 'rPh') hints += 1;
      isText = tag === 't' && hints === 0;
    },
    close(tag: string): void {
      if (tag === 'rPh') hints -= 1;
      if (tag === 't') isText = false;
    },
    text(piece: string): void {
      if (isText) written = withPiece(written, piece);
    },
    get: (): string => decodeText(written),
  };
};

const sharedStringsOf = async (archive: ZipArchive, part: string): Promise<readonly string[]> => {
  const strings: string[] = [];
  const collector = textCollector();
  await readPart(archive, part, {
    open(tag) {
      if (tag === 'si') collector.begin();
      collector.open(tag);
    },
    close(tag) {
      collector.close(tag);
      if (tag === 'si') strings.push(collector.get());
    },
    text: (piece) => collector.text(piece),
  });
  return strings;
};

/** Formats of days and times that every workbook knows. */
const isKnownDayFormat = (id: number): boolean =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
/** Characters that a format has at most. */
const longestFormat = 255;
const isDayFormat = (code: string): boolean =>
  /[dyDY]/u.test(code.slice(0, longestFormat).replaceAll(/"[^"]*"|\\.|\[[^\]]*\]|_./gu, ''));

/** Whether cells of a style show days, by the style's place. */
const dayStylesOf = async (archive: ZipArchive, part: string): Promise<readonly boolean[]> => {
  const own = new Map<number, string>();
  const styles: boolean[] = [];
  let isCells = false;
  await readPart(archive, part, {
    open(tag, attributes) {
      if (tag === 'numFmt') own.set(Number(attributes('numFmtId')), attributes('formatCode') ?? '');
      if (tag === 'cellXfs') isCells = true;
      if (tag !== 'xf' || !isCells) return;
      const id = Number(attributes('numFmtId') ?? '0');
      const code = own.get(id);
      styles.push(code === undefined ? isKnownDayFormat(id) : isDayFormat(code));
    },
    close(tag) {
      if (tag === 'cellXfs') isCells = false;
    },
    text: nothing,
  });
  return styles;
};

/** Index from 0 of a column's letters; -1 = there are none. */
const columnOf = (place: string): number => {
  const letters = /^[A-Z]{1,3}/u.exec(place)?.[0] ?? '';
  return letters.split('').reduce((index, letter) => index * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

const millisOfDay = 86_400_000;
/** What is shown of a day; a serial that is none stays a number. */
const dayText = (serial: number, firstSerial: number): TableCell => {
  const millis = Date.UTC(1899, 11, 30) + Math.floor(serial + firstSerial) * millisOfDay;
  return serial < 1 || serial > 2_958_465 ? serial : new Date(millis).toISOString().slice(0, 10);
};

interface SheetContext {
  readonly strings: readonly string[];
  readonly dayStyles: readonly boolean[];
  readonly firstSerial: 0 | 1462;
}

const cellValue = (
  type: string,
  style: number,
  written: string,
  inline: string,
  { strings, dayStyles, firstSerial }: SheetContext,
): TableCell => {
  switch (type) {
    case 's': {
      const shared = strings[Number(written)];
      if (shared === undefined) throw new UnsupportedFile('A text that is not there');
      return shared;
    }
    case 'inlineStr':
      return inline;
    case 'n': {
      const number = Number(written);
      if (written.trim() === '' || !Number.isFinite(number)) return decodeText(written);
      return dayStyles[style] === true ? dayText(number, firstSerial) : number;
    }
    case 'b':
      return written === '1' ? 'да' : 'нет';
    default:
      return decodeText(written);
  }
};

const readSheet = async (archive: ZipArchive, part: string, context: SheetContext) => {
  const builder = tableBuilder();
  const inline = textCollector();
  let row = 0;
  let cells: TableCell[] = [];
  let cell: { readonly column: number; readonly type: string; readonly style: number } | null = null;
  let column = -1;
  let value = '';
  let isValue = false;
  await readPart(archive, part, {
    open(tag, attributes) {
      inline.open(tag);
      if (tag === 'row') {
        const told = Number(attributes('r') ?? row + 1);
        // Blank rows are not written, and are counted all the same; of very many the number is not told.
        const blank = told <= 1_048_576 ? Math.max(0, told - row - 1) : 0;
        for (let left = blank; left > 0; left -= 1) builder.add([]);
        row += blank + 1;
        cells = [];
        column = -1;
      }
      if (tag === 'c') {
        const told = columnOf(attributes('r') ?? '');
        column = told === -1 ? column + 1 : told;
        cell = { column, type: attributes('t') ?? 'n', style: Number(attributes('s') ?? '0') };
        value = '';
        inline.begin();
      }
      isValue = tag === 'v';
    },
    close(tag) {
      inline.close(tag);
      if (tag === 'v') isValue = false;
      if (tag === 'c' && cell !== null) {
        if (cell.column < mostColumns) {
          while (cells.length < cell.column) cells.push('');
          cells[cell.column] = cellValue(cell.type, cell.style, value, inline.get(), context);
        }
        cell = null;
      }
      if (tag === 'row') builder.add(cells);
    },
    text(piece) {
      inline.text(piece);
      if (isValue) value = withPiece(value, piece);
    },
  });
  return builder.built();
};

/** Reads the first visible sheet of a workbook; a formula is the value that was stored for it. Throws `UnsupportedFile` and `TooManyRows`. */
export const xlsxTable = async (file: Buffer): Promise<Table> => {
  const archive = zipArchive(file);
  const main = (await relationshipsOf(archive, '')).find(({ type }) => type === 'officeDocument')?.target;
  const part = main ?? 'xl/workbook.xml';
  const { sheet, from1904 } = await workbookOf(archive, part);
  const relationships = await relationshipsOf(archive, part);
  const target = relationships.find(({ id, type }) => id === sheet && type === 'worksheet')?.target;
  if (target === undefined) throw new UnsupportedFile('No sheet that is seen');
  const read = async <Value>(
    type: string,
    of: (archive: ZipArchive, part: string) => Promise<readonly Value[]>,
  ): Promise<readonly Value[]> => {
    const found = relationships.find((one) => one.type === type)?.target;
    return found === undefined ? [] : of(archive, found);
  };
  const strings = await read('sharedStrings', sharedStringsOf);
  const dayStyles = await read('styles', dayStylesOf);
  const firstSerial = from1904 ? 1462 : 0;
  const built = await readSheet(archive, target, { strings, dayStyles, firstSerial });
  if (built === null) throw new UnsupportedFile('Nothing in it');
  return { encoding: null, separator: null, ...built, firstSerial };
};
