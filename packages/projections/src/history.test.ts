import { type HistoryRow, historyId, presentHistory } from '@zakup/contracts/history';
import { presentPlacement } from '@zakup/contracts/to-wire';
import type { PlacementRow } from '@zakup/contracts/read-models';
import type { HistoryKind } from '@zakup/contracts/history-fields';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import type { AnyEvent } from '@zakup/domain/catalog';
import { channelDecider } from '@zakup/domain/channel/channel.decider';
import { contractorDecider } from '@zakup/domain/contractor/contractor.decider';
import { creativeDecider } from '@zakup/domain/creative/creative.decider';
import type { Decider, DomainEvent } from '@zakup/domain/decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { placementDecider } from '@zakup/domain/placement/placement.decider';
import { type Attempt, attempts } from '@zakup/domain/testing/arbitraries';
import { foldOf } from '@zakup/domain/testing/given';
import type { ReadStore } from '@zakup/read-store/read-store';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventFold } from './fold-event.ts';
import { FoldState } from './fold-state.ts';
import type { Projection } from './projection.ts';
import { projections, stateProjections } from './projections.ts';
import { history } from './history.ts';
import type { RowChange } from './rows/row-projection.ts';
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
import { workingSet } from './working-set.ts';

const openView = { people: true, termsOf: null };

const given = async (...facts: readonly Fact[]) => {
  const log = testLog();
  const readStore = testReadStore();
  for (const fact of facts) await log.append(fact);
  return {
    ...log,
    readStore,
    /** What one more command is told as. */
    told: async (...more: readonly [Fact, ...Fact[]]) => {
      const before = await log.eventStore.head();
      await log.append(...more);
      await foldAll({ eventStore: log.eventStore, readStore });
      return entriesAfter(readStore, before);
    },
  };
};

const entriesAfter = async (readStore: ReadStore, position: number): Promise<readonly HistoryRow[]> => {
  const rows: HistoryRow[] = [];
  for (let at = position + 1; ; at += 1) {
    const doc = await readStore.get('history', historyId(at));
    if (doc === null) return rows;
    rows.push(doc.data as unknown as HistoryRow);
  }
};

const changesOf = (rows: readonly HistoryRow[]) => rows.map(({ changes }) => changes);

const place = { campaign: 'k', contractor: 'c', buyer: 'b' };
const beginning: readonly Fact[] = [
  ['licence', licenceId, licenceIssued],
  ['employee', 'b', employeeCreated('Боб')],
  ['channel', 'channel', { type: 'ChannelCreated', data: { name: 'Мемы', avatar: null } }],
  ['campaign', 'k', campaignCreated('Весна')],
  ['contractor', 'c', contractorCreated('seller')],
];

