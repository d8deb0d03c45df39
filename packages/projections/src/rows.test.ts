import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  documentOf,
  employeeCreated,
  type Fact,
  foldAll,
  instant,
  licenceId,
  licenceIssued,
  placementAdded,
  rubles,
  testLog,
  testReadStore,
} from './testing/given.ts';

const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };

/** Each fact is one command. */
const given = async (...facts: readonly Fact[]) => {
  const { eventStore, append } = testLog();
  for (const fact of facts) await append(fact);
  const readStore = testReadStore();
  await foldAll({ eventStore, readStore });
  return { readStore, doc: (kind: string, id: string) => documentOf(readStore, kind, id) };
};

const begun: readonly Fact[] = [
  ['campaign', 'spring', campaignCreated('Весна')],
  ['contractor', 'masha', contractorCreated('masha')],
  ['employee', 'bob', employeeCreated('bob')],
];

const added: Fact = ['placement', 'p1', placementAdded(place)];

describe('rows', () => {
  it('PJ-1 a placement is the folded stream, in the scopes of its campaign and contractor, at its last event', async () => {
    const { doc } = await given(
      ...begun,
      added,
      ['placement', 'p1', { type: 'PlacementLeadsRecorded', data: { leads: 7 } }],
      ['placement', 'p1', { type: 'PlacementMarkedPaid', data: {} }],
      [
        'creative',
        'c1',
        { type: 'CreativeCreated', data: { name: 'К', abbreviation: 'К', type: 'TEXT_ONLY', notes: '' } },
      ],
    );
    expect(await doc('placement', 'p1')).toEqual({
      kind: 'placement',
      id: 'p1',
      licenceId,
      scopes: ['campaign:spring', 'contractor:masha'],
      left: [],
      position: 6,
      deleted: false,
      data: {
        id: 'p1',
        revision: 2,
        createdAt: instant(3),
        updatedAt: instant(5),
        campaignId: 'spring',
        contractorId: 'masha',
        buyerId: 'bob',
        creativeId: 'NO_CREATIVE',
        category: 'Юмор',
        format: '1/24',
        price: rubles(1000),
        leads: 7,
        date: '2025-03-10',
        paymentStatus: 'paid',
        status: 'PENDING',
        comment: '',
        postUrl: null,
        removed: false,
      },
    });
  });

  it('PJ-2 a removed placement is deleted in its scopes and comes back exactly', async () => {
    const remove: Fact = ['placement', 'p1', { type: 'PlacementRemoved', data: {} }];
    const before = await given(...begun, added);
    const removed = await given(...begun, added, remove);
    const restored = await given(...begun, added, remove, ['placement', 'p1', { type: 'PlacementRestored', data: {} }]);
    expect(await removed.doc('placement', 'p1')).toMatchObject({
      deleted: true,
      data: null,
      position: 5,
      scopes: ['campaign:spring', 'contractor:masha'],
    });
    const { data } = await before.doc('placement', 'p1');
    expect(await restored.doc('placement', 'p1')).toMatchObject({
      deleted: false,
      position: 6,
      scopes: ['campaign:spring', 'contractor:masha'],
      data: { ...data, revision: 2, updatedAt: instant(5) },
    });
    expect(await restored.doc('removed_placement', 'p1')).toMatchObject({ deleted: true, data: null, scopes: [] });
  });

  it('PJ-3 a placement leaves the scope of its old contractor at the event that moved it, and enters it again', async () => {
    const to = (contractorId: string): Fact => [
      'placement',
      'p1',
      { type: 'PlacementContractorChanged', data: { contractorId } },
    ];
    const facts = [...begun, ['contractor', 'petya', contractorCreated('petya')] as const, added, to('petya')];
    const moved = await given(...facts);
    expect(await moved.doc('placement', 'p1')).toMatchObject({
      scopes: ['campaign:spring', 'contractor:petya'],
      left: [{ scope: 'contractor:masha', position: 6 }],
    });
    const back = await given(...facts, to('masha'));
    expect(await back.doc('placement', 'p1')).toMatchObject({
      scopes: ['campaign:spring', 'contractor:masha'],
      left: [{ scope: 'contractor:petya', position: 7 }],
    });
  });

  it('PJ-4 a contractor is in the workspace, its own scope and the campaigns where it has placements', async () => {
    const { doc } = await given(...begun, added, ['placement', 'p2', placementAdded(place, { date: '2025-03-12' })]);
    expect(await doc('contractor', 'masha')).toEqual({
      kind: 'contractor',
      id: 'masha',
      licenceId,
      scopes: ['workspace', 'contractor:masha', 'campaign:spring'],
      left: [],
      position: 5,
      deleted: false,
      data: {
        id: 'masha',
        revision: 0,
        createdAt: instant(1),
        updatedAt: instant(1),
        nick: 'masha',
        adminUsername: '@masha',
        channelName: 'Весна',
        category: 'Юмор',
        isActive: true,
        automatic: true,
        notes: [],
        totals: {
          spent: rubles(2000),
          leads: 0,
          placements: 2,
          days: { '2025-03-10': 1, '2025-03-12': 1 },
          campaigns: { spring: 2 },
        },
      },
    });
  });

  it('VRD-2149 a contractor carries the list that it stands on, and nothing once it is off it', async () => {
    const judged = (verdict: { readonly list: 'black'; readonly reason: string } | null): Fact => [
      'contractor',
      'masha',
      { type: 'ContractorVerdictChanged', data: { verdict } },
    ];
    const black = { list: 'black', reason: 'Не вернул предоплату' } as const;
    const listed = await given(...begun, judged(black));
    expect(await listed.doc('contractor', 'masha')).toMatchObject({ data: { verdict: black, automatic: true } });
    const off = await given(...begun, judged(black), judged(null));
    expect((await off.doc('contractor', 'masha'))?.data).not.toHaveProperty('verdict');
  });

  it('PJ-5 a contractor leaves a campaign with its last placement there and enters again with a new one', async () => {
    const removed: readonly Fact[] = [...begun, added, ['placement', 'p1', { type: 'PlacementRemoved', data: {} }]];
    const gone = await given(...removed);
    expect(await gone.doc('contractor', 'masha')).toMatchObject({
      scopes: ['workspace', 'contractor:masha'],
      left: [{ scope: 'campaign:spring', position: 5 }],
      position: 5,
      data: { totals: { spent: 0, leads: 0, placements: 0, days: {}, campaigns: {} } },
    });
    const again = await given(...removed, ['placement', 'p2', placementAdded(place)]);
    expect(await again.doc('contractor', 'masha')).toMatchObject({
      scopes: ['workspace', 'contractor:masha', 'campaign:spring'],
      left: [],
      position: 6,
    });
  });

  it('PJ-6 notes are documents of the contractor, deleted when removed, and its totals stay', async () => {
    const note: Fact = [
      'contractor',
      'masha',
      { type: 'ContractorNoteAdded', data: { noteId: 'n1', note: 'Отвечает быстро', authorName: 'Боб' } },
    ];
    const { doc } = await given(...begun, added, note);
    const row = { id: 'n1', revision: 1, note: 'Отвечает быстро', authorId: 'person', authorName: 'Боб' };
    expect(await doc('note', 'n1')).toEqual({
      kind: 'note',
      id: 'n1',
      licenceId,
      scopes: ['contractor:masha'],
      left: [],
      position: 5,
      deleted: false,
      data: { ...row, createdAt: instant(4), contractorId: 'masha' },
    });
    expect(await doc('contractor', 'masha')).toMatchObject({
      position: 5,
      data: { notes: [{ ...row, createdAt: instant(4) }], totals: { placements: 1 } },
    });
    const removed = await given(...begun, added, note, [
      'contractor',
      'masha',
      { type: 'ContractorNoteRemoved', data: { noteId: 'n1' } },
    ]);
    expect(await removed.doc('note', 'n1')).toMatchObject({ deleted: true, position: 6 });
    expect((await removed.doc('contractor', 'masha')).data?.['notes']).toEqual([]);
  });

  it('PJ-7 licence, people, channels and creatives are rows of the workspace', async () => {
    const { doc } = await given(
      ['licence', licenceId, licenceIssued],
      ['licence', licenceId, { type: 'LicenceActivated', data: { ownerId: 'olga', ceoLoginCode: 'CEO1' } }],
      ['employee', 'bob', employeeCreated('bob')],
      ['employee', 'bob', { type: 'EmployeePasswordChanged', data: {} }],
      ['channel', 'ch', { type: 'ChannelCreated', data: { name: 'Канал', avatar: null } }],
      [
        'creative',
        'cr',
        { type: 'CreativeCreated', data: { name: 'К1', abbreviation: 'К', type: 'TEXT_ONLY', notes: '' } },
      ],
      ['creative', 'cr', { type: 'CreativeDeactivated', data: {} }],
      ['channel', 'ch', { type: 'ChannelDeleted', data: {} }],
    );
    expect(await doc('license', licenceId)).toMatchObject({
      scopes: ['workspace'],
      position: 2,
      data: { revision: 1, teamName: 'Команда', activated: true, ownerId: 'olga', settings: defaultLicenceSettings },
    });
    expect(await doc('user', 'bob')).toMatchObject({
      scopes: ['workspace', 'person:bob'],
      position: 4,
      data: { id: 'bob', revision: 1, name: 'bob', role: 'MEDIA_BUYER', isActive: true },
    });
    expect(await doc('creative', 'cr')).toMatchObject({
      scopes: ['workspace'],
      position: 7,
      data: { name: 'К1', isActive: false },
    });
    expect(await doc('channel', 'ch')).toMatchObject({ scopes: ['workspace'], position: 8, deleted: true });
  });

  it('PJ-8 streams without rows are passed over, and the checkpoint goes on', async () => {
    const { readStore } = await given(
      ['nick', 'hash', { type: 'ValueClaimed', data: { holder: { licenceId, id: 'x' } } }],
      ['activation', licenceId, { type: 'ActivationCompleted', data: {} }],
    );
    expect(await readStore.checkpoint('all')).toMatchObject({ position: 2 });
  });
});
