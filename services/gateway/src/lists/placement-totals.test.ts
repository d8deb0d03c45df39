import { kopecks } from '@zakup/domain/money';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyticsRow, campaignRow, docOf, placementRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);

interface Told {
  readonly ids: readonly string[];
  readonly total: number;
  readonly totals: object;
}

describe('a table that is narrowed, and its sums', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    const row = (id: string, price: number, leads: number, more: object = {}) =>
      placementRow({ id, price: kopecks(price), leads, date: `2026-11-0${id.slice(1)}`, ...more });
    const rows = [
      // 12.345 is shown as 12.35, 12.3449… as 12.34.
      row('p1', 2_469, 2, { buyerId: 'anna', category: 'Мемы', format: '1/24', paymentStatus: 'paid' }),
      row('p2', 123_449, 100, { buyerId: 'boris', category: 'Юмор', format: '1/48', status: 'DONE' }),
      row('p3', 50_000, 0, { buyerId: 'boris', category: 'Еда', creativeId: 'cat', paymentStatus: 'paid' }),
      row('p4', 0, 0, { buyerId: 'vera', category: 'Еда', format: '1/∞' }),
      row('p5', 0, 7, { buyerId: 'anna', creativeId: 'dog', status: 'CANCELLED' }),
    ];
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      doc.campaign(campaignRow({ id: 'summed' })),
      // Of no placement that is there: whoever believes it is found out.
      doc.analytics(
        analyticsRow({
          campaignId: 'summed',
          total: { spent: kopecks(77_700), leads: 7, placements: 2 },
          paid: kopecks(11_100),
        }),
      ),
      ...rows.map(doc.placement),
      doc.placement(placementRow({ id: 's1', campaignId: 'summed' })),
      doc.placement(placementRow({ id: 's2', campaignId: 'summed' })),
      doc.gone('placement', 'p6', ['campaign:campaign']),
      doc.campaign(campaignRow({ id: 'marked' })),
      doc.analytics(
        analyticsRow({
          campaignId: 'marked',
          total: { spent: kopecks(500), leads: 10, placements: 5 },
          paid: kopecks(200),
        }),
      ),
      ...[1, 2, 3, 4, 5].map((number) =>
        doc.placement(
          placementRow({
            id: `k${number}`,
            campaignId: 'marked',
            price: kopecks(100),
            leads: 2,
            status: number % 2 === 0 ? 'DONE' : 'PENDING',
            paymentStatus: number > 3 ? 'paid' : 'unpaid',
          }),
        ),
      ),
      doc.campaign(campaignRow({ id: 'believed' })),
      doc.analytics(
        analyticsRow({
          campaignId: 'believed',
          total: { spent: kopecks(77_700), leads: 7, placements: 3 },
          paid: kopecks(11_100),
        }),
      ),
      doc.placement(
        placementRow({ id: 'b1', campaignId: 'believed', price: kopecks(10_000), leads: 1, status: 'DONE' }),
      ),
      doc.placement(placementRow({ id: 'b2', campaignId: 'believed' })),
      doc.placement(placementRow({ id: 'b3', campaignId: 'believed' })),
      doc.campaign(campaignRow({ id: 'many' })),
      ...Array.from({ length: 603 }, (_, number) =>
        doc.placement(
          placementRow({
            id: `m${number}`,
            campaignId: 'many',
            price: kopecks(number),
            status: number < 600 ? 'DONE' : 'PENDING',
          }),
        ),
      ),
    );
  });
  afterAll(() => world.stop());

  const told = async (query: string, campaign = 'campaign'): Promise<Told> => {
    const { token } = await world.signIn('analyst');
    const { status, body } = await world.get(`/campaigns/${campaign}/placements?${query}`, token);
    expect([query, status]).toEqual([query, 200]);
    const { placements, total, totals } = body.data as {
      placements: readonly { id: string }[];
      total: number;
      totals: object;
    };
    return { ids: placements.map(({ id }) => id), total, totals };
  };
  const ids = async (query: string): Promise<string> => (await told(query)).ids.join(' ');

  test('GW-1691 a member given several times is any of its values, of several members each', async () => {
    expect(await ids('buyerId=anna&buyerId=vera')).toBe('p1 p4 p5');
    expect(await ids('buyerId=anna&buyerId=anna')).toBe('p1 p5');
    expect(await ids('creativeId=cat&creativeId=dog&creativeId=none')).toBe('p3 p5');
    expect(await ids('category=%D0%95%D0%B4%D0%B0&category=%D0%AE%D0%BC%D0%BE%D1%80')).toBe('p2 p3 p4');
    expect(await ids('format=1/48&format=1/%E2%88%9E')).toBe('p2 p4');
    expect(await ids('status=DONE&status=CANCELLED')).toBe('p2 p5');
    expect(await ids('paymentStatus=paid&paymentStatus=unpaid')).toBe('p1 p2 p3 p4 p5');
    expect(await ids('buyerId=anna&buyerId=boris&status=PENDING&status=DONE&paymentStatus=paid')).toBe('p1 p3');
    expect(await ids('buyerId=nobody&buyerId=none')).toBe('');
  });

  test('GW-1692 leads and CPL are bounded at both ends; the CPL is the one that is shown, and there is none without leads', async () => {
    expect(await ids('leadsFrom=2')).toBe('p1 p2 p5');
    expect(await ids('leadsFrom=2&leadsTo=7')).toBe('p1 p5');
    expect(await ids('leadsTo=0')).toBe('p3 p4');
    expect(await ids('cplFrom=12.35')).toBe('p1');
    expect(await ids('cplFrom=12,34')).toBe('p1 p2');
    expect(await ids('cplTo=12.34')).toBe('p2 p5');
    expect(await ids('cplFrom=12.35&cplTo=12.35')).toBe('p1');
    expect(await ids('cplFrom=12.34&cplTo=12.34')).toBe('p2');
    expect(await ids('cplFrom=0')).toBe('p1 p2 p5');
    expect(await ids('cplTo=1000000000')).toBe('p1 p2 p5');
    expect(await ids('cplTo=0')).toBe('p5');
    expect(await ids('cplFrom=13&cplTo=12')).toBe('');
  });

  test('GW-1693 the sums are of all that fits, on whatever page', async () => {
    const all = { price: 1759.18, leads: 109, count: 5, costPerLead: 16.14, paid: 524.69, unpaid: 1234.49 };
    for (const query of ['', 'pageSize=2', 'pageSize=2&page=3', 'pageSize=2&page=9', 'sortBy=buyerId&pageSize=1'])
      expect([query, await told(query)]).toMatchObject([query, { total: 5, totals: all }]);
    const annas = { price: 24.69, leads: 9, count: 2, costPerLead: 2.74, paid: 24.69, unpaid: 0 };
    for (const query of ['', '&pageSize=1', '&pageSize=1&page=2&sortBy=price', '&page=5', '&sortBy=costPerLead'])
      expect([query, await told(`buyerId=anna${query}`)]).toMatchObject([query, { total: 2, totals: annas }]);
    const nothing = { price: 0, leads: 0, count: 0, costPerLead: 0, paid: 0, unpaid: 0 };
    expect(await told('search=nobody')).toEqual({ ids: [], total: 0, totals: nothing });
    expect((await told('cplFrom=1&statusNot=DONE')).totals).toMatchObject({ count: 1, costPerLead: 12.35 });
  });

  test('GW-1694 sums that are there already are taken where the table is long and not narrowed', async () => {
    const kept = { price: 777, leads: 7, count: 2, costPerLead: 111, paid: 111, unpaid: 666 };
    expect((await told('pageSize=1', 'summed')).totals).toEqual(kept);
    const counted = { price: 200, leads: 0, count: 2, costPerLead: 0, paid: 0, unpaid: 200 };
    for (const query of ['', 'pageSize=1&status=PENDING', 'pageSize=1&leadsTo=0', 'pageSize=1&sortBy=buyerId'])
      expect([query, (await told(query, 'summed')).totals]).toEqual([query, counted]);
  });

  test('FST-2280 without the rows of one status a page has what looking at all of them finds, by the sums that are there', async () => {
    const orders = ['date&sortOrder=asc', 'price&sortOrder=desc', 'status&sortOrder=asc', 'leads&sortOrder=desc'];
    for (const status of ['DONE', 'PENDING', 'NOBODY'])
      for (const page of [
        'pageSize=50',
        'pageSize=2',
        'pageSize=2&page=2',
        'pageSize=1&page=3',
        'page=9',
        'pageSize=1',
      ])
        for (const order of orders) {
          const query = `statusNot=${status}&${page}&sortBy=${order}`;
          // A bound that every row is within: all of them are looked at.
          expect([query, await told(query)]).toEqual([query, await told(`${query}&priceFrom=0`)]);
          expect([query, await told(query, 'marked')]).toEqual([query, await told(`${query}&priceFrom=0`, 'marked')]);
        }
    const without = { price: 677, leads: 6, count: 2, costPerLead: 112.83, paid: 111, unpaid: 566 };
    expect(await told('statusNot=DONE&pageSize=1', 'believed')).toEqual({ ids: ['b2'], total: 2, totals: without });
  });

  test('FST-2281 of a status that very many rows have all rows are looked at, and the answer is the same', async () => {
    const { ids: first, total, totals } = await told('statusNot=DONE&pageSize=2&sortBy=price', 'many');
    expect({ first, total, totals }).toMatchObject({ first: ['m600', 'm601'], total: 3, totals: { count: 3 } });
  });
});
