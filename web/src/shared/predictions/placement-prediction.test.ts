import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { describe, expect, it } from 'vitest';
import type { Entry, EntryState } from '../outbox/entry.ts';
import { certainRefusal } from './certain-refusal.ts';
import { type KnownFacts, predictPlacement } from './placement-prediction.ts';
import { placementDocument } from '../testing/placement-document.ts';

const stored = placementDocument({
  revision: 3,
  contractorId: 'masha',
  category: 'Юмор',
  date: '2026-11-01',
});
const known: KnownFacts = {
  campaign: (id) => (id === 'c' ? { status: 'ACTIVE' } : null),
  user: (id) => (id === 'anna' || id === 'ilya' ? { role: 'MEDIA_BUYER', isActive: true } : null),
  creative: () => null,
  contractorId: (nick) => ({ masha: 'masha', dasha: 'dasha' })[nick] ?? null,
};
const completed: KnownFacts = { ...known, campaign: () => ({ status: 'COMPLETED' }) };
const issuedAt = Date.parse('2026-11-21T22:00:00.000Z');

let count = 0;
const entry = (more: Partial<Entry>): Entry => {
  count += 1;
  return {
    id: `e${count}`,
    order: count,
    issuedAt,
    attempted: false,
    target: { kind: 'placement', id: 'p1' },
    method: 'PATCH',
    path: '/api/placements/p1',
    body: {},
    baseRevision: 3,
    label: '',
    scope: 'campaign:c',
    state: { kind: 'pending' },
    ...more,
  };
};
const change = (body: Entry['body'], state: EntryState = { kind: 'pending' }): Entry => entry({ body, state });
const pay = (body: Entry['body']): Entry => entry({ method: 'POST', path: '/api/placements/p1/payment', body });
const removal = (): Entry => entry({ method: 'DELETE', body: { deleted: true } });
const restoring = (): Entry => entry({ method: 'POST', path: '/api/placements/p1/restore' });
const adding = (body: Entry['body']): Entry =>
  entry({
    target: { kind: 'placement', id: 'p9' },
    creates: true,
    method: 'POST',
    path: '/api/placements',
    body: { campaignId: 'c', buyerId: 'anna', category: 'Юмор', ...body },
  });
const predict = (entries: readonly Entry[], facts = known, doc: PlacementWire | null = stored) =>
  predictPlacement(doc, doc?.id ?? 'p9', entries, facts);
const typedBy = (...of: Parameters<typeof predict>) => predict(...of).typed;
const conflict: EntryState = { kind: 'conflict', conflicts: [], revision: 5 };

