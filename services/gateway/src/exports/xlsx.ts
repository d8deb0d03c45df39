import type { Readable } from 'node:stream';
import type { Cell } from './csv.ts';
import { inChunks } from './in-chunks.ts';
import { zipOf } from './zip.ts';

export interface SheetColumn {
  readonly title: string;
  /** In characters. */
  readonly width: number;
}

export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** How many rows there will be, without the header. */
  readonly count: number;
  /** Read once, no faster than the workbook is taken. */
  readonly rows: () => Iterable<readonly Cell[]> | AsyncIterable<readonly Cell[]>;
  /** Rows below the header of one sheet; more go on in further sheets. Default: what Excel takes. */
  readonly rowsPerSheet?: number;
}

const excelRows = 1_048_575;
const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageRelationships = 'http://schemas.openxmlformats.org/package/2006/relationships';

/** Places in `cellXfs` below. */
const styles = { plain: 0, header: 1, text: 2, whole: 3, money: 4, day: 5 } as const;

const stylesXml = `${header}<styleSheet xmlns="${main}">\
<numFmts count="2"><numFmt numFmtId="164" formatCode="#,##0.00"/><numFmt numFmtId="165" formatCode="dd\\.mm\\.yyyy"/></numFmts>\
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>\
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>\
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>\
<cellXfs count="6">\
<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>\
<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>\
<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="3" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>\
</cellXfs>\
<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const code = (character: string): string => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;

/** As the format writes texts: what XML can not hold, and what reads like such an escape, by its code. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/gu, code)
    .replaceAll(/(?![\t\n])[\p{Cc}\ufffe\uffff]/gu, code)
    .replaceAll(/[&<>"]/gu, (character) => entities[character] ?? '');

const dayMillis = 86_400_000;
/** Days since what Excel counts from; null for what is no day. */
const serialOf = (day: string): number | null => {
  const millis = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(millis) ? null : (millis - Date.UTC(1899, 11, 30)) / dayMillis;
};

/** `A` to `Z`, then `AA`. */
const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

const textCell = (place: string, style: number, text: string): string =>
  `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
const numberCell = (place: string, style: number, value: number): string =>
  `<c r="${place}" s="${style}"><v>${value}</v></c>`;

const cellXml = (place: string, cell: Cell): string => {
  switch (cell.kind) {
    case 'text':
      return textCell(place, styles.text, cell.text);
    case 'whole':
      return numberCell(place, styles.whole, cell.value);
    case 'money':
      return numberCell(place, styles.money, cell.value);
    case 'day': {
      const serial = serialOf(cell.day);
      return serial === null ? textCell(place, styles.text, cell.day) : numberCell(place, styles.day, serial);
    }
    case 'empty':
      return '';
  }
};

const rowXml = (number: number, cells: readonly string[]): string => `<row r="${number}">${cells.join('')}</row>`;

const sheetXml = async function* (
  columns: readonly SheetColumn[],
  rows: Iterator<readonly Cell[]> | AsyncIterator<readonly Cell[]>,
  count: number,
): AsyncGenerator<string, void, undefined> {
  const names = columns.map((_, index) => columnName(index));
  const last = names.at(-1) ?? 'A';
  yield `${header}<worksheet xmlns="${main}"><dimension ref="A1:${last}${count + 1}"/>\
<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>\
<sheetFormatPr defaultRowHeight="15"/>\
<cols>${columns.map(({ width }, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`).join('')}</cols>\
<sheetData>`;
  yield rowXml(
    1,
    columns.map(({ title }, index) => textCell(`${names[index]}1`, styles.header, title)),
  );
  for (let number = 2; number <= count + 1; number += 1) {
    const row = await rows.next();
    if (row.done === true) break;
    yield rowXml(
      number,
      row.value.map((cell, index) => cellXml(`${names[index]}${number}`, cell)),
    );
  }
  yield '</sheetData></worksheet>';
};

const workbookXml = (names: readonly string[]): string =>
  `${header}<workbook xmlns="${main}" xmlns:r="${relationships}"><sheets>${names
    .map((name, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
    .join('')}</sheets></workbook>`;

const workbookRelations = (sheets: number): string =>
  `${header}<Relationships xmlns="${packageRelationships}">${Array.from(
    { length: sheets },
    (_, index) =>
      `<Relationship Id="rId${index + 1}" Type="${relationships}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
  ).join('')}<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" Target="styles.xml"/></Relationships>`;

const rootRelations = `${header}<Relationships xmlns="${packageRelationships}">\
<Relationship Id="rId1" Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const contentTypes = (sheets: number): string =>
  `${header}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/>\
<Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${Array.from(
    { length: sheets },
    (_, index) =>
      `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
  ).join('')}</Types>`;

/** The same in every file, so that the same table makes the same bytes. */
const madeAt = new Date(Date.UTC(2000, 0, 1));

const iteratorOf = (rows: ReturnType<Sheet['rows']>): Iterator<readonly Cell[]> | AsyncIterator<readonly Cell[]> =>
  Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();

/** A workbook with typed cells, made while it is read: texts stay texts, so nothing in it is ever a formula. */
export const xlsxOf = ({ name, columns, count, rows, rowsPerSheet = excelRows }: Sheet): Readable => {
  const sheets = Math.max(1, Math.ceil(count / rowsPerSheet));
  const names = Array.from({ length: sheets }, (_, index) => (index === 0 ? name : `${name} ${index + 1}`));
  const made = (text: string) => () => inChunks([text]);
  let iterator: Iterator<readonly Cell[]> | AsyncIterator<readonly Cell[]> | undefined;
  return zipOf(
    [
      { path: '[Content_Types].xml', content: made(contentTypes(sheets)) },
      { path: '_rels/.rels', content: made(rootRelations) },
      { path: 'xl/workbook.xml', content: made(workbookXml(names)) },
      { path: 'xl/_rels/workbook.xml.rels', content: made(workbookRelations(sheets)) },
      { path: 'xl/styles.xml', content: made(stylesXml) },
      ...names.map((_, index) => ({
        path: `xl/worksheets/sheet${index + 1}.xml`,
        content: () => {
          iterator ??= iteratorOf(rows());
          const left = count - index * rowsPerSheet;
          return inChunks(sheetXml(columns, iterator, Math.min(left, rowsPerSheet)));
        },
      })),
    ],
    madeAt,
  );
};
