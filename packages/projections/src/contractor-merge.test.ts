import type { AnyEvent } from '@zakup/domain/catalog';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  documentOf,
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

const noted = (noteId: string, more: object = {}): AnyEvent => ({
  type: 'ContractorNoteAdded',
  data: { noteId, note: noteId, authorName: 'Боб', ...more },
});
const written = { authorId: 'bob', createdAt: '2025-01-01T00:00:00.000Z' };
const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };

/** Positions 1 to 11: two campaigns, three contractors, a row and a note of each of two. */
const begun: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ['contractor', 'masha', contractorCreated('masha')],
  ['contractor', 'petya', contractorCreated('petya')],
  ['contractor', 'vasya', contractorCreated('vasya')],
  ['campaign', 'spring', campaignCreated('Весна')],
  ['campaign', 'summer', campaignCreated('Лето')],
  ['placement', 'p1', placementAdded(place)],
  ['placement', 'p2', placementAdded({ ...place, contractor: 'petya' }, { price: rubles(500), date: '2025-03-11' })],
  ['placement', 'p3', placementAdded({ ...place, campaign: 'summer' }, { price: rubles(20), date: '2025-03-01' })],
  ['contractor', 'masha', noted('of masha')],
  ['contractor', 'petya', noted('of petya')],
];
const merge = (from: string, into: string, ...notes: readonly AnyEvent[]): readonly [Fact, Fact] => [
  ['contractor', from, { type: 'ContractorMerged', data: { intoId: into } }],
  ['contractor', into, { type: 'ContractorReceived', data: { contractorId: from, nicks: [from] } }, ...notes],
];
const separate = (from: string, into: string, ...notes: readonly AnyEvent[]): readonly [Fact, Fact] => [
  ['contractor', from, { type: 'ContractorSeparated', data: { fromId: into } }],
  ['contractor', into, { type: 'ContractorReturned', data: { contractorId: from } }, ...notes],
];

const given = async (...facts: readonly Fact[]) => {
  const { eventStore, append } = testLog();
  const readStore = testReadStore();
  for (const fact of facts) await append(fact);
  await foldAll({ eventStore, readStore });
  return {
    readStore,
    doc: (kind: string, id: string) => documentOf(readStore, kind, id),
    totals: async () =>
      Object.fromEntries(
        Object.values(await present(readStore, 'contractor')).map(({ id, totals }) => [
          id,
          [totals.spent / 100, totals.placements, Object.keys(totals.days).length, Object.keys(totals.campaigns)],
        ]),
      ),
    notes: async () =>
      Object.values(await present(readStore, 'note')).map(({ id, contractorId }) => `${contractorId}: ${id}`),
    /** One command; resolves with its last position. */
    add: async (...command: readonly [Fact, ...Fact[]]) => {
      const position = await append(...command);
      await foldAll({ eventStore, readStore });
      return position;
    },
    resets: async (since: number, ...scopes: readonly string[]) => {
      const reset: string[] = [];
      for (const scope of scopes)
        if ((await readStore.changesSince({ licenceId, scope, since, partition: 'all' })).reset) reset.push(scope);
      return reset;
    },
  };
};

