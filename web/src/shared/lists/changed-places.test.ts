import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rememberChange, rememberedChange } from './changed-places.ts';

const changedIn = (before: readonly number[], places: readonly number[]): readonly number[] => {
  const after = before.map((item, place) => (places.includes(place) ? item + 1 : item));
  rememberChange(before, after, places);
  return after;
};
const ascending = (places: readonly number[] | null): readonly number[] | null =>
  places?.toSorted((a, b) => a - b) ?? null;

describe('what is remembered of how one list was made from another', () => {
  it('KR-11 between any two of a few versions are the places in which one of them changed', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(19), { maxLength: 5 }), { maxLength: 12 }), (rounds) => {
        const versions: (readonly number[])[] = [Array.from({ length: 20 }, (_, place) => place)];
        for (const places of rounds) versions.push(changedIn(versions.at(-1) ?? [], places));
        for (const [from, before] of versions.entries())
          for (const [to, after] of versions.entries()) {
            const wanted = from <= to ? [...new Set(rounds.slice(from, to).flat())] : null;
            expect(ascending(rememberedChange(before, after))).toEqual(ascending(wanted));
          }
      }),
    );
  });

  it('KR-12 lists that nobody told of, and one that is many versions older, are compared by whoever asks', () => {
    expect(rememberedChange([1], [1])).toBeNull();
    const first = [1, 2];
    let last: readonly number[] = first;
    for (let round = 0; round < 31; round += 1) last = changedIn(last, [round % 2]);
    expect(ascending(rememberedChange(first, last))).toEqual([0, 1]);
    expect(rememberedChange(first, changedIn(changedIn(last, [0]), [0]))).toBeNull();
  });
});
