import { type FormEvent, useState } from 'react';
import { messages } from '@zakup/domain/messages';
import type { TokenPair } from '../api/tokens.ts';
import { useApi } from '../api/api-context.tsx';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { SavedNote } from '../form/saved-note.tsx';
import { CheckedForm } from '../form/checked-form.tsx';
import { Button } from '../ui/button.tsx';
import { PasswordField } from '../ui/password-field.tsx';

type Wrong = { readonly field: 'current' | 'fresh' | 'confirmation'; readonly text: string };

interface PasswordFormProps {
  /** The temporary password is asked under its own name. */
  readonly temporary: boolean;
  /** Called with the pair that replaces this session's tokens; it is already stored. */
  readonly onChanged: () => void;
}

/** Changes one's own password; all other sessions end. */
export const PasswordForm = ({ temporary, onChanged }: PasswordFormProps) => {
  const api = useApi();
  const [current, setCurrent] = useState('');
  const [fresh, setFresh] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const [wrong, setWrong] = useState<Wrong | null>(null);
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState(false);
  const errorOf = (field: Wrong['field']): string | null => (wrong?.field === field ? wrong.text : null);

  const firstWrong = (): Wrong | null => {
    if (current === '') return { field: 'current', text: messages.fieldsRequired };
    if (fresh.length < 8) return { field: 'fresh', text: messages.passwordTooShort };
    if (fresh !== confirmation) return { field: 'confirmation', text: messages.passwordsDiffer };
    return null;
  };
  const change = async (): Promise<void> => {
    const found = firstWrong();
    setWrong(found);
    if (found) return;
    setBusy(true);
    try {
      const { data } = await api.send<TokenPair>('POST', '/api/auth/password', {
        currentPassword: current,
        newPassword: fresh,
      });
      api.accept({ token: data.token, refreshToken: data.refreshToken });
      setCurrent('');
      setFresh('');
      setConfirmation('');
      setChanged(true);
      onChanged();
    } catch (thrown) {
      const aboutNew = thrown instanceof ApiProblem && thrown.errorAt('/newPassword') !== null;
      setWrong({ field: aboutNew ? 'fresh' : 'current', text: problemText(thrown) });
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    change().catch(() => undefined);
  };

  return (
    <CheckedForm onSubmit={onSubmit}>
      <PasswordField
        label={temporary ? 'Временный пароль' : 'Текущий пароль'}
        value={current}
        autoComplete="current-password"
        focusOnMount={temporary}
        disabled={busy}
        error={errorOf('current')}
        onChange={setCurrent}
      />
      <PasswordField
        label="Новый пароль"
        value={fresh}
        autoComplete="new-password"
        disabled={busy}
        error={errorOf('fresh')}
        hint="Не короче 8 символов"
        onChange={setFresh}
      />
      <PasswordField
        label="Новый пароль ещё раз"
        value={confirmation}
        autoComplete="new-password"
        disabled={busy}
        error={errorOf('confirmation')}
        onChange={setConfirmation}
      />
      <div className="z-saving">
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Сохранение…' : 'Сменить пароль'}
        </Button>
        {changed && current + fresh + confirmation === '' && (
          <SavedNote>Пароль изменён, остальные сессии завершены</SavedNote>
        )}
      </div>
    </CheckedForm>
  );
};
