import { expect, test } from 'vitest';
import { backOff } from './back-off.ts';

test('ASY-5 each failure doubles the wait, up to the longest, however many there were', () => {
  const waits = [0, 1, 2, 3, 4, 5_000].map((failures) => backOff({ first: 50, longest: 500 }, failures));
  expect(waits).toEqual([50, 100, 200, 400, 500, 500]);
});
