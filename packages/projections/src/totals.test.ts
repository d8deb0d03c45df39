import { currentEarnings } from '@zakup/contracts/earlier-earnings';
import type { EarningsRow, EarningsTotals } from '@zakup/contracts/read-models';
import type { JsonObject, ReadDocument, ReadStore } from '@zakup/read-store/read-store';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  documentOf,
  earningsByLineOf,
  employeeCreated,
  type Fact,
  foldAll,
  licenceId,
  licenceIssued,
  placementAdded,
  present,
  rubles,
  testLog,
  testReadStore,
} from './testing/given.ts';

const given = async (...facts: readonly Fact[]) => {
  const { eventStore, append } = testLog();
  for (const fact of facts) await append(fact);
  const readStore = testReadStore();
  await foldAll({ eventStore, readStore, maxBatch: 1 });
  return { readStore, doc: (kind: string, id: string) => docOf(readStore, kind, id) };
};

/** The document; earnings with the lines that are told with them. */
const docOf = async (readStore: ReadStore, kind: string, id: string): Promise<ReadDocument<object>> => {
  const found = await documentOf(readStore, kind, id);
  if (kind !== 'earnings' || found.data === null) return found;
  return { ...found, data: await earningsByLineOf(readStore, found.data as unknown as EarningsRow) };
};

const participant = (userId: string, more: object = {}) => ({
  userId,
  budget: rubles(5000),
  salaryType: null,
  salaryRate: null,
  cplThreshold: null,
  ...more,
});
const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const result = { salaryType: 'performance', salaryRate: 10, performanceThreshold: rubles(150) } as const;

const begun: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ['employee', 'bob', employeeCreated('bob', result)],
  ['contractor', 'masha', contractorCreated('masha')],
  ['contractor', 'petya', contractorCreated('petya')],
  ['campaign', 'spring', campaignCreated('Весна', [participant('bob')])],
];
const leads = (id: string, count: number): Fact => [
  'placement',
  id,
  { type: 'PlacementLeadsRecorded', data: { leads: count } },
];
const totalsOf = ({ spent, earnings, countedTotal, zeroLeads }: EarningsTotals) => {
  return { spent, earnings, countedTotal, zeroLeads };
};
/** Positions 6 to 9. */
const bought: readonly Fact[] = [
  ['placement', 'p1', placementAdded(place, { paymentStatus: 'paid', creativeId: 'cr' })],
  leads('p1', 10),
  ['placement', 'p2', placementAdded({ ...place, contractor: 'petya' }, { price: rubles(900.5), date: '2025-03-11' })],
  leads('p2', 3),
];

