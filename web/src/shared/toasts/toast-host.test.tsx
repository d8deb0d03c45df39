import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished, vi } from 'vitest';
import { liveRegion, sayAnnounced } from './live-region.ts';
import { ToastHost } from './toast-host.tsx';
import { announce, toasts, toastStore } from './toasts.ts';

it('TST-1 one polite region says what went well and offers a way back; only what went wrong interrupts', async () => {
  render(<ToastHost />);
  const run = vi.fn<() => void>();
  act(() => {
    toasts.success('Размещение добавлено');
    toasts.info('Размещение удалено.', { text: 'Вернуть', run });
    toasts.error('Не вернулось');
  });
  const regions = [...document.querySelectorAll('[aria-live="polite"], output, [role="status"]')];
  expect(regions).toHaveLength(1);
  for (const text of ['Размещение добавлено', 'Размещение удалено.'])
    expect(regions[0]?.contains(await screen.findByText(text))).toBe(true);
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Не вернулось']);
  await userEvent.setup().click(screen.getByRole('button', { name: 'Вернуть' }));
  expect(run).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.queryByText('Размещение удалено.')).toBeNull());
});

it('TST-2 what is announced is in the same region, for screen readers alone, and said anew when it happens again', () => {
  const stop = sayAnnounced(document);
  render(<ToastHost />);
  announce('Изменения сохранены');
  const first = screen.getByText('Изменения сохранены');
  expect(first.closest('[aria-live="polite"]')).toBe(liveRegion(document));
  expect(first.className).toContain('z-visually-hidden');
  announce('Изменения сохранены');
  expect(first.isConnected).toBe(false);
  expect(screen.getByText('Изменения сохранены')).toBeDefined();
  stop();
  expect(screen.queryByText('Изменения сохранены')).toBeNull();
});

it('TST-5 the region is there before anything is said, without a host of toasts, and what is said goes into that very one', () => {
  liveRegion(document).remove();
  toastStore.silence(toastStore.announced()?.id ?? 0);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const stop = sayAnnounced(document);
  const region = document.querySelector('[aria-live="polite"]');
  expect(region?.textContent).toBe('');
  announce('Скопировано');
  expect(region?.textContent).toBe('Скопировано');
  vi.advanceTimersByTime(5_000);
  expect(region?.textContent).toBe('');
  render(<ToastHost />);
  act(() => void toasts.success('Сохранено'));
  expect(region?.textContent).toBe('Сохранено');
  expect(document.querySelectorAll('[aria-live="polite"]')).toHaveLength(1);
  stop();
});