describe('a merge of contractors', () => {
  it('PJM-1 rewrites no row: the totals of the receiving one are both, with days and campaigns, and the merged one is gone', async () => {
    const { doc, totals, add } = await given(...begun);
    const before = await Promise.all(['p1', 'p2', 'p3'].map((id) => doc('placement', id)));
    const position = await add(...merge('masha', 'petya', noted('of masha', written)));
    expect(await Promise.all(['p1', 'p2', 'p3'].map((id) => doc('placement', id)))).toEqual(before);
    expect(await totals()).toEqual({ petya: [1520, 3, 3, ['spring', 'summer']], vasya: [0, 0, 0, []] });
    expect(await doc('contractor', 'masha')).toMatchObject({ deleted: true });
    expect(await doc('contractor', 'petya')).toMatchObject({
      position,
      scopes: ['workspace', 'contractor:petya', 'campaign:spring', 'campaign:summer'],
      data: { received: [{ contractorId: 'masha', nicks: ['masha'] }] },
    });
    expect(await doc('aliases', licenceId)).toMatchObject({ scopes: [], data: { mergedInto: { masha: 'petya' } } });
    expect((await doc('analytics', 'spring')).position).toBeLessThan(position - 2);
  });

  it('PJM-2 the notes of both are the receiving one’s', async () => {
    const { notes, add } = await given(...begun);
    await add(...merge('masha', 'petya', noted('of masha', written)));
    expect((await notes()).sort()).toEqual(['petya: of masha', 'petya: of petya']);
    const [one, other] = separate('masha', 'petya', { type: 'ContractorNoteRemoved', data: { noteId: 'of masha' } });
    await add(one, other);
    expect((await notes()).sort()).toEqual(['masha: of masha', 'petya: of petya']);
  });

  it('PJM-3 the campaigns of the merged one and the scopes of both are sent anew, others are not', async () => {
    const { add, resets } = await given(...begun, ['campaign', 'autumn', campaignCreated('Осень')]);
    const all = ['workspace', 'campaign:spring', 'campaign:summer', 'campaign:autumn'];
    const contractors = ['contractor:masha', 'contractor:petya', 'contractor:vasya'];
    await add(...merge('petya', 'vasya'));
    expect(await resets(12, ...all, ...contractors)).toEqual([
      'campaign:spring',
      'contractor:petya',
      'contractor:vasya',
    ]);
    const second = await add(...merge('vasya', 'masha'));
    await add(...separate('vasya', 'masha'));
    expect(await resets(second, ...all, ...contractors)).toEqual([
      'campaign:spring',
      'contractor:masha',
      'contractor:vasya',
    ]);
  });

  it('PJM-4 what happens to rows of a merged one counts at the last of the chain; undone, each has what is its own now', async () => {
    const { add, totals } = await given(...begun);
    await add(...merge('masha', 'petya'));
    await add(...merge('petya', 'vasya'));
    await add(['placement', 'p1', { type: 'PlacementPriceChanged', data: { price: rubles(1) } }]);
    await add(['placement', 'p4', placementAdded({ ...place, contractor: 'vasya' }, { price: rubles(3) })]);
    expect(await totals()).toEqual({ vasya: [524, 4, 3, ['spring', 'summer']] });
    await add(['campaign', 'summer', { type: 'CampaignDeleted', data: {} }]);
    expect(await totals()).toEqual({ vasya: [504, 3, 2, ['spring']] });
    await add(...separate('petya', 'vasya'));
    expect(await totals()).toEqual({ petya: [501, 2, 2, ['spring']], vasya: [3, 1, 1, ['spring']] });
    await add(['campaign', 'summer', { type: 'CampaignRestored', data: {} }]);
    await add(...separate('masha', 'petya'));
    expect(await totals()).toEqual({
      masha: [21, 2, 2, ['spring', 'summer']],
      petya: [500, 1, 1, ['spring']],
      vasya: [3, 1, 1, ['spring']],
    });
  });

  it('PJM-5 writes as many documents however many rows there are', async () => {
    const { eventStore, append } = testLog();
    const readStore = testReadStore();
    for (const fact of begun) await append(fact);
    const rows = Array.from({ length: 400 }, (_, n): Fact => ['placement', `more ${n}`, placementAdded(place)]);
    const [first, ...others] = rows;
    if (first !== undefined) await append(first, ...others);
    await foldAll({ eventStore, readStore });
    await append(...merge('masha', 'petya'));
    const docs: number[] = [];
    await foldAll({ eventStore, readStore, onBatch: (batch) => docs.push(batch.docs) });
    expect(docs).toEqual([7]);
  });
});
