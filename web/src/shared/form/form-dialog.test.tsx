import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from './form-dialog.tsx';

const Frame = ({ send }: { readonly send: () => Promise<void> }) => {
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  return (
    <FormDialog
      title="Новый канал"
      save="Добавить"
      dirty={name !== ''}
      busy={busy}
      onSubmit={(event) => {
        event.preventDefault();
        setBusy(true);
        void send().finally(() => setBusy(false));
      }}
      onClose={() => undefined}
    >
      <TextField label="Название" value={name} onChange={setName} />
    </FormDialog>
  );
};

it('FRM-5 while it is being saved the button says so, and a second press sends nothing', async () => {
  const user = userEvent.setup();
  const answers: (() => void)[] = [];
  render(<Frame send={() => new Promise((resolve) => answers.push(resolve))} />);
  await user.type(screen.getByLabelText('Название'), 'Кухня');
  await user.dblClick(screen.getByRole('button', { name: 'Добавить' }));
  expect(answers).toHaveLength(1);
  const saving = screen.getByRole<HTMLButtonElement>('button', { name: 'Сохранение…' });
  expect(saving.disabled).toBe(true);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Отмена' }).disabled).toBe(true);

  answers[0]?.();
  await user.click(await screen.findByRole('button', { name: 'Добавить' }));
  expect(answers).toHaveLength(2);
});
