import { creativeResultsData, earningsData, reportData } from '@zakup/contracts/calls/replies';
import type { Sums } from '@zakup/domain/analytics/sums';
import { kopecks } from '@zakup/domain/money';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { analyticsRow, campaignRow, creativeRow, docOf, earningsRow, placementRow, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const foreignDoc = docOf('0b-foreign');
const operands = (spent: number, leads: number, placements: number): Sums => ({
  spent: kopecks(spent),
  leads,
  placements,
});

describe('results', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.stop());
  const ask = async (path: string, userId = 'analyst') => world.get(path, (await world.signIn(userId)).token);

  test('SAL-22 the report has conversion and return of buyers and creatives, and how many placements are without a creative', async () => {
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      doc.analytics(
        analyticsRow({
          campaignId: 'campaign',
          total: operands(3_000_00, 45, 4),
          byBuyer: { buyer: operands(1_000_00, 15, 3), lead: operands(2_000_00, 30, 1) },
          byCreative: { cat: operands(500_00, 15, 1), NO_CREATIVE: operands(2_500_00, 30, 3) },
        }),
      ),
    );
    const { body } = await ask('/campaigns/campaign/analytics');
    const report = reportData.strict().parse(body.data);
    expect(report.byBuyer.map(({ buyerId, conversionRate, roi }) => [buyerId, conversionRate, roi])).toEqual([
      ['buyer', 500, 50],
      ['lead', 3000, 50],
    ]);
    expect(report.topBuyers[0]).toMatchObject({ buyerId: 'lead', roi: 50 });
    expect(report.byCreative.find(({ creativeId }) => creativeId === 'cat')).toMatchObject({
      efficiency: 'Отлично',
      conversionRate: 1500,
      roi: 200,
    });
    expect(report.topCreatives.map(({ creativeId }) => creativeId)).toEqual(['cat']);
    expect(report.withoutCreative).toBe(3);
  });

  test('SAL-23 earnings stand beside what the person’s own percent makes of everything spent', async () => {
    const performance = { salaryType: 'performance', salaryRate: 30, cplThreshold: kopecks(1), source: 'participant' };
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      doc.user(userRow({ id: 'buyer', salaryType: 'budget', salaryRate: 10 })),
      doc.placement(placementRow({ id: 'p' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer' })),
      doc.earnings(
        earningsRow({
          campaignId: 'campaign',
          userId: 'lead',
          terms: performance as { source: 'participant' } & typeof performance,
        }),
      ),
    );
    const { statements } = earningsData.strict().parse((await ask('/campaigns/campaign/earnings')).body.data);
    expect(statements.map(({ formula, ...rest }) => ({ ...rest, formula: formula.replaceAll('\u00a0', ' ') }))).toEqual(
      [
        {
          userId: 'buyer',
          salaryRate: 10,
          amount: 10,
          formula: 'потрачено: 100 ₽ × 10 ÷ 100 = 10 ₽',
          differs: false,
        },
        { userId: 'lead', salaryRate: null, amount: 0, formula: 'Ставка сотрудника не задана', differs: true },
      ],
    );
  });

  test('SAL-24 a creative tells what it brought by the size of channels and by campaign', async () => {
    const used = (id: string, campaignId: string, price: number, leads: number, creativeId = 'cat') =>
      doc.placement(placementRow({ id, campaignId, creativeId, price: kopecks(price), leads }));
    const counted = { byCreative: { cat: operands(1, 1, 1) } };
    await world.commit(
      doc.creative(creativeRow({ id: 'cat', isActive: false })),
      doc.creative(creativeRow({ id: 'dog' })),
      doc.campaign(campaignRow({ id: 'one', name: 'Один | Первый', status: 'COMPLETED' })),
      doc.campaign(campaignRow({ id: 'two' })),
      doc.campaign(campaignRow({ id: 'unused' })),
      doc.analytics(analyticsRow({ campaignId: 'one', ...counted })),
      doc.analytics(analyticsRow({ campaignId: 'two', ...counted })),
      doc.analytics(analyticsRow({ campaignId: 'unused' })),
      used('p1', 'one', 5_000_01, 10),
      used('p2', 'one', 5_000_00, 50),
      used('p3', 'two', 2_000_00, 0),
      used('p4', 'two', 9_000_00, 1, 'dog'),
      used('p5', 'deleted', 9_000_00, 1),
      foreignDoc.creative(creativeRow({ id: 'foreign' })),
    );
    const { body } = await ask('/creatives/cat/results', 'buyer');
    const results = creativeResultsData.strict().parse(body.data);
    expect(results.total).toEqual({
      spent: 12_000.01,
      leads: 60,
      placements: 3,
      averageCostPerLead: 200,
      conversionRate: 2000,
      roi: -50,
      efficiency: 'Средне',
    });
    expect(
      results.sizes.map(({ size, placements, spent, averageCostPerLead }) => [
        size,
        placements,
        spent,
        averageCostPerLead,
      ]),
    ).toEqual([
      ['large', 1, 5000.01, 500],
      ['medium', 1, 5000, 100],
      ['small', 1, 2000, 0],
    ]);
    expect(
      results.byCampaign.map(({ campaignId, campaignName, status, spent }) => [
        campaignId,
        campaignName,
        status,
        spent,
      ]),
    ).toEqual([
      ['one', 'Один - Первый', 'COMPLETED', 10_000.01],
      ['two', 'Campaign two', 'ACTIVE', 2000],
    ]);
    expect(results.lastPlacements.map(({ id }) => id).toSorted()).toEqual(['p1', 'p2', 'p3']);
    expect((await ask('/creatives/dog/results')).body.data).toMatchObject({ total: { placements: 0 }, byCampaign: [] });
    for (const id of ['foreign', 'none', 'NO_CREATIVE', '%00', '__proto__'])
      expect([id, (await ask(`/creatives/${id}/results`)).status]).toEqual([id, 404]);
    expect((await ask('/creatives/cat/results?x=1')).status).toBe(422);
  });

  test('HOLD-43 a long answer comes whole, as JSON of a known length, and by HEAD without its body', async () => {
    const ids = Array.from({ length: 4_000 }, (_, index) => `размещение ${index}`);
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer' })),
      ...ids.map((id, index) => doc.placement(placementRow({ id, price: kopecks(index), leads: index % 7 }))),
    );
    const { token } = await world.signIn('owner');
    const asked = (method: string) =>
      fetch(`${world.address}/api/campaigns/campaign/earnings`, {
        method,
        headers: { Authorization: `Bearer ${token}` },
      });
    const response = await asked('GET');
    const text = await response.text();
    const body = JSON.parse(text) as { data: unknown };
    expect(text).toBe(JSON.stringify(body));
    const [earnings] = earningsData.parse(body.data).earnings;
    expect(earnings?.counted.map(({ placementId }) => placementId)).toEqual(ids.toSorted());
    const length = String(Buffer.byteLength(text));
    for (const { headers, status } of [response, await asked('HEAD')])
      expect([
        status,
        headers.get('Content-Length'),
        headers.get('Content-Type'),
        headers.get('Cache-Control'),
      ]).toEqual([200, length, 'application/json; charset=utf-8', 'no-store']);
  });
});
