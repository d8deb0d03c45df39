import { useSyncExternalStore } from 'react';

const query = '(width >= 1200px)';

const subscribe = (listener: () => void): (() => void) => {
  const list = window.matchMedia(query);
  list.addEventListener('change', listener);
  return () => list.removeEventListener('change', listener);
};

/** Whether there is room for an event beside the list. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
