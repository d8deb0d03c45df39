import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PatchMismatch, patchBetween, patched } from './patch.ts';

/** As it is after a wire: `-0` is none, nothing is shared. */
const wired = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const name = fc.constantFrom('a', 'b', 'rows', '', '0', '__proto__', 'constructor', 'toString', 'length');
const leaf = fc.constantFrom<unknown>(null, true, 0, 1.5, '', 'x', 'rows');
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('value'), { maxLength: 6 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((members) => Object.fromEntries(members)),
    fc
      .uniqueArray(fc.record({ id: fc.constantFrom('p', 'q', 'r', 's', 't'), of: tie('value') }), {
        selector: ({ id }) => id,
      })
      .map((rows) => rows as unknown),
  ),
}));
const json = fc.oneof(value, fc.jsonValue()).map(wired);

const frozen = (of: unknown): unknown => {
  if (typeof of === 'object' && of !== null) {
    Object.freeze(of);
    Object.values(of).forEach(frozen);
  }
  return of;
};

interface Line {
  readonly placementId: string;
  readonly price: number;
  readonly leads: number;
}
const lines = (count: number): Line[] =>
  Array.from({ length: count }, (_, index) => ({ placementId: `placement-${index}`, price: index, leads: 1 }));

const outcomeOf = (before: unknown, patch: unknown): string => {
  try {
    const made = patched(before, patch);
    const isPlain = [undefined, Object.prototype, Array.prototype].includes(
      typeof made === 'object' && made !== null ? Object.getPrototypeOf(made) : undefined,
    );
    return isPlain ? 'plain' : 'of another kind';
  } catch (error) {
    return error instanceof PatchMismatch ? 'refused' : String(error);
  }
};

describe('patches', () => {
  it('PATCH-1 a patch that went over the wire makes the one of the other, and changes neither', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const patch = patchBetween(frozen(before), frozen(after));
        const arrived = wired(patch);
        expect(arrived).toEqual(patch);
        expect(JSON.stringify(wired(patched(before, frozen(arrived))))).toBe(
          JSON.stringify(wired(patched(before, patch))),
        );
        expect(patched(before, arrived)).toEqual(after);
      }),
      { numRuns: 700, seed: 20_261_122 },
    );
  });

  it('PATCH-2 nothing changes between equal values, and what does not change keeps its identity', () => {
    fc.assert(
      fc.property(json, (same) => {
        expect(patchBetween(same, wired(same))).toEqual({});
        expect(patched(same, {})).toBe(same);
      }),
    );
    const before = { name: 'a', kept: { deep: [1] }, rows: lines(3) };
    const after = { name: 'b', kept: { deep: [1] }, rows: lines(3).with(1, { ...lines(2)[1], price: 9 } as Line) };
    const made = patched(before, patchBetween(before, after)) as typeof before;
    expect(made).toEqual(after);
    expect(made.kept).toBe(before.kept);
    expect(made.rows.map((row, index) => row === before.rows[index])).toEqual([true, false, true]);
  });

  it('PATCH-3 a changed, a new, a removed and a moved line of 5,000 cost one line each', () => {
    const before = { total: 1, counted: lines(5_000) };
    const cost = (counted: readonly Line[]): number => {
      const after = { total: 2, counted };
      const patch = JSON.stringify(patchBetween(before, after));
      expect(patched(before, JSON.parse(patch))).toEqual(after);
      return patch.length;
    };
    const all = lines(5_000);
    const added = { placementId: 'new', price: 1, leads: 0 };
    const [first, last] = [all[0] as Line, all[4_999] as Line];
    expect(cost(all.map((line, index) => (index === 2_500 ? { ...line, price: 1 } : line)))).toBeLessThan(80);
    expect(cost([...all.slice(0, 17), added, ...all.slice(17)])).toBeLessThan(120);
    expect(cost([...all.slice(0, 17), ...all.slice(20)])).toBeLessThan(80);
    expect(cost([...all.slice(1), first])).toBeLessThan(120);
    expect(cost([last, ...all.slice(0, -1)])).toBeLessThan(120);
    expect(cost([...all.slice(0, 10), added, ...all.slice(11, 4_000), ...all.slice(4_001)])).toBeLessThan(160);
  });

  it('PATCH-4 a hostile patch is refused or harmless: it changes no base, and nothing that objects inherit', () => {
    const inherited = Object.getOwnPropertyNames(Object.prototype).toSorted();
    fc.assert(
      fc.property(json, json, (before, patch) => {
        expect(outcomeOf(frozen(before), frozen(patch))).toMatch(/^plain$|^refused$/u);
      }),
      { numRuns: 700, seed: 20_261_122 },
    );
    const polluting = JSON.parse('{"__proto__":[{"polluted":true}],"constructor":[{"prototype":{"polluted":true}}]}');
    const made = patched({ a: 1 }, polluting) as Record<string, unknown>;
    expect(made['polluted']).toBeUndefined();
    expect(Object.getPrototypeOf(made)).toBe(Object.prototype);
    expect(() => patched({ a: 1 }, JSON.parse('{"__proto__":{"polluted":[true]}}'))).toThrow(PatchMismatch);
    expect(Object.getOwnPropertyNames(Object.prototype).toSorted()).toEqual(inherited);
  });

  it('PATCH-5 a patch that was made for something else is refused where that shows', () => {
    const refused: readonly (readonly [unknown, unknown])[] = [
      [{ a: 1 }, { b: [] }],
      [{ a: 1 }, { b: { c: [1] } }],
      [{ a: 1 }, { a: { c: [1] } }],
      [{ a: 1 }, []],
      [{ a: 1 }, [1, 2]],
      [{ a: 1 }, 5],
      [{ a: 1 }, null],
      [[1], { rows: [2] }],
      [[1], { rows: [-2] }],
      [[1], { rows: [0] }],
      [[1], { rows: [0.5] }],
      [[1], { rows: [1e300] }],
      [[1], { rows: ['1'] }],
      [[1], { rows: [1, { a: [1] }] }],
      [[1], { rows: [[2]], more: [1] }],
      [[1], { rows: 1 }],
    ];
    for (const [before, patch] of refused) expect(() => patched(before, patch)).toThrow(PatchMismatch);
  });
});
