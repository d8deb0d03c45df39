import { patchBetween } from '@zakup/contracts/patch';
import type { Change, Changes, PatchedChange } from '@zakup/contracts/socket';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryReplica, type Replica } from './replica.ts';

const doc = (id: string, position: number, name = `v${position}`): Change => ({
  kind: 'channel',
  id,
  position,
  doc: { id, name },
});
const gone = (id: string, position: number): Change => ({ kind: 'channel', id, position, doc: null });
const whole = (scope: string, position: number, ...docs: Change[]): Changes => ({ scope, position, docs, last: true });
const names = (replica: Replica, scope?: string): readonly string[] =>
  replica
    .all('channel', scope)
    .map((channel) => `${channel.id}=${channel.name}`)
    .sort();

describe('replica', () => {
  it('RP-1 applying a document twice or late does nothing: the higher position wins', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 5, doc('a', 5)));
    replica.apply(whole('workspace', 5, doc('a', 5, 'other')));
    replica.apply(whole('workspace', 5, doc('a', 3)));
    expect(names(replica)).toEqual(['a=v5']);
    expect(replica.position('workspace')).toBe(5);
  });

  it('RP-2 a document that left stays away when an older one comes late', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 9, gone('a', 9)));
    replica.apply(whole('workspace', 9, doc('a', 7)));
    expect(replica.get('channel', 'a')).toBeNull();
    expect(replica.seen('channel', 'a')).toBe(9);
  });

  it('RP-3 chunks are drawn only when the last one is there', () => {
    const replica = memoryReplica();
    replica.apply({ ...whole('workspace', 4, doc('a', 4)), last: false });
    expect(replica.all('channel')).toEqual([]);
    expect(replica.position('workspace')).toBeNull();
    expect(replica.drawn('workspace')).toBe(false);
    replica.apply(whole('workspace', 6, doc('b', 6)));
    expect(names(replica)).toEqual(['a=v4', 'b=v6']);
    expect(replica.position('workspace')).toBe(6);
  });

  it('RP-4 a load cut in the middle leaves nothing behind', () => {
    const replica = memoryReplica();
    replica.apply({ ...whole('workspace', 4, doc('a', 4)), last: false });
    replica.abandonPartial('workspace');
    replica.apply(whole('workspace', 6, doc('b', 6)));
    expect(names(replica)).toEqual(['b=v6']);
  });

  it('RP-5 after a reset other content at the same or a lower position is taken, in one step', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 9, doc('a', 9), doc('b', 9)));
    replica.apply(whole('campaign:1', 9, doc('a', 9)));
    replica.reset('workspace');
    replica.ask('workspace');
    expect(replica.position('workspace')).toBeNull();
    expect(names(replica)).toEqual(['a=v9', 'b=v9']);
    replica.apply(whole('workspace', 8, doc('a', 8, 'healed')));
    expect(names(replica)).toEqual(['a=healed']);
    expect(replica.position('workspace')).toBe(8);
  });

  it('RP-6 a document in two scopes survives leaving one', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 1, doc('a', 1), doc('b', 1)));
    replica.apply(whole('campaign:1', 2, doc('a', 2)));
    replica.forget('workspace');
    expect(names(replica)).toEqual(['a=v2']);
    replica.forget('campaign:1');
    expect(names(replica)).toEqual([]);
    expect(replica.seen('channel', 'a')).toBe(-1);
  });

  it('RP-7 lists and documents keep their identity until they change, and only their listeners hear', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 1, doc('a', 1), doc('b', 1)));
    const list = replica.all('channel');
    const heardA = vi.fn<() => void>();
    const heardCreatives = vi.fn<() => void>();
    replica.subscribeDoc('channel', 'a', heardA);
    replica.subscribeKind('creative', heardCreatives);
    replica.apply(whole('workspace', 2, { kind: 'user', id: 'u', position: 2, doc: { id: 'u' } }));
    expect(replica.all('channel')).toBe(list);
    replica.apply(whole('workspace', 3, doc('b', 3)));
    expect(heardA).not.toHaveBeenCalled();
    expect(heardCreatives).not.toHaveBeenCalled();
    expect(replica.all('channel')).not.toBe(list);
    replica.apply(whole('workspace', 4, doc('a', 4)));
    expect(heardA).toHaveBeenCalledTimes(1);
  });

  it('RP-10 one’s own full record and the public members of the same person stay apart, whichever comes first', () => {
    const own: Changes = whole('me', 5, {
      kind: 'user',
      id: 'u',
      position: 5,
      doc: { id: 'u', email: 'u@vkus.media' },
    });
    const open: Changes = whole('workspace', 5, { kind: 'user', id: 'u', position: 5, doc: { id: 'u' } });
    for (const order of [
      [own, open],
      [open, own],
    ]) {
      const replica = memoryReplica();
      for (const message of order) replica.apply(message);
      expect(replica.get('user', 'u')).toEqual({ id: 'u' });
      expect(replica.get('person', 'u')).toEqual({ id: 'u', email: 'u@vkus.media' });
      replica.reset('me');
      replica.apply(whole('me', 4));
      expect(replica.get('person', 'u')).toBeNull();
      expect(replica.get('user', 'u')).toEqual({ id: 'u' });
    }
  });

  const patchOf = (of: { id: string; base: number; position: number }, from: unknown, to: unknown): PatchedChange => ({
    kind: 'channel',
    ...of,
    patch: patchBetween(from, to),
  });

  it('PATCH-21 a patch is of what its own scope brought last, whatever another one brought since', () => {
    const replica = memoryReplica();
    const at = (position: number): unknown => ({ id: 'a', name: `v${position}` });
    replica.apply(whole('workspace', 5, doc('a', 5)));
    replica.apply(whole('campaign:1', 5, doc('a', 5)));
    expect(
      replica.apply({ ...whole('workspace', 7), docs: [patchOf({ id: 'a', base: 5, position: 7 }, at(5), at(7))] }),
    ).toBe(true);
    expect(
      replica.apply({ ...whole('campaign:1', 6), docs: [patchOf({ id: 'a', base: 5, position: 6 }, at(5), at(6))] }),
    ).toBe(true);
    expect(replica.get('channel', 'a')).toEqual(at(7));
    expect(
      replica.apply({ ...whole('campaign:1', 9), docs: [patchOf({ id: 'a', base: 6, position: 9 }, at(6), at(9))] }),
    ).toBe(true);
    expect(replica.get('channel', 'a')).toEqual(at(9));
  });

  it('PATCH-22 a patch that does not fit is refused, and nothing of its message is taken', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 5, doc('a', 5), doc('b', 5), gone('c', 5)));
    const misfits = [
      patchOf({ id: 'a', base: 4, position: 8 }, {}, { name: 'x' }),
      patchOf({ id: 'c', base: 5, position: 8 }, {}, { name: 'x' }),
      patchOf({ id: 'unknown', base: 5, position: 8 }, {}, { name: 'x' }),
      { ...patchOf({ id: 'a', base: 5, position: 8 }, {}, {}), patch: { absent: [] } as const },
    ];
    for (const misfit of misfits)
      expect(replica.apply({ ...whole('workspace', 8), docs: [doc('b', 8), misfit] })).toBe(false);
    expect(names(replica)).toEqual(['a=v5', 'b=v5']);
    expect(replica.position('workspace')).toBe(5);
    const late = patchOf({ id: 'a', base: 2, position: 5 }, {}, { name: 'late' });
    expect(replica.apply({ ...whole('workspace', 9), docs: [late] })).toBe(true);
    expect(names(replica)).toEqual(['a=v5', 'b=v5']);
  });

  it('PATCH-23 what a patch leaves as it is keeps its identity', () => {
    const replica = memoryReplica();
    const analytics = (spent: number) => ({
      id: 'c',
      summary: { spent },
      byDay: [{ date: '2026-01-01', spent: 1 }],
      byBuyer: [
        { buyerId: 'x', spent },
        { buyerId: 'y', spent: 1 },
      ],
    });
    replica.apply(whole('campaign:c', 1, { kind: 'analytics', id: 'c', position: 1, doc: analytics(1) }));
    const before = replica.get('analytics', 'c');
    const patch = patchBetween(analytics(1), analytics(2));
    replica.apply({
      ...whole('campaign:c', 2),
      docs: [{ kind: 'analytics', id: 'c', position: 2, base: 1, patch: JSON.parse(JSON.stringify(patch)) }],
    });
    const after = replica.get('analytics', 'c');
    expect(after).toEqual(analytics(2));
    expect(after?.byDay).toBe(before?.byDay);
    expect(after?.byBuyer[1]).toBe(before?.byBuyer[1]);
    expect(after?.byBuyer[0]).not.toBe(before?.byBuyer[0]);
  });

  const change = fc.record({
    scope: fc.constantFrom('workspace', 'campaign:1', 'contractor:1'),
    id: fc.constantFrom('a', 'b', 'c'),
    position: fc.integer({ min: 0, max: 40 }),
    present: fc.boolean(),
  });
  /** One truth per position, as the log has it: the same position never carries two contents. */
  const message = (of: { scope: string; id: string; position: number; present: boolean }): Changes =>
    whole(of.scope, of.position, of.present ? doc(of.id, of.position) : gone(of.id, of.position));
  const state = (replica: Replica): unknown => ({
    all: names(replica),
    scopes: ['workspace', 'campaign:1', 'contractor:1'].map((scope) => [
      names(replica, scope),
      replica.position(scope),
    ]),
    seen: ['a', 'b', 'c'].map((id) => replica.seen('channel', id)),
  });

  it('RP-8 any order and any duplication of the same changes gives the same state', () => {
    const unique = fc.uniqueArray(change, { selector: (of) => `${of.scope} ${of.id} ${of.position}`, maxLength: 25 });
    const shuffled = unique.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray(list, { minLength: list.length }),
        fc.array(list.length > 0 ? fc.constantFrom(...list) : fc.constant(null), { maxLength: 10 }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([list, order, again]) => {
        const straight = memoryReplica();
        for (const of of list) straight.apply(message(of));
        const other = memoryReplica();
        for (const of of [...order, ...again]) if (of) other.apply(message(of));
        expect(state(other)).toEqual(state(straight));
      }),
    );
  });

  it('RP-9 leaving a scope leaves exactly what the other scopes hold', () => {
    fc.assert(
      fc.property(fc.uniqueArray(change, { selector: (of) => `${of.scope} ${of.id} ${of.position}` }), (list) => {
        const replica = memoryReplica();
        const without = memoryReplica();
        for (const of of list) replica.apply(message(of));
        for (const of of list) if (of.scope !== 'workspace') without.apply(message(of));
        replica.forget('workspace');
        expect(state(replica)).toEqual(state(without));
      }),
    );
  });

  it('RP-11 lists that were asked for before every step are those of a replica that is asked at the end', () => {
    const scopes = [undefined, 'workspace', 'campaign:1', 'contractor:1'];
    fc.assert(
      fc.property(fc.array(change), fc.nat(), (list, left) => {
        const [asked, fresh] = [memoryReplica(), memoryReplica()];
        const look = (): void => {
          for (const scope of scopes) asked.all('channel', scope);
        };
        for (const of of list) {
          look();
          for (const one of [asked, fresh]) one.apply(message(of));
        }
        look();
        if (left % 2 === 0) for (const one of [asked, fresh]) one.forget('workspace');
        for (const scope of scopes) expect(names(asked, scope)).toEqual(names(fresh, scope));
      }),
    );
  });

  it('RP-13 what another scope held alone may leave while its document comes in chunks of this one', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 1, doc('a', 1)));
    replica.apply({ ...whole('campaign:1', 2, doc('a', 2)), last: false });
    replica.forget('workspace');
    replica.apply(whole('campaign:1', 2, doc('b', 2)));
    expect(names(replica)).toEqual(['a=v2', 'b=v2']);
    expect(replica.get('channel', 'a')).not.toBeNull();
    replica.apply({ ...whole('campaign:2', 3, doc('c', 3)), last: false });
    replica.abandonPartial('campaign:2');
    expect([replica.get('channel', 'c'), replica.seen('channel', 'c')]).toEqual([null, -1]);
  });

  it('RP-12 a list that was given out stays as it was, and one that nothing changed is the same', () => {
    const replica = memoryReplica();
    replica.apply(whole('workspace', 1, doc('a', 1), doc('b', 1), doc('c', 1)));
    const before = replica.all('channel', 'workspace');
    const [, b, c] = before;
    replica.apply(whole('workspace', 2, doc('x', 2)));
    replica.apply({ scope: 'workspace', position: 3, last: true, docs: [gone('a', 3)] });
    const after = replica.all('channel', 'workspace');
    expect([before.length, before[1], before[2]]).toEqual([3, b, c]);
    expect(after).not.toBe(before);
    replica.apply(whole('campaign:1', 4, { kind: 'placement', id: 'p', position: 4, doc: { id: 'p' } }));
    replica.apply(whole('workspace', 2, doc('x', 2)));
    expect(replica.all('channel', 'workspace')).toBe(after);
    replica.apply(whole('workspace', 5, doc('b', 5)));
    const changed = replica.all('channel', 'workspace').filter((one) => !after.includes(one));
    expect(changed).toEqual([{ id: 'b', name: 'v5' }]);
  });

  it('WLO-6 what was kept is painted once, of no position, and never over a load that has begun to come', () => {
    const replica = memoryReplica();
    replica.paint('workspace', [{ kind: 'channel', id: 'a', doc: { id: 'a', name: 'kept' } }]);
    expect([names(replica), replica.drawn('workspace')]).toEqual([['a=kept'], true]);
    expect([replica.position('workspace'), replica.seen('channel', 'a')]).toEqual([null, -1]);
    replica.paint('workspace', [{ kind: 'channel', id: 'b', doc: { id: 'b', name: 'kept' } }]);
    replica.apply(whole('workspace', 0, doc('a', 0), doc('c', 0)));
    expect(names(replica)).toEqual(['a=v0', 'c=v0']);

    const begun = memoryReplica();
    begun.apply({ ...whole('workspace', 4, doc('a', 4)), last: false });
    begun.paint('workspace', [{ kind: 'channel', id: 'b', doc: { id: 'b', name: 'kept' } }]);
    begun.apply(whole('workspace', 4, doc('c', 4)));
    expect(names(begun)).toEqual(['a=v4', 'c=v4']);
  });
});
