import { useSyncExternalStore } from 'react';
import { keepItem } from '../storage/keep-item.ts';

export type Theme = 'light' | 'dark';

const key = 'theme';
const listeners = new Set<() => void>();
/** What was chosen on this page and found no room in the browser. */
let unkept: Theme | null = null;

const stored = (): Theme | null => {
  const value = unkept ?? localStorage.getItem(key);
  return value === 'light' || value === 'dark' ? value : null;
};
const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');

/** The theme in force: the person's choice, else the system's. */
export const currentTheme = (): Theme => stored() ?? system();

const apply = (): void => {
  document.documentElement.classList.toggle('bp6-dark', currentTheme() === 'dark');
  for (const listener of listeners) listener();
};

/** Keeps the choice in this browser and repaints. `null` follows the system again. */
export const chooseTheme = (theme: Theme | null): void => {
  unkept = theme === null || keepItem(localStorage, key, theme) ? null : theme;
  if (theme === null) localStorage.removeItem(key);
  apply();
};

/** Follows the system and other tabs until the page closes. Called once by main.tsx. */
export const followTheme = (): void => {
  apply();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
  window.addEventListener('storage', (event) => {
    if (event.key !== key) return;
    unkept = null;
    apply();
  });
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** `theme` in force, `chosen` by the person (null = follows the system), and a toggle. */
export const useTheme = (): { theme: Theme; chosen: Theme | null; choose: typeof chooseTheme; toggle: () => void } => {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  const chosen = useSyncExternalStore(subscribe, stored);
  return { theme, chosen, choose: chooseTheme, toggle: () => chooseTheme(theme === 'dark' ? 'light' : 'dark') };
};
