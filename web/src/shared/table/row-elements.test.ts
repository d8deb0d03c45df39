import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowElements, type RowElement } from './row-elements.ts';

const idsFrom = (first: number, count = 6): readonly string[] =>
  Array.from({ length: count }, (_, index) => `r${first + index}`);
const free = (): boolean => false;
const keysOf = (elements: readonly RowElement[]): readonly string[] => elements.map(({ key }) => key);
const keyOf = (elements: readonly RowElement[], id: string): string | undefined =>
  elements.find((element) => element.id === id)?.key;

describe('row elements', () => {
  it('RWE-1 while it scrolls the same elements stay where they are, and those that left show what came', () => {
    const elements = rowElements();
    const before = elements.assign({ ids: idsFrom(0), isScrolling: true, isBound: free });
    const after = elements.assign({ ids: idsFrom(2), isScrolling: true, isBound: free });
    expect(keysOf(after)).toEqual(keysOf(before));
    expect(after.map(({ id }) => id)).toEqual(['r6', 'r7', 'r2', 'r3', 'r4', 'r5']);
  });

  it('RWE-2 at rest the elements are in the order of the rows, and as few as can be are made anew', () => {
    const elements = rowElements();
    const before = elements.assign({ ids: idsFrom(10), isScrolling: true, isBound: free });
    elements.assign({ ids: idsFrom(8), isScrolling: true, isBound: free });
    const rest = elements.assign({ ids: idsFrom(8), isScrolling: false, isBound: free });
    expect(rest.map(({ id }) => id)).toEqual(idsFrom(8));
    expect(keysOf(rest).filter((key) => !keysOf(before).includes(key))).toHaveLength(2);
    expect(keysOf(rest).slice(2)).toEqual(keysOf(before).slice(0, 4));
  });

  it('RWE-3 the element of the row that has the focus stays in the document, and is not given to another row', () => {
    const elements = rowElements();
    elements.assign({ ids: idsFrom(10), isScrolling: true, isBound: free });
    const scrolled = elements.assign({ ids: idsFrom(8), isScrolling: true, isBound: free });
    elements.hold('r8');
    const rest = elements.assign({ ids: idsFrom(8), isScrolling: false, isBound: free });
    expect(keyOf(rest, 'r8')).toBe(keyOf(scrolled, 'r8'));
    const gone = elements.assign({ ids: idsFrom(9), isScrolling: true, isBound: free });
    expect(keysOf(gone)).not.toContain(keyOf(rest, 'r8'));
  });

  it('RWE-4 the element of a row with something of its own goes with the row', () => {
    const elements = rowElements();
    const before = elements.assign({ ids: idsFrom(0), isScrolling: true, isBound: (id) => id === 'r1' });
    const after = elements.assign({ ids: idsFrom(2), isScrolling: true, isBound: free });
    expect(keysOf(after)).not.toContain(keyOf(before, 'r1'));
    expect(keysOf(after)).toContain(keyOf(before, 'r0'));
  });

  const step = fc.record({
    ids: fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 12 }).map((all) => all.map((id) => `r${id}`)),
    isScrolling: fc.boolean(),
    bound: fc.integer({ min: 0, max: 30 }),
    focused: fc.option(fc.nat({ max: 11 })),
  });

  it('RWE-5 whatever comes and goes: each row has one element, a row in sight keeps its element while it scrolls, and at rest no element passes another one nor the focused one goes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const elements = rowElements();
        let before: readonly RowElement[] = [];
        let held: string | null = null;
        for (const { ids, isScrolling, bound, focused } of steps) {
          const isBound = (id: string): boolean => id === `r${bound}`;
          const now = elements.assign({ ids, isScrolling, isBound });
          expect(now.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
          expect(new Set(keysOf(now)).size).toBe(ids.length);
          for (const element of now) expect(element.isBound).toBe(isBound(element.id) || element.id === held);
          const stayed = before.filter(({ id }) => ids.includes(id));
          const keeps = ({ id, key }: RowElement): boolean => keyOf(now, id) === key;
          expect(!isScrolling || stayed.every(keeps)).toBe(true);
          expect(isScrolling ? ids : now.map(({ id }) => id)).toEqual(ids);
          const places = keysOf(now)
            .map((key) => keysOf(before).indexOf(key))
            .filter((place) => place >= 0);
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          const own = before.filter((element) => element.isBound || element.id === held);
          expect(own.filter(({ id, key }) => !ids.includes(id) && keysOf(now).includes(key))).toEqual([]);
          expect(stayed.filter(({ id }) => id === held).every(keeps)).toBe(true);
          before = now;
          const next = focused === null ? undefined : now[focused];
          if (next !== undefined) {
            held = next.id;
            elements.hold(held);
          }
        }
      }),
    );
  });
});
