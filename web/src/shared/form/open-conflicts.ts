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

/** Counts a form whose conflict or refusal waits for the person, for as long as `isOpen`. */
export const useOpenConflict = (isOpen: boolean): void =>
  useEffect(() => {
    if (!isOpen) return undefined;
    change(1);
    return () => change(-1);
  }, [isOpen]);

/** What such a form shows, to stand at: the first thing that can be chosen or has to be typed anew, else what it says. */
export const openForms = (): readonly HTMLElement[] => {
  if (open === 0) return [];
  const said = [...document.querySelectorAll<HTMLElement>('[data-waits]')];
  const wrong = [...document.querySelectorAll<HTMLElement>('[aria-invalid="true"]:not(:disabled)')];
  return [...said.map((one) => one.querySelector<HTMLElement>('button:not(:disabled)') ?? one), ...wrong.slice(0, 1)];
};

/** How many open forms hold what could not be saved. */
export const useOpenConflicts = (): number => useSyncExternalStore(subscribe, () => open);
