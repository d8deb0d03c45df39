import { randomUUID } from 'node:crypto';
import { givenPerson } from '@zakup/command/testing/given';
import type {
  CampaignWire,
  ContractorWire,
  EarningsWire,
  PersonWire,
  PlacementWire,
} from '@zakup/contracts/wire-entities';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { givenTeam, type Team } from '../calls/team.ts';
import { plainContractor, plainEarnings, plainReport } from './plain-report.ts';

const histories = inject('isDeep') ? 30 : 4;
/** How often each kind of command must be taken in all of them. */
const least = inject('isDeep') ? 5 : 1;
const commands = 40;
const kinds = 18;

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

interface Data {
  readonly placements: readonly PlacementWire[];
  readonly total: number;
  readonly campaigns: readonly CampaignWire[];
  readonly contractors: readonly ContractorWire[];
  readonly contractor: ContractorWire;
  readonly users: readonly PersonWire[];
  readonly earnings: readonly EarningsWire[];
  readonly statements: readonly { readonly userId: string; readonly amount: number }[];
  readonly summary: Readonly<Record<string, number>>;
  readonly indicators: Readonly<Record<string, number>>;
  readonly value: number;
  readonly counted: {
    readonly total: number;
    readonly lines: readonly { readonly price: number; readonly leads: number }[];
  };
  readonly rows: readonly {
    readonly userId: string;
    readonly salaryReportBonus: number;
    readonly counted: readonly object[];
    readonly leftOut: readonly object[];
  }[];
  readonly hits: readonly { readonly kind: string; readonly id: string }[];
  readonly entries: readonly { readonly position: number }[];
  readonly nextCursor: string | null;
  readonly notifications: readonly {
    readonly read: boolean;
    readonly position: number;
    readonly type: string;
    readonly count: number;
  }[];
  readonly unread: number;
}

/** Half up. */
const cents = (value: number): number => Math.round((value + Number.EPSILON) * 100) / 100;
const byText =
  <Item>(textOf: (item: Item) => string) =>
  (a: Item, b: Item): number =>
    textOf(a) < textOf(b) ? -1 : 1;
const idOfLine = ({ placementId }: { readonly placementId: string }): string => placementId;
const sum = (values: readonly number[]): number => cents(values.reduce((all, one) => all + one, 0));

