import { describe, expect, it } from 'vitest';
import { workbook, workbookParts, zipFile } from '../../testing/workbook.ts';
import { readTable } from './read-table.ts';

const tableOf = async (file: Buffer) => {
  const read = await readTable(file);
  if (read.kind !== 'table') throw new Error(`It is ${read.kind}`);
  return read.table;
};
const cellsOf = async (file: Buffer) => (await tableOf(file)).rows.map(({ cells }) => cells);
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();
/** Of windows-1251, as far as these texts need it. */
const windows1251 = (text: string): Buffer =>
  Buffer.from(
    text.split('').map((one) => {
      const code = one.charCodeAt(0);
      if (one === '₽') return 0x3f;
      return code >= 0x410 && code <= 0x44f ? code - 0x350 : code;
    }),
  );
const bom = '\ufeff';

describe('a file whose cells are separated', () => {
  const text = 'Дата;Ник\n01.02.2026;@один\n';

  it.each([
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(bom + text)],
    ['utf-16le', Buffer.from(bom + text, 'utf16le')],
    ['utf-16be', utf16be(bom + text)],
    ['utf-16le', Buffer.from(`id;nick\n1;${'a'.repeat(50)}\n`, 'utf16le')],
    ['windows-1251', windows1251(text)],
  ])('IMP-1831 is read as %s by its content', async (encoding, file) => {
    const table = await tableOf(file);
    expect(table.encoding).toBe(encoding);
    expect(table.header).toHaveLength(2);
    expect(table.header[0]).not.toContain(bom);
    expect(table.rows).toHaveLength(1);
  });

  it('IMP-1832 keeps separators, quotes and line breaks in quotes, and takes whatever ends its lines', async () => {
    for (const separator of [';', ',', '\t']) {
      const file =
        ['a', 'b', 'c'].join(separator) + `\r\n"1${separator}2"${separator}"line\r\nbreak"${separator}"say ""hi"""\r`;
      expect(await tableOf(Buffer.from(`${file}x${separator}y${separator}z`))).toMatchObject({
        separator,
        header: ['a', 'b', 'c'],
        rows: [
          { number: 1, cells: [`1${separator}2`, 'line\r\nbreak', 'say "hi"'] },
          { number: 2, cells: ['x', 'y', 'z'] },
        ],
      });
    }
    expect((await tableOf(Buffer.from('sep=,\na;b,c\n1,2'))).separator).toBe(',');
    expect((await tableOf(Buffer.from('only\n1\n'))).rows).toEqual([{ number: 1, cells: ['1'] }]);
  });

  it('IMP-1833 counts blank rows and leaves them out, takes half rows as they are', async () => {
    expect((await tableOf(Buffer.from('\n;;\na;b\n1;2\n\n;\n3\n4;5;6'))).rows).toEqual([
      { number: 1, cells: ['1', '2'] },
      { number: 4, cells: ['3'] },
      { number: 5, cells: ['4', '5', '6'] },
    ]);
  });

  it('IMP-1834 loses the mark that the export puts before formulas, once', async () => {
    expect(await cellsOf(Buffer.from("a;b;c;d\n'=1+1;''x;'нет;'@nick"))).toEqual([['=1+1', "'x", "'нет", '@nick']]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['blanks', Buffer.from(`${bom} \n;;\n`)],
    ['a picture', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['an old or encrypted workbook', Buffer.from('d0cf11e0a1b11ae10000000000000000', 'hex')],
    ['a quote without its other', Buffer.from('a;b\n1;"2\n3;4\n')],
  ])('IMP-1835 is none: %s', async (_, file) => {
    expect(await readTable(file)).toEqual({ kind: 'unsupported' });
  });

  it('IMP-1836 has 20,000 rows at most', async () => {
    const of = (rows: number) => readTable(Buffer.from(`a;b\n${'1;2\n'.repeat(rows)}\n`));
    expect((await of(20_000)).kind).toBe('table');
    expect((await of(20_001)).kind).toBe('too_many_rows');
    // As many blank ones as no sheet has, before its heading or behind it.
    for (const heading of ['', 'a;b'])
      expect((await readTable(Buffer.from(`${heading}${'\n'.repeat(1_048_580)}`))).kind).toBe('too_many_rows');
  });
});

describe('a workbook', () => {
  const heading = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>Ник</t></is></c></row>';
  const strings = [
    '<t>Дата</t>',
    '<r><t>ча</t></r><r><t xml:space="preserve">сти &amp; _x0041_</t></r><rPh><t>x</t></rPh>',
  ];

  it('IMP-1837 gives shared and inline strings, numbers, and of a formula what was stored', async () => {
    const rows = `${heading}<row r="3"><c r="A3" t="s"><v>1</v></c><c r="C3"><f>1+1</f><v>2</v></c><c r="D3" t="str"><f>HYPERLINK("x")</f><v>x</v></c></row>\
<row><c><f>NOW()</f></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c><v>5400.5</v></c></row>`;
    expect(await tableOf(workbook({ rows, strings }))).toEqual({
      encoding: null,
      separator: null,
      firstSerial: 0,
      header: ['Дата', 'Ник'],
      rows: [
        { number: 2, cells: ['части & A', '', 2, 'x'] },
        { number: 3, cells: ['', 'да', '#REF!', 5400.5] },
      ],
    });
  });

  it('IMP-1838 shows the days of both calendars', async () => {
    const rows = `${heading}<row><c s="1"><v>46054.75</v></c><c s="0"><v>46054</v></c></row>`;
    const formats = ['#,##0.00', 'dd\\.mm\\.yyyy'];
    expect(await cellsOf(workbook({ rows, strings, formats }))).toEqual([['2026-02-01', 46054]]);
    const later = await tableOf(workbook({ rows, strings, formats, from1904: true }));
    expect([later.firstSerial, later.rows[0]?.cells[0]]).toEqual([1462, '2030-02-02']);
  });

  it('IMP-1839 is its first sheet that is seen', async () => {
    const sheets =
      '<sheet name="a" sheetId="1" state="veryHidden" r:id="rId1"/><sheet name="b" sheetId="2" r:id="rId2"/>';
    const parts = workbookParts({ rows: heading, strings, sheets });
    const second = '<worksheet><sheetData><row><c t="str"><v>Вторая</v></c></row></sheetData></worksheet>';
    expect((await tableOf(zipFile({ ...parts, 'xl/worksheets/sheet2.xml': second }))).header).toEqual(['Вторая']);
    expect(await readTable(zipFile(parts))).toEqual({ kind: 'unsupported' });
  });

  it.each([
    ['no workbook', zipFile({ 'readme.txt': 'text' })],
    ['encrypted', zipFile(workbookParts({ rows: heading, strings }), { isEncrypted: true })],
    ['cut off', workbook({ rows: heading, strings }).subarray(0, 500)],
    ['without rows', workbook({ rows: '' })],
    ['with a document type', workbook({ rows: '<!DOCTYPE a [<!ENTITY b "c">]>' })],
    ['with tags that do not fit', workbook({ rows: '<row></c>' })],
    ['that says to unpack to too much', zipFile(workbookParts({ rows: heading }), { claimedSize: 101 * 1024 * 1024 })],
    [
      'that unpacks to more than it says',
      zipFile(
        { ...workbookParts({ rows: heading }), 'xl/sharedStrings.xml': Buffer.alloc(101 * 1024 * 1024, 32) },
        { claimedSize: 1 },
      ),
    ],
  ])('IMP-1840 is none: %s', async (_, file) => {
    expect(await readTable(file)).toEqual({ kind: 'unsupported' });
  });

  it('IMP-1841 with one byte changed is refused, or read as it was', async () => {
    const file = workbook({ rows: `${heading}<row><c><v>1</v></c></row>`, strings });
    const table = await tableOf(file);
    for (let at = 0; at < file.length; at += 7) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      const read = await readTable(changed);
      expect([{ kind: 'unsupported' }, { kind: 'table', table }]).toContainEqual(read);
    }
  });

  it('IMP-1842 has cells of 200 columns at most', async () => {
    const rows = `${heading}<row><c r="XFD2"><v>1</v></c><c r="B2"><v>2</v></c></row>`;
    expect(await cellsOf(workbook({ rows, strings }))).toEqual([['', 2]]);
  });
});
