import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { ConfirmDialog, Dialog } from './dialog.tsx';

const Once = () => {
  const [asked, setAsked] = useState(false);
  return asked ? (
    <p>Запрошено</p>
  ) : (
    <button type="button" onClick={() => setAsked(true)}>
      Запросить
    </button>
  );
};

it('DLG-1 Escape closes a dialog also when the button that had the keyboard went away, the last one first', async () => {
  const user = userEvent.setup();
  const onClose = vi.fn<() => void>();
  const onCancel = vi.fn<() => void>();
  const { rerender } = render(
    <Dialog title="Лицензия" onClose={onClose}>
      <Once />
    </Dialog>,
  );
  await user.click(await screen.findByRole('button', { name: 'Запросить' }));
  act(() => (document.activeElement as HTMLElement).blur());
  expect(document.activeElement).toBe(document.body);
  rerender(
    <>
      <Dialog title="Лицензия" onClose={onClose}>
        <Once />
      </Dialog>
      <ConfirmDialog title="Закрыть?" confirm="Да" onConfirm={() => undefined} onCancel={onCancel} />
    </>,
  );
  await screen.findByRole('alertdialog');
  act(() => (document.activeElement as HTMLElement).blur());
  await user.keyboard('{Escape}');
  expect([onClose.mock.calls.length, onCancel.mock.calls.length]).toEqual([0, 1]);
  rerender(
    <Dialog title="Лицензия" onClose={onClose}>
      <Once />
    </Dialog>,
  );
  act(() => (document.activeElement as HTMLElement).blur());
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

it('DLG-2 Escape closes a dialog into which the keyboard has not come yet', async () => {
  const onClose = vi.fn<() => void>();
  render(
    <>
      <button type="button">Позади</button>
      <Dialog title="Лицензия" onClose={onClose}>
        <input aria-label="Имя" />
      </Dialog>
    </>,
  );
  const behind = await screen.findByText('Позади');
  fireEvent.keyDown(behind, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledOnce();
  fireEvent.keyDown(await screen.findByLabelText('Имя'), { key: 'Escape' });
  expect(onClose, 'once for each press').toHaveBeenCalledTimes(2);
});
