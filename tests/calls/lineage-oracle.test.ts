import { givenPerson } from '@zakup/command/testing/given';
import { licenceLineageData, lineageData } from '@zakup/contracts/calls/replies';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { z } from 'zod';
import { givenTeam, type Team } from './team.ts';

type Lineage = z.infer<typeof lineageData>;
type Counted = Lineage['counted']['lines'][number];
type LeftOut = Lineage['leftOut']['lines'][number];

/** Numbers from 0 to below `below`, the same for the same seed. */
const chance = (seed: number) => {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const kopecks = (roubles: number): number => Math.round(roubles * 100);
const sumOf = (all: readonly (number | null)[]): number => all.reduce<number>((sum, one) => sum + kopecks(one ?? 0), 0);
const idsOf = (all: readonly { readonly placementId: string }[]): string[] => all.map(({ placementId }) => placementId);
const sorted = (ids: Iterable<string>): string[] => [...ids].toSorted();
/** What is marked as deep needs a large licence; pages, cursors and files have theirs in a small one, too. */
const [lines, pageSize] = inject('isDeep') ? [640, 61] : [60, 4];

const newestFirst = (a: { date: string; placementId: string }, b: { date: string; placementId: string }): number =>
  a.date === b.date ? (a.placementId < b.placementId ? -1 : 1) : a.date < b.date ? 1 : -1;

/** Cells of a CSV file of ours. */
const cellsOf = (csv: string): string[][] =>
  csv
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'));

describe('the lines behind figures of a large licence', { timeout: 240_000 }, () => {
  let team: Team;
  let buyers: readonly { readonly id: string }[] = [];
  let campaigns: readonly string[] = [];
  let contractorId = '';
  let rows: readonly PlacementWire[] = [];
  const draw = chance(7);

  const ask = async (path: string) => {
    const { status, body } = await team.api.call('GET', path, undefined, { token: team.owner.token });
    expect([path, status]).toEqual([path, 200]);
    return body as { readonly data: unknown; readonly position: number };
  };
  const told = async (path: string): Promise<Lineage> => lineageData.strict().parse((await ask(path)).data);
  const readRows = async (campaignId: string): Promise<PlacementWire[]> => {
    const all: PlacementWire[] = [];
    for (let page = 1; ; page += 1) {
      const { data } = await ask(`/campaigns/${campaignId}/placements?pageSize=500&page=${page}`);
      const { placements } = data as { readonly placements: readonly PlacementWire[] };
      all.push(...placements);
      if (placements.length < 500) return all;
    }
  };
  const readAllRows = async (): Promise<PlacementWire[]> => (await Promise.all(campaigns.map(readRows))).flat();

  beforeAll(async () => {
    team = await givenTeam();
    const { api, licence, done, campaign, placementBody, creative } = team;
    const terms = { performanceThreshold: 70 };
    buyers = [
      await givenPerson(api, licence, 'MEDIA_BUYER', { salaryType: 'performance', salaryRate: 12.5, ...terms }),
      await givenPerson(api, licence, 'TEAM_LEAD', { salaryType: 'budget', salaryRate: 3.3 }),
      await givenPerson(api, licence, 'MEDIA_BUYER', { salaryType: null, salaryRate: null }),
    ];
    const made = await Promise.all(
      ['Первая', 'Вторая'].map((name) =>
        done('POST', '/campaigns', { name, channelId: campaign.channelId, totalBudget: 90_000, status: 'ACTIVE' }),
      ),
    );
    campaigns = made.map((one) => one.campaign.id);
    for (let index = 0; index < lines; index += 1) {
      const body = {
        ...placementBody,
        campaignId: campaigns[draw(8) === 0 ? 1 : 0],
        contractor: `@seller${draw(3)}`,
        buyerId: buyers[draw(8) < 6 ? 0 : 1 + draw(2)]?.id,
        creativeId: draw(3) === 0 ? 'NO_CREATIVE' : creative.id,
        price: (100 + draw(900_000)) / 100,
        date: `2026-${String(1 + draw(12)).padStart(2, '0')}-${String(1 + draw(28)).padStart(2, '0')}`,
        paymentStatus: draw(2) === 0 ? 'paid' : 'unpaid',
        format: draw(2) === 0 ? '1/24' : '1/48',
      };
      const { placement } = await done('POST', '/placements', body);
      if (draw(6) > 0) await done('PATCH', `/placements/${placement.id}`, { leads: draw(60) });
      const fate = draw(20);
      if (fate === 0) await done('DELETE', `/placements/${placement.id}`);
      else if (fate === 1) await done('PATCH', `/placements/${placement.id}`, { buyerId: buyers[draw(3)]?.id });
    }
    const after = await api.eventStore.head();
    await ask(`/campaigns?after=${after}`);
    rows = await readAllRows();
    contractorId = rows[0]?.contractorId ?? '';
  });
  afterAll(() => team.api.close());

  /** Every page of both lists, by cursors; `between` runs after each page. */
  const whole = async (path: string, between: () => Promise<unknown> = async () => undefined) => {
    const first = await told(`${path}&pageSize=${pageSize}`);
    const counted: Counted[] = [...first.counted.lines];
    const leftOut: LeftOut[] = [...first.leftOut.lines];
    for (const list of ['counted', 'leftOut'] as const) {
      let { next } = first[list];
      while (next !== null) {
        await between();
        const page = await told(`${path}&pageSize=${pageSize}&cursor=${next}`);
        const other = list === 'counted' ? 'leftOut' : 'counted';
        expect([path, page[other].lines.length, page[other].next]).toEqual([path, 0, null]);
        expect([path, page[list].total]).toEqual([path, first[list].total]);
        counted.push(...(list === 'counted' ? page.counted.lines : []));
        leftOut.push(...(list === 'leftOut' ? page.leftOut.lines : []));
        next = page[list].next;
      }
    }
    return { first, counted, leftOut };
  };

  /** That everything there is is in one of the lists, once, and that the sums are of the lines. */
  const agree = async (path: string, of: readonly PlacementWire[], between?: () => Promise<unknown>) => {
    const { first, counted, leftOut } = await whole(path, between);
    const there = leftOut.filter(({ at }) => at === null);
    const all = [...idsOf(counted), ...idsOf(leftOut)];
    expect([path, all.length]).toEqual([path, new Set(all).size]);
    expect([path, sorted([...idsOf(counted), ...idsOf(there)])]).toEqual([path, sorted(of.map(({ id }) => id))]);
    expect([path, first.counted.total, first.leftOut.there, first.leftOut.gone, first.leftOut.total]).toEqual([
      path,
      counted.length,
      there.length,
      leftOut.length - there.length,
      leftOut.length,
    ]);
    expect([path, idsOf(counted)]).toEqual([path, idsOf(counted.toSorted(newestFirst))]);
    const days = there.map((line) => ({ ...line, date: line.date ?? '' }));
    expect([path, idsOf(days)]).toEqual([path, idsOf(days.toSorted(newestFirst))]);
    expect([path, leftOut.slice(0, there.length)]).toEqual([path, there]);
    expect([path, kopecks(first.counted.price), kopecks(first.leftOut.price)]).toEqual([
      path,
      sumOf(counted.map(({ price }) => price)),
      sumOf(there.map(({ price }) => price)),
    ]);
    return { first, counted, leftOut, there };
  };

  test('LIN-58 of every figure of a campaign all lines are there once, counted or with a reason, page by page, and add up to it @deep', async () => {
    const [campaignId = ''] = campaigns;
    const own = rows.filter((row) => row.campaignId === campaignId);
    expect(own.length).toBeGreaterThan(500);
    const base = `/campaigns/${campaignId}/lineage?figure=`;
    for (const figure of ['spent', 'remaining', 'budgetUse', 'leads', 'placements', 'cpl', 'averagePrice']) {
      const { counted, first } = await agree(`${base}${figure}`, own);
      expect([figure, counted.length]).toEqual([figure, own.length]);
      const leads = counted.reduce((sum, line) => sum + line.leads, 0);
      const sums: Readonly<Record<string, number>> = { spent: first.counted.price, leads };
      expect([figure, first.value]).toEqual([figure, sums[figure] ?? first.value]);
    }
    for (const figure of ['leadsPerPlacement', 'placementsPerBuyer', 'budgetPerCreative', 'roi', 'conversion'])
      await agree(`${base}${figure}`, own);
    for (const figure of ['paid', 'unpaid']) {
      const { first, counted, there } = await agree(`${base}${figure}`, own);
      expect([figure, kopecks(first.value)]).toEqual([figure, sumOf(counted.map(({ price }) => price))]);
      expect(new Set(there.map(({ reason }) => reason))).toEqual(
        new Set([figure === 'paid' ? 'Не оплачено' : 'Оплачено']),
      );
    }
    await agree(`${base}budget`, []);
  });

  test('LIN-51 what people are paid adds up to the kopeck, line by line, and its sentence tells the number of its list @deep', async () => {
    const [campaignId = ''] = campaigns;
    const own = rows.filter((row) => row.campaignId === campaignId);
    const paid = [
      ...buyers.map(({ id }) => [`earnings&userId=${id}`, own.filter(({ buyerId }) => buyerId === id)] as const),
      ...buyers.map(({ id }) => [`bonus&userId=${id}`, own.filter(({ buyerId }) => buyerId === id)] as const),
      ['allEarnings', own] as const,
    ];
    let someLeftOut = 0;
    for (const [figure, of] of paid) {
      const { first, counted, there } = await agree(`/campaigns/${campaignId}/lineage?figure=${figure}`, of);
      expect([figure, kopecks(first.value)]).toEqual([figure, sumOf(counted.map(({ amount }) => amount))]);
      const inWords = /^([\d\s\u00a0]+) размещени/u.exec(first.formula)?.[1] ?? String(first.counted.total);
      expect([figure, Number(inWords.replaceAll(/\D/gu, ''))]).toEqual([figure, first.counted.total]);
      expect(there.every(({ reason }) => reason !== '')).toBe(true);
      someLeftOut = Math.max(someLeftOut, there.length);
    }
    expect(someLeftOut).toBeGreaterThan(200);
    for (const { id } of buyers) {
      const { first, counted } = await agree(
        `/campaigns/${campaignId}/lineage?figure=ownRate&userId=${id}`,
        own.filter(({ buyerId }) => buyerId === id),
      );
      expect(first.counted.total).toBe(counted.length);
    }
  });

  test('LIN-52 narrowed and filtered figures, a contractor’s and the report’s bonus have all of their lines too @deep', async () => {
    const [campaignId = ''] = campaigns;
    const [buyer] = buyers;
    const own = rows.filter((row) => row.campaignId === campaignId);
    const narrowed: readonly (readonly [string, (row: PlacementWire) => boolean])[] = [
      [`userId=${buyer?.id}`, ({ buyerId }) => buyerId === buyer?.id],
      [`creativeId=${team.creative.id}`, ({ creativeId }) => creativeId === team.creative.id],
      [`contractorId=${contractorId}`, (row) => row.contractorId === contractorId],
      ['from=2026-03-01&to=2026-09-15', ({ date }) => date >= '2026-03-01' && date <= '2026-09-15'],
      ['format=1/24&priceTo=5000', ({ format, price }) => format === '1/24' && price <= 5000],
    ];
    for (const [query, isOf] of narrowed)
      for (const figure of ['spent', 'unpaid'])
        await agree(`/campaigns/${campaignId}/lineage?figure=${figure}&${query}`, own.filter(isOf));
    for (const figure of ['spent', 'paid', 'cpl'])
      await agree(
        `/contractors/${contractorId}/lineage?figure=${figure}`,
        rows.filter((row) => row.contractorId === contractorId),
      );
    for (const { id } of buyers) {
      const path = `/reports/salary/lineage?userId=${id}`;
      const mine = rows.filter(({ buyerId }) => buyerId === id);
      const { first, counted } = await agree(path, mine);
      expect([path, kopecks(first.value)]).toEqual([path, sumOf(counted.map(({ amount }) => amount))]);
      const report = (await ask(`/reports/salary?userId=${id}`)).data as {
        readonly rows: readonly {
          readonly salaryReportBonus: number;
          readonly formula: string;
          readonly countedTotal: { readonly count: number };
          readonly leftOutTotal: { readonly count: number };
        }[];
      };
      const [row] = report.rows;
      expect([row?.salaryReportBonus, row?.formula, row?.countedTotal.count, row?.leftOutTotal.count]).toEqual([
        first.value,
        first.formula,
        first.counted.total,
        first.leftOut.there,
      ]);
      const march = mine.filter(({ date }) => date.startsWith('2026-03'));
      await agree(`${path}&from=2026-03-01&to=2026-03-31`, march);
      const there = mine.filter((one) => one.campaignId === campaignId);
      await agree(`${path}&campaign=${campaignId}`, there);
    }
  });

  test('LIN-53 pages by number repeat nothing and leave nothing out in either list', async () => {
    const [buyer] = buyers;
    const path = `/campaigns/${campaigns[0]}/lineage?figure=earnings&userId=${buyer?.id}`;
    const first = await told(`${path}&pageSize=${pageSize}`);
    expect(Math.min(first.counted.total, first.leftOut.total)).toBeGreaterThan(2 * pageSize);
    const lists: Record<'counted' | 'leftOut', string[]> = { counted: [], leftOut: [] };
    for (let page = 1; page <= Math.ceil(Math.max(first.counted.total, first.leftOut.total) / pageSize); page += 1) {
      const { counted, leftOut } = await told(`${path}&pageSize=${pageSize}&page=${page}`);
      lists.counted.push(...idsOf(counted.lines));
      lists.leftOut.push(...idsOf(leftOut.lines));
    }
    expect([lists.counted.length, new Set(lists.counted).size]).toEqual([first.counted.total, first.counted.total]);
    expect([lists.leftOut.length, new Set(lists.leftOut).size]).toEqual([first.leftOut.total, first.leftOut.total]);
  });

  test('LIN-54 a file has every line that the pages have, with the reason, as of the moment that is asked for', async () => {
    const [buyer] = buyers;
    const question = `figure=earnings&userId=${buyer?.id}`;
    const path = `/campaigns/${campaigns[0]}/lineage`;
    const { counted, leftOut } = await whole(`${path}?${question}`);
    const at = (await ask(`${path}?${question}`)).position;
    const file = async (query: string) => {
      const response = await fetch(`${team.api.address}/api${path}/export?${question}&${query}`, {
        headers: { Authorization: `Bearer ${team.owner.token}` },
      });
      expect(response.status).toBe(200);
      const name = decodeURIComponent(response.headers.get('content-disposition') ?? '');
      return { name, text: await response.text() };
    };
    const now = await file('format=csv');
    const [header, ...body] = cellsOf(now.text);
    expect(header?.[9]).toBe('Почему не засчитано');
    expect(body.map((cells) => [cells[0], cells.at(-1)])).toEqual([
      ...idsOf(counted).map((id) => ['да', id]),
      ...idsOf(leftOut).map((id) => ['нет', id]),
    ]);
    const plain = (text: string | undefined): string => (text ?? '').replaceAll(/"|\u00a0/gu, ' ').trim();
    expect(body.slice(counted.length).map((cells) => plain(cells[9]))).toEqual(
      leftOut.map(({ reason }) => plain(reason)),
    );
    const amounts = body.slice(0, counted.length).map((cells) => Number((cells[8] ?? '').replace(',', '.')));
    expect(sumOf(amounts)).toBe(sumOf(counted.map(({ amount }) => amount)));
    expect(now.name).not.toContain('как было');
    const then = await file(`format=csv&at=${at}`);
    expect(then.text).toBe(now.text);
    expect(then.name).toContain('как было');
    expect((await file('format=xlsx')).text.startsWith('PK')).toBe(true);
  });

  test('LIN-55 pages stay those of the first one while rows come, change, move and go', async () => {
    const [campaignId = ''] = campaigns;
    const [buyer, other] = buyers;
    const own = rows.filter((row) => row.campaignId === campaignId && row.buyerId === buyer?.id);
    let turn = 0;
    const colleague = async (): Promise<void> => {
      const row = own[(turn * 37) % own.length];
      turn += 1;
      const { done, placementBody } = team;
      await done('POST', '/placements', { ...placementBody, campaignId, buyerId: buyer?.id, date: '2026-12-31' });
      const body = [{ price: 1 }, { date: '2026-01-01' }, { leads: 999 }, { buyerId: other?.id }][turn % 4];
      if (turn % 5 === 0) await done('DELETE', `/placements/${row?.id}`);
      else await done('PATCH', `/placements/${row?.id}`, body);
      await ask(`/campaigns?after=${await team.api.eventStore.head()}`);
    };
    await agree(`/campaigns/${campaignId}/lineage?figure=earnings&userId=${buyer?.id}`, own, colleague);
    expect(turn).toBeGreaterThan(4);
    rows = await readAllRows();
  });

  test('LIN-56 campaigns and channels beyond two hundred have their pages and their file too @deep', async () => {
    for (let index = 0; index < 260; index += 1) {
      const { channel } = await team.done('POST', '/channels', { name: `Канал ${index}` });
      if (index % 20 === 0) await team.done('DELETE', `/channels/${channel.id}`);
    }
    await ask(`/campaigns?after=${await team.api.eventStore.head()}`);
    const path = '/license/lineage?figure=channels&pageSize=60';
    const page = async (more: string) => licenceLineageData.strict().parse((await ask(`${path}${more}`)).data);
    const first = await page('');
    const found = [...first.counted.lines];
    for (let next = first.counted.next; next !== null; ) {
      await team.done('POST', '/channels', { name: team.fresh('Новый') });
      const following = await page(`&cursor=${next}`);
      found.push(...following.counted.lines);
      next = following.counted.next;
    }
    expect(found.length).toBe(first.value);
    expect(new Set(found.map(({ id }) => id)).size).toBe(first.value);
    expect([first.counted.total, first.leftOut.gone, first.leftOut.there]).toEqual([first.value, 13, 0]);
    expect(first.leftOut.lines).toHaveLength(13);
    const response = await fetch(`${team.api.address}/api/license/lineage/export?figure=channels&format=csv`, {
      headers: { Authorization: `Bearer ${team.owner.token}` },
    });
    expect(cellsOf(await response.text()).length).toBeGreaterThan(first.value + 13);
  });

  test('LIN-57 a cursor that is none, or of no moment that there was, is refused', async () => {
    const path = `/campaigns/${campaigns[0]}/lineage?figure=spent`;
    for (const cursor of [
      'x',
      'counted-1',
      'counted-1-x',
      'other-1-1',
      'counted-900000000000000-1',
      'counted-0-1',
      '',
    ]) {
      const { status } = await team.api.call('GET', `${path}&cursor=${cursor}`, undefined, {
        token: team.owner.token,
      });
      expect([cursor, status]).toEqual([cursor, 422]);
    }
  });
});
