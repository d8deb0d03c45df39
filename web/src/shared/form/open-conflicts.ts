import { useEffect, useSyncExternalStore } from 'react';

let open = 0;
const listeners = new Set<() => void>();

const change = (by: 1 | -1): void => {
  open += by;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Counts a conflict of a form as waiting for the person, for as long as `isOpen`. */
export const useOpenConflict = (isOpen: boolean): void =>
  useEffect(() => {
    if (!isOpen) return undefined;
    change(1);
    return () => change(-1);
  }, [isOpen]);

/** How many forms wait for a choice between two values. */
export const useOpenConflicts = (): number => useSyncExternalStore(subscribe, () => open);
