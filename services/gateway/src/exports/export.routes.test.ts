import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { storedSorts } from '@zakup/contracts/requests/queries';
import { kopecks } from '@zakup/domain/money';
import * as fc from 'fast-check';
import readWorkbook from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { campaignRow, contractorRow, creativeRow, docOf, licenceRow, placementRow, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const foreignDoc = docOf('0b-foreign');
const head =
  'Дата;Контрагент;Цена;Приход;CPL;Креатив;Тематика;Формат;Байер;Оплата;Статус;ID;Комментарий;Ссылка на пост';

describe('the table of a campaign as a file', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign', name: 'Весна | "Мемы"' })),
      doc.campaign(campaignRow({ id: 'empty', name: '..' })),
      doc.campaign(campaignRow({ id: 'many' })),
      doc.contractor(contractorRow({ id: 'kot', adminUsername: '@Kot', channelName: 'Ёлка' })),
      doc.contractor(contractorRow({ id: 'pes', adminUsername: '@pes' })),
      doc.creative(creativeRow({ id: 'song', name: '=HYPERLINK("http://x")' })),
      doc.creative(creativeRow({ id: 'cat', name: 'Кот; №2' })),
      doc.user(userRow({ id: 'olga', name: '-Ольга', role: 'TEAM_LEAD', isActive: false })),
      doc.placement(
        placementRow({
          id: 'p1',
          contractorId: 'kot',
          creativeId: 'song',
          price: kopecks(123_456),
          leads: 10,
          paymentStatus: 'paid',
          status: 'REMOVED_EARLY',
          date: '2026-11-20',
          comment: "'Кот\nвторая, строка",
          postUrl: 'https://t.me/kot/17',
        }),
      ),
      doc.placement(placementRow({ id: 'p2', contractorId: 'pes', buyerId: 'olga', price: kopecks(0) })),
      doc.gone('placement', 'p3', ['campaign:campaign']),
      foreignDoc.campaign(campaignRow({ id: 'foreign' })),
      foreignDoc.placement(placementRow({ id: 'p4' })),
    );
    const categories = ['Мемы', 'Юмор', 'Ёлка', 'Еда'];
    const rows = Array.from({ length: 137 }, (_, index) =>
      placementRow({
        id: `m${(index * 31) % 137}`,
        campaignId: 'many',
        contractorId: ['kot', 'pes', 'unknown'][index % 3] ?? '',
        creativeId: ['song', 'cat', 'NO_CREATIVE'][(index * 7) % 3] ?? '',
        buyerId: ['buyer', 'olga', 'lead'][(index * 5) % 3] ?? '',
        category: categories[(index * 3) % 4] ?? '',
        format: index % 2 === 0 ? '1/24' : '1/∞',
        price: kopecks((index * 7919) % 900_000),
        leads: (index * 13) % 7,
        date: `2026-11-${String(1 + ((index * 11) % 28)).padStart(2, '0')}`,
        paymentStatus: index % 4 === 0 ? 'paid' : 'unpaid',
        createdAt: `2026-01-01T00:00:0${index % 10}.000Z`,
      }),
    );
    await world.commit(...rows.map(doc.placement));
  });
  afterAll(() => world.stop());

  const tokenOf = async (userId = 'analyst'): Promise<string> => (await world.signIn(userId)).token;
  const got = async (path: string, token?: string) => {
    const headers = { Authorization: `Bearer ${token ?? (await tokenOf())}` };
    const response = await fetch(`${world.address}/api${path}`, { headers });
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const problem = async (path: string, token?: string) => {
    const { status, bytes } = await got(path, token);
    return [status, (JSON.parse(bytes.toString()) as { readonly code: string }).code];
  };

  test('EXP-20 is a CSV that a Russian Excel opens: BOM, semicolons, CRLF, names for ids, formulas harmless', async () => {
    const { status, headers, bytes } = await got('/campaigns/campaign/export?format=csv');
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'no-store',
    ]);
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(bytes.subarray(3).toString().split('\r\n')).toEqual([
      head,
      `20.11.2026;'@Kot;1234,56;10;123,46;"'=HYPERLINK(""http://x"")";Мемы;1/24;Person buyer;оплачено;Снято раньше срока;p1;"''Кот\nвторая, строка";https://t.me/kot/17`,
      `21.11.2026;'@pes;0;0;;Без креатива;Мемы;1/24;'-Ольга;не оплачено;Ожидает;p2;;`,
      '',
    ]);
  });

  test('EXP-21 is a workbook with the same rows, typed', async () => {
    const { status, headers, bytes } = await got('/campaigns/campaign/export?format=xlsx&sortOrder=desc');
    expect([status, headers.get('content-type')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    expect((await readWorkbook(bytes))[0]?.data).toEqual([
      head.split(';'),
      [
        new Date('2026-11-21'),
        '@pes',
        0,
        0,
        null,
        'Без креатива',
        'Мемы',
        '1/24',
        '-Ольга',
        'не оплачено',
        'Ожидает',
        'p2',
        null,
        null,
      ],
      [
        new Date('2026-11-20'),
        '@Kot',
        1234.56,
        10,
        123.46,
        '=HYPERLINK("http://x")',
        'Мемы',
        '1/24',
        'Person buyer',
        'оплачено',
        'Снято раньше срока',
        'p1',
        "'Кот\nвторая, строка",
        'https://t.me/kot/17',
      ],
    ]);
  });

  test('EXP-22 bears the name of its campaign', async () => {
    const disposition = async (path: string) => (await got(path)).headers.get('content-disposition');
    expect(await disposition('/campaigns/campaign/export?format=csv')).toBe(
      `attachment; filename="placements.csv"; filename*=UTF-8''${encodeURIComponent('Размещения - Весна - Мемы.csv')}`,
    );
    expect(await disposition('/campaigns/empty/export?format=xlsx')).toBe(
      `attachment; filename="placements.xlsx"; filename*=UTF-8''${encodeURIComponent('Размещения.xlsx')}`,
    );
  });

  test('EXP-23 an empty table is its header', async () => {
    expect((await got('/campaigns/empty/export?format=csv')).bytes.toString()).toBe(`\ufeff${head}\r\n`);
  });

  test('EXP-24 has what the table shows under the same filters, in the same order', async () => {
    const token = await tokenOf();
    const one = (name: string, ...values: readonly string[]) =>
      fc.option(
        fc.constantFrom(...values).map((value) => ({ [name]: value })),
        { nil: {}, freq: 2 },
      );
    const some = (name: string, ...values: readonly string[]) =>
      fc.option(
        fc.subarray([...values], { minLength: 1 }).map((given) => ({ [name]: given })),
        { nil: {}, freq: 2 },
      );
    const query = fc
      .tuple(
        some('buyerId', 'olga', 'buyer', 'none'),
        one('contractorId', 'kot', 'unknown'),
        some('creativeId', 'cat', 'NO_CREATIVE'),
        some('category', 'Ёлка', 'Мемы', 'Еда'),
        some('format', '1/24', '1/∞'),
        some('paymentStatus', 'paid', 'unpaid'),
        some('status', 'PENDING', 'DONE'),
        one('leadsFrom', '1', '3'),
        one('leadsTo', '0', '4'),
        one('cplFrom', '0', '500,5'),
        one('cplTo', '1000', '2000.25'),
        one('dateFrom', '2026-11-07'),
        one('dateTo', '2026-11-20'),
        one('priceFrom', '1000,50'),
        one('priceTo', '7000'),
        one('statusNot', 'PENDING', 'REMOVED_EARLY'),
        one('search', 'ёл', 'Ел', '@kot', 'ОЛЬГА', 'без кр', 'zzz'),
        one('sortBy', ...storedSorts, 'costPerLead', 'contractorId', 'creativeId', 'buyerId'),
        one('sortOrder', 'asc', 'desc'),
      )
      .map((members): Record<string, string | string[]> => Object.assign({}, ...members));
    const told = (members: Readonly<Record<string, string | string[]>>): string =>
      new URLSearchParams(
        Object.entries(members).flatMap(([name, given]) =>
          [given].flat().map((value) => [name, value] as [string, string]),
        ),
      ).toString();
    await fc.assert(
      fc.asyncProperty(query, async ({ format, ...members }) => {
        const table = told({ ...members, ...(format !== undefined && { format }), pageSize: '500' });
        const { body } = await world.get(`/campaigns/many/placements?${table}`, token);
        const shown = (body.data['placements'] as readonly PlacementWire[]).map(({ id }) => id);
        const file = told({ ...members, ...(format !== undefined && { placementFormat: format }), format: 'csv' });
        const { bytes } = await got(`/campaigns/many/export?${file}`, token);
        const lines = bytes.toString().split('\r\n').slice(1, -1);
        expect(lines.map((line) => line.split(';').at(-3))).toEqual(shown);
      }),
      { numRuns: 60 },
    );
  });

  test('RSL-11 search folds «ё», case and a leading @ as the table does, and a status can be left out', async () => {
    const token = await tokenOf();
    const found = async (query: Readonly<Record<string, string>>) => {
      const asked = new URLSearchParams(query).toString();
      const { bytes } = await got(`/campaigns/campaign/export?format=csv&${asked}`, token);
      const { body } = await world.get(`/campaigns/campaign/placements?${asked}`, token);
      const listed = (body.data['placements'] as readonly PlacementWire[]).map(({ id }) => id);
      const lines = bytes.toString().split('\r\n').slice(1, -1);
      const exported = lines.map((line) => line.split(';').at(-3));
      expect(exported).toEqual(listed);
      expect(body.data['total']).toBe(listed.length);
      return listed;
    };
    expect(await found({})).toEqual(['p1', 'p2']);
    for (const search of ['@KOT', 'kot', 'елка', 'ЁЛКА', 'Е\u0308лка']) expect(await found({ search })).toEqual(['p1']);
    expect(await found({ search: 'без креатива' })).toEqual(['p2']);
    expect(await found({ statusNot: 'REMOVED_EARLY' })).toEqual(['p2']);
    expect(await found({ statusNot: 'REMOVED_EARLY', search: 'kot' })).toEqual([]);
    expect(await found({ statusNot: 'PENDING', sortBy: 'costPerLead' })).toEqual(['p1']);
  });

  test('EXP-25 refuses foreign and unknown campaigns alike, and what is no format, filter or order', async () => {
    for (const id of ['foreign', 'none', '%00', 'x'.repeat(500)])
      expect(await problem(`/campaigns/${id}/export?format=csv`)).toEqual([404, 'NOT_FOUND']);
    const wrong = [
      '',
      'format=',
      'format=pdf',
      'format=CSV',
      'format=1/24',
      'format=csv&format=xlsx',
      'format[]=csv',
      'format=csv&page=1',
      'format=csv&pageSize=5',
      'format=csv&sortBy=password',
      'format=csv&sortOrder=up',
      'format=csv&dateFrom=2026-02-30',
      'format=csv&priceFrom=x',
      'format=csv&cplTo=x',
      'format=csv&leadsFrom=1.5',
      'format=csv&buyerId=a&buyerId=',
      'format=csv&placementFormat=',
      `format=csv&search=${'x'.repeat(5000)}`,
      'format=csv&x=1',
    ];
    for (const query of wrong)
      expect([query, await problem(`/campaigns/campaign/export?${query}`)]).toEqual([
        query,
        [422, 'VALIDATION_FAILED'],
      ]);
    const odd = ['search=%ED%A0%80', 'search=%00', 'search=%3D1%2B1', 'buyerId=__proto__', 'category=%F0%9F%90%88'];
    for (const query of odd) {
      const { status, bytes } = await got(`/campaigns/campaign/export?format=csv&${query}`);
      expect([query, status, bytes.toString()]).toEqual([query, 200, `\ufeff${head}\r\n`]);
    }
  });

  test('EXP-26 is open also when the licence is over, and closed without a token or the right', async () => {
    const other = '0c-expired';
    const otherDoc = docOf(other);
    await world.commit(
      otherDoc.license(licenceRow({ id: other, expiresAt: '2020-01-01T00:00:00.000Z', graceUsed: true })),
      otherDoc.user(userRow({ id: 'other-buyer' })),
      otherDoc.user(userRow({ id: 'shut-out', permissions: { analytics: true } })),
      otherDoc.campaign(campaignRow({ id: 'other-campaign' })),
    );
    const token = async (userId: string) => (await world.signIn(userId, { licenceId: other })).token;
    const path = '/campaigns/other-campaign/export?format=xlsx';
    expect((await got(path, await token('other-buyer'))).status).toBe(200);
    expect(await problem(path, await token('shut-out'))).toEqual([403, 'ACCESS_DENIED']);
    expect(await problem(path, 'x')).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('EXP-27 answers HEAD with the headers alone', async () => {
    const headers = { Authorization: `Bearer ${await tokenOf()}` };
    const url = `${world.address}/api/campaigns/many/export?format=xlsx`;
    const response = await fetch(url, { method: 'HEAD', headers });
    expect([response.status, response.headers.get('content-disposition') !== null]).toEqual([200, true]);
    expect(await response.text()).toBe('');
  });

  test('EXP-28 a store that is away is a refusal, never half a file', async () => {
    const broken = await startWorld();
    onTestFinished(() => broken.stop());
    await broken.commit(doc.campaign(campaignRow({ id: 'campaign' })), doc.placement(placementRow({ id: 'p1' })));
    const { readStore } = broken;
    readStore.readEach = () => Promise.reject(Object.assign(new Error('away'), { name: 'ReadStoreUnavailable' }));
    const { status, body } = await broken.get(
      '/campaigns/campaign/export?format=csv',
      (await broken.signIn('owner')).token,
    );
    expect([status, body.code]).toEqual([503, 'UNAVAILABLE']);
  });
});
