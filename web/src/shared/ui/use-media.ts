import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, followed while it changes. */
export const useMedia = (query: string): boolean => {
  const subscribe = useCallback(
    (listener: () => void): (() => void) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
};

const narrow = '(width < 768px)';

/** True where cards take the place of a table. */
export const useNarrow = (): boolean => useMedia(narrow);

/** Whether it is narrow now, for what begins before anything is drawn. */
export const isNarrow = (): boolean => window.matchMedia(narrow).matches;
