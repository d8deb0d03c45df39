import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { toastStore } from '../toasts/toasts.ts';
import { LoadBar } from './load-bar.tsx';

const hush = (): void => {
  const said = toastStore.announced();
  if (said) toastStore.silence(said.id);
};
beforeEach(hush);
afterEach(() => {
  cleanup();
  hush();
});

it('WLO-13 a long load says how far it is, and of each quarter aloud', () => {
  const bar = (sent: number) => <LoadBar progress={{ sent, total: 100_000 }} />;
  const announced = () => toastStore.announced()?.text ?? null;
  const { rerender } = render(bar(1250));
  const shown = screen.getByRole('progressbar', { name: 'Загрузка' });
  const told = ['value', 'max', 'aria-valuetext'].map((name) => shown.getAttribute(name)?.replace(/\s/gu, ' '));
  expect(told).toEqual(['1250', '100000', 'Загружено 1 250 из 100 000']);
  expect(screen.getByText('Загружено 1 250 из 100 000')).toBeDefined();
  expect(announced()).toBeNull();
  rerender(bar(25_000));
  const first = toastStore.announced();
  expect(first?.text).toBe('Загружено 25%');
  rerender(bar(49_750));
  expect(toastStore.announced()).toBe(first);
  rerender(bar(50_000));
  expect(announced()).toBe('Загружено 50%');
});
