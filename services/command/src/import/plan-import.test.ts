import type { ImportMapping } from '@zakup/contracts/imports';
import { messages } from '@zakup/domain/messages';
import { kopecks } from '@zakup/domain/money';
import { type Person, rolePermissions } from '@zakup/domain/permissions';
import { describe, expect, it } from 'vitest';
import { guessDateOrder, readDate } from './dates.ts';
import { readTable } from './file/read-table.ts';
import type { ImportReferences, KnownPlacement } from './import-references.ts';
import { mappingRefused, planImport } from './plan-import.ts';

const person = (settings: Partial<Person['licence']['settings']> = {}): Person => ({
  userId: 'u1',
  name: 'Анна',
  role: 'MEDIA_BUYER',
  permissions: rolePermissions('MEDIA_BUYER'),
  isActive: true,
  isOwner: false,
  licence: {
    id: '3f',
    status: 'active',
    features: ['placements'],
    settings: { buyersEditAll: true, earningsVisible: true, ...settings },
  },
});

const placement: KnownPlacement = {
  id: 'p1',
  campaignId: 'c',
  buyerId: 'u1',
  contractorId: 'k1',
  creativeId: 'cr-old',
  category: 'Юмор',
  format: '1/24',
  price: kopecks(5_400_50),
  leads: 7,
  date: '2026-02-01',
  paymentStatus: 'paid',
  status: 'PENDING',
  comment: '',
  postUrl: null,
  removed: false,
};

const references = (more: Partial<ImportReferences> = {}): ImportReferences => ({
  person: person(),
  people: [
    { id: 'u1', name: 'Анна', isOpen: true },
    { id: 'u2', name: 'Пётр  Иванов', isOpen: true },
    { id: 'u3', name: 'Двойник', isOpen: true },
    { id: 'u4', name: 'двойник', isOpen: true },
    { id: 'u5', name: 'Аналитик', isOpen: false },
  ],
  creatives: [
    { id: 'cr1', name: 'Кот', isOpen: true },
    { id: 'cr-old', name: 'Старый', isOpen: false },
  ],
  placements: new Map([['p1', placement]]),
  removed: new Set(['p-removed']),
  contractorByNick: (nick) => ({ one: 'k1', merged: 'k1' })[nick],
  receiver: (id) => (id === 'k0' ? 'k1' : id),
  today: '2026-03-05',
  ...more,
});

const plan = async (text: string, mapping: ImportMapping = {}, more: Partial<ImportReferences> = {}) => {
  const read = await readTable(Buffer.from(text));
  if (read.kind !== 'table') throw new Error(`It is ${read.kind}`);
  return planImport(read.table, mapping, references(more));
};
const detailsOf = ({ report }: Awaited<ReturnType<typeof plan>>) =>
  report.errors.map(({ row, column, field, detail }) => [row, column, field, detail]);

describe('the columns of a file', () => {
  const fieldsOf = async (heading: string, columns?: ImportMapping['columns']) =>
    (await plan(`${heading}\n1;2;3\n`, { columns })).report.columns.map(({ field }) => field);

  it('IMP-1843 are known as our export and people call them, each field once', async () => {
    expect(
      await fieldsOf(
        'Дата;Контрагент;Цена;Приход;CPL;Креатив;Тематика;Формат;Байер;Оплата;Статус;ID;Комментарий;Ссылка на пост',
      ),
    ).toEqual([
      'date',
      'contractor',
      'price',
      'leads',
      null,
      'creative',
      'category',
      'format',
      'buyer',
      'paymentStatus',
      'status',
      'id',
      'comment',
      'postUrl',
    ]);
    expect(
      await fieldsOf(
        ' ДАТА  размещения:;ник*;Канал;Стоимость;Лиды;Подписчики;Категория;Закупщик;Менеджер;\u200bномер\u200b',
      ),
    ).toEqual(['date', 'contractor', null, 'price', 'leads', null, 'category', 'buyer', null, null]);
  });

  it('IMP-1844 are what the mapping says, and the rest is guessed', async () => {
    expect(await fieldsOf('Ник;Канал;Цена', { 1: 'contractor', 2: null })).toEqual([null, 'contractor', null]);
    expect(mappingRefused({ columns: { 0: 'date', 3: 'date' } }, references())).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ pointer: '/mapping/columns/3' }],
    });
  });

  it('IMP-1845 tell their heading and some of their cells', async () => {
    const { report } = await plan('Ник;?\n@a;\n@a;x\n@b;\n@c;\n@d;\n');
    expect(report.columns).toEqual([
      { index: 0, header: 'Ник', field: 'contractor', samples: ['@a', '@b', '@c'] },
      { index: 1, header: '?', field: null, samples: ['x'] },
    ]);
  });
});

