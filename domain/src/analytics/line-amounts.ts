import { type Kopecks, kopecks, percentageDown, percentOf } from '../money.ts';

export interface PricedLine {
  readonly id: string;
  readonly price: Kopecks;
}

/** The order in which lines get what rounding left over: the largest first. */
export const largestFirst = (a: PricedLine, b: PricedLine): number => b.price - a.price || (a.id < b.id ? -1 : 1);

/**
 * What each line brings of `percent` of all their prices together, so that the lines add up to the sum that was rounded once: each gets its
 * own share rounded down, and the first `left` of them, the largest first, a kopeck more.
 */
export const lineAmounts = (percent: number) => {
  const down = percentageDown(percent);
  return {
    down,
    /** How many lines get a kopeck more: `total` is the prices, `downs` the shares of all lines. */
    left: (total: Kopecks, downs: Kopecks): number => percentOf(total, percent) - downs,
    amount: (price: Kopecks, isMore: boolean): Kopecks => kopecks(down(price) + (isMore ? 1 : 0)),
  };
};
