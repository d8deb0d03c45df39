import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Another page begins at its top; the first one is where it was left. */
export const useTopOfPage = (scroller: RefObject<HTMLElement | null>, page: number | undefined): void => {
  const before = useRef(page);
  useLayoutEffect(() => {
    if (before.current === page) return;
    before.current = page;
    scroller.current?.scrollTo({ top: 0 });
  }, [scroller, page]);
};
