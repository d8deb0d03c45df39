import { array, assert, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rateLimit } from './rate-limit.ts';

describe('rate limit', () => {
  test('LIM-1 500 at once, then 50 a second, each key for itself', () => {
    let now = 0;
    const limit = rateLimit({ now: () => now });
    const taken = (key: string, tries: number): number =>
      Array.from({ length: tries }, () => limit.take(key)).filter(({ kind }) => kind === 'taken').length;
    expect(taken('a', 600)).toBe(500);
    expect(taken('b', 1)).toBe(1);
    now = 1000;
    expect(taken('a', 600)).toBe(50);
    now = 60_000;
    expect(taken('a', 600)).toBe(500);
  });

  test('LIM-2 the told wait is enough and not longer than needed', () => {
    let now = 0;
    const limit = rateLimit({ perSecond: 2, burst: 1, now: () => now });
    limit.take('a');
    expect(limit.take('a')).toEqual({ kind: 'limited', retryAfterSeconds: 0.5 });
    now = 499;
    expect(limit.take('a').kind).toBe('limited');
    now = 500;
    expect(limit.take('a').kind).toBe('taken');
  });

  test('LIM-3357 a look takes nothing; what is owed beyond what is there comes back first', () => {
    let now = 0;
    const limit = rateLimit({ perSecond: 1, burst: 3, now: () => now });
    for (let count = 0; count < 10; count += 1) expect(limit.look('a').kind).toBe('taken');
    for (let count = 0; count < 5; count += 1) limit.owe('a');
    expect(limit.look('a')).toEqual({ kind: 'limited', retryAfterSeconds: 3 });
    now = 2_999;
    expect(limit.look('a').kind).toBe('limited');
    now = 3_000;
    expect(limit.look('a').kind).toBe('taken');
    expect(limit.look('b').kind).toBe('taken');
  });

  test('LIM-3 in any stretch of time no more pass than burst plus rate times the stretch', () => {
    assert(
      property(array(integer({ min: 0, max: 400 }), { maxLength: 200 }), (gaps) => {
        let now = 0;
        const limit = rateLimit({ perSecond: 10, burst: 5, now: () => now });
        let taken = 0;
        for (const gap of gaps) {
          now += gap;
          if (limit.take('a').kind === 'taken') taken += 1;
        }
        expect(taken).toBeLessThanOrEqual(5 + (now / 1000) * 10 + 1e-6);
      }),
    );
  });

  test('LIM-4 keys that are full again are dropped', () => {
    let now = 0;
    const limit = rateLimit({ now: () => now });
    for (let index = 0; index < 100_000; index += 1) {
      now += 1;
      limit.take(`key-${index}`);
    }
    expect(limit.size).toBeLessThan(2000);
  });
});