describe('reads after random commands', { timeout: 240_000 }, () => {
  let team: Team;
  beforeAll(async () => {
    team = await givenTeam();
  });
  afterAll(() => team.api.close());

  /** How many commands of each kind were taken. */
  const taken = new Map<number, number>();

  const get = async (path: string, token = team.owner.token): Promise<Data> => {
    const { status, body } = await team.api.call('GET', path, undefined, { token });
    if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
    return body.data as unknown as Data;
  };
  const bytes = async (path: string): Promise<string> =>
    (
      await fetch(`${team.api.address}/api${path}`, { headers: { Authorization: `Bearer ${team.owner.token}` } })
    ).text();

  test.each(Array.from({ length: histories }, (_, seed) => seed))(
    'RATK-10 agree with each other and with plain sums, seed %i',
    async (seed) => {
      const { api, licence, done, campaign: first } = team;
      const draw = chance(seed);
      const among = <Item>(items: readonly Item[]): Item | undefined => items[draw(items.length)];
      const people = [
        await givenPerson(api, licence, 'MEDIA_BUYER', {
          salaryType: 'performance',
          salaryRate: 12.5,
          performanceThreshold: 80 + draw(50),
        }),
        await givenPerson(api, licence, 'TEAM_LEAD', { salaryType: 'budget', salaryRate: 3 }),
        await givenPerson(api, licence, 'MEDIA_BUYER', {}),
        await givenPerson(api, licence, 'MEDIA_BUYER', { salaryType: 'performance', salaryRate: 5 }),
      ];
      // More of them than the best three of a report.
      const creatives = [team.creative.id, 'NO_CREATIVE'];
      for (const name of ['Суп', 'Пирог', 'Каша']) {
        const { creative } = await done('POST', '/creatives', { name: team.fresh(name) });
        creatives.push(creative.id);
      }
      const tokens = [licence.owner, team.askers.CBDO.token, ...people.map(({ token }) => token)];
      const campaigns: string[] = [];
      for (const status of ['ACTIVE', 'DRAFT']) {
        const body = {
          name: `Опыт ${seed} | ${status}`,
          channelId: first.channelId,
          totalBudget: 500 + draw(3_000),
          status,
        };
        const { campaign } = await done('POST', '/campaigns', {
          ...body,
          participants: [
            {
              userId: people[1]?.id,
              budget: 100,
              ...(draw(2) === 0 && { salaryType: 'performance', salaryRate: 10, cplThreshold: 90 }),
            },
          ],
        });
        campaigns.push(campaign.id);
      }
      const nicks = [0, 1, 2, 3].map((n) => `ник${seed}x${n}`);
      const placements: string[] = [];
      const contractors = new Set<string>();
      const undoable: string[] = [];
      for (let count = 0; count < commands; count += 1) {
        const token = tokens[draw(tokens.length)] as string;
        const key = randomUUID();
        const ask = (method: string, path: string, body?: unknown) => api.call(method, path, body, { token, key });
        const body = {
          campaignId: among(campaigns),
          contractor: `@${among(nicks)}`,
          buyerId: among(people)?.id,
          category: 'Мемы',
          price: draw(2_000_00) / 100,
          creativeId: among(creatives),
          paymentStatus: draw(2) === 0 ? 'paid' : 'unpaid',
          date: `2026-03-0${1 + draw(9)}`,
        };
        const placement = among(placements) ?? 'none';
        const what = draw(kinds);
        const reply =
          what < 5
            ? await ask('POST', '/placements', body)
            : what < 9
              ? await ask(
                  'PATCH',
                  `/placements/${placement}`,
                  draw(2) === 0
                    ? { leads: draw(40) }
                    : { price: body.price, contractor: body.contractor, buyerId: body.buyerId },
                )
              : what === 9
                ? await ask('DELETE', `/placements/${placement}`)
                : what === 10
                  ? await ask('POST', `/placements/${placement}/restore`, {})
                  : what === 11
                    ? await ask('POST', `/contractors/${among([...contractors])}/merge`, {
                        intoId: among([...contractors]),
                      })
                    : what === 12
                      ? await ask('POST', '/undo', { commandId: among(undoable) ?? randomUUID(), reason: 'опыт' })
                      : what === 13
                        ? await ask(
                            draw(2) === 0 ? 'DELETE' : 'POST',
                            `/campaigns/${campaigns[1]}${draw(2) === 0 ? '' : '/restore'}`,
                            undefined,
                          )
                        : what === 14
                          ? await ask('PUT', `/campaigns/${campaigns[0]}`, { totalBudget: 200 + draw(4_000) })
                          : what === 15
                            ? await ask('POST', `/placements/${placement}/payment`, {})
                            : what === 16
                              ? await ask('PUT', `/users/${among(people)?.id}`, {
                                  salaryType: among(['performance', 'budget']),
                                  salaryRate: draw(3_000) / 100,
                                  performanceThreshold: 60 + draw(80),
                                })
                              : await ask('PUT', `/campaigns/${campaigns[draw(2)]}`, {
                                  participants: people.map(({ id }) => ({
                                    userId: id,
                                    budget: draw(1_000),
                                    ...(draw(3) > 0 && {
                                      salaryType: among(['performance', 'budget']),
                                      salaryRate: draw(3_000) / 100,
                                      cplThreshold: 60 + draw(80),
                                    }),
                                  })),
                                });
        expect([reply.body.error, reply.status < 500]).toEqual([reply.body.error, true]);
        if (reply.status !== 200) continue;
        taken.set(what, (taken.get(what) ?? 0) + 1);
        undoable.push(key);
        if (what < 5) {
          placements.push(reply.body.data.placement.id);
          contractors.add(reply.body.data.placement.contractorId);
        }
      }
      await api.followed();
      const at = await api.eventStore.head();
      const there = (await get('/campaigns')).campaigns.filter(({ id }) => campaigns.includes(id));
      const all: PlacementWire[] = [];
      const paths = ['/users', '/campaigns', '/contractors', '/channels', '/creatives', '/reports/salary'];
      const users = (await get('/users')).users;
      for (const campaign of there) {
        const base = `/campaigns/${campaign.id}`;
        const { placements: rows, total } = await get(`${base}/placements?pageSize=500`);
        expect(rows.length).toBe(total);
        all.push(...rows);

        const csv = (await bytes(`${base}/export?format=csv`)).replace('\ufeff', '').trimEnd().split(/\r?\n/u).slice(1);
        expect(csv.map((line) => line.split(';').at(-3))).toEqual(rows.map(({ id }) => id));
        expect(csv.map((line) => Number(line.split(';')[2]?.replace(',', '.')))).toEqual(
          rows.map(({ price }) => price),
        );

        const report = await get(`${base}/analytics`);
        expect(report).toMatchObject(plainReport(rows, campaign));
        const expected: Readonly<Record<string, number | undefined>> = {
          spent: report.summary['spentBudget'],
          paid: report.summary['paidBudget'],
          unpaid: report.summary['unpaidBudget'],
          remaining: report.summary['remainingBudget'],
          leads: report.summary['totalLeads'],
          placements: rows.length,
          cpl: report.summary['averageCostPerLead'],
          budgetUse: report.indicators['budgetUsePercent'],
          leadsPerPlacement: report.indicators['leadsPerPlacement'],
          placementsPerBuyer: report.indicators['placementsPerBuyer'],
          budgetPerCreative: report.indicators['budgetPerCreative'],
          roi: report.indicators['roi'],
          conversion: report.indicators['conversionRate'],
        };
        for (const [figure, value] of Object.entries(expected)) {
          const told = await get(`${base}/lineage?figure=${figure}&pageSize=500`);
          expect([figure, told.value]).toEqual([figure, value]);
          const lines = sum(told.counted.lines.map(({ price }) => price));
          const isSum = figure === 'spent' || figure === 'paid' || figure === 'unpaid';
          expect([figure, isSum ? lines : value]).toEqual([figure, value]);
          paths.push(`${base}/lineage?figure=${figure}`);
        }
        const pay = await get(`${base}/earnings`);
        const paidFor = new Set(pay.earnings.map(({ userId }) => userId));
        expect(rows.filter(({ buyerId }) => !paidFor.has(buyerId))).toEqual([]);
        for (const { userId, earnings, counted, leftOut, ...told } of pay.earnings) {
          expect((await get(`${base}/lineage?figure=earnings&userId=${userId}`)).value).toBe(earnings);
          const person = users.find(({ id }) => id === userId);
          if (person === undefined) throw new Error(`${userId} is nobody`);
          const own = rows.filter(({ buyerId }) => buyerId === userId).toSorted(byText(({ id }) => id));
          const lines = { counted: counted.toSorted(byText(idOfLine)), leftOut: leftOut.toSorted(byText(idOfLine)) };
          expect({ ...told, earnings, ...lines }).toMatchObject(plainEarnings(own, campaign, person));
          expect(leftOut.filter(({ reason }) => !/^(CPL выше|Условия не заданы)/u.test(reason))).toEqual([]);
        }
        for (const { userId, amount } of pay.statements)
          expect((await get(`${base}/lineage?figure=ownRate&userId=${userId}`)).value).toBe(amount);
        paths.push(`${base}/placements`, `${base}/analytics`, `${base}/earnings`);
        for (const { id } of rows.slice(0, 3)) paths.push(`/placements/${id}`);
      }

      for (const row of (await get('/reports/salary?pageSize=500')).rows.filter(({ userId }) =>
        people.some(({ id }) => id === userId),
      )) {
        const person = users.find(({ id }) => id === row.userId);
        const own = all.filter(({ buyerId }) => buyerId === row.userId);
        const threshold = person?.performanceThreshold ?? 100;
        const counted =
          person?.salaryType === 'performance'
            ? own.filter(
                ({ price, leads }) => leads === 0 || Math.round(price * 100) < Math.round(threshold * 100) * leads,
              )
            : [];
        const cost = counted.reduce((kopecks, { price }) => kopecks + Math.round(price * 100), 0);
        expect([row.counted.length, row.leftOut.length]).toEqual([counted.length, own.length - counted.length]);
        expect(row.salaryReportBonus).toBe(Math.floor((cost * 10 + 50) / 100) / 100);
      }

      for (const contractor of (await get('/contractors')).contractors.filter(({ id }) => contractors.has(id))) {
        const own = all.filter(({ contractorId }) => contractorId === contractor.id);
        expect(contractor).toMatchObject(plainContractor(own));
        for (const nick of [contractor.adminUsername, ...(contractor.otherUsernames ?? [])]) {
          const { hits } = await get(`/search?q=${encodeURIComponent(nick)}&limit=50`);
          expect([nick, hits.filter(({ kind }) => kind === 'contractor').map(({ id }) => id)]).toEqual([
            nick,
            [contractor.id],
          ]);
          const placed = hits.filter(({ kind }) => kind === 'placement').map(({ id }) => id);
          expect([nick, placed.toSorted()]).toEqual([nick, own.map(({ id }) => id).toSorted()]);
        }
        for (const figure of ['spent', 'leads', 'placements', 'cpl', 'averagePrice']) {
          const member =
            {
              spent: 'totalSpent',
              leads: 'totalLeads',
              placements: 'totalPlacements',
              cpl: 'averageCostPerLead',
              averagePrice: 'averagePlacementPrice',
            }[figure] ?? '';
          const told = await get(`/contractors/${contractor.id}/lineage?figure=${figure}`);
          expect([figure, told.value]).toEqual([figure, (contractor as unknown as Record<string, unknown>)[member]]);
        }
        paths.push(`/contractors/${contractor.id}`, `/contractors/${contractor.id}/lineage?figure=spent`);
      }

      for (const path of paths) {
        const then = (await get(`${path}${path.includes('?') ? '&' : '?'}at=${at}`)) as object;
        expect([path, then]).toEqual([path, await get(path)]);
      }

      const whole = async (query: string, limit: number) => {
        const entries: { readonly position: number }[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page: Data = await get(`/audit?limit=${limit}&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`);
          entries.push(...page.entries);
          cursor = page.nextCursor;
        }
        return entries;
      };
      for (const query of [
        `campaign=${campaigns[0]}`,
        `person=${people[0]?.id}`,
        'field=price',
        `search=${nicks[0]}`,
      ]) {
        const large = await whole(query, 200);
        expect([query, await whole(query, 7)]).toEqual([query, large]);
        expect(new Set(large.map(({ position }) => position)).size).toBe(large.length);
      }

      for (const { id, token } of people) {
        const { notifications, unread } = await get('/notifications', token);
        expect([id, unread]).toEqual([id, notifications.filter(({ read }) => !read).length]);
        const upTo = notifications[Math.floor(notifications.length / 2)]?.position;
        if (upTo === undefined) continue;
        await done('POST', '/notifications/read', { upTo }, { token });
        await api.followed();
        const after = await get('/notifications', token);
        expect(after.unread).toBe(notifications.filter(({ position }) => position > upTo).length);
      }
    },
  );

  test('RATK-11 each kind of command was taken many times', () => {
    for (let what = 0; what < kinds; what += 1) expect([what, (taken.get(what) ?? 0) >= least]).toEqual([what, true]);
  });
});
