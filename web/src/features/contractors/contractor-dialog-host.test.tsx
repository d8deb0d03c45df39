import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished, vi } from 'vitest';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import { failedDialog } from '../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../shared/ui/lazy-part.tsx';
import { ContractorDialogHost } from './contractor-dialog-host.tsx';

const absent = lazyPart<{ contractorId: string; onClose: () => void }>(
  () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  { failed: failedDialog },
);

const Page = () => {
  const openContractor = useOpenContractor();
  return (
    <button type="button" onClick={() => openContractor('k1')}>
      @dacha
    </button>
  );
};

it("LZP-7 a contractor's dialog that does not come says so, is closed, and leaves the page", async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => errors.mockRestore());
  render(
    <ContractorDialogHost dialog={absent}>
      <Page />
    </ContractorDialogHost>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: '@dacha' }));
  const dialog = await screen.findByRole('dialog', { name: 'Ошибка загрузки компонента' });
  expect(dialog.textContent).toContain('Попробуйте обновить страницу');
  await user.click(screen.getByRole('button', { name: 'Закрыть' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('button', { name: '@dacha' })).toBeTruthy();
});
