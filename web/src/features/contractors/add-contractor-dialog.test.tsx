import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { stage } from '../../shared/testing/stage.tsx';
import { AddContractorDialog } from './add-contractor-dialog.tsx';

it('SHL-19 a contractor that nobody answered for: the action is named, and the form stays', async () => {
  const { user } = stage({ element: <AddContractorDialog onClose={() => undefined} />, serve: () => 'no answer' });
  await user.type(await screen.findByLabelText('Ник'), 'petya');
  await user.click(screen.getByRole('button', { name: 'Добавить' }));
  expect(await screen.findByText(/^Ошибка при создании контрагента/u)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Ник').value).toBe('petya');
});
