import { WarningSign } from '@blueprintjs/icons';
import { type FormEvent, useId, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router-dom';
import { messages } from '@zakup/domain/messages';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import type { SecondFactorKey } from '../../shared/session/second-factor.tsx';
import { KeyShown, RecoveryCodes, SecretsForm } from '../../shared/session/second-factor.tsx';
import { SecondFactorStep } from '../../shared/session/second-factor-step.tsx';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EntryPage } from '../../shared/ui/entry-page.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import { useTitle } from '../../shared/moment/use-title.ts';
import { adminTokens } from './admin-api.tsx';

interface AdminAnswer {
  readonly token: string;
  readonly secondFactorRequired?: boolean;
  /** It is required, and has to be set up before anything else. */
  readonly secondFactorSetup?: boolean;
}

const path = '/api/admin/second-factor';

/** Where the server lets nobody in without a second factor: its key, a first code, and the codes for when it is lost. */
const Setup = ({
  token,
  password,
  onDone,
  onOver,
}: {
  readonly token: string;
  readonly password: string;
  readonly onDone: (token: string) => void;
  /** Back to the password, with why where the admin did not wish it. */
  readonly onOver: (why: string | null) => void;
}) => {
  const api = useApi();
  const [key, setKey] = useState<SecondFactorKey | null>(null);
  const [done, setDone] = useState<{ readonly token: string; readonly recoveryCodes: readonly string[] } | null>(null);
  if (done !== null)
    return (
      <div className="z-second-factor">
        <RecoveryCodes codes={done.recoveryCodes} rescuer="server" onKept={() => onDone(done.token)} />
      </div>
    );
  if (key === null)
    return (
      <div className="z-second-factor">
        <p>Сервер доступен с других компьютеров: кроме пароля администратору нужен код из приложения на телефоне.</p>
        <Button
          look="primary"
          onClick={() => {
            api.open<SecondFactorKey>(`${path}/begin`, { currentPassword: password }, token).then(
              ({ data }) => setKey(data),
              (thrown: unknown) => onOver(problemText(thrown)),
            );
          }}
        >
          Включить второй фактор
        </Button>
      </div>
    );
  return (
    <div className="z-second-factor">
      <KeyShown {...key} />
      <SecretsForm
        asks={['code']}
        action="Включить"
        onCancel={() => onOver(null)}
        onSend={async ({ code }) => {
          const { data } = await api.open<NonNullable<typeof done>>(`${path}/confirm`, { code: code.trim() }, token);
          setDone(data);
        }}
      />
    </div>
  );
};

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
  const [asked, setAsked] = useState<AdminAnswer | null>(null);
  if (adminTokens.read() !== null) return <Navigate to="/admin/dashboard" replace />;

  const enter = async (token: string): Promise<void> => {
    adminTokens.write({ token, refreshToken: null });
    await navigate('/admin/dashboard', { replace: true });
  };
  const startAgain = (why: string | null): void => {
    setAsked(null);
    setBusy(false);
    setProblem(why);
  };
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
      const { data } = await api.open<AdminAnswer>('/api/admin/login', { login: login.trim(), password });
      if (data.secondFactorRequired) setAsked(data);
      else await enter(data.token);
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

  if (asked !== null)
    return (
      <EntryPage title="Администрирование" quiet>
        {asked.secondFactorSetup ? (
          <Setup token={asked.token} password={password} onDone={(token) => void enter(token)} onOver={startAgain} />
        ) : (
          <SecondFactorStep
            show={async ({ code }) => {
              const { data } = await api.open<AdminAnswer>(path, { code }, asked.token);
              await enter(data.token);
            }}
            onOver={startAgain}
          />
        )}
      </EntryPage>
    );
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
