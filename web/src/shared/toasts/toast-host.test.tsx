import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ToastHost } from './toast-host.tsx';
import { announce, toasts } from './toasts.ts';

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

it('TST-2 what is announced is in the same region, for screen readers alone, and said anew when it happens again', async () => {
  render(<ToastHost />);
  act(() => announce('Изменения сохранены'));
  const first = await screen.findByText('Изменения сохранены');
  expect(first.closest('[aria-live="polite"]')).not.toBeNull();
  expect(first.className).toContain('z-visually-hidden');
  act(() => announce('Изменения сохранены'));
  await waitFor(() => expect(first.isConnected).toBe(false));
  expect(screen.getByText('Изменения сохранены')).toBeDefined();
});
