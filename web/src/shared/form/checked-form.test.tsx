import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { TextField } from '../ui/field.tsx';
import { CheckedForm } from './checked-form.tsx';

/** Two fields; what the server says is about the first one. */
const Form = ({ ask }: { readonly ask: () => Promise<string> }) => {
  const [error, setError] = useState<string | null>(null);
  const [name, setName] = useState('');
  const [note, setNote] = useState('');
  return (
    <CheckedForm
      onSubmit={(event) => {
        event.preventDefault();
        setError(null);
        void ask().then(setError);
      }}
    >
      <TextField label="Название" value={name} error={error} onChange={setName} />
      <TextField label="Заметка" value={note} onChange={setNote} />
      <button type="submit">Сохранить</button>
    </CheckedForm>
  );
};

it('FRM-4 a refusal that comes late leads to its field, but not away from what somebody types meanwhile', async () => {
  const user = userEvent.setup();
  const answers: ((said: string) => void)[] = [];
  render(<Form ask={() => new Promise((resolve) => answers.push(resolve))} />);
  const name = screen.getByLabelText('Название');
  const note = screen.getByLabelText('Заметка');
  await user.type(note, 'а{Enter}');
  answers[0]?.('Занято');
  await waitFor(() => expect(document.activeElement).toBe(name));

  await user.type(note, 'б{Enter}');
  await user.type(note, 'в');
  answers[1]?.('Занято');
  await waitFor(() => expect(name.getAttribute('aria-invalid')).toBe('true'));
  expect(document.activeElement).toBe(note);
});
