import { presentCreative } from '@zakup/contracts/to-wire';
import type { CreativeRow } from '@zakup/contracts/read-models';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  creativeCreated,
  documentOf,
  type Fact,
  foldAll,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
} from './testing/given.ts';

const begun: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ['contractor', 'masha', contractorCreated('masha')],
  ['creative', 'cat', creativeCreated('Кот')],
  ['creative', 'dog', creativeCreated('Пёс')],
  ['campaign', 'spring', campaignCreated('Весна')],
  ['campaign', 'summer', campaignCreated('Лето')],
];
const bought = (id: string, campaign: string, roubles: number, creativeId = 'cat'): Fact => [
  'placement',
  id,
  placementAdded({ campaign, contractor: 'masha', buyer: 'bob' }, { price: rubles(roubles), creativeId }),
];
const on = (id: string, type: string, data: object = {}): Fact => ['placement', id, { type, data } as Fact[2]];
const campaignIs = (id: string, type: 'CampaignDeleted' | 'CampaignRestored'): Fact => [
  'campaign',
  id,
  { type, data: {} },
];
const sums = (spent: number, leads: number, placements: number) => ({ spent: rubles(spent), leads, placements });

const given = async (...facts: readonly Fact[]) => {
  const { eventStore, append } = testLog();
  const readStore = testReadStore();
  const add = async (...more: readonly Fact[]): Promise<void> => {
    for (const fact of more) await append(fact);
    await foldAll({ eventStore, readStore, maxBatch: 1 });
  };
  await add(...begun, ...facts);
  const row = async (id = 'cat') => {
    const doc = await documentOf(readStore, 'creative', id);
    return { ...doc, data: doc.data as unknown as CreativeRow };
  };
  return { add, row, totals: async (id = 'cat') => (await row(id)).data.totals, readStore };
};

describe('what a creative brought', () => {
  it('PJ-88 is summed by campaign and by the price of each placement: above 5,000, above 2,000, else', async () => {
    const { totals, row } = await given(
      bought('p1', 'spring', 5000.01),
      on('p1', 'PlacementLeadsRecorded', { leads: 10 }),
      bought('p2', 'spring', 5000),
      bought('p3', 'summer', 2000),
      bought('p4', 'summer', 9000, 'dog'),
      bought('p5', 'summer', 9000, 'NO_CREATIVE'),
    );
    expect(await totals()).toEqual({
      campaigns: {
        spring: { large: sums(5000.01, 10, 1), medium: sums(5000, 0, 1) },
        summer: { small: sums(2000, 0, 1) },
      },
      deletedCampaigns: {},
    });
    const { results } = presentCreative((await row()).data);
    expect(results).toMatchObject({
      spent: 12_000.01,
      leads: 10,
      placements: 3,
      averageCostPerLead: 1200,
      efficiency: 'Средне',
    });
    expect(results?.sizes.map(({ size, spent, placements }) => [size, spent, placements])).toEqual([
      ['large', 5000.01, 1],
      ['medium', 5000, 1],
      ['small', 2000, 1],
    ]);
  });

  it('PJ-89 goes with a placement that is deleted, priced anew or given to another creative, and comes back with it', async () => {
    const { add, totals } = await given(bought('p1', 'spring', 6000), bought('p2', 'spring', 100));
    await add(on('p1', 'PlacementPriceChanged', { price: rubles(3000) }));
    expect((await totals())?.campaigns).toEqual({ spring: { medium: sums(3000, 0, 1), small: sums(100, 0, 1) } });
    await add(on('p1', 'PlacementRemoved'));
    expect((await totals())?.campaigns).toEqual({ spring: { small: sums(100, 0, 1) } });
    await add(on('p1', 'PlacementRestored'), on('p2', 'PlacementCreativeChanged', { creativeId: 'dog' }));
    expect((await totals())?.campaigns).toEqual({ spring: { medium: sums(3000, 0, 1) } });
    expect((await totals('dog'))?.campaigns).toEqual({ spring: { small: sums(100, 0, 1) } });
    await add(on('p2', 'PlacementCreativeChanged', { creativeId: 'NO_CREATIVE' }));
    expect((await totals('dog'))?.campaigns).toEqual({});
  });

  it('PJ-90 does not count where the campaign is deleted, and is exact when it comes back changed', async () => {
    const { add, totals, row } = await given(bought('p1', 'spring', 6000), bought('p2', 'summer', 100));
    await add(campaignIs('spring', 'CampaignDeleted'));
    expect(presentCreative((await row()).data).results).toMatchObject({ spent: 100, placements: 1 });
    // A change that was decided before the deletion and lands after it.
    await add(on('p1', 'PlacementPriceChanged', { price: rubles(700) }));
    expect(presentCreative((await row()).data).results).toMatchObject({ spent: 100, placements: 1 });
    await add(campaignIs('spring', 'CampaignRestored'));
    expect(await totals()).toEqual({
      campaigns: { spring: { small: sums(700, 0, 1) }, summer: { small: sums(100, 0, 1) } },
      deletedCampaigns: {},
    });
  });

  it('PJ-91 stays through every change of the creative itself, and a change that moves no sum leaves it where it was', async () => {
    const { add, totals, row } = await given(bought('p1', 'spring', 6000));
    const before = await totals();
    await add(['creative', 'cat', { type: 'CreativeRenamed', data: { name: 'Кошка' } }]);
    await add(['creative', 'cat', { type: 'CreativeDeactivated', data: {} }]);
    expect(await totals()).toEqual(before);
    const { position, scopes } = await row();
    await add(on('p1', 'PlacementMarkedPaid'), on('p1', 'PlacementFormatChanged', { format: '1/48' }));
    expect(await row()).toMatchObject({ position, scopes });
  });

  it('PJ-92 is not told where an earlier version kept none, until all is built anew', async () => {
    const { add, row, readStore } = await given(bought('p1', 'spring', 6000));
    const doc = await row();
    const { totals: _, ...earlier } = doc.data;
    const partition = 'all';
    const checkpoint = await readStore.checkpoint(partition);
    await readStore.commit({
      docs: [{ ...doc, data: earlier }],
      checkpoint: { partition, position: checkpoint?.position ?? 0, fence: checkpoint?.fence ?? 0 },
      repair: true,
    });
    await add(bought('p2', 'spring', 100), ['creative', 'cat', { type: 'CreativeRenamed', data: { name: 'Кошка' } }]);
    expect(presentCreative((await row()).data)).not.toHaveProperty('results');
  });
});
