import { useEffect, useMemo, useReducer, useState } from 'react';

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
 * comes in one slice or less is given on at once, and so is all that comes to a list that is in use, or while nobody looks. `key`: of what
 * the list is; another one begins anew, as does one that was emptied.
 */
export const useInSlices = <Item>(items: readonly Item[], key: string): InSlices<Item> => {
  const [, next] = useReducer((turns: number) => turns + 1, 0);
  /** How many were given on, all of a list in use. Lists that grow by little are followed without another paint. */
  const [given] = useState({ key, count: 0, settled: true });
  const begun = given.key === key ? given.count : 0;
  const whole = items.length <= begun + sliceSize || document.hidden;
  const settled = whole && (given.key !== key || given.settled || document.hidden);
  const end = whole ? items.length : begun + sliceSize;
  useEffect(() => {
    if (settled) {
      Object.assign(given, { key, count: items.length === 0 ? 0 : Infinity, settled });
      return undefined;
    }
    const timer = setTimeout(() => {
      Object.assign(given, { key, count: end, settled: whole });
      next();
    });
    return () => clearTimeout(timer);
  }, [given, key, items.length, end, whole, settled]);
  return { items: useMemo(() => (whole ? items : items.slice(0, end)), [items, whole, end]), whole, settled };
};
