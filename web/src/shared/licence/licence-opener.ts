import { useSyncExternalStore } from 'react';

let open = false;
const listeners = new Set<() => void>();

const change = (next: boolean): void => {
  open = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Shows the licence over whatever is on the screen; callable from anywhere. */
export const openLicence = (): void => change(true);
export const closeLicence = (): void => change(false);

/** For the one host that draws it. */
export const useLicenceOpen = (): boolean => useSyncExternalStore(subscribe, () => open);