describe('dates', () => {
  it.each([
    ['1.2.2026', 'mdy', '2026-02-01'],
    ['01.02.26', 'ymd', '2026-02-01'],
    ['2026-02-01', 'mdy', '2026-02-01'],
    ['2026-02-01T23:59:59.999Z', 'dmy', '2026-02-01'],
    ['01.02.2026 14:30', 'dmy', '2026-02-01'],
    ['01/02/2026', 'dmy', '2026-02-01'],
    ['01/02/2026', 'mdy', '2026-01-02'],
    ['01-02-26', 'mdy', '2026-01-02'],
    ['01/02/2026', 'ymd', null],
    ['31.02.2026', 'dmy', null],
    ['13/13/2026', 'dmy', null],
    ['01/02-2026', 'dmy', null],
    ['завтра', 'dmy', null],
    ['46054', 'dmy', null],
  ] as const)('IMP-1846 %s in the order %s is %s', (text, order, day) => {
    expect(readDate(text, order, 0)).toBe(day);
  });

  it('IMP-1847 of a workbook are serials, a time left out', () => {
    expect([readDate(46054.99, 'dmy', 0), readDate(46054, 'dmy', 1462), readDate(0, 'dmy', 0)]).toEqual([
      '2026-02-01',
      '2030-02-02',
      null,
    ]);
  });

  it.each([
    [['01.02.2026', '03.04.2026'], 'dmy'],
    [['2026-02-01'], 'ymd'],
    [['01/02/2026', '13/02/2026'], 'dmy'],
    [['01/02/2026', '01-13-2026'], 'mdy'],
    [['01/02/2026', '05/05/2026'], 'ambiguous'],
    [['13/02/2026', '02/13/2026'], 'ambiguous'],
    [['05/05/2026'], 'dmy'],
    [[''], 'dmy'],
  ] as const)('IMP-1848 %s stand in the order %s', (cells, order) => {
    expect(guessDateOrder(cells)).toBe(order);
  });

  it('IMP-1849 that can be read in two ways are told to be so, unless it is said how', async () => {
    const text = 'Ник;Тематика;Дата\n@a;Юмор;01/02/2026\n';
    const unclear = await plan(text);
    expect(unclear.report.dateOrder).toBe('ambiguous');
    const clear = await plan(text, { dateOrder: 'mdy' });
    expect([clear.report.dateOrder, clear.rows[0]?.date]).toEqual(['mdy', '2026-01-02']);
  });
});

