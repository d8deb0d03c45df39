import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import { unzipped } from '../testing/unzipped.ts';
import { formulaSafe } from '@zakup/domain/csv-text';
import { type Cell, csvLine } from './csv.ts';
import { attachment, fileNamePart } from './file-name.ts';
import { externalSort } from './external-sort.ts';
import { xlsxOf, xmlText } from './xlsx.ts';
import { zipOf } from './zip.ts';

const text = (value: string): Cell => ({ kind: 'text', text: value });

/** Cells of one CSV file, as RFC 4180 has them, with `;`. */
const parsed = (csv: string): string[][] => {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^;"\r\n]*))(;|\r\n|$)/gu)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === '\r\n') rows.push([]);
    if (end === '') break;
  }
  return rows.slice(0, -1);
};

describe('the formats of exports', () => {
  test('EXP-1 a line of CSV has semicolons, a decimal comma, a Russian day and quotes where they are needed', () => {
    const cells: readonly Cell[] = [
      { kind: 'day', day: '2026-11-21' },
      { kind: 'money', value: 1234.5 },
      { kind: 'money', value: 1000 },
      { kind: 'whole', value: 7 },
      { kind: 'empty' },
      text('Кот; «пёс»'),
      text('сказал "да"'),
      text('две\nстроки'),
    ];
    expect(csvLine(cells)).toBe('21.11.2026;1234,50;1000;7;;"Кот; «пёс»";"сказал ""да""";"две\nстроки"\r\n');
  });

  test('EXP-2 what would start a formula gets an apostrophe, which comes off again; a nick stays readable', () => {
    const dangerous = ['=1+1', '+7', '-1', '@nick', '\t=1', '\r=1', '\n=1', "'=1", "''@x", "'Кот"];
    expect(dangerous.map(formulaSafe)).toEqual(dangerous.map((one) => `'${one}`));
    for (const harmless of ['Кот', '', ' =1', " 'Кот", '1-1', 'a@b']) expect(formulaSafe(harmless)).toBe(harmless);
  });

  test('EXP-1260 a text that hides a formula behind any separator stands in quotes, other texts as they are', () => {
    for (const separator of [',', ';', '\t', '|', '\n', '\r'])
      expect(csvLine([{ kind: 'text', text: `Кот${separator}=1+1` }])).toBe(`"Кот${separator}=1+1"\r\n`);
    expect(csvLine([{ kind: 'text', text: "Кот, '＝1" }])).toBe('"Кот, \'＝1"\r\n');
    expect(csvLine([{ kind: 'text', text: 'ROI, %' }])).toBe('ROI, %\r\n');
    for (const sign of ['＝', '＋', '－', '＠', "'＝"]) expect(formulaSafe(`${sign}1`)).toBe(`'${sign}1`);
  });

  test('EXP-3 any texts come out of CSV as they went in, and none of them starts a formula', () => {
    const row = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
        const back = parsed(rows.map((cells) => csvLine(cells.map(text))).join(''));
        expect(back.flat().filter((cell) => /^[=+\-@＝＋－＠\t\r\n]/u.test(cell))).toEqual([]);
        const bare = back.map((cells) => cells.map((cell) => cell.replace(/^'/u, '')));
        expect(bare).toEqual(rows);
      }),
    );
  });

  test('EXP-4 a workbook has typed cells: numbers, days without a shift, texts that are never formulas', async () => {
    const rows: readonly (readonly Cell[])[] = [
      [
        { kind: 'day', day: '2026-11-21' },
        { kind: 'money', value: 1234.56 },
        { kind: 'whole', value: 0 },
        text('=1+1'),
      ],
      [{ kind: 'day', day: '2000-02-29' }, { kind: 'money', value: 1e9 }, { kind: 'empty' }, text('<b>&"\'кот 🐈')],
    ];
    const columns = ['Дата', 'Цена', 'Приход', 'Текст'].map((title) => ({ title, width: 12 }));
    const bytes = await buffer(xlsxOf({ name: 'Размещения', columns, count: 2, rows: () => rows }));
    const sheets = await readWorkbook(bytes);
    expect(sheets).toEqual([
      {
        sheet: 'Размещения',
        data: [
          ['Дата', 'Цена', 'Приход', 'Текст'],
          [new Date('2026-11-21T00:00:00Z'), 1234.56, 0, '=1+1'],
          [new Date('2000-02-29T00:00:00Z'), 1e9, null, '<b>&"\'кот 🐈'],
        ],
      },
    ]);
    const sheet = (await unzipped(bytes)).get('xl/worksheets/sheet1.xml') ?? '';
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
    expect(sheet).toContain('<col min="4" max="4" width="12" customWidth="1"/>');
    expect(sheet).not.toContain('<f>');
  });

  test('EXP-5 the same table makes the same bytes, an empty one a sheet with its header, a long one several sheets', async () => {
    const columns = [{ title: 'N', width: 5 }];
    const rows = () => Array.from({ length: 5 }, (_, index): readonly Cell[] => [{ kind: 'whole', value: index }]);
    const made = () => buffer(xlsxOf({ name: 'Лист', columns, count: 5, rows, rowsPerSheet: 2 }));
    const [one, other] = [await made(), await made()];
    expect(one.equals(other)).toBe(true);
    expect((await readWorkbook(one)).map(({ sheet, data }) => [sheet, data.flat()])).toEqual([
      ['Лист', ['N', 0, 1]],
      ['Лист 2', ['N', 2, 3]],
      ['Лист 3', ['N', 4]],
    ]);
    const empty = await buffer(xlsxOf({ name: 'Лист', columns, count: 0, rows: () => [] }));
    expect((await readWorkbook(empty)).map(({ data }) => data)).toEqual([[['N']]]);
  });

  test('EXP-6 XML holds any text: what it may not hold stands by its code', () => {
    expect(xmlText('a\u0000b\rc\u000bd\uffff')).toBe('a_x0000_b_x000D_c_x000B_d_xFFFF_');
    expect(xmlText('_x0041_ <&>')).toBe('_x005F_x0041_ &lt;&amp;&gt;');
  });

  test('EXP-7 many items come out in order, each once, whatever they are', async () => {
    const all = async <Item>(items: AsyncIterable<Item>): Promise<Item[]> => {
      const found: Item[] = [];
      for await (const one of items) found.push(one);
      return found;
    };
    const item = fc.tuple(fc.integer({ min: 0, max: 50 }), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(item), { maxLength: 5 }), async (added) => {
        const runs = externalSort<[number, string]>((a, b) => a[0] - b[0]);
        for (const items of added) await runs.add(items);
        expect(runs.count()).toBe(added.flat().length);
        const sorted = await all(runs.sorted());
        expect(sorted.map(([order]) => order)).toEqual(
          added
            .flat()
            .map(([order]) => order)
            .toSorted((a, b) => a - b),
        );
        expect(sorted.map(String).toSorted()).toEqual(added.flat().map(String).toSorted());
      }),
    );
    const runs = externalSort<number>((a, b) => a - b);
    const many = Array.from({ length: 10_000 }, (_, index) => (index * 7919) % 10_000);
    await runs.add(many);
    expect(await all(runs.sorted())).toEqual(many.toSorted((a, b) => a - b));
  });

  test('EXP-8 a file is named as what it is of, without what file systems refuse', () => {
    expect(fileNamePart(' Весна | Мемы: "a/b\\c" \u0000\ud800\u202e* ')).toBe('Весна - Мемы a b c');
    expect(fileNamePart('..')).toBe('');
    expect(Array.from(fileNamePart('🐈'.repeat(500)))).toHaveLength(80);
    expect(attachment("Отчёт 'х' (1).csv", 'placements.csv')).toBe(
      'attachment; filename="placements.csv"; filename*=UTF-8\'\'%D0%9E%D1%82%D1%87%D1%91%D1%82%20%27%D1%85%27%20%281%29.csv',
    );
  });

  test('EXP-9 a content that fails ends the zip with its error', async () => {
    const failing = async function* (): AsyncGenerator<string> {
      yield 'begun';
      await Promise.reject(new Error('the store is away'));
    };
    await expect(buffer(zipOf([{ path: 'a.txt', content: failing }], new Date(0)))).rejects.toThrow(
      /the store is away/,
    );
  });

  test('EXP-10 whoever stops taking takes what is open with them', async () => {
    let ended = false;
    const endless = async function* (): AsyncGenerator<string> {
      try {
        for (;;) yield 'x'.repeat(10_000);
      } finally {
        ended = true;
      }
    };
    const zip = zipOf([{ path: 'a.txt', content: endless }], new Date(Date.UTC(2000, 0, 1)));
    for await (const _ of zip) break;
    await expect.poll(() => ended).toBe(true);
  });
});
