import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { LiveRegion } from './live-region.tsx';
import { toastStore } from './toasts.ts';

const announced = (): string | undefined => toastStore.announced()?.text;

it('TST-3 words are told to a screen reader when they come and when they change, once each, by no region of their own', () => {
  const { rerender, container } = render(<LiveRegion>Ищем…</LiveRegion>);
  const first = toastStore.announced();
  expect(first?.text).toBe('Ищем…');
  act(() => rerender(<LiveRegion>Ищем…</LiveRegion>));
  expect(toastStore.announced()).toBe(first);
  act(() => rerender(<LiveRegion>Ничего не найдено</LiveRegion>));
  expect(announced()).toBe('Ничего не найдено');
  expect(screen.queryByRole('status')).toBeNull();
  expect(container.querySelector('[aria-live]')).toBeNull();
});

it('TST-4 what is read where it stands is told of its changes alone', () => {
  const before = toastStore.announced();
  const { rerender } = render(<LiveRegion later>1–50 из 120</LiveRegion>);
  expect(toastStore.announced()).toBe(before);
  act(() => rerender(<LiveRegion later>51–100 из 120</LiveRegion>));
  expect(announced()).toBe('51–100 из 120');
});