describe('prediction of a placement', () => {
  it('PRD-2 nothing on its way leaves the stored document itself', () => {
    const refused = change({ price: 5 }, { kind: 'rejected', code: 'CAMPAIGN_COMPLETED', reason: '' });
    expect(predict([]).decided).toBe(stored);
    expect(predict([refused])).toMatchObject({ decided: stored, removed: false });
    expect(typedBy([refused])).toEqual({});
  });

  it('PRD-3 a new one has what the decider gives it: the day of its issue at UTC+3, no leads, its status, its contractor', () => {
    const { decided, typed } = predict([adding({ contractor: 't.me/MASHA', price: '1 000,5' })], known, null);
    expect(typed).toEqual({});
    expect({ decided }).toMatchObject({
      decided: {
        id: 'p9',
        contractorId: 'masha',
        creativeId: 'NO_CREATIVE',
        date: '2026-11-22',
        format: '1/24',
        price: 1000.5,
        leads: 0,
        costPerLead: 0,
        paymentStatus: 'unpaid',
        status: 'PENDING',
      },
    });
  });

  it('PRD-4 entries are decided in order, each on what the ones before leave', () => {
    const { decided, typed } = predict([change({ price: 3000 }), pay({}), change({ leads: 20 }), pay({})]);
    expect(decided).toMatchObject({ price: 3000, leads: 20, costPerLead: 150, paymentStatus: 'unpaid', revision: 7 });
    expect(typed).toEqual({});
    expect(predict([change({ price: 1 }), change({ price: 2 })]).decided?.price).toBe(2);
    expect(predict([removal()])).toMatchObject({ removed: true });
    expect(typedBy([removal()])).toEqual({});
    expect(predict([removal(), restoring()])).toMatchObject({ removed: false });
    expect(predict([removal(), change({ price: 5 })])).toMatchObject({ removed: true, typed: { price: 5 } });
  });

  it('PRD-5 a change that somebody else made meanwhile lies under what is on its way', () => {
    const mine = change({ price: 3000 });
    const theirs = { ...stored, revision: 4, leads: 30, paymentStatus: 'paid' };
    expect(predict([mine], known, theirs).decided).toMatchObject({
      price: 3000,
      leads: 30,
      costPerLead: 100,
      paymentStatus: 'paid',
    });
  });

  it('PRD-6 a fact that the replica does not have leaves the value as typed, with nothing derived from it', () => {
    const unknown: KnownFacts = { ...known, campaign: () => null };
    expect(predict([change({ price: '3 000 ₽' })], unknown)).toMatchObject({ decided: stored, typed: { price: 3000 } });
    expect(predict([change({ buyerId: 'stranger' })])).toMatchObject({
      decided: stored,
      typed: { buyerId: 'stranger' },
    });
    expect(predict([change({ creativeId: 'new' })])).toMatchObject({ decided: stored, typed: { creativeId: 'new' } });
    expect(predict([removal()], unknown)).toMatchObject({ removed: false, typed: { deleted: true } });
    const added = predict([adding({ contractor: 'masha', price: 7 })], unknown, null);
    expect(added).toMatchObject({ decided: null, typed: { price: 7, contractor: '@masha', buyerId: 'anna' } });
    expect(predict([change({ price: 5 })], known, null)).toMatchObject({ decided: null, typed: { price: 5 } });
  });

  it('PRD-7 a nick that the replica does not know is shown as typed, and the rest of its command is decided', () => {
    const changed = predict([change({ contractor: ' https://t.me/Nobody', price: 3000 })]);
    expect(changed.decided).toMatchObject({ contractorId: 'masha', price: 3000, costPerLead: 300 });
    expect(changed.typed).toEqual({ contractor: '@Nobody' });
    const added = predict([adding({ contractor: 'nobody', price: 7 })], known, null);
    expect(added).toMatchObject({ decided: { contractorId: '', price: 7 }, typed: { contractor: '@nobody' } });
    const again = predict([change({ contractor: 'nobody' }), change({ contractor: 'dasha' })]);
    expect([again.decided?.contractorId, again.typed]).toEqual(['dasha', {}]);
  });

  it('PRD-8 what the replica says against it is shown as typed and left to the server, as is what others changed too', () => {
    expect(predict([change({ price: 3000 })], completed)).toMatchObject({ decided: stored, typed: { price: 3000 } });
    expect(predict([change({ price: 3000 }, conflict)])).toMatchObject({ decided: stored, typed: { price: 3000 } });
    const twice = predict([change({ price: 3000 }, conflict), change({ leads: 20 }), change({ price: 4000 })]);
    expect(twice.decided).toMatchObject({ price: 4000, leads: 20 });
    expect(twice.typed).toEqual({});
    expect(typedBy([change({ price: 3000 }, conflict), change({ price: 1000 })]), 'back to what is stored').toEqual({});
    expect(certainRefusal(change({ buyerId: 'stranger' })), 'sent all the same').toBeNull();
  });

  it('PRD-9 an entry that changes nothing of what is there is said to be idle', () => {
    const same = [change({ contractor: '@MASHA', price: 1000 }), pay({ paymentStatus: 'unpaid' })];
    const { decided, typed, idle } = predict(same);
    expect(decided).toBe(stored);
    expect([typed, [...idle]]).toEqual([{}, same.map(({ id }) => id)]);
    const arrived = change({ price: 3000 }, { kind: 'acknowledged', position: 9, revision: 4 });
    expect(predict([arrived], known, { ...stored, price: 3000, costPerLead: 300, revision: 4 }).idle.size).toBe(1);
  });

  it('PRD-10 an entry kept by an earlier version is read by its call, whatever it remembered to have predicted', () => {
    const kept = JSON.parse(
      JSON.stringify({ ...change({ price: 5 }), predicted: { price: 999, leads: 999 } }),
    ) as Entry;
    expect(predict([kept]).decided).toMatchObject({ price: 5, leads: 10 });
    const foreign = entry({ method: 'PUT', path: '/api/somewhere', body: { price: 6 } });
    expect(predict([foreign])).toMatchObject({ decided: stored, typed: { price: 6 } });
  });

  it('PRD-13 what an earlier version kept and no schema of today takes is laid over nothing', () => {
    const kept = change({ price: 'дорого', leads: 7 });
    expect(predict([kept])).toMatchObject({ decided: stored, typed: {} });
    expect(typedBy([kept])).toEqual({});
  });

  it('PRD-11 a value that is wrong in itself is refused for certain, in the words of the server', () => {
    expect(certainRefusal(change({ price: -1 }))).toEqual({ code: 'VALIDATION_FAILED', reason: 'Некорректная цена' });
    expect(certainRefusal(change({ date: '2026-02-31' }))?.reason).toBe('Некорректная дата');
    expect(certainRefusal(adding({ contractor: '@' }))?.code).toBe('VALIDATION_FAILED');
    expect(certainRefusal(adding({ contractor: 'masha' }))).toBeNull();
    expect(certainRefusal(entry({ path: '/api/campaigns/p1/reopen', method: 'POST' }))).toBeNull();
  });
});
