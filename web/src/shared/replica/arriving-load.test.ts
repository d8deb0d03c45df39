import type { DocKind } from '@zakup/contracts/wire-entities';
import type { Change, Changes } from '@zakup/contracts/socket';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryReplica, type Replica } from './replica.ts';

const scopes = ['workspace', 'campaign:1', 'contractor:1'];
const ids = ['a', 'b', 'c', 'd'];
const doc = (id: string, position: number, kind: DocKind = 'channel'): Change => ({
  kind,
  id,
  position,
  doc: { id, name: `v${position}` },
});
const part = (scope: string, position: number, ...docs: Change[]): Changes => ({ scope, position, docs, last: false });
const whole = (scope: string, position: number, ...docs: Change[]): Changes => ({ scope, position, docs, last: true });

const names = (replica: Replica, scope?: string): readonly string[] =>
  replica
    .all('channel', scope)
    .map(({ id, name }) => `${id}=${name}`)
    .sort();
const stateOf = (replica: Replica): unknown => ({
  all: names(replica),
  scopes: scopes.map((scope) => [names(replica, scope), replica.position(scope), replica.drawn(scope)]),
  docs: ids.map((id) => [replica.get('channel', id), replica.seen('channel', id)]),
});

type Step =
  | { readonly kind: 'message'; readonly scope: string; readonly last: boolean; readonly docs: readonly Change[] }
  | { readonly kind: 'reset' | 'forget' | 'abandon'; readonly scope: string };
const change = fc.record({ id: fc.constantFrom(...ids), position: fc.integer({ min: 0, max: 20 }) });
/** One truth per position, as the log has it. */
const told = ({ id, position }: { readonly id: string; readonly position: number }): Change =>
  position % 3 === 0 ? { ...doc(id, position), doc: null } : doc(id, position);
const message = fc.record({
  kind: fc.constant('message' as const),
  scope: fc.constantFrom(...scopes),
  last: fc.boolean(),
  docs: fc.array(change.map(told), { maxLength: 4 }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: message },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('reset' as const, 'forget' as const, 'abandon' as const),
      scope: fc.constantFrom(...scopes),
    }),
  },
);

/** The same, but each load comes in one message at its end: what is on its way is nowhere. */
const wholeOnly = () => {
  const replica = memoryReplica();
  const waiting = new Map<string, readonly Change[]>();
  return {
    replica,
    take(one: Step): void {
      if (one.kind === 'message') {
        const docs = [...(waiting.get(one.scope) ?? []), ...one.docs];
        waiting.set(one.scope, one.last ? [] : docs);
        if (one.last) replica.apply({ scope: one.scope, position: 20, docs, last: true });
        return;
      }
      waiting.delete(one.scope);
      if (one.kind === 'reset') replica.reset(one.scope);
      if (one.kind === 'forget') replica.forget(one.scope);
    },
  };
};
const take = (replica: Replica, one: Step): void => {
  if (one.kind === 'message') replica.apply({ ...one, position: 20 });
  else if (one.kind === 'abandon') replica.abandonPartial(one.scope);
  else replica[one.kind](one.scope);
};

describe('a load that is on its way', () => {
  it('RP-14 parts between live changes, resets and leaves show at every step what whole loads would', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, looks) => {
        const replica = memoryReplica();
        const model = wholeOnly();
        const [shown, wanted]: [unknown[], unknown[]] = [[], []];
        for (const [index, one] of steps.entries()) {
          take(replica, one);
          model.take(one);
          // Lists that were asked for are kept from then on.
          if (!looks && index < steps.length - 1) continue;
          shown.push(stateOf(replica));
          wanted.push(stateOf(model.replica));
        }
        expect(shown).toEqual(wanted);
      }),
      { numRuns: 600 },
    );
  });

  it('RP-15 whatever happened on the way, a load that was let go of and comes again is a fresh one', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 30 }),
        fc.array(change, { maxLength: 12 }),
        fc.nat(11),
        (steps, load, cut) => {
          const [used, fresh] = [memoryReplica(), memoryReplica()];
          for (const one of steps) take(used, one);
          for (const scope of scopes) used.forget(scope);
          const docs = load.map(told);
          for (const replica of [used, fresh]) {
            replica.apply(part('campaign:1', 20, ...docs.slice(0, cut)));
            replica.apply(whole('campaign:1', 20, ...docs.slice(cut)));
          }
          expect(stateOf(used)).toEqual(stateOf(fresh));
        },
      ),
    );
  });

  it('RP-16 nobody hears of a part, and everybody once of the whole', () => {
    const replica = memoryReplica();
    const [heard, heardKind, heardDoc] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
    replica.subscribe(heard);
    replica.subscribeKind('placement', heardKind);
    replica.subscribeDoc('placement', 'a', heardDoc);
    const before = replica.all('placement', 'campaign:1');
    replica.apply(part('campaign:1', 4, doc('a', 4, 'placement')));
    replica.apply(part('campaign:1', 4, doc('b', 4, 'placement')));
    expect([heard, heardKind, heardDoc].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
    expect(replica.all('placement', 'campaign:1')).toBe(before);
    replica.apply(whole('campaign:1', 4));
    expect([heard, heardKind, heardDoc].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
    expect(replica.all('placement', 'campaign:1')).toHaveLength(2);
  });

  it('RP-17 a load of one message is there when it has been applied', () => {
    const replica = memoryReplica();
    replica.apply(whole('campaign:1', 4, doc('a', 4), doc('b', 3)));
    expect([names(replica, 'campaign:1'), names(replica), replica.drawn('campaign:1')]).toEqual([
      ['a=v4', 'b=v3'],
      ['a=v4', 'b=v3'],
      true,
    ]);
  });

  it('RP-18 the last message of a first load looks at what it brings and no more, however much came before', () => {
    const replica = memoryReplica();
    let looked = 0;
    const counted = (id: string): Change => ({
      kind: 'placement',
      id,
      position: 1,
      get doc() {
        looked += 1;
        return { id };
      },
    });
    for (let from = 0; from < 10_000; from += 500)
      replica.apply(part('campaign:1', 1, ...Array.from({ length: 500 }, (_, index) => counted(`p${from + index}`))));
    const known = replica.all('placement', 'campaign:1');
    const set = vi.spyOn(Map.prototype, 'set');
    const add = vi.spyOn(Set.prototype, 'add');
    looked = 0;
    replica.apply(whole('campaign:1', 1, counted('last')));
    const steps = set.mock.calls.length + add.mock.calls.length;
    set.mockRestore();
    add.mockRestore();
    expect(known).toEqual([]);
    expect(replica.all('placement', 'campaign:1')).toHaveLength(10_001);
    expect(looked).toBeLessThan(5);
    expect(steps).toBeLessThan(50);
  });
});