describe('totals', () => {
  it('PJ-10 analytics and the participants’ earnings are there from the campaign’s creation, with zeros', async () => {
    const { doc } = await given(...begun);
    expect(await doc('analytics', 'spring')).toEqual({
      kind: 'analytics',
      id: 'spring',
      licenceId,
      scopes: ['campaign:spring'],
      left: [],
      position: 5,
      deleted: false,
      data: {
        campaignId: 'spring',
        totalBudget: rubles(10_000),
        paid: 0,
        total: { spent: 0, leads: 0, placements: 0 },
        byBuyer: {},
        byCreative: {},
        byContractor: {},
        byDay: {},
      },
    });
    expect(await doc('earnings', 'spring:bob')).toMatchObject({
      scopes: ['campaign:spring', 'person:bob'],
      position: 5,
      data: { campaignId: 'spring', userId: 'bob', budget: rubles(5000), spent: 0, earnings: 0, counted: [] },
    });
  });

  it('PJ-11 analytics sum by buyer, creative, contractor and day; paid and unpaid both count as spent', async () => {
    const { doc } = await given(...begun, ...bought);
    const p1 = { spent: rubles(1000), leads: 10, placements: 1 };
    const p2 = { spent: rubles(900.5), leads: 3, placements: 1 };
    const both = { spent: rubles(1900.5), leads: 13, placements: 2 };
    expect(await doc('analytics', 'spring')).toMatchObject({
      position: 9,
      data: {
        paid: rubles(1000),
        total: both,
        byBuyer: { bob: both },
        byCreative: { cr: p1, NO_CREATIVE: p2 },
        byContractor: { masha: p1, petya: p2 },
        byDay: { '2025-03-10': p1, '2025-03-11': p2 },
      },
    });
  });

  it('PJ-12 a change that no total tells of leaves the totals at their position', async () => {
    const { doc } = await given(...begun, ...bought, [
      'placement',
      'p1',
      { type: 'PlacementFormatChanged', data: { format: '2/48' } },
    ]);
    expect((await doc('analytics', 'spring')).position).toBe(9);
    expect((await doc('earnings', 'spring:bob')).position).toBe(9);
    expect((await doc('contractor', 'masha')).position).toBe(7);
  });

  it('PJ-13 earnings count line by line under the terms of participant, else person', async () => {
    const { doc } = await given(...begun, ...bought);
    expect((await doc('earnings', 'spring:bob')).data).toEqual({
      campaignId: 'spring',
      userId: 'bob',
      terms: { salaryType: 'performance', salaryRate: 10, cplThreshold: rubles(150), source: 'user' },
      budget: rubles(5000),
      spent: rubles(1900.5),
      earnings: rubles(100),
      countedTotal: { count: 1, price: rubles(1000) },
      counted: [{ placementId: 'p1', price: rubles(1000), leads: 10, costPerLead: rubles(100), amount: rubles(100) }],
      leftOut: [
        {
          placementId: 'p2',
          price: rubles(900.5),
          leads: 3,
          costPerLead: 30_017,
          reason: expect.stringContaining('CPL'),
        },
      ],
      zeroLeads: { count: 0, price: 0 },
    });
    const own = participant('bob', { salaryType: 'budget', salaryRate: 7 });
    const changed = await given(...begun, ...bought, [
      'campaign',
      'spring',
      { type: 'CampaignParticipantSet', data: { participant: own } },
    ]);
    expect(await changed.doc('earnings', 'spring:bob')).toMatchObject({
      position: 10,
      data: { terms: { source: 'participant' }, earnings: 13_304, leftOut: [] },
    });
  });

  it('PJ-14 a person’s new terms reach every campaign where they hold', async () => {
    const { doc } = await given(
      ...begun,
      [
        'campaign',
        'fixed',
        campaignCreated('Лето', [participant('bob', { salaryType: 'budget', salaryRate: 1, cplThreshold: 5 })]),
      ],
      ['campaign', 'autumn', campaignCreated('Осень')],
      ...bought,
      ['placement', 'p3', placementAdded({ ...place, campaign: 'autumn' })],
      ['employee', 'bob', { type: 'EmployeeTermsChanged', data: { salaryRate: 20 } }],
    );
    expect(await doc('earnings', 'spring:bob')).toMatchObject({ position: 13, data: { earnings: rubles(200) } });
    expect(await doc('earnings', 'autumn:bob')).toMatchObject({ position: 13, data: { earnings: rubles(200) } });
    expect(await doc('earnings', 'fixed:bob')).toMatchObject({ position: 6, data: { earnings: 0 } });
  });

  it('PJ-15 the switch for placements without leads recalculates and resets the scopes', async () => {
    const { doc, readStore } = await given(
      ...begun,
      ['placement', 'p1', placementAdded(place)],
      ['licence', licenceId, { type: 'LicenceSettingsChanged', data: { countZeroLeads: false } }],
    );
    expect(await doc('earnings', 'spring:bob')).toMatchObject({
      position: 7,
      data: { earnings: 0, counted: [], zeroLeads: { count: 0, price: 0 } },
    });
    for (const scope of ['workspace', 'campaign:spring', 'person:bob']) {
      const changes = await readStore.changesSince({ licenceId, scope, since: 7, partition: 'all' });
      expect(changes.reset).toBe(true);
    }
  });

  it('PJ-72 what was judged before a start is judged again only where terms or the switch say otherwise', async () => {
    const { eventStore, append } = testLog();
    const readStore = testReadStore();
    const facts: readonly Fact[] = [
      ...begun,
      ...bought,
      ['placement', 'p3', placementAdded(place)],
      ['placement', 'p4', placementAdded({ ...place, contractor: 'petya' }, { price: rubles(5000) })],
      leads('p4', 2),
      ['licence', licenceId, { type: 'LicenceSettingsChanged', data: { countZeroLeads: false } }],
      ['campaign', 'spring', { type: 'CampaignDeleted', data: {} }],
      ['licence', licenceId, { type: 'LicenceSettingsChanged', data: { countZeroLeads: true } }],
      ['campaign', 'spring', { type: 'CampaignRestored', data: {} }],
      ['employee', 'bob', { type: 'EmployeeTermsChanged', data: { ...result, performanceThreshold: rubles(5000) } }],
      ['licence', licenceId, { type: 'LicenceSettingsChanged', data: { countZeroLeads: false } }],
      leads('p3', 1),
      ['employee', 'bob', { type: 'EmployeeTermsChanged', data: { ...result, salaryRate: 20 } }],
      ['employee', 'bob', { type: 'EmployeeTermsChanged', data: { ...result, salaryType: 'budget' } }],
    ];
    for (const fact of facts) {
      await append(fact);
      // Each time by a projector that has just started, beside one that folds everything at once.
      await foldAll({ eventStore, readStore, maxBatch: 1 });
      const once = testReadStore();
      await foldAll({ eventStore, readStore: once });
      const [stepped, whole] = [readStore, once].map((store) => store.get('earnings', 'spring:bob'));
      expect((await stepped)?.data).toEqual((await whole)?.data);
      const rows = Object.values(await present(once, 'earnings'));
      const told = await Promise.all(rows.map((row) => earningsByLineOf(once, row)));
      expect(rows.map(totalsOf)).toEqual(told.map(totalsOf));
    }
  });

  it('PJ-74 what an earlier version kept with its lines says the same sums, and is gone on with', async () => {
    for (const [countZeroLeads, terms] of [
      [true, result],
      [false, result],
      [true, { ...result, salaryType: 'budget' }],
    ] as const) {
      const { eventStore, append } = testLog();
      const readStore = testReadStore();
      await append(['licence', licenceId, licenceIssued]);
      await append(['licence', licenceId, { type: 'LicenceSettingsChanged', data: { countZeroLeads } }]);
      for (const fact of [...begun.slice(1), ...bought]) await append(fact);
      await append(['placement', 'p3', placementAdded(place)]);
      await append(['employee', 'bob', { type: 'EmployeeTermsChanged', data: terms }]);
      await foldAll({ eventStore, readStore });
      const doc = await documentOf(readStore, 'earnings', 'spring:bob');
      const row = doc.data as unknown as EarningsRow;
      const { countedTotal: _, ...earlier } = await earningsByLineOf(readStore, row);
      expect(currentEarnings(earlier)).toEqual(row);

      const followed = testReadStore();
      await foldAll({ eventStore, readStore: followed });
      const checkpoint = await followed.checkpoint('all');
      if (checkpoint === null) throw new Error('There is no checkpoint');
      const docs = [{ ...doc, data: earlier as unknown as JsonObject }];
      await followed.commit({ docs, checkpoint, repair: true });
      for (const fact of [leads('p3', 2), ['placement', 'p1', { type: 'PlacementRemoved', data: {} }] as Fact]) {
        await append(fact);
        for (const store of [readStore, followed]) await foldAll({ eventStore, readStore: store });
        const [one, other] = [readStore, followed].map((store) => documentOf(store, 'earnings', 'spring:bob'));
        expect(await one).toEqual(await other);
      }
    }
  });

  it('PJ-73 what one change of a placement writes does not grow with what the buyer has bought', async () => {
    const written = async (lines: number) => {
      const { eventStore, append } = testLog();
      const readStore = testReadStore();
      for (const fact of begun) await append(fact);
      for (let from = 0; from < lines; from += 500) {
        const ids = Array.from({ length: Math.min(500, lines - from) }, (_, index) => `p${from + index}`);
        const [first, ...others] = ids.map((id): Fact => ['placement', id, placementAdded(place)]);
        if (first !== undefined) await append(first, ...others);
      }
      await foldAll({ eventStore, readStore });
      const docs: ReadDocument[] = [];
      const watched: ReadStore = {
        ...readStore,
        commit: (commit) => {
          docs.push(...commit.docs);
          return readStore.commit(commit);
        },
      };
      const told = [];
      for (const event of [leads('p1', 7), ['placement', 'p1', { type: 'PlacementRemoved', data: {} }] as Fact]) {
        docs.length = 0;
        await append(event);
        await foldAll({ eventStore, readStore: watched });
        const bytes = docs.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0);
        told.push({ kinds: docs.map(({ kind }) => kind).sort(), bytes });
      }
      return told;
    };
    const [few, many] = [await written(5), await written(5_000)];
    const kinds = (of: typeof few) => of.map((one) => one.kinds);
    expect(kinds(many)).toEqual(kinds(few));
    expect(kinds(many)[0]).toEqual([
      'analytics',
      'contractor',
      'contractor_use',
      'earnings',
      'history',
      'inbox',
      'notification',
      'placement',
    ]);
    // Greater numbers have more digits.
    for (const [index, { bytes }] of many.entries()) expect(bytes).toBeLessThan((few[index]?.bytes ?? 0) + 200);
  });

  it('PJ-16 a buyer without a part in the campaign has earnings while there are placements', async () => {
    const facts: readonly Fact[] = [
      ...begun,
      ['employee', 'ann', employeeCreated('ann')],
      ['placement', 'p1', placementAdded({ ...place, buyer: 'ann' })],
    ];
    const { doc } = await given(...facts);
    expect(await doc('earnings', 'spring:ann')).toMatchObject({
      data: { terms: { source: 'none' }, budget: 0, spent: rubles(1000), earnings: 0, counted: [] },
    });
    const { eventStore, append } = testLog();
    for (const fact of facts) await append(fact);
    const readStore = testReadStore();
    await foldAll({ eventStore, readStore });
    await append(['placement', 'p1', { type: 'PlacementBuyerChanged', data: { buyerId: 'bob' } }]);
    await foldAll({ eventStore, readStore });
    expect(await documentOf(readStore, 'earnings', 'spring:ann')).toMatchObject({ deleted: true, position: 8 });
    expect(await documentOf(readStore, 'earnings', 'spring:bob')).toMatchObject({
      position: 8,
      data: { spent: rubles(1000) },
    });
  });

  it('PJ-17 a deleted campaign takes its documents, its part of the contractors’ totals and their scopes with it', async () => {
    const { doc, readStore } = await given(...begun, ...bought, [
      'campaign',
      'spring',
      { type: 'CampaignDeleted', data: {} },
    ]);
    for (const [kind, id] of [
      ['campaign', 'spring'],
      ['analytics', 'spring'],
      ['earnings', 'spring:bob'],
    ] as const)
      expect(await doc(kind, id)).toMatchObject({ deleted: true, position: 10 });
    expect(await doc('contractor', 'masha')).toMatchObject({
      position: 10,
      scopes: ['workspace', 'contractor:masha'],
      left: [{ scope: 'campaign:spring', position: 10 }],
      data: { totals: { spent: 0, placements: 0, days: {}, campaigns: {} } },
    });
    expect(await doc('placement', 'p1')).toMatchObject({ deleted: false, position: 7 });
    for (const scope of ['campaign:spring', 'contractor:masha', 'contractor:petya']) {
      const changes = await readStore.changesSince({ licenceId, scope, since: 9, partition: 'all' });
      expect(changes.reset).toBe(true);
    }
    const workspace = await readStore.changesSince({ licenceId, scope: 'workspace', since: 9, partition: 'all' });
    expect(workspace.reset).toBe(false);
  });

  it('PJ-19 a person’s earnings are in the person’s own scope, and leave it with the campaign and with the last placement', async () => {
    const { eventStore, append } = testLog();
    const readStore = testReadStore();
    const seen = async (since: number, person: string) => {
      await foldAll({ eventStore, readStore });
      const changes = await readStore.changesSince({ licenceId, scope: `person:${person}`, since, partition: 'all' });
      expect(changes.reset).toBe(false);
      return changes.docs.filter(({ doc }) => doc.kind === 'earnings').map(({ doc, gone }) => [doc.id, gone] as const);
    };
    for (const fact of begun) await append(fact);
    expect(await seen(0, 'bob')).toEqual([['spring:bob', false]]);
    await append(['placement', 'p1', placementAdded({ ...place, buyer: 'ann' })]);
    expect(await seen(5, 'bob')).toEqual([]);
    expect(await seen(5, 'ann')).toEqual([['spring:ann', false]]);
    await append(['placement', 'p1', { type: 'PlacementBuyerChanged', data: { buyerId: 'bob' } }]);
    expect(await seen(6, 'ann')).toEqual([['spring:ann', true]]);
    expect(await seen(6, 'bob')).toEqual([['spring:bob', false]]);
    await append(['campaign', 'spring', { type: 'CampaignDeleted', data: {} }]);
    expect(await seen(7, 'bob')).toEqual([['spring:bob', true]]);
    await append(['campaign', 'spring', { type: 'CampaignRestored', data: {} }]);
    expect(await seen(8, 'bob')).toEqual([['spring:bob', false]]);
  });

  it('PJ-18 a restored campaign brings back what it took, with what came to pass meanwhile', async () => {
    const facts: readonly Fact[] = [
      ...begun,
      ...bought,
      ['campaign', 'spring', { type: 'CampaignDeleted', data: {} }],
      ['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(1200) } }],
      ['employee', 'bob', { type: 'EmployeeTermsChanged', data: { salaryRate: 20 } }],
      ['campaign', 'spring', { type: 'CampaignRestored', data: {} }],
    ];
    const { doc } = await given(...facts);
    expect(await doc('analytics', 'spring')).toMatchObject({
      position: 13,
      data: { total: { spent: rubles(2100.5), leads: 13, placements: 2 } },
    });
    expect(await doc('earnings', 'spring:bob')).toMatchObject({
      position: 13,
      data: { terms: { salaryRate: 20 }, earnings: rubles(240) },
    });
    expect(await doc('contractor', 'masha')).toMatchObject({
      scopes: ['workspace', 'contractor:masha', 'campaign:spring'],
      left: [],
      data: { totals: { spent: rubles(1200), leads: 10, placements: 1, campaigns: { spring: 1 } } },
    });
  });
});
