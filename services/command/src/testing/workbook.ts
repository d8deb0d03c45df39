import { crc32, deflateRawSync } from 'node:zlib';

const header = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A ZIP archive of these parts, with what a test wants to be wrong in it. */
export const zipFile = (
  parts: Readonly<Record<string, string | Buffer>>,
  { isEncrypted = false, claimedSize }: { readonly isEncrypted?: boolean; readonly claimedSize?: number } = {},
): Buffer => {
  const files: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const [path, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const name = Buffer.from(path);
    const about = Buffer.alloc(26);
    about.writeUInt16LE(20, 0);
    about.writeUInt16LE(isEncrypted ? 1 : 0, 2);
    about.writeUInt16LE(8, 4);
    about.writeUInt32LE(crc32(bytes), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(claimedSize ?? bytes.length, 18);
    about.writeUInt16LE(name.length, 22);
    const part = Buffer.concat([Buffer.from('PK\u0003\u0004'), about, name, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    list.push(Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), about, place, name]));
    files.push(part);
    offset += part.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(list.length, 4);
  end.writeUInt16LE(list.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, directory, Buffer.from('PK\u0005\u0006'), end]);
};

interface Workbook {
  /** XML within `sheetData`. */
  readonly rows: string;
  readonly strings?: readonly string[];
  readonly from1904?: boolean;
  /** Names of number formats by the place of their style. */
  readonly formats?: readonly string[];
  /** XML within `sheets`; the default is one sheet. */
  readonly sheets?: string;
}

const relationship = (id: string, type: string, target: string): string =>
  `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
const relationships = (...all: readonly string[]): string => `${header}<Relationships>${all.join('')}</Relationships>`;

/** The parts of a workbook; its one sheet is `xl/worksheets/sheet1.xml`. */
export const workbookParts = ({ rows, strings = [], from1904 = false, formats = [], sheets }: Workbook) => ({
  '_rels/.rels': relationships(relationship('rId1', 'officeDocument', 'xl/workbook.xml')),
  'xl/workbook.xml': `${header}<workbook ${main} xmlns:r="${office}"><workbookPr${from1904 ? ' date1904="1"' : ''}/>\
<sheets>${sheets ?? '<sheet name="Лист" sheetId="1" r:id="rId1"/>'}</sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationships(
    relationship('rId1', 'worksheet', 'worksheets/sheet1.xml'),
    relationship('rId2', 'worksheet', '/xl/worksheets/sheet2.xml'),
    relationship('rId3', 'sharedStrings', 'sharedStrings.xml'),
    relationship('rId4', 'styles', 'styles.xml'),
  ),
  'xl/sharedStrings.xml': `${header}<sst ${main}>${strings.map((one) => `<si>${one}</si>`).join('')}</sst>`,
  'xl/styles.xml': `${header}<styleSheet ${main}><numFmts>${formats
    .map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code}"/>`)
    .join('')}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${formats
    .map((_, index) => `<xf numFmtId="${200 + index}"/>`)
    .join('')}</cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml': `${header}<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`,
});

export const workbook = (content: Workbook): Buffer => zipFile(workbookParts(content));