describe('the rows of a file', () => {
  it('IMP-1850 add what they say, in the spellings that people use', async () => {
    const { rows, report } = await plan(
      'Дата;Ник;Цена;Лиды;Креатив;Тематика;Формат;Байер;Оплата;Статус;Комментарий;Ссылка\n' +
        '1.3.2026; https://t.me/Two/17 ;5\u00a0400,50 ₽;1 200;кот;юмор;1/48;петр иванов;Оплачено;Завершено;"a\nb";t.me/x/1\n' +
        ';@three;;;Без креатива;Мемы;;;не оплачено;;;\n',
    );
    expect(report).toMatchObject({ rows: 2, willAdd: 2, willChange: 0, willSkip: 0, errorCount: 0, newContractors: 2 });
    expect(rows).toEqual([
      {
        row: 1,
        contractor: '@Two',
        buyerId: 'u2',
        category: 'Юмор',
        date: '2026-03-01',
        format: '1/48',
        price: 5_400_50,
        leads: 1200,
        creativeId: 'cr1',
        paymentStatus: 'paid',
        status: 'DONE',
        comment: 'a\nb',
        postUrl: 'https://t.me/x/1',
      },
      {
        row: 2,
        contractor: '@three',
        buyerId: 'u1',
        category: 'Мемы',
        date: '2026-03-05',
        creativeId: 'NO_CREATIVE',
        paymentStatus: 'unpaid',
      },
    ]);
  });

  it('IMP-1851 that are bad are told cell by cell, in the words of the fields', async () => {
    const found = await plan(
      'Дата;Ник;Цена;Лиды;Креатив;Тематика;Формат;Байер;Оплата;Статус;Комментарий;Ссылка;ID\n' +
        `нет;a b;x;1,5;Нет;Нет;1/2;Двойник;может;может;${'x'.repeat(501)};http://evil;\n` +
        ';;;;;;;;;;;;\n' +
        ';@a\u202e;;;;Юмор;;;;;;;\n' +
        ';@a\u200b;-1;;;Юмор;;;;;;;p-removed\n',
    );
    expect(detailsOf(found)).toEqual([
      [1, 1, 'contractor', messages.nickInvalid],
      [1, 0, 'date', messages.dateInvalid],
      [1, 2, 'price', messages.priceInvalid],
      [1, 3, 'leads', messages.leadsInvalid],
      [1, 4, 'creative', messages.creativeNotFound],
      [1, 5, 'category', messages.chooseTopic],
      [1, 6, 'format', messages.formatInvalid],
      [1, 8, 'paymentStatus', messages.paymentInvalid],
      [1, 9, 'status', messages.statusInvalid],
      [1, 10, 'comment', messages.commentTooLong],
      [1, 11, 'postUrl', messages.postUrlInvalid],
      [1, 7, 'buyer', messages.nameAmbiguous],
      [3, 1, 'contractor', messages.nickInvalid],
      [4, 12, 'id', messages.placementRemoved],
    ]);
    expect([found.failed, found.rows, found.report.errorCount]).toEqual([3, [], 14]);
    expect(found.report.errors[9]?.text).toHaveLength(200);
    expect(detailsOf(await plan('Цена\n1\n'))).toEqual([
      [1, null, 'contractor', messages.nickRequired],
      [1, null, 'category', messages.chooseTopic],
    ]);
  });

  it('IMP-1852 without a buyer are of whoever imports, or bad', async () => {
    const text = 'Ник;Тематика;Байер\n@a;Юмор;\n@b;Юмор;Аналитик\n';
    expect((await plan(text)).rows.map(({ buyerId }) => buyerId)).toEqual(['u1', 'u1']);
    expect(detailsOf(await plan(text, { onUnknownBuyer: 'fail' }))).toEqual([
      [1, 2, 'buyer', messages.chooseBuyer],
      [2, 2, 'buyer', messages.buyerUnknown],
    ]);
    const analyst = { people: [{ id: 'u1', name: 'Анна', isOpen: false }] };
    expect((await plan(text, {}, analyst)).failed).toBe(2);
    expect(mappingRefused({ onUnknownBuyer: 'me' }, references(analyst))?.errors?.[0]?.pointer).toBe(
      '/mapping/onUnknownBuyer',
    );
  });

  it('IMP-1853 with a known id change what they say otherwise; an empty cell changes nothing', async () => {
    const text =
      'ID;Дата;Ник;Цена;Приход;Креатив;Тематика;Байер;Оплата;Комментарий\n' +
      'p1;01.02.2026;@MERGED;5400,50;7;Старый;Юмор;Анна;оплачено;\n' +
      'p2;01.02.2026;@two;1;;;Юмор;;;\n';
    const same = await plan(text);
    expect(same.report).toMatchObject({ willAdd: 1, willChange: 0, willSkip: 1, duplicates: [] });
    const other = await plan('ID;Ник;Приход;Креатив\np1;;9;\np1;;10;\n');
    expect(other.rows).toEqual([{ row: 1, placementId: 'p1', leads: 9 }]);
    expect(detailsOf(other)).toEqual([[2, 0, 'id', messages.placementIdTwice]]);
    expect((await plan('ID;Ник\np1;@new\n')).rows).toEqual([{ row: 1, placementId: 'p1', contractor: '@new' }]);
  });

  it('IMP-1854 that stand there already are left out, but for each other', async () => {
    const text =
      'Дата;Ник;Цена;Тематика\n01.02.2026;@one;5400,5;Мемы\n01.02.2026;@new;1;Мемы\n01.02.2026;@new;1;Мемы\n';
    const found = await plan(text, {}, { placements: new Map([['p1', { ...placement, contractorId: 'k0' }]]) });
    expect(found.report).toMatchObject({ willAdd: 2, willSkip: 1, duplicates: [{ row: 1, placementId: 'p1' }] });
    expect(found.report.newContractors).toBe(1);
    expect((await plan(text, { onDuplicate: 'add' })).report).toMatchObject({ willAdd: 3, willSkip: 0 });
  });

  it('IMP-1855 are within the rights of whoever imports', async () => {
    const text = 'ID;Ник;Тематика;Байер;Приход\n;@a;Юмор;Пётр Иванов;\np1;;;Пётр Иванов;\np1;;;;8\n';
    const found = await plan(text, {}, { person: person({ buyersEditAll: false }) });
    expect(detailsOf(found)).toEqual([
      [1, 3, 'buyer', messages.onlyOwnPlacements],
      [2, 3, 'buyer', messages.onlyOwnPlacements],
      [3, 0, 'id', messages.placementIdTwice],
    ]);
  });

  it('IMP-1856 tell 500 errors and count all', async () => {
    const { report, failed } = await plan(`Ник;Тематика\n${'@a;Нет\n'.repeat(600)}`);
    expect([report.errors.length, report.errorCount, failed]).toEqual([500, 600, 600]);
  });

  it('IMP-2500 a heading that comes once more, in the middle or as a second line, is no placement but told', async () => {
    const found = await plan('Дата;Ник;Тематика\nДата;Ник;Тематика\n01.02.2026;@a;Юмор\nДата;Ник;Тематика\n');
    expect(found.rows.map(({ contractor }) => contractor)).toEqual(['@a']);
    expect(detailsOf(found)).toEqual([
      [1, 0, 'date', messages.dateInvalid],
      [1, 2, 'category', messages.chooseTopic],
      [3, 0, 'date', messages.dateInvalid],
      [3, 2, 'category', messages.chooseTopic],
    ]);
  });
});

describe('a file of two encodings', () => {
  /** Of windows-1251, letters alone. */
  const windows1251 = (text: string): Buffer =>
    Buffer.from(
      text.split('').map((one) => (one.charCodeAt(0) >= 0x410 ? one.charCodeAt(0) - 0x350 : one.charCodeAt(0))),
    );

  it('IMP-2501 is read in one of them, and what is of the other is told, never written as a topic or a name', async () => {
    const file = Buffer.concat([Buffer.from('Nick;Тематика\n@a;Юмор\n'), windows1251('@b;Юмор\n')]);
    const read = await readTable(file);
    expect(read).toMatchObject({ kind: 'table', table: { encoding: 'windows-1251' } });
    if (read.kind !== 'table') throw new Error(`It is ${read.kind}`);
    const { rows, report } = await planImport(read.table, {}, references());
    expect([rows, report.errorCount > 0]).toEqual([[], true]);
  });
});
