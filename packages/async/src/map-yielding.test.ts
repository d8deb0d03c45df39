import { describe, expect, test } from 'vitest';
import { mapYielding } from './map-yielding.ts';

const held = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

describe('work in turns', () => {
  test('HOLD-42 is what map answers, and others have their turn before it is done', async () => {
    let othersAt = -1;
    const seen: number[] = [];
    setImmediate(() => {
      othersAt = seen.length;
    });
    const doubled = await mapYielding([1, 2, 3, 4, 5, 6, 7, 8], (number) => {
      held(3);
      seen.push(number);
      return number * 2;
    });
    expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14, 16]);
    expect(othersAt).toBeGreaterThan(0);
    expect(othersAt).toBeLessThan(8);
  });
});
