import { act, fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { ModalDrawer } from './modal-drawer.tsx';

const drawer = (onClose: () => void, isOpen = true) => (
  <ModalDrawer name="Меню" position="left" size="280px" className="z-drawer" isOpen={isOpen} onClose={onClose}>
    <button type="button">Внутри</button>
  </ModalDrawer>
);

it('DRW-1 Escape closes a drawer wherever the keyboard is, and does nothing to one that is closed', async () => {
  const onClose = vi.fn<() => void>();
  const { rerender } = render(
    <>
      <button type="button">Позади</button>
      {drawer(onClose)}
    </>,
  );
  await screen.findByRole('dialog', { name: 'Меню' });
  act(() => (document.activeElement as HTMLElement | null)?.blur());
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
  fireEvent.keyDown(screen.getByText('Позади'), { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(2);
  fireEvent.keyDown(screen.getByText('Внутри'), { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(3);
  rerender(drawer(onClose, false));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(3);
});

it('DRW-2 a dialog over a drawer is closed first', async () => {
  const onClose = vi.fn<() => void>();
  const onDialogClose = vi.fn<() => void>();
  render(
    <>
      {drawer(onClose)}
      <Dialog title="Лицензия" onClose={onDialogClose}>
        Текст
      </Dialog>
    </>,
  );
  await screen.findByRole('dialog', { name: 'Лицензия' });
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect([onClose.mock.calls.length, onDialogClose.mock.calls.length]).toEqual([0, 1]);
});
