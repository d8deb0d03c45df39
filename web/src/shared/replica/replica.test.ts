import type { Change, Changes } from '@zakup/contracts/socket';
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
        for (const of of list) replica.apply(message(of));
        const kept = ['campaign:1', 'contractor:1'].flatMap((scope) => names(replica, scope));
        replica.forget('workspace');
        expect(names(replica)).toEqual([...new Set(kept)].sort());
      }),
    );
  });
});
