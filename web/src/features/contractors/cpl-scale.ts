import { toRoubles } from '@zakup/domain/money';
import { roundUp } from '../../shared/charts/chart-text.ts';
import type { DealPoint } from './deal-points.ts';

/** Both limits of the colours lie below it, in roubles. */
const leastHeight = 300;

export interface CplScale {
  /** Roubles at the top of the picture. */
  readonly most: number;
  readonly ticks: readonly number[];
  /** Which mark has its figure beside it where it lies beyond the top; null without leads. */
  readonly dearest: string | null;
}

/** A picture that shows half of the marks and whatever is up to twice as dear in their places; the others lie beyond its top. */
export const cplScale = (points: readonly DealPoint[]): CplScale => {
  const judged = points
    .flatMap(({ id, cpl }) => (cpl === null ? [] : [{ id, cpl: toRoubles(cpl) }]))
    .toSorted((a, b) => a.cpl - b.cpl);
  const dearest = judged.at(-1);
  const middle = judged[Math.floor(judged.length / 2)]?.cpl ?? 0;
  const most = Math.max(leastHeight, roundUp(Math.min(dearest?.cpl ?? 0, middle * 2)));
  const step = most === leastHeight ? 100 : most / 4;
  return {
    most,
    ticks: Array.from({ length: Math.round(most / step) + 1 }, (_, index) => index * step),
    dearest: dearest?.id ?? null,
  };
};
