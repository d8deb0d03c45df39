import { lineageData, placementsData } from '@zakup/contracts/calls/replies';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { givenTeam, type Team } from './team.ts';

type Lineage = z.infer<typeof lineageData>;

describe('why a total of a filtered table is what it is', () => {
  let team: Team;
  let campaignId = '';
  let buyer = '';
  let lead = '';

  const add = async (contractor: string, more: object): Promise<string> => {
    const body = { ...team.placementBody, campaignId, contractor, category: 'Кулинария', ...more };
    return (await team.done('POST', '/placements', body)).placement.id;
  };
  const change = (id: string, changes: object) =>
    'paymentStatus' in changes
      ? team.done('POST', `/placements/${id}/payment`, changes)
      : team.done('PATCH', `/placements/${id}`, changes);

  beforeAll(async () => {
    team = await givenTeam();
    [buyer, lead] = [team.actors.MEDIA_BUYER.id, team.actors.TEAM_LEAD.id];
    const { channelId } = team.campaign;
    const made = await team.done('POST', '/campaigns', {
      name: 'Осень',
      channelId,
      totalBudget: 1000,
      status: 'ACTIVE',
    });
    campaignId = made.campaign.id;
    for (let index = 0; index < 24; index += 1) {
      const id = await add(index % 3 === 0 ? '@kot_ads' : `@pes${index % 5}`, {
        price: 10 * index + 0.5,
        date: `2026-11-${String(1 + (index % 9)).padStart(2, '0')}`,
        format: index % 2 === 0 ? '1/24' : '1/48',
        buyerId: index % 4 === 0 ? lead : buyer,
        paymentStatus: index % 5 === 0 ? 'paid' : 'unpaid',
      });
      if (index % 6 === 0) await change(id, { status: 'REMOVED_EARLY' });
      if (index % 7 === 0) await change(id, { leads: index });
    }
  });
  afterAll(() => team.api.close());

  const ask = async (path: string) => {
    const after = await team.api.eventStore.head();
    return team.api.call('GET', `${path}&after=${after}`, undefined, { token: team.owner.token });
  };
  const told = async (query: string): Promise<Lineage> => {
    const { status, body } = await ask(`/campaigns/${campaignId}/lineage?${query}`);
    expect([query, status, body.error]).toEqual([query, 200, null]);
    return lineageData.strict().parse(body.data);
  };
  /** A filter in the words of the table, and in those of the lineage. */
  const asLineage = (filter: string): string =>
    filter.replaceAll('buyerId=', 'userId=').replace('dateFrom=', 'from=').replace('dateTo=', 'to=');

  test('LIN-40 the lines of a filtered total are the rows of the table with the same filter, and their sum', async () => {
    const filters = [
      'statusNot=REMOVED_EARLY',
      'status=REMOVED_EARLY',
      `buyerId=${lead}&priceFrom=50,5`,
      'format=1/48&dateFrom=2026-11-03&dateTo=2026-11-07',
      'paymentStatus=paid&priceTo=150.5',
      'search=KOT&statusNot=REMOVED_EARLY',
      'search=%40pes1&format=1/24',
      'category=Кулинария&search=nobody',
      'category=Мемы',
      'leadsFrom=7&leadsTo=14',
      'leadsTo=0',
      'cplFrom=10.05',
      'cplTo=10.05&statusNot=REMOVED_EARLY',
      `buyerId=${lead}&buyerId=${buyer}&status=REMOVED_EARLY&status=PENDING`,
      'format=1/24&format=1/48&paymentStatus=paid&paymentStatus=unpaid&creativeId=none&creativeId=nobody',
      'category=Кулинария&category=Мемы&priceTo=100',
    ];
    for (const filter of filters) {
      const { body } = await ask(`/campaigns/${campaignId}/placements?pageSize=500&${filter}`);
      const rows = placementsData.parse(body.data).placements;
      for (const figure of ['spent', 'leads', 'placements', 'paid'] as const) {
        const { counted, value } = await told(`figure=${figure}&pageSize=500&${asLineage(filter)}`);
        const lines = rows.filter(({ paymentStatus }) => figure !== 'paid' || paymentStatus === 'paid');
        const ids = (of: readonly string[]) => [filter, figure, ...of.toSorted()];
        expect(ids(counted.lines.map(({ placementId }) => placementId))).toEqual(ids(lines.map(({ id }) => id)));
        const sum = (of: 'price' | 'leads') => lines.reduce((total, row) => total + row[of], 0);
        expect([filter, figure, value]).toEqual([
          filter,
          figure,
          figure === 'leads' ? sum('leads') : figure === 'placements' ? lines.length : sum('price'),
        ]);
      }
    }
    const all = await told('figure=placements&statusNot=NOBODY');
    expect(all.value).toBe(24);
  });

  test('LIN-41 a filtered total is moved by what changes within the filter, comes into it or leaves it, and by nothing else', async () => {
    const filter = `userId=${buyer}&search=hit&category=Кулинария&format=1/24&paymentStatus=unpaid&statusNot=REMOVED_EARLY&from=2026-12-01&to=2026-12-05&priceFrom=100&priceTo=200`;
    const within = { price: 150, date: '2026-12-03', format: '1/24', buyerId: buyer };
    const id = await add('@hit_ads', within);
    const other = await add('@miss_ads', within);
    const last = async (figure = 'spent') => {
      const { moved, counted, leftOut } = await told(`figure=${figure}&${filter}`);
      return {
        last: [moved[0]?.event, moved[0]?.entity.id],
        count: moved.length,
        counted: counted.total,
        reasons: leftOut.lines.map(({ reason }) => reason),
      };
    };
    expect(await last()).toEqual({ last: ['PlacementAdded', id], count: 1, counted: 1, reasons: [] });
    await change(other, { price: 160 });
    await change(other, { price: 300 });
    expect(await last(), 'of a row that was never within').toMatchObject({ count: 1, reasons: [] });
    await change(id, { date: '2026-12-04' });
    expect((await last()).count, 'on another of the days').toBe(1);
    await change(id, { price: 170 });
    expect(
      [(await last()).count, (await last('leads')).count],
      'another price within, of which leads are none',
    ).toEqual([2, 1]);

    let count = 2;
    const leaving: readonly (readonly [away: object, back: object, reason: string])[] = [
      [{ price: 300 }, { price: 170 }, 'Изменена цена'],
      [{ date: '2026-12-06' }, { date: '2026-12-03' }, 'Перенесено на другую дату'],
      [{ buyerId: lead }, { buyerId: buyer }, 'Перенесено на другого байера'],
      [{ format: '1/48' }, { format: '1/24' }, 'Сменился формат'],
      [{ category: 'Мемы' }, { category: 'Кулинария' }, 'Сменилась тематика'],
      [{ status: 'REMOVED_EARLY' }, { status: 'PENDING' }, 'Сменился статус'],
      [{ paymentStatus: 'paid' }, { paymentStatus: 'unpaid' }, 'Изменена отметка об оплате'],
      [{ contractor: '@miss_ads' }, { contractor: '@hit_ads' }, 'Больше не находится поиском'],
    ];
    for (const [away, back, reason] of leaving) {
      await change(id, away);
      count = Math.min(10, count + 1);
      const left = await last();
      expect([reason, left]).toEqual([reason, { ...left, count, counted: 0, reasons: [reason] }]);
      expect(left.last[1]).toBe(id);
      // What happens to it outside moves nothing.
      await change(id, { leads: count });
      expect((await last('leads')).last[0]).toBe(left.last[0]);
      await change(id, back);
      count = Math.min(10, count + 1);
      expect([reason, await last()]).toMatchObject([reason, { count, counted: 1, reasons: [] }]);
    }
    await team.done('DELETE', `/placements/${id}`);
    expect(await last()).toMatchObject({ last: ['PlacementRemoved', id], counted: 0, reasons: ['Размещение удалено'] });
  });

  test('VIW-2012 a total within bounds of CPL is moved by leads and price that leave them', async () => {
    const id = await add('@cpl_ads', { price: 100, date: '2026-12-20', buyerId: buyer });
    const last = async (bounds: string) => {
      const { counted, leftOut } = await told(`figure=spent&from=2026-12-20&to=2026-12-20&${bounds}`);
      return [counted.total, leftOut.lines.map(({ reason }) => reason)];
    };
    expect(await last('cplTo=100')).toEqual([0, []]);
    await change(id, { leads: 3 });
    expect([await last('cplFrom=33.33&cplTo=33.33'), await last('leadsTo=2')]).toEqual([
      [1, []],
      [0, ['Изменён приход']],
    ]);
    await change(id, { price: 101 });
    expect(await last('cplTo=33.33')).toEqual([0, ['Изменился CPL']]);
  });

  test('VIW-2164 a total of several values of a filter is left only by what is none of them; pay and budget are of one person', async () => {
    const id = await add('@two_ads', { price: 100, date: '2026-12-22', format: '1/24', buyerId: buyer });
    const asked = 'figure=spent&from=2026-12-22&to=2026-12-22&format=1/24&format=1/48';
    const counted = async (query: string) => (await told(query)).counted.total;
    const both = `${asked}&userId=${buyer}&userId=${lead}`;
    await change(id, { buyerId: lead, format: '1/48' });
    expect([await counted(both), await counted(`${asked}&userId=${buyer}`)]).toEqual([1, 0]);
    await change(id, { format: '1/72' });
    expect((await told(both)).leftOut.lines.map(({ reason }) => reason)).toEqual(['Сменился формат']);
    for (const figure of ['earnings', 'ownRate', 'bonus', 'budget', 'remaining', 'budgetUse']) {
      const { status, body } = await ask(
        `/campaigns/${campaignId}/lineage?figure=${figure}&userId=${buyer}&userId=${lead}`,
      );
      expect([figure, status, body.errors?.[0]?.pointer]).toEqual([figure, 422, '/userId']);
    }
  });

  test('LIN-42 what somebody is paid is of no filter, and a filter that there is not is refused', async () => {
    const parts = [
      'category=Кулинария',
      'format=1/24',
      'paymentStatus=paid',
      'status=PENDING',
      'statusNot=PENDING',
      'priceFrom=1',
      'priceTo=1',
      'leadsFrom=1',
      'leadsTo=1',
      'cplFrom=1',
      'cplTo=1',
      'search=k',
    ];
    for (const part of parts) {
      const { status, body } = await ask(`/campaigns/${campaignId}/lineage?figure=earnings&userId=${buyer}&${part}`);
      const pointer = `/${part.split('=', 1)[0]}`;
      expect([part, status, body.errors?.[0]?.pointer]).toEqual([part, 422, pointer]);
    }
    for (const part of ['priceFrom=x', 'search=' + 'k'.repeat(101), 'sortBy=date', 'buyerId=x', 'category='])
      expect([part, (await ask(`/campaigns/${campaignId}/lineage?figure=spent&${part}`)).status]).toEqual([part, 422]);
  });
});
