import { salaryData, type SalaryRowWire, statementData } from '@zakup/contracts/calls/replies';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { kopecks } from '@zakup/domain/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { campaignRow, docOf, earningsRow, licenceRow, placementRow, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const foreignDoc = docOf('0b-foreign');
const plain = (text: string | undefined): string | undefined => text?.replaceAll('\u00a0', ' ');

describe('the salary report', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    const bought = (id: string, price: number, leads: number, of: Partial<Parameters<typeof placementRow>[0]> = {}) =>
      doc.placement(placementRow({ id, price: kopecks(price), leads, ...of }));
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign', name: 'Весна | Мемы' })),
      doc.campaign(campaignRow({ id: 'other', name: 'Осень' })),
      doc.user(userRow({ id: 'buyer', name: 'Борис', salaryType: 'performance', salaryRate: 30 })),
      doc.user(
        userRow({
          id: 'lead',
          name: 'Анна',
          role: 'TEAM_LEAD',
          salaryType: 'budget',
          performanceThreshold: kopecks(1),
        }),
      ),
      doc.user(userRow({ id: 'left', name: 'Ушедший', isActive: false, salaryType: 'performance' })),
      doc.user(userRow({ id: 'gone', name: 'Никто', isActive: false })),
      bought('p1', 99_99, 1, { date: '2026-11-01' }),
      bought('p2', 100_00, 1, { date: '2026-11-03' }),
      bought('p3', 450_01, 5, { date: '2026-11-02', campaignId: 'other' }),
      bought('p4', 500_00, 0, { date: '2026-12-01' }),
      bought('p5', 10_00, 1, { buyerId: 'lead' }),
      bought('p6', 50_00, 1, { buyerId: 'left' }),
      bought('p7', 1_000_00, 100, { campaignId: 'deleted' }),
      bought('p8', 1_000_00, 100, { buyerId: 'nobody' }),
      doc.gone('placement', 'p9', []),
      foreignDoc.campaign(campaignRow({ id: 'foreign' })),
      foreignDoc.placement(placementRow({ id: 'f1', campaignId: 'foreign', price: kopecks(1_000_00), leads: 100 })),
    );
  });
  afterEach(() => world.stop());

  const ask = async (query: string, userId = 'analyst') =>
    world.get(`/reports/salary?${query}`, (await world.signIn(userId)).token);
  const rows = async (query = ''): Promise<readonly SalaryRowWire[]> => {
    const { status, body } = await ask(query);
    expect(status).toBe(200);
    return salaryData.strict().parse(body.data).rows;
  };
  const of = async (userId: string, query = ''): Promise<SalaryRowWire | undefined> =>
    (await rows(query)).find((row) => row.userId === userId);

  test('SAL-10 gives performance pay 10 % of what came under 100 ₽ a lead, line by line, newest first', async () => {
    const row = await of('buyer');
    expect(row).toMatchObject({
      name: 'Борис',
      salaryType: 'performance',
      threshold: 100,
      salaryReportBonus: 105,
      countedTotal: { count: 3, price: 1050 },
      leftOutTotal: { count: 1, price: 100 },
    });
    expect(plain(row?.formula)).toBe('3 размещения с CPL ниже 100 ₽: 1 050 ₽ × 10 ÷ 100 = 105 ₽');
    expect(row?.counted.map(({ placementId, costPerLead }) => [placementId, costPerLead])).toEqual([
      ['p4', 0],
      ['p3', 90],
      ['p1', 99.99],
    ]);
    expect(row?.leftOut.map(({ reason, ...line }) => ({ ...line, reason: plain(reason) }))).toEqual([
      {
        placementId: 'p2',
        campaignId: 'campaign',
        campaignName: 'Весна - Мемы',
        date: '2026-11-03',
        price: 100,
        leads: 1,
        costPerLead: 100,
        reason: 'CPL не ниже 100 ₽: 100 ₽ за 1 лид',
      },
    ]);
  });

  test('SAL-11 has whoever may buy or has bought, by name; other pay brings no bonus and says why', async () => {
    expect((await rows()).map(({ userId }) => userId)).toEqual(['lead', 'buyer', 'left']);
    expect(await of('lead')).toMatchObject({
      salaryReportBonus: 0,
      formula: 'Бонус считается только при оплате за результат',
      leftOut: [{ placementId: 'p5', reason: 'Бонус считается только при оплате за результат' }],
    });
    expect(await of('left')).toMatchObject({ isActive: false, salaryReportBonus: 5 });
  });

  test('SAL-12 takes one campaign, one person, days and a page of lines; sums are of all lines', async () => {
    expect((await of('buyer', 'campaign=other'))?.salaryReportBonus).toBe(45);
    expect((await of('buyer', 'from=2026-11-02&to=2026-11-30'))?.counted.map((line) => line.placementId)).toEqual([
      'p3',
    ]);
    expect((await rows('userId=gone')).map(({ userId, salaryReportBonus }) => [userId, salaryReportBonus])).toEqual([
      ['gone', 0],
    ]);
    const second = await of('buyer', 'pageSize=2&page=2');
    expect([second?.counted.map((line) => line.placementId), second?.leftOut, second?.salaryReportBonus]).toEqual([
      ['p1'],
      [],
      105,
    ]);
  });

  test('SAL-13 follows the switch about placements without leads', async () => {
    const settings = { ...defaultLicenceSettings, countZeroLeads: false };
    await world.commit(doc.license(licenceRow({ id: licenceId, settings })));
    expect(await of('buyer')).toMatchObject({ salaryReportBonus: 55 });
    expect((await of('buyer'))?.leftOut.map(({ placementId, reason }) => [placementId, plain(reason)])).toEqual([
      ['p4', 'Лидов пока нет'],
      ['p2', 'CPL не ниже 100 ₽: 100 ₽ за 1 лид'],
    ]);
  });

  test('SAL-14 needs the permission reports; foreign and unknown ids find nothing; bad input is refused', async () => {
    const refused = await ask('', 'buyer');
    expect([refused.status, refused.body.code]).toEqual([403, 'ACCESS_DENIED']);
    for (const query of ['campaign=foreign', 'campaign=none', 'campaign=__proto__', 'campaign=%ED%A0%80'])
      expect((await rows(query)).every((row) => row.countedTotal.count + row.leftOutTotal.count === 0)).toBe(true);
    for (const query of ['userId=none', 'userId=%00', 'userId=__proto__']) expect(await rows(query)).toEqual([]);
    const wrong = [
      'from=yesterday',
      'to=2026-02-30',
      'page=0',
      'pageSize=501',
      'campaign=',
      `campaign=${'x'.repeat(5000)}`,
      'from=2026-01-01&from=2026-01-02',
      'x=1',
    ];
    for (const query of wrong) {
      const { status, body } = await ask(query);
      expect([query, status, body.code]).toEqual([query, 422, 'VALIDATION_FAILED']);
    }
  });

  test('SAL-15 everybody has their own statement, bonus and earnings apart, and nobody’s else', async () => {
    await world.commit(
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'lead' })),
    );
    const { token } = await world.signIn('buyer');
    const { status, body } = await world.get('/profile/statement', token);
    expect(status).toBe(200);
    const { salary, earnings } = statementData.strict().parse(body.data);
    expect([salary.userId, salary.salaryReportBonus]).toEqual(['buyer', 105]);
    expect(earnings).toMatchObject([
      { campaignId: 'campaign', campaignName: 'Весна - Мемы', budget: 0, spent: 100, earnings: 10 },
    ]);
    const other = await world.get('/profile/statement?campaign=other&to=2026-10-31', token);
    expect(other.body.data).toMatchObject({ salary: { salaryReportBonus: 0, counted: [] }, earnings: [] });
    for (const query of ['userId=lead', 'from=x', 'page=-1'])
      expect((await world.get(`/profile/statement?${query}`, token)).status).toBe(422);
    expect((await world.get('/profile/statement')).status).toBe(401);
  });
});
