import { describe, expect, test } from 'vitest';
import { axisOf, dayStep } from './timeline-axis.ts';

const days = [
  { day: '2026-11-01', count: 10, first: 100, last: 200 },
  { day: '2026-11-03', count: 5, first: 300, last: 310 },
  { day: '2026-11-04', count: 1, first: 400, last: 400 },
];

describe('the axis of the time slider', () => {
  test('TSL-20 days stand side by side, also empty ones; a place and its position are each other', () => {
    const axis = axisOf(days);
    expect(axis?.bars).toEqual([1, 0, 0.5, 0.1]);
    expect([100, 150, 200, 250, 305, 400].map((position) => axis?.placeOf(position))).toEqual([
      0, 0.125, 0.25, 0.25, 0.625, 1,
    ]);
    expect([-1, 0, 0.125, 0.4, 0.625, 1, 2].map((place) => axis?.positionAt(place))).toEqual([
      100, 100, 150, 200, 305, 400, 400,
    ]);
    expect(axis?.marks.map(({ day }) => day)).toEqual(['2026-11-01', '2026-11-03', '2026-11-04']);
    expect(axisOf([])).toBeNull();
  });

  test('TSL-21 a long time has bars of several days, as high as what happened in them', () => {
    const axis = axisOf([
      { day: '2026-01-01', count: 3, first: 1, last: 3 },
      { day: '2026-01-02', count: 3, first: 4, last: 6 },
      { day: '2026-12-31', count: 2, first: 7, last: 9 },
    ]);
    expect(axis?.bars.length).toBeLessThanOrEqual(60);
    expect([axis?.bars[0], axis?.bars.at(-1)]).toEqual([1, 1 / 3]);
  });

  test('TSL-22 a day back is the end of the day before, a day ahead the end of this one or of the next', () => {
    expect([150, 305, 400].map((position) => dayStep(days, position, -1))).toEqual([null, 200, 310]);
    expect([150, 200, 310, 400].map((position) => dayStep(days, position, 1))).toEqual([200, 310, 400, null]);
  });
});
