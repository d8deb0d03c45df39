import { WarningSign } from '@blueprintjs/icons';
import type { recoveryCodesData, secondFactorKeyData } from '@zakup/contracts/calls/replies';
import { messages } from '@zakup/domain/messages';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import type { z } from 'zod';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import { KeyShown, RecoveryCodes } from '../../shared/session/second-factor.tsx';
import type { SignIn } from '../../shared/session/session-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { type AskedStep, finishSignIn } from './login-calls.ts';

type Key = z.infer<typeof secondFactorKeyData>;

type View =
  | { readonly kind: 'told' }
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'codes'; readonly recoveryCodes: readonly string[] };

const path = '/api/auth/second-factor/set-up';

const Problem = ({ id, text }: { readonly id: string; readonly text: string | null }) => (
  <div role="alert" id={id} className="z-entry-problem">
    {text !== null && (
      <p className="z-alert">
        <WarningSign size={14} />
        {text}
      </p>
    )}
  </div>
);

interface SetUpOptions {
  readonly step: AskedStep;
  readonly onSignIn: (signIn: SignIn) => void;
  /** Back to the first secret, with why where the person did not wish it. */
  readonly onOver: (why: string | null) => void;
}

/** What is shown, what is typed, and what the server is asked. */
const useSetUp = ({ step, onSignIn, onOver }: SetUpOptions) => {
  const api = useApi();
  const [view, setView] = useState<View>({ kind: 'told' });
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [crowded, setCrowded] = useState(false);
  const [busy, setBusy] = useState(false);

  const run = (work: () => Promise<void>): void => {
    setBusy(true);
    setError(null);
    work()
      .catch((thrown: unknown) => {
        if (thrown instanceof ApiProblem && thrown.code === 'UNAUTHENTICATED') return onOver(thrown.message);
        setCrowded(thrown instanceof ApiProblem && thrown.code === 'SESSION_LIMIT');
        setError(problemText(thrown));
      })
      .finally(() => setBusy(false));
  };
  const begin = (): void =>
    run(async () => {
      const { data: key } = await api.open<Key>(path, {}, step.token);
      setView({ kind: 'key', key });
    });
  const confirm = (): void => {
    if (code.trim() === '') return setError(messages.secondFactorMissing);
    run(async () => {
      const body = { code: code.trim() };
      const { data } = await api.open<z.infer<typeof recoveryCodesData>>(`${path}/confirm`, body, step.token);
      setView({ kind: 'codes', recoveryCodes: data.recoveryCodes });
    });
  };
  // The code was right already: the same token opens the session now, as soon as there is a seat.
  const enter = (endOldest: boolean): void =>
    run(async () => onSignIn(await finishSignIn(api, step, { code: code.trim(), endOldest })));
  return { view, code, setCode, error, crowded, busy, begin, confirm, enter };
};

/** Setting up a second factor at the door, where the whole team needs one: the key, a first code, recovery codes, then the session. */
export const SecondFactorSetUp = (options: SetUpOptions) => {
  const { step, onOver } = options;
  const { view, code, setCode, error, crowded, busy, begin, confirm, enter } = useSetUp(options);
  const problemId = useId();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    confirm();
  };

  if (view.kind === 'told')
    return (
      <div className="z-second-factor z-entry-set-up">
        <p>
          В вашей команде без второго фактора не войти. Кроме пароля понадобится код из приложения на телефоне: чужой с
          вашим паролем не войдёт.
        </p>
        <Problem id={problemId} text={error} />
        <Button ref={first} look="primary" disabled={busy} onClick={begin}>
          Настроить второй фактор
        </Button>
        <Button disabled={busy} onClick={() => onOver(null)}>
          Назад
        </Button>
      </div>
    );
  if (view.kind === 'codes')
    return (
      <div className="z-second-factor z-entry-set-up">
        <RecoveryCodes
          codes={view.recoveryCodes}
          rescuer={step.realm === 'owner' ? 'admin' : 'colleague'}
          onKept={() => enter(false)}
        />
        <Problem id={problemId} text={error} />
        {crowded && (
          <Button disabled={busy} onClick={() => enter(true)}>
            Завершить самую старую
          </Button>
        )}
      </div>
    );
  return (
    <div className="z-second-factor z-entry-set-up">
      <KeyShown {...view.key} />
      <form noValidate onSubmit={onSubmit}>
        <TextField
          label="Код из приложения"
          className="z-entry-code"
          value={code}
          maxLength={7}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          disabled={busy}
          focusOnMount
          problemId={error === null ? undefined : problemId}
          onChange={setCode}
        />
        <Problem id={problemId} text={error} />
        <Button look="primary" type="submit" disabled={busy}>
          Включить
        </Button>
        <Button disabled={busy} onClick={() => onOver(null)}>
          Назад
        </Button>
      </form>
    </div>
  );
};