describe('the history', () => {
  it('HIS-1 has one entry for each event: who, when, of what, under the names of then', async () => {
    const { told, readStore, next } = await given(...beginning);
    const command = next();
    const [entry] = await told(['placement', 'p', placementAdded(place)]);
    expect(entry).toEqual({
      revision: 0,
      at: instant(command),
      actorId: 'person',
      commandId: expect.any(String),
      source: 'screen',
      event: 'PlacementAdded',
      entity: 'placement:p',
      name: '@seller',
      campaignId: 'k',
      campaignName: 'Весна',
      changes: [
        { field: 'campaignId', from: null, to: 'k', toName: 'Весна' },
        { field: 'buyerId', from: null, to: 'b', toName: 'Боб' },
        { field: 'contractorId', from: null, to: 'c', toName: '@seller' },
        { field: 'creativeId', from: null, to: 'NO_CREATIVE' },
        { field: 'category', from: null, to: 'Юмор' },
        { field: 'format', from: null, to: '1/24' },
        { field: 'price', from: null, to: 100_000 },
        { field: 'leads', from: null, to: 0 },
        { field: 'date', from: null, to: '2025-03-10' },
        { field: 'paymentStatus', from: null, to: 'unpaid' },
        { field: 'status', from: null, to: 'PENDING' },
        { field: 'comment', from: null, to: '' },
      ],
    });
    const doc = await documentOf(readStore, 'history', historyId(beginning.length + 1));
    expect([doc.position, doc.scopes, doc.left]).toEqual([beginning.length + 1, [], []]);
    for (let position = 1; position <= beginning.length; position += 1)
      expect((await readStore.get('history', historyId(position)))?.position).toBe(position);
  });

  it('HIS-2 a change has its fields from what to what; removal and restoration are the field deleted', async () => {
    const { told } = await given(...beginning, ['placement', 'p', placementAdded(place)]);
    await told(['contractor', 'd', contractorCreated('other')]);
    const changed = await told([
      'placement',
      'p',
      { type: 'PlacementPriceChanged', data: { price: rubles(250.5) } },
      { type: 'PlacementContractorChanged', data: { contractorId: 'd' } },
    ]);
    expect(changesOf(changed)).toEqual([
      [{ field: 'price', from: 100_000, to: 25_050 }],
      [{ field: 'contractorId', from: 'c', to: 'd', fromName: '@seller', toName: '@other' }],
    ]);
    expect(changed.map(({ name }) => name)).toEqual(['@seller', '@other']);
    const removed = await told(['placement', 'p', { type: 'PlacementRemoved', data: {} }]);
    expect(changesOf(removed)).toEqual([[{ field: 'deleted', from: false, to: true }]]);
    const restored = await told(['placement', 'p', { type: 'PlacementRestored', data: {} }]);
    expect(changesOf(restored)).toEqual([[{ field: 'deleted', from: true, to: false }]]);
  });

  it('HIS-3 names stay those of then when people rename what they name', async () => {
    const { told, readStore } = await given(...beginning, ['placement', 'p', placementAdded(place)]);
    const [renamed] = await told(
      ['contractor', 'c', { type: 'ContractorRenamed', data: { nick: 'new', adminUsername: '@new' } }],
      ['campaign', 'k', { type: 'CampaignRenamed', data: { name: 'Лето' } }],
    );
    expect(renamed).toMatchObject({
      entity: 'contractor:c',
      name: '@new',
      changes: [{ field: 'adminUsername', from: '@seller', to: '@new' }],
    });
    const [added] = await entriesAfter(readStore, beginning.length);
    expect([added?.name, added?.campaignName]).toEqual(['@seller', 'Весна']);
    const [later] = await told(['placement', 'p', { type: 'PlacementMarkedPaid', data: {} }]);
    expect([later?.name, later?.campaignName]).toEqual(['@new', 'Лето']);
  });

  it('HIS-4 a wide event is one entry of its campaign, however many rows it reaches', async () => {
    const many = Array.from({ length: 20 }, (_, n): Fact => ['placement', `p${n}`, placementAdded(place)]);
    const { told } = await given(...beginning, ...many);
    const deleted = await told(['campaign', 'k', { type: 'CampaignDeleted', data: {} }]);
    expect(deleted).toHaveLength(1);
    expect(deleted[0]).toMatchObject({
      entity: 'campaign:k',
      name: 'Весна',
      campaignId: 'k',
      changes: [{ field: 'deleted', from: false, to: true }],
    });
    const [later] = await told(['placement', 'p0', { type: 'PlacementMarkedPaid', data: {} }]);
    expect([later?.name, later?.campaignName]).toEqual(['@seller', 'Весна']);
  });

  it('HIS-5 participants, permissions, notes and parts of a merge are told one by one', async () => {
    const { told } = await given(...beginning, ['contractor', 'd', contractorCreated('other')]);
    const participant = { userId: 'b', budget: rubles(5), salaryType: null, salaryRate: null, cplThreshold: null };
    expect(changesOf(await told(['campaign', 'k', { type: 'CampaignParticipantSet', data: { participant } }]))).toEqual(
      [[{ field: 'participants/b', from: null, to: participant, name: 'Боб' }]],
    );
    const permissions = { reports: true, settings: false };
    expect(
      changesOf(await told(['employee', 'b', { type: 'EmployeePermissionsChanged', data: { permissions } }])),
    ).toEqual([
      [
        { field: 'permissions/reports', from: null, to: true },
        { field: 'permissions/settings', from: null, to: false },
      ],
    ]);
    const note: AnyEvent = { type: 'ContractorNoteAdded', data: { noteId: 'n', note: 'Торг', authorName: 'Боб' } };
    expect(changesOf(await told(['contractor', 'c', note]))).toEqual([[{ field: 'notes/n', from: null, to: 'Торг' }]]);
    expect(
      changesOf(
        await told(
          ['contractor', 'd', { type: 'ContractorMerged', data: { intoId: 'c' } }],
          ['contractor', 'c', { type: 'ContractorReceived', data: { contractorId: 'd', nicks: ['other'] } }],
        ),
      ),
    ).toEqual([
      [{ field: 'mergedInto', from: null, to: 'c', toName: '@seller' }],
      [{ field: 'merged/d', from: null, to: ['other'], name: '@other' }],
    ]);
  });

  it('HIS-6 codes and keys are never in it, only that they changed', async () => {
    const { told } = await given(...beginning);
    const [reissued] = await told(['employee', 'b', { type: 'EmployeeCodeReissued', data: { authCode: 'TOPSECRET' } }]);
    expect(reissued?.changes).toEqual([{ field: 'authCode', from: null, to: null }]);
    const [activated] = await told([
      'licence',
      licenceId,
      { type: 'LicenceActivated', data: { ownerId: 'b', ceoLoginCode: 'TOPSECRET' } },
    ]);
    expect(JSON.stringify([reissued, activated])).not.toContain('TOPSECRET');
    expect(activated?.changes.map(({ field }) => field)).toEqual(['activated', 'ownerId', 'ceoLoginCode']);
  });

  it('HIS-7 an undo says why and what it undoes; an event without fields is told too', async () => {
    const { eventStore, told, readStore } = await given(...beginning);
    const [noticed] = await told([
      'licence',
      licenceId,
      { type: 'LicenceExpiryNoticed', data: { daysBefore: 30, expiresAt: instant(0) } },
    ]);
    expect(noticed).toMatchObject({ event: 'LicenceExpiryNoticed', changes: [] });
    const before = await eventStore.head();
    const [last] = await eventStore.read(`campaign-${licenceId}~k`, { direction: 'backwards', limit: 1 });
    if (last === undefined) throw new Error('There is no campaign');
    await eventStore.append([
      {
        stream: last.stream,
        expectedRevision: 'any',
        events: [
          {
            id: '00000000-0000-4000-8000-000000000001',
            type: 'CampaignDeleted',
            data: {},
            metadata: { ...last.metadata, actorId: 'b', source: 'undo', causedBy: last.id, reason: 'Ошибка' },
          },
        ],
      },
    ]);
    await foldAll({ eventStore, readStore });
    expect((await entriesAfter(readStore, before))[0]).toMatchObject({
      actorName: 'Боб',
      source: 'undo',
      causedBy: last.id,
      reason: 'Ошибка',
    });
  });

  it('HIS-11 signing in and out, refusals and activation codes are told of the person and the licence', async () => {
    const { told } = await given(...beginning);
    const signedIn = { sessionId: 's', door: 'employee', network: '203.0.113.0/24', knownDevice: true } as const;
    const [entry] = await told(['access', 'b', { type: 'SignedIn', data: signedIn }]);
    expect(entry).toMatchObject({ event: 'SignedIn', entity: 'user:b', name: 'Боб', changes: [], facts: signedIn });
    const unread = { ...openView, people: false };
    expect([entry].map((row) => row && presentHistory(1, row, unread).facts)).toEqual([
      { sessionId: 's', door: 'employee', knownDevice: true },
    ]);
    const [issued] = await told([
      'activation',
      licenceId,
      { type: 'ActivationCodeIssued', data: { by: 'admin', validUntil: instant(9) } },
    ]);
    expect(issued).toMatchObject({ entity: `license:${licenceId}`, name: 'Команда', facts: { by: 'admin' } });
    const [unknown] = await told(['access', 'b', { type: 'SignedInSomehow', data: { x: 1 } } as unknown as AnyEvent]);
    expect(unknown).toMatchObject({ event: 'SignedInSomehow', entity: 'user:b' });
    expect(unknown).not.toHaveProperty('facts');
  });

  it('HIS-8 a fold that is asked for none writes none, and all else the same', async () => {
    const { eventStore } = await given(...beginning, ['placement', 'p', placementAdded(place)]);
    const kinds = async (list: readonly Projection[]) => {
      const set = workingSet(testReadStore());
      const fold = new EventFold(set, list);
      for (const event of await eventStore.readLicence(licenceId)) await fold.fold(event);
      await fold.settle();
      return set.pending().docs;
    };
    const [without, all] = [await kinds(stateProjections), await kinds(projections)];
    const told = new Set(['history', 'notification', 'inbox']);
    expect(without.filter(({ kind }) => told.has(kind))).toEqual([]);
    expect(all.filter(({ kind }) => !told.has(kind))).toEqual(without);
    expect(all.filter(({ kind }) => kind === 'history')).toHaveLength(await eventStore.head());
  });

  it('HIS-14 a change of a placement that landed just after its campaign was completed is marked', async () => {
    const { told } = await given(...beginning, ['placement', 'p', placementAdded(place)]);
    const paid: Fact = ['placement', 'p', { type: 'PlacementMarkedPaid', data: {} }];
    const [inTime, completed] = await told(paid, ['campaign', 'k', { type: 'CampaignCompleted', data: {} }]);
    const [late] = await told(['placement', 'p', { type: 'PlacementMarkedUnpaid', data: {} }]);
    const [, again] = await told(['campaign', 'k', { type: 'CampaignReopened', data: {} }], paid);
    expect([inTime?.late, completed?.late, late?.late, again?.late]).toEqual([undefined, undefined, true, undefined]);
    if (late === undefined) throw new Error('It was not told');
    expect(presentHistory(9, late, openView)).toMatchObject({ position: 9, late: true });
  });

  it('HIS-9 any history of a placement, told entry by entry, gives the row as it is shown', async () => {
    const events: readonly ((n: number) => AnyEvent)[] = [
      (n) => ({ type: 'PlacementPriceChanged', data: { price: rubles(n * 7.35) } }),
      (n) => ({ type: 'PlacementLeadsRecorded', data: { leads: n } }),
      (n) => ({ type: 'PlacementContractorChanged', data: { contractorId: n % 2 === 0 ? 'c' : 'd' } }),
      (n) => ({ type: 'PlacementBuyerChanged', data: { buyerId: n % 2 === 0 ? 'b' : 'x' } }),
      (n) => ({ type: 'PlacementDateChanged', data: { date: `2025-03-${10 + (n % 20)}` } }),
      (n) => ({ type: 'PlacementCreativeChanged', data: { creativeId: n % 2 === 0 ? 'NO_CREATIVE' : 'r' } }),
      (n) => ({ type: 'PlacementCategoryChanged', data: { category: `Тема ${n % 3}` } }),
      (n) => ({ type: 'PlacementFormatChanged', data: { format: `${n % 4}/24` } }),
      () => ({ type: 'PlacementMarkedPaid', data: {} }),
      () => ({ type: 'PlacementMarkedUnpaid', data: {} }),
      (n) => ({ type: 'PlacementStatusChanged', data: { status: n % 2 === 0 ? 'DONE' : 'CANCELLED' } }),
      (n) => ({ type: 'PlacementCommentChanged', data: { comment: n % 3 === 0 ? '' : `Строка ${n}` } }),
      (n) => ({ type: 'PlacementPostUrlChanged', data: { postUrl: n % 3 === 0 ? null : `https://t.me/some/${n}` } }),
      () => ({ type: 'PlacementRemoved', data: {} }),
      () => ({ type: 'PlacementRestored', data: {} }),
    ];
    const steps = fc.array(fc.tuple(fc.nat(events.length - 1), fc.nat(50), fc.nat(2)), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 20 }), async (taken, maxDocs) => {
        const { append, eventStore, readStore } = await given(
          ...beginning,
          ['contractor', 'd', contractorCreated('other')],
          ...[0, 1, 2].map((n): Fact => ['placement', `p${n}`, placementAdded(place, { price: rubles(n + 0.5) })]),
        );
        for (const [what, n, which] of taken) {
          const event = events[what]?.(n);
          if (event !== undefined) await append(['placement', `p${which}`, event]);
        }
        await foldAll({ eventStore, readStore, maxDocs });
        const entries = await entriesAfter(readStore, 0);
        expect(entries).toHaveLength(await eventStore.head());
        for (const n of [0, 1, 2]) {
          const own = entries.filter(({ entity }) => entity === `placement:p${n}`);
          const shown: Record<string, unknown> = { deleted: false, postUrl: null };
          own.forEach((row, index) => {
            for (const { field, from, to } of presentHistory(index, row, openView).changes) {
              expect(shown[field] ?? null).toEqual(from);
              shown[field] = to;
            }
          });
          const doc =
            (await readStore.get('placement', `p${n}`))?.data ??
            (await readStore.get('removed_placement', `p${n}`))?.data;
          const row = doc as unknown as PlacementRow;
          const { id: _, revision, createdAt, updatedAt, costPerLead: __, ...fields } = presentPlacement(row);
          expect(shown).toEqual({ ...fields, deleted: row.removed });
          expect([own.at(-1)?.revision, own[0]?.at, own.at(-1)?.at]).toEqual([revision, createdAt, updatedAt]);
        }
      }),
      { numRuns: 100 },
    );
  });

  const playedOf = <State, Command, Event extends DomainEvent, Facts>(
    decider: Decider<State, Command, Event, Facts>,
    story: readonly Attempt<Command, Facts>[],
  ) => {
    let { state } = foldOf(decider, []);
    const events: { readonly event: Event; readonly before: State | null; readonly after: State }[] = [];
    for (const [command, facts] of story) {
      const decision = decider.decide(command, state, facts);
      for (const event of decision.kind === 'accepted' ? decision.events : []) {
        const after = decider.evolve(state, event, { at: instant(0), actorId: 'b', revision: events.length });
        events.push({ event, before: state, after });
        state = after;
      }
    }
    return events;
  };

  /** Fields of an entity that are told in parts, by the name of the part. */
  const partOf = new Map([['verdictReason', 'verdict']]);

  const tells = <State, Command, Event extends DomainEvent, Facts>(
    kind: HistoryKind,
    decider: Decider<State, Command, Event, Facts>,
    attempt: fc.Arbitrary<Attempt<Command, Facts>>,
  ): void => {
    it(`HIS-10 ${kind}: what an event changes of the fields is told, and nothing else`, async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(attempt, { maxLength: 12 }), async (story) => {
          for (const { event, before, after } of playedOf(decider, story)) {
            const set = workingSet(testReadStore());
            const recorded = { type: event.type, position: 1, revision: 0, metadata: { licenceId, actorId: 'b' } };
            const change = { kind, id: 'x', licenceId, position: 1, event: recorded, decoded: event, before, after };
            await history.apply(change as unknown as RowChange, new FoldState(set));
            const row = set.pending().docs[0]?.data as unknown as HistoryRow;
            const told = row.changes.map(({ field }) => {
              const [name = ''] = field.split('/');
              return partOf.get(name) ?? name;
            });
            const [was, is] = [before === null ? {} : decider.fields(before), decider.fields(after)] as const;
            const changed = Object.keys(is).filter(
              (field) => JSON.stringify(is[field] ?? null) !== JSON.stringify(was[field] ?? null),
            );
            const opened = new Set(['authCode', 'licenseKey', 'ceoLoginCode', 'ownerId', 'campaigns']);
            const empty = (field: string) =>
              before === null && ['{}', '[]', 'false'].includes(JSON.stringify(is[field]));
            expect(told.filter((field) => !opened.has(field) && !changed.includes(field))).toEqual([]);
            expect(changed.filter((field) => !empty(field) && !told.includes(field))).toEqual([]);
          }
        }),
        { numRuns: 150 },
      );
    });
  };
  tells('placement', placementDecider, attempts.placement);
  tells('campaign', campaignDecider, attempts.campaign);
  tells('channel', channelDecider, attempts.channel);
  tells('creative', creativeDecider, attempts.creative);
  tells('contractor', contractorDecider, attempts.contractor);
  tells('user', employeeDecider, attempts.employee);
  tells('license', licenceDecider, attempts.licence);
});
