import type { ContractorRow } from '@zakup/contracts/read-models';
import type { EventStore } from '@zakup/event-store/event-store';
import { describe, expect, it } from 'vitest';
import { EventFold } from './fold-event.ts';
import { history } from './history.ts';
import { projections } from './projections.ts';
import type { Projection } from './projection.ts';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  type Fact,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
} from './testing/given.ts';
import { workingSet } from './working-set.ts';

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const begun: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ['employee', 'bob', employeeCreated('bob')],
  ['contractor', 'masha', contractorCreated('masha')],
  ['contractor', 'petya', contractorCreated('petya')],
  ['campaign', 'spring', campaignCreated('Весна')],
  ['placement', 'p1', placementAdded(place, { price: rubles(100) })],
  ['placement', 'p2', placementAdded({ ...place, contractor: 'petya' }, { price: rubles(20) })],
];

const logOf = async (...facts: readonly Fact[]): Promise<EventStore> => {
  const { eventStore, append } = testLog();
  for (const fact of facts) await append(fact);
  return eventStore;
};

/** Folds the log in one batch, or settles and commits after each event. */
const folded = async (eventStore: EventStore, batch: 'whole' | 'event', list: readonly Projection[] = projections) => {
  const set = workingSet(testReadStore());
  const fold = new EventFold(set, list);
  for (const event of await eventStore.readLicence(licenceId)) {
    await fold.fold(event);
    if (batch === 'event') await fold.settle();
  }
  await fold.settle();
  return set.pending().docs;
};

const contractors = async (eventStore: EventStore, batch: 'whole' | 'event') =>
  (await folded(eventStore, batch))
    .filter(({ kind, deleted }) => kind.endsWith('contractor') && !deleted)
    .map(({ scopes, position, data }) => ({ ...(data as unknown as ContractorRow), scopes, position }));

describe('totals of contractors, changed in place', () => {
  it('RBD-2653 a change of a contractor between its placements keeps what came before it and what comes after', async () => {
    const eventStore = await logOf(
      ...begun,
      ['contractor', 'masha', { type: 'ContractorChannelNameChanged', data: { channelName: 'Лето' } }],
      ['placement', 'p3', placementAdded(place, { price: rubles(3), date: '2025-03-11' })],
    );
    const [masha] = await contractors(eventStore, 'whole');
    expect(masha?.totals).toEqual({
      spent: rubles(103),
      leads: 0,
      placements: 2,
      days: { '2025-03-10': 1, '2025-03-11': 1 },
      campaigns: { spring: 2 },
    });
    expect(await contractors(eventStore, 'event')).toEqual(await contractors(eventStore, 'whole'));
  });

  it('RBD-2654 within one batch as by single events: placements, a merge, more placements, the campaign away and back', async () => {
    const eventStore = await logOf(
      ...begun,
      ['placement', 'p2', { type: 'PlacementPriceChanged', data: { price: rubles(25) } }],
      ['contractor', 'petya', { type: 'ContractorMerged', data: { intoId: 'masha' } }],
      ['contractor', 'masha', { type: 'ContractorReceived', data: { contractorId: 'petya', nicks: ['petya'] } }],
      ['placement', 'p3', placementAdded({ ...place, contractor: 'petya' }, { price: rubles(3) })],
      ['placement', 'p1', { type: 'PlacementContractorChanged', data: { contractorId: 'petya' } }],
      ['campaign', 'spring', { type: 'CampaignDeleted', data: {} }],
      ['placement', 'p2', { type: 'PlacementRemoved', data: {} }],
      ['campaign', 'spring', { type: 'CampaignRestored', data: {} }],
    );
    const whole = await contractors(eventStore, 'whole');
    expect(whole).toEqual(await contractors(eventStore, 'event'));
    expect(whole.map(({ id, totals }) => [id, totals.spent, totals.placements, totals.campaigns])).toEqual([
      ['masha', rubles(103), 2, { spring: 2 }],
      ['petya', rubles(103), 2, { spring: 2 }],
    ]);
  });
});

describe('what an event only reads', () => {
  it('RBD-2655 is read at once where it is at hand, and looked for where it is not: the same entry of history', async () => {
    const eventStore = await logOf(...begun);
    const whole = (await folded(eventStore, 'whole')).filter(({ kind }) => kind === 'history');
    const waits: boolean[] = [];
    const watching: Projection = {
      ...history,
      apply(change, state) {
        const work = history.apply(change, state);
        waits.push(work !== undefined);
        return work;
      },
    };
    const others = projections.filter((one) => one !== history);
    const docs = await folded(eventStore, 'whole', [...others, watching]);
    expect(docs.filter(({ kind }) => kind === 'history')).toEqual(whole);
    // The person, the channel and the creative that the log does not know are looked for once.
    expect(waits.filter((one) => one)).toHaveLength(3);
    expect(waits).toHaveLength(whole.length);
  });
});
