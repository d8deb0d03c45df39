import type { PricePoint } from './report-figures.ts';

/** So many names at most: more would lie over each other. */
const mostNames = 5;
/** Points closer than these shares of both axes would write over each other. */
const besideEachOther = { price: 0.24, cpl: 0.06 } as const;

const byMost = (points: readonly PricePoint[], of: (point: PricePoint) => number): readonly PricePoint[] =>
  points.toSorted((a, b) => of(b) - of(a));

/**
 * Whose names stand in the picture itself: what lies apart from the others is what one asks about. The dearest leads first, then the
 * cheapest one and the dearest placement; nobody whose name would lie over one that stands already.
 */
export const namedPoints = (points: readonly PricePoint[]): ReadonlySet<string> => {
  const dearestPlacement = Math.max(1, ...points.map(({ price }) => price));
  const dearestLead = Math.max(1, ...points.map(({ cpl }) => cpl));
  const dearest = byMost(points, ({ cpl }) => cpl);
  const wanted = [
    ...dearest.slice(0, 1),
    ...byMost(points, ({ cpl }) => -cpl).slice(0, 1),
    ...byMost(points, ({ price }) => price).slice(0, 1),
    ...dearest.slice(1, 3),
  ];
  const named: PricePoint[] = [];
  for (const point of wanted) {
    const covered = named.some(
      (other) =>
        Math.abs(other.price - point.price) < besideEachOther.price * dearestPlacement &&
        Math.abs(other.cpl - point.cpl) < besideEachOther.cpl * dearestLead,
    );
    if (!covered && point.nick !== '' && named.length < mostNames) named.push(point);
  }
  return new Set(named.map(({ contractorId }) => contractorId));
};
