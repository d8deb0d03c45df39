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

/** True where cards take the place of a table. */
export const useNarrow = (): boolean => useMedia('(width < 768px)');
