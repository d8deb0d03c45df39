import { afterEach, expect, it, vi } from 'vitest';
import { fullStorage } from '../testing/full-storage.ts';
import { chooseTheme, currentTheme } from './theme.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  chooseTheme(null);
});

it('VIW-2571 a browser that has no room takes the theme that is chosen, until the page is left', () => {
  vi.stubGlobal('localStorage', fullStorage());
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  chooseTheme('dark');
  expect([currentTheme(), document.documentElement.classList.contains('bp6-dark')]).toEqual(['dark', true]);
  chooseTheme(null);
  expect([currentTheme(), document.documentElement.classList.contains('bp6-dark')]).toEqual(['light', false]);
});
