import { WarningSign } from '@blueprintjs/icons';
import { type FormEvent, useId, useState } from 'react';
import { signInMessages } from '@zakup/domain/sign-in-messages';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/field.tsx';

/** The second secret of a sign-in: a code of the authenticator, or one that was kept for when that is lost. */
export const SecondFactorStep = ({
  show,
  onOver,
}: {
  /** Rejects with `ApiProblem`; `UNAUTHENTICATED` = the first secret has to be shown again. */
  readonly show: (given: { readonly code: string; readonly endOldest: boolean }) => Promise<void>;
  /** Back to the first secret, with why where the person did not wish it. */
  readonly onOver: (why: string | null) => void;
}) => {
  const problemId = useId();
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [crowded, setCrowded] = useState(false);
  const [busy, setBusy] = useState(false);

  const refused = (thrown: unknown): void => {
    setBusy(false);
    if (thrown instanceof ApiProblem && thrown.code === 'UNAUTHENTICATED') return onOver(thrown.message);
    setCrowded(thrown instanceof ApiProblem && thrown.code === 'SESSION_LIMIT');
    setError(problemText(thrown));
  };
  const send = (endOldest: boolean): void => {
    if (code.trim() === '') return setError(signInMessages.secondFactorMissing);
    setBusy(true);
    setError(null);
    show({ code: code.trim(), endOldest }).catch(refused);
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send(false);
  };

  return (
    <form noValidate onSubmit={onSubmit}>
      <TextField
        key={recovery ? 'recovery' : 'app'}
        label={recovery ? 'Резервный код' : 'Код из приложения'}
        className="z-entry-code"
        value={code}
        maxLength={recovery ? 20 : 7}
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete={recovery ? 'off' : 'one-time-code'}
        autoCapitalize="characters"
        spellCheck={false}
        disabled={busy}
        focusOnMount
        problemId={error !== null && !crowded ? problemId : undefined}
        onChange={setCode}
      />
      <button
        type="button"
        className="z-link z-entry-way"
        disabled={busy}
        onClick={() => {
          setRecovery(!recovery);
          setCode('');
          setError(null);
        }}
      >
        {recovery ? 'Ввести код из приложения' : 'Ввести резервный код'}
      </button>
      <div role="alert" id={problemId} className="z-entry-problem">
        {error !== null && (
          <p className="z-alert">
            <WarningSign size={14} />
            {error}
          </p>
        )}
      </div>
      {crowded && <Button onClick={() => send(true)}>Завершить самую старую</Button>}
      <Button look="primary" type="submit" disabled={busy}>
        {busy ? 'Вход...' : 'Войти'}
      </Button>
      <Button disabled={busy} onClick={() => onOver(null)}>
        Назад
      </Button>
    </form>
  );
};
