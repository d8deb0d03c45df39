import { WarningSign } from '@blueprintjs/icons';
import { type ComponentType, type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { messages } from '@zakup/domain/messages';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import { type SignIn, useSessionFlow } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { EntryPage } from '../../shared/ui/entry-page.tsx';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import { useTitle } from '../../shared/ui/use-title.ts';
import { type Realm, signInFailure, signInWith } from './login-calls.ts';

const tabs: readonly { readonly realm: Realm; readonly name: string; readonly label: string }[] = [
  { realm: 'employee', name: 'Сотрудник', label: 'Код доступа' },
  { realm: 'owner', name: 'Владелец (CEO)', label: 'Код входа' },
];

/** What the way to activate a licence key is told, and what it tells. */
export interface ActivationProps {
  readonly onClose: () => void;
  /** Signs in with what the licence login answered. */
  readonly onSignIn: (signIn: SignIn) => void;
  /** Opens the owner's tab with this login code. */
  readonly onUseCode: (loginCode: string) => void;
}

interface LoginPageProps {
  /** Opened by «Активировать ключ». */
  readonly activation: ComponentType<ActivationProps>;
  /** Why the person is here again. */
  readonly notice: string | null;
  /** Called once tokens are stored. */
  readonly onSignedIn: () => void;
}

/** Signing in as an employee or as the owner, and the way to activate a licence key. */
export const LoginPage = ({ activation: Activation, notice, onSignedIn }: LoginPageProps) => {
  useTitle('Вход');
  const api = useApi();
  const { signIn } = useSessionFlow();
  const [realm, setRealm] = useState<Realm>('employee');
  const [codes, setCodes] = useState<Record<Realm, string>>({ employee: '', owner: '' });
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [crowded, setCrowded] = useState(false);
  const [busy, setBusy] = useState(false);
  const [activating, setActivating] = useState(false);
  const codeInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const tabButtons = useRef<Record<Realm, HTMLButtonElement | null>>({ employee: null, owner: null });
  const code = codes[realm];

  const turnTo = (next: Realm): void => {
    setRealm(next);
    setProblem(null);
    setCrowded(false);
  };
  const onTabKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const next: Realm = realm === 'employee' ? 'owner' : 'employee';
    turnTo(next);
    tabButtons.current[next]?.focus();
  };

  const submit = async (endOldest: boolean): Promise<void> => {
    setCrowded(false);
    if (code.trim() === '' || password === '') {
      setProblem(messages.fieldsRequired);
      (code.trim() === '' ? codeInput : passwordInput).current?.focus();
      return;
    }
    setProblem(null);
    setBusy(true);
    try {
      const signedIn = await signInWith(api, { realm, code: code.trim(), password, endOldest });
      signIn(signedIn);
      onSignedIn();
    } catch (thrown) {
      setBusy(false);
      setCrowded(thrown instanceof ApiProblem && thrown.code === 'SESSION_LIMIT');
      setProblem(signInFailure(realm, thrown));
      requestAnimationFrame(() => passwordInput.current?.focus());
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit(false).catch(() => undefined);
  };

  return (
    <>
      <EntryPage
        title="media buying analytics"
        covered={activating}
        below={
          <>
            Купили лицензию?{' '}
            <button type="button" className="z-link" disabled={busy} onClick={() => setActivating(true)}>
              Активировать ключ
            </button>
          </>
        }
      >
        <div className="z-entry-tabs" role="tablist" aria-label="Кто входит">
          {tabs.map((tab) => (
            <button
              key={tab.realm}
              ref={(element) => {
                tabButtons.current[tab.realm] = element;
              }}
              type="button"
              role="tab"
              id={`tab-${tab.realm}`}
              aria-selected={tab.realm === realm}
              aria-controls="login-panel"
              tabIndex={tab.realm === realm ? 0 : -1}
              disabled={busy}
              onClick={() => turnTo(tab.realm)}
              onKeyDown={onTabKey}
            >
              {tab.name}
            </button>
          ))}
        </div>
        {notice !== null && problem === null && <output className="z-entry-notice">{notice}</output>}
        <div id="login-panel" role="tabpanel" aria-labelledby={`tab-${realm}`}>
          <form noValidate onSubmit={onSubmit}>
            <TextField
              key={realm}
              label={tabs.find((tab) => tab.realm === realm)?.label}
              inputRef={codeInput}
              className="z-entry-code"
              value={code}
              maxLength={12}
              autoComplete="username"
              autoCapitalize="characters"
              spellCheck={false}
              disabled={busy}
              focusOnMount
              aria-invalid={problem !== null || undefined}
              onChange={(text) => setCodes({ ...codes, [realm]: text.toUpperCase() })}
            />
            <PasswordField
              label="Пароль"
              inputRef={passwordInput}
              value={password}
              autoComplete="current-password"
              disabled={busy}
              onChange={setPassword}
            />
            <div role="alert" className="z-entry-problem">
              {problem !== null && (
                <p className="z-alert">
                  <WarningSign size={14} />
                  {problem}
                </p>
              )}
            </div>
            {crowded && (
              <Button
                onClick={() => {
                  submit(true).catch(() => undefined);
                }}
              >
                Завершить самую старую
              </Button>
            )}
            <Button look="primary" type="submit" disabled={busy}>
              {busy ? 'Вход...' : 'Войти'}
            </Button>
          </form>
        </div>
      </EntryPage>
      {activating && (
        <Activation
          onClose={() => setActivating(false)}
          onSignIn={(signedIn) => {
            signIn(signedIn);
            onSignedIn();
          }}
          onUseCode={(loginCode) => {
            setActivating(false);
            turnTo('owner');
            setCodes({ ...codes, owner: loginCode });
            setPassword('');
            requestAnimationFrame(() => passwordInput.current?.focus());
          }}
        />
      )}
    </>
  );
};
