import type {
  AnalyticsWire,
  CampaignWire,
  ContractorWire,
  PlacementWire,
  UserWire,
} from '@zakup/contracts/wire-entities';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, EntryState } from '../../../shared/outbox/entry.ts';
import type { Names } from './placement-row.ts';
import { placementRowMaker } from './placement-rows.ts';
import { predictedSummary } from '../../../shared/predictions/predicted-totals.ts';
import { rememberedChange } from '../../../shared/lists/changed-places.ts';
import { memoryReplica } from '../../../shared/replica/replica.ts';
import { placementDocument } from '../../../shared/testing/placement-document.ts';

const placement = (id: string, more: Partial<PlacementWire> = {}) =>
  placementDocument({
    id,
    revision: 3,
    buyerId: 'u',
    contractorId: 'k',
    category: 'Юмор',
    price: 100,
    leads: 1,
    date: '2026-11-01',
    ...more,
  });
const names: Names = { contractors: new Map(), users: new Map(), creatives: new Map() };
const entry = (id: string, target: string | null, body: Record<string, unknown>, state: EntryState): Entry => ({
  id,
  order: 1,
  issuedAt: 0,
  attempted: true,
  ...(target === null
    ? { target: { kind: 'placement', id: `by ${id}` }, creates: true }
    : { target: { kind: 'placement', id: target } }),
  method: target === null ? 'POST' : 'PATCH',
  path: target === null ? '/api/placements' : `/api/placements/${target}`,
  body,
  baseRevision: 3,
  label: '',
  scope: 'campaign:c',
  state,
});
const campaign = { id: 'c', status: 'ACTIVE' } as CampaignWire;
const never = (): boolean => false;
const made = (
  entries: readonly Entry[],
  make = placementRowMaker(),
  placements = [placement('p1'), placement('p2')],
) => {
  const entriesOf = (id: string) => entries.filter((one) => one.target.id === id && one.creates !== true);
  return make({ placements, campaignId: 'c', campaign, entries, entriesOf, isGone: never, names }).rows;
};

