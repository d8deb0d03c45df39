import { type RefCallback, useCallback, useState } from 'react';

/** What a list inside of a longer page scrolls with. */
export interface ScrollPlace {
  readonly scroller: Element;
  /** From the top of what is scrolled to the top of the list, in px. */
  readonly margin: number;
}

/** What an element scrolls in, itself excepted. */
export const scrollerOf = (element: Element): Element => {
  for (let parent = element.parentElement; parent !== null; parent = parent.parentElement)
    if (/auto|scroll/u.test(getComputedStyle(parent).overflowY)) return parent;
  return document.documentElement;
};

const marginOf = (element: Element, scroller: Element): number =>
  Math.round(element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop);

/** Where a list stands in the page, followed as what is above it grows and shrinks; give the ref to the list. */
export const useScrollPlace = (): readonly [ScrollPlace | null, RefCallback<HTMLElement>] => {
  const [place, setPlace] = useState<ScrollPlace | null>(null);
  const ref = useCallback((list: HTMLElement | null) => {
    if (list === null) return undefined;
    const scroller = scrollerOf(list);
    const look = (): void => {
      const margin = marginOf(list, scroller);
      setPlace((before) => (before?.scroller === scroller && before.margin === margin ? before : { scroller, margin }));
    };
    look();
    const observer = new ResizeObserver(look);
    // What is above stands beside the list or beside one of its ancestors: each of these grows with it.
    for (let one: Element | null = list; one !== null && one !== scroller; one = one.parentElement)
      observer.observe(one);
    return () => {
      observer.disconnect();
      setPlace(null);
    };
  }, []);
  return [place, ref];
};
