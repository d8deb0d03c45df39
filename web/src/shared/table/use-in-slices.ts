import { useEffect, useMemo, useState } from 'react';

/** As many as are made into rows in a few milliseconds. */
export const sliceSize = 5000;

export interface InSlices<Item> {
  /** All of them, or the first ones while there are more to be given on. */
  readonly items: readonly Item[];
  readonly whole: boolean;
  /** Whether they may be drawn: after slices only in the next task, so that what is made of all of them takes one of its own. */
  readonly settled: boolean;
}

/**
 * Gives a list on that came with many items at once: a slice more in each task, so that what is made of them holds up nothing else. What
 * comes in one slice or less is given on at once. `key`: of what the list is; another one begins anew.
 */
export const useInSlices = <Item>(items: readonly Item[], key: string): InSlices<Item> => {
  const [given, setGiven] = useState({ key, count: 0, settled: true });
  // Lists that grow by little are followed without another paint.
  const [last] = useState({ key, count: 0 });
  const begun = Math.max(given.key === key ? given.count : 0, last.key === key ? last.count : 0);
  const whole = items.length <= begun + sliceSize;
  const settled = whole && (given.key !== key || given.settled);
  const end = whole ? items.length : begun + sliceSize;
  useEffect(() => {
    if (settled) {
      Object.assign(last, { key, count: items.length });
      return undefined;
    }
    const timer = setTimeout(() => setGiven({ key, count: end, settled: whole }));
    return () => clearTimeout(timer);
  }, [last, key, items.length, end, whole, settled]);
  return { items: useMemo(() => (whole ? items : items.slice(0, end)), [items, whole, end]), whole, settled };
};