describe('placement rows', () => {
  it('PR-1 lays what is pending or in conflict over the stored values, never what was refused', () => {
    const laid = (state: EntryState): number | undefined =>
      made([entry('e', 'p1', { price: 5 }, state)])[0]?.placement.price;
    expect(laid({ kind: 'pending' })).toBe(5);
    expect(laid({ kind: 'acknowledged', position: 1, revision: 4 })).toBe(5);
    expect(laid({ kind: 'conflict', conflicts: [], revision: 4 })).toBe(5);
    expect(laid({ kind: 'rejected', code: 'X', reason: '' })).toBe(100);
  });

  it('PR-2 shows a new placement as typed until the server has it, without inventing what it does not know', () => {
    const body = { campaignId: 'c', contractor: '@nick', price: 7, date: '2026-11-21' };
    const rows = made([entry('e', null, body, { kind: 'pending' })]);
    const row = rows.find((one) => one.kind === 'new');
    expect(row).toMatchObject({ id: 'by e', nick: '@nick', placement: { price: 7, leads: 0, contractorId: '' } });
    expect(made([entry('e', null, { ...body, campaignId: 'other' }, { kind: 'pending' })])).toHaveLength(2);
  });

  it('KR-16 rows of a replica in which placements change, come and go are those made of all anew, of each moment', () => {
    const act = fc.record({ at: fc.nat(15), price: fc.nat(9), isGone: fc.integer({ min: 0, max: 5 }) });
    fc.assert(
      fc.property(fc.array(fc.array(act, { maxLength: 4 }), { maxLength: 12 }), (rounds) => {
        const replica = memoryReplica();
        const make = placementRowMaker();
        const waiting = [entry('e', 'p3', { price: 50 }, { kind: 'pending' })];
        for (const [position, round] of rounds.entries()) {
          const docs = round.map(({ at, price, isGone }) => {
            const id = `p${at}`;
            return { kind: 'placement' as const, id, position, doc: isGone === 0 ? null : placement(id, { price }) };
          });
          replica.apply({ scope: 'campaign:c', position, docs, last: true });
          const placements = [...replica.all('placement', 'campaign:c')];
          const entries = position % 3 === 2 ? [] : waiting;
          const kept = made(entries, make, replica.all('placement', 'campaign:c') as PlacementWire[]);
          expect(kept).toEqual(made(entries, placementRowMaker(), placements));
        }
      }),
    );
  });

  it('KR-17 of very many placements those alone are looked at of which the replica tells that they changed', () => {
    const replica = memoryReplica();
    const bring = (position: number, docs: readonly PlacementWire[]): void =>
      void replica.apply({
        scope: 'campaign:c',
        position,
        docs: docs.map((doc) => ({ kind: 'placement', id: doc.id, position, doc })),
        last: true,
      });
    bring(
      1,
      Array.from({ length: 5000 }, (_, index) => placement(`p${index}`)),
    );
    const before = replica.all('placement', 'campaign:c');
    bring(2, [placement('p7', { price: 5 }), placement('p4000', { price: 6 })]);
    bring(3, [placement('p7', { price: 8 })]);
    const after = replica.all('placement', 'campaign:c');
    expect(rememberedChange(before, after)?.map((place) => after[place]?.price)).toEqual([8, 6]);
    const make = placementRowMaker();
    const [rows, changed] = [made([], make, [...before]), made([], make, [...after])];
    expect(rememberedChange(rows, changed)?.map((place) => changed[place]?.placement.price)).toEqual([8, 6]);
  });

  it('PR-3 keeps every row that did not change as it is', () => {
    const make = placementRowMaker();
    const docs = [placement('p1'), placement('p2')];
    const before = made([], make, docs);
    expect(made([], make, docs)).toBe(before);
    const after = made([], make, docs.with(0, placement('p1', { price: 1 })));
    expect(after[1]).toBe(before[1]);
    expect(after[0]).not.toBe(before[0]);
  });

  it('PR-4 figures follow what is decided, not what is only typed', () => {
    const pending = { kind: 'pending' } as const;
    const [decided] = made([entry('e', 'p1', { price: 50, leads: 5 }, pending)]);
    expect(decided).toMatchObject({ decided: { price: 50, leads: 5, costPerLead: 10 }, counted: true });
    expect(decided?.typed).toEqual({});
    const wished = [entry('e', 'p1', { buyerId: 'stranger', price: 50 }, pending)];
    const [typed] = made(wished);
    expect(typed).toMatchObject({ placement: { price: 50 }, decided: { price: 100 }, typed: { price: 50 } });
    const removal = { ...entry('e', 'p1', { deleted: true }, pending), method: 'DELETE' as const };
    expect(made([removal])[0]).toMatchObject({ leaving: true, counted: false });
    const refused = made([entry('e', null, { campaignId: 'c' }, { kind: 'rejected', code: 'X', reason: '' })]).find(
      ({ kind }) => kind === 'new',
    );
    expect(refused).toMatchObject({ kind: 'new', counted: false });
  });

  it('PR-5 a row is predicted anew when what is known changes: its document, its campaign, the people', () => {
    const make = placementRowMaker();
    const entries = [entry('e', 'p1', { buyerId: 'ilya' }, { kind: 'pending' })];
    const entriesOf = (id: string) => (id === 'p1' ? entries : []);
    const ilya = { id: 'ilya', name: 'Илья', role: 'MEDIA_BUYER', isActive: true } as UserWire;
    const sources = {
      placements: [placement('p1')],
      campaignId: 'c',
      campaign,
      entries,
      entriesOf,
      isGone: never,
      names,
    };
    const buyerOf = (more: Partial<typeof sources>) => {
      const [row] = make({ ...sources, ...more }).rows;
      return [row?.decided.buyerId, row?.placement.buyerId, row?.decided.leads];
    };
    expect(buyerOf({})).toEqual(['u', 'ilya', 1]);
    const known = { names: { ...names, users: new Map([['ilya', ilya]]) } };
    expect(buyerOf(known)).toEqual(['ilya', 'ilya', 1]);
    expect(buyerOf({ ...known, campaign: { ...campaign, status: 'COMPLETED' } })).toEqual(['u', 'ilya', 1]);
    const placements = [placement('p1', { revision: 4, leads: 7 })];
    expect(buyerOf({ ...known, placements }), 'what another changed lies under it').toEqual(['ilya', 'ilya', 7]);
  });

  it('PR-6 a change among ten thousand placements looks at one of them', () => {
    let looks = 0;
    const docs = Array.from({ length: 10_000 }, (_, index) => {
      const id = `p${index}`;
      return Object.defineProperty(placement(id), 'id', {
        enumerable: true,
        get: () => {
          looks += 1;
          return id;
        },
      });
    });
    const make = placementRowMaker();
    made([], make, docs);
    looks = 0;
    const row = made([entry('e', 'p500', { price: 7 }, { kind: 'pending' })], make, docs).find(
      ({ id }) => id === 'p500',
    );
    expect(row?.placement.price).toBe(7);
    expect(looks).toBeLessThan(20);
  });

  it('PR-7 finds a contractor by any spelling of its nicks, those of whoever was merged into it too', () => {
    const masha = { id: 'k', adminUsername: '@Masha', otherUsernames: ['@maria'] } as unknown as ContractorWire;
    const known: Names = { ...names, contractors: new Map([['k', masha]]) };
    const shown = (contractor: string) => {
      const entries = [entry('e', 'p1', { contractor }, { kind: 'pending' })];
      const placements = [placement('p1', { contractorId: 'other' })];
      const sources = {
        placements,
        campaignId: 'c',
        campaign,
        entries,
        entriesOf: () => entries,
        isGone: never,
        names: known,
      };
      const [row] = placementRowMaker()(sources).rows;
      return [row?.decided.contractorId, row?.nick];
    };
    expect(shown('https://t.me/MASHA')).toEqual(['k', '@Masha']);
    expect(shown('Maria')).toEqual(['k', '@Masha']);
    expect(shown('Stranger'), 'as typed, as the server may make it').toEqual(['other', '@Stranger']);
  });

  describe('a new placement', () => {
    const added = placement('by e', { createdAt: '2026-11-21T00:00:00.000Z', price: 7, leads: 0 });
    const body = { campaignId: 'c', contractor: '@nick', price: 7, buyerId: 'u', category: 'Юмор', date: '2026-11-01' };
    const sent = (state: EntryState): Entry => ({ ...entry('e', null, body, state), issuedAt: 9 });
    const buyer = { id: 'u', name: 'Анна', role: 'MEDIA_BUYER', isActive: true } as UserWire;
    const summary = (totalPlacements: number, spentBudget: number): AnalyticsWire['summary'] => ({
      totalBudget: 1000,
      spentBudget,
      remainingBudget: 1000 - spentBudget,
      averageCostPerLead: 0,
      totalLeads: 0,
      totalPlacements,
      paidBudget: 0,
      unpaidBudget: spentBudget,
    });
    const maker = () => {
      const make = placementRowMaker();
      return (entries: readonly Entry[], placements: readonly PlacementWire[], gone: readonly string[] = []) => {
        const { rows, moving } = make({
          placements,
          campaignId: 'c',
          campaign,
          entries,
          entriesOf: () => [],
          isGone: (id) => gone.includes(id),
          names: { ...names, users: known },
        });
        const { spentBudget, totalPlacements } = predictedSummary(
          summary(
            placements.length,
            placements.reduce((sum, { price }) => sum + price, 0),
          ),
          moving,
        );
        return { rows: rows.map(({ id, kind }) => `${kind} ${id}`), sums: [totalPlacements, spentBudget] };
      };
    };
    const known = new Map([['u', buyer]]);
    const once = { rows: ['new by e'], sums: [1, 7] };
    const there = { rows: ['stored by e'], sums: [1, 7] };
    const none = { rows: [], sums: [0, 0] };
    const acknowledged: EntryState = { kind: 'acknowledged', position: 9, revision: 0 };

    it('PR-8 stands once under its one id and counts once, whichever comes first, its document or the answer', () => {
      const documentFirst = maker();
      expect(documentFirst([sent({ kind: 'pending' })], [])).toEqual(once);
      expect(documentFirst([sent({ kind: 'pending' })], [added])).toEqual(there);
      expect(documentFirst([sent(acknowledged)], [added])).toEqual(there);
      expect(documentFirst([], [added])).toEqual(there);
      const answerFirst = maker();
      expect(answerFirst([sent(acknowledged)], [])).toEqual(once);
      expect(answerFirst([sent(acknowledged)], [added])).toEqual(there);
    });

    it('PR-9 whose answer was lost stands once when a load brings its document, also before it is sent again', () => {
      const rows = maker();
      const held = sent({ kind: 'pending', held: true });
      expect(rows([held], [])).toEqual(once);
      expect(rows([held], [added])).toEqual(there);
      expect(maker()([held], [added])).toEqual(there);
    });

    it('PR-10 does not come back when somebody has deleted it before the answer, and a refused one does not go', () => {
      const rows = maker();
      expect(rows([sent({ kind: 'pending' })], [added])).toEqual(there);
      expect(rows([sent({ kind: 'pending' })], [], ['by e'])).toEqual(none);
      const refused = sent({ kind: 'rejected', code: 'X', reason: '' });
      expect(rows([refused], [], ['by e'])).toEqual({ ...none, rows: ['new by e'] });
    });

    it('PR-11 is as quiet as any other once its document is there, and what follows it is shown on it', () => {
      const make = placementRowMaker();
      const entries = [sent({ kind: 'pending', held: true }), entry('f', 'by e', { leads: 3 }, { kind: 'pending' })];
      const [row] = made(entries, make, [added]);
      expect(row?.entries.map(({ id }) => id)).toEqual(['f']);
      expect(row?.placement).toMatchObject({ price: 7, leads: 3 });
      const [quiet] = made(entries.slice(0, 1), make, [added]);
      expect(quiet).toMatchObject({ kind: 'stored', entries: [], leaving: false });
    });
  });
});
