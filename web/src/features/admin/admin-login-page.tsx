import { WarningSign } from '@blueprintjs/icons';
import { type FormEvent, useId, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { messages } from '@zakup/domain/messages';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EntryPage } from '../../shared/ui/entry-page.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import { useTitle } from '../../shared/ui/use-title.ts';
import { adminTokens } from './admin-api.tsx';

/** Signing in to the administration: its own realm, its own token. */
export const AdminLoginPage = () => {
  useTitle('Вход администратора');
  const api = useApi();
  const navigate = useNavigate();
  const problemId = useId();
  const notice = (useLocation().state as { notice?: string } | null)?.notice;
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(notice ?? null);
  /** What was typed is wrong, other than why the person is here again. */
  const [wrong, setWrong] = useState(false);
  const [busy, setBusy] = useState(false);
  if (adminTokens.read() !== null) return <Navigate to="/admin/dashboard" replace />;

  const submit = async (): Promise<void> => {
    if (login.trim() === '' || password === '') {
      setProblem(messages.fieldsRequired);
      setWrong(true);
      return;
    }
    setProblem(null);
    setWrong(false);
    setBusy(true);
    try {
      const { data } = await api.open<{ token: string }>('/api/admin/login', { login: login.trim(), password });
      adminTokens.write({ token: data.token, refreshToken: null });
      await navigate('/admin/dashboard', { replace: true });
    } catch (thrown) {
      setBusy(false);
      setProblem(problemText(thrown, messages.wrongLogin));
      setWrong(thrown instanceof ApiProblem && thrown.status === 401);
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit().catch(() => undefined);
  };

  return (
    <EntryPage title="Администрирование" quiet>
      <CheckedForm className="" onSubmit={onSubmit}>
        <TextField
          label="Логин"
          value={login}
          problemId={wrong ? problemId : undefined}
          autoComplete="username"
          spellCheck={false}
          focusOnMount
          disabled={busy}
          onChange={setLogin}
        />
        <PasswordField
          label="Пароль"
          value={password}
          problemId={wrong ? problemId : undefined}
          autoComplete="current-password"
          disabled={busy}
          onChange={setPassword}
        />
        <div role="alert" className="z-entry-problem">
          {problem !== null && (
            <p id={problemId} className="z-alert">
              <WarningSign size={14} />
              {problem}
            </p>
          )}
        </div>
        <Button look="primary" type="submit" disabled={busy}>
          {busy ? 'Вход...' : 'Войти'}
        </Button>
      </CheckedForm>
    </EntryPage>
  );
};
