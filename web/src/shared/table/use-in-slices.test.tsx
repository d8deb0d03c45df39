import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sliceSize, useInSlices } from './use-in-slices.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const hook = (items: readonly number[], key = 'a') => {
  const seen: (readonly [number, boolean, boolean])[] = [];
  const rendered = renderHook(
    (props: { readonly items: readonly number[]; readonly key: string }) => {
      const { items: given, whole, settled } = useInSlices(props.items, props.key);
      seen.push([given.length, whole, settled]);
      return given;
    },
    { initialProps: { items, key } },
  );
  return { ...rendered, seen };
};
const turn = (): void => act(() => void vi.runOnlyPendingTimers());

describe('lists in slices', () => {
  it('SLC-1 what one slice holds is there at once, without another paint, and so is what comes by little', () => {
    const { result, rerender, seen } = hook([]);
    const first = numbers(sliceSize);
    rerender({ items: first, key: 'a' });
    expect(result.current).toBe(first);
    rerender({ items: numbers(sliceSize + 2), key: 'a' });
    rerender({ items: numbers(sliceSize * 2), key: 'a' });
    expect(vi.getTimerCount()).toBe(0);
    expect(seen).toEqual([
      [0, true, true],
      [sliceSize, true, true],
      [sliceSize + 2, true, true],
      [sliceSize * 2, true, true],
    ]);
  });

  it('SLC-2 of many each task takes one slice more, and what is made of all of them has one of its own', () => {
    const { result, rerender, seen } = hook([]);
    const many = numbers(2 * sliceSize + 1);
    rerender({ items: many, key: 'a' });
    for (let count = 0; count < 3; count += 1) turn();
    expect(seen.slice(1)).toEqual([
      [sliceSize, false, false],
      [2 * sliceSize, false, false],
      [2 * sliceSize + 1, true, false],
      [2 * sliceSize + 1, true, true],
    ]);
    expect(result.current).toBe(many);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('SLC-3 what changes on the way is in what comes out, and holds nothing up', () => {
    const { result, rerender } = hook(numbers(3 * sliceSize));
    turn();
    const changed = numbers(3 * sliceSize + 1).with(7, -7);
    rerender({ items: changed, key: 'a' });
    for (let count = 0; count < 3; count += 1) turn();
    expect(result.current).toBe(changed);
  });

  it('SLC-4 another list begins anew, and one that was let go of in the middle leaves nothing', () => {
    const { result, rerender, unmount, seen } = hook(numbers(3 * sliceSize));
    turn();
    const other = numbers(3 * sliceSize).toReversed();
    rerender({ items: other, key: 'b' });
    expect(result.current).toEqual(other.slice(0, sliceSize));
    rerender({ items: numbers(1), key: 'c' });
    expect([result.current, seen.at(-1)]).toEqual([[0], [1, true, true]]);
    rerender({ items: other, key: 'b' });
    unmount();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('SLC-7 what comes to a list in use is there at once, however much, and one that was emptied begins anew', () => {
    const { result, rerender, seen } = hook(numbers(1));
    const many = numbers(3 * sliceSize);
    rerender({ items: many, key: 'a' });
    expect([result.current, seen.at(-1), vi.getTimerCount()]).toEqual([many, [many.length, true, true], 0]);
    rerender({ items: [], key: 'a' });
    rerender({ items: many, key: 'a' });
    expect(seen.at(-1)).toEqual([sliceSize, false, false]);
    for (let count = 0; count < 3; count += 1) turn();
    expect([result.current, seen.at(-1)]).toEqual([many, [many.length, true, true]]);
  });

  it('SLC-8 where nobody looks nothing waits for its turn', () => {
    const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const many = numbers(3 * sliceSize);
    const { result, seen } = hook(many);
    expect([result.current, seen, vi.getTimerCount()]).toEqual([many, [[many.length, true, true]], 0]);
    hidden.mockRestore();
  });
});
