import { useSyncExternalStore } from 'react';

let shown: string | null = null;
const listeners = new Set<() => void>();

const change = (next: string | null): void => {
  shown = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows what became of an import over whatever is on the screen; callable from anywhere. */
export const openImportReport = (importId: string): void => change(importId);
export const closeImportReport = (): void => change(null);

/** For the one host that draws it: the import's id; null = none is wanted. */
export const useImportReport = (): string | null => useSyncExternalStore(subscribe, () => shown);
