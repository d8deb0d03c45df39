import { Histogram } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { RecentObservations, sumFigures } from './service-figures.ts';

const second = 1_000;

const observed = () => {
  let time = 0;
  const histogram = new Histogram({ name: 'seconds', help: '-', buckets: [0.005, 0.01, 0.1], registers: [] });
  const recent = new RecentObservations(histogram, () => time);
  return {
    recent,
    histogram,
    /** Looks every ten seconds until then. */
    until: async (at: number): Promise<void> => {
      while (time < at) {
        time += 10 * second;
        await recent.look();
      }
    },
  };
};

describe('what a service did lately', () => {
  it('ADM-3412 counts the last minute, and the p99 of the last five, from a histogram that only grows', async () => {
    const { recent, histogram, until } = observed();
    expect(await recent.figures()).toEqual({ lastMinute: 0, p99: null });
    for (let count = 0; count < 100; count += 1) histogram.observe(0.004);
    const early = await recent.figures();
    expect(early.lastMinute).toBe(100);
    expect(early.p99).toBeCloseTo(4.95);
    await until(120 * second);
    expect((await recent.figures()).lastMinute).toBe(0);
    expect((await recent.figures()).p99).toBeCloseTo(4.95);
    for (let count = 0; count < 100; count += 1) histogram.observe(0.008);
    const late = await recent.figures();
    expect(late.lastMinute).toBe(100);
    expect(late.p99).toBeCloseTo(9.9);
    await until(430 * second);
    expect(await recent.figures()).toEqual({ lastMinute: 0, p99: null });
  });

  it('ADM-3426 what is slower than every bucket is said to be as slow as the last one', async () => {
    const { recent, histogram } = observed();
    histogram.observe(7);
    expect((await recent.figures()).p99).toBe(100);
  });

  it('ADM-3413 several processes of a service have the sum of their numbers and the p99 of the slowest', () => {
    expect(
      sumFigures([
        { changesPerMinute: 3, p99Milliseconds: 4, telegramBot: false },
        { changesPerMinute: 5, p99Milliseconds: 9, telegramBot: true },
        {},
      ]),
    ).toEqual({ changesPerMinute: 8, p99Milliseconds: 9, telegramBot: true });
    expect(sumFigures([{ connections: 2 }, { connections: 0 }])).toEqual({ connections: 2 });
    expect(sumFigures([])).toEqual({});
  });
});
