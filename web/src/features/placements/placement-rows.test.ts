import type { PlacementWire } from '@zakup/contracts/entities';
import { describe, expect, it } from 'vitest';
import type { Entry, EntryState } from '../../shared/outbox/entry.ts';
import { type Names, placementRowMaker } from './placement-rows.ts';

const placement = (id: string, more: Partial<PlacementWire> = {}): PlacementWire => ({
  id,
  revision: 3,
  createdAt: '2026-11-01T00:00:00.000Z',
  updatedAt: '2026-11-01T00:00:00.000Z',
  campaignId: 'c',
  buyerId: 'u',
  contractorId: 'k',
  creativeId: 'NO_CREATIVE',
  category: 'Юмор',
  format: '1/24',
  price: 100,
  leads: 1,
  costPerLead: 100,
  date: '2026-11-01',
  paymentStatus: 'unpaid',
  status: 'PENDING',
  ...more,
});
const names: Names = { contractors: new Map(), users: new Map(), creatives: new Map() };
const entry = (id: string, target: string | null, body: Record<string, unknown>, state: EntryState): Entry => ({
  id,
  order: 1,
  issuedAt: 0,
  attempted: true,
  target: { kind: 'placement', id: target },
  method: target === null ? 'POST' : 'PATCH',
  path: '',
  body,
  baseRevision: 3,
  predicted: body,
  label: '',
  scope: 'campaign:c',
  state,
});
const made = (entries: readonly Entry[], make = placementRowMaker(), docs = [placement('p1'), placement('p2')]) =>
  make(docs, 'c', entries, (id) => entries.filter((one) => one.target.id === id), names);

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
    expect(row).toMatchObject({ id: 'new:e', nick: '@nick', placement: { price: 7, leads: 0, contractorId: '' } });
    expect(made([entry('e', null, { ...body, campaignId: 'other' }, { kind: 'pending' })])).toHaveLength(2);
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
});
