import { Tick } from '@blueprintjs/icons';
import { useMachine } from '@xstate/react';
import type { FormEvent } from 'react';
import { messages } from '@zakup/domain/messages';
import { useApi } from '../../shared/api/api-context.tsx';
import type { SignIn } from '../../shared/session/session-context.tsx';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { activationCalls } from './activation-calls.ts';
import { ActivationStep } from './activation-step.tsx';
import { activationMachine } from './activation.machine.ts';
import './activation.css';

const texts = {
  badKey: messages.licenceKeyInvalid,
  badCode: messages.activationCodeInvalid,
  shortPassword: messages.passwordTooShort,
  differentPasswords: messages.passwordsDiffer,
};
const steps = ['Ключ', 'Код', 'Пароль', 'Готово'] as const;
const now = (): number => Date.now();

const Steps = ({ at }: { readonly at: number }) => (
  <ol className="z-steps" aria-label="Шаги">
    {steps.map((name, index) => (
      <li
        key={name}
        className={index < at ? 'z-step-done' : index === at ? 'z-step-now' : ''}
        aria-current={index === at ? 'step' : undefined}
      >
        <i aria-hidden="true">{index < at ? <Tick size={12} /> : index + 1}</i>
        <span className="z-step-name">{name}</span>
      </li>
    ))}
  </ol>
);

interface ActivationDialogProps {
  readonly onClose: () => void;
  /** Signs in with what the licence login answered. */
  readonly onSignIn: (signIn: SignIn) => void;
  /** Opens the owner's tab with this login code. */
  readonly onUseCode: (loginCode: string) => void;
}

/** The keyboard goes to what has just been drawn. */
const focused = (button: HTMLButtonElement | null): void => button?.focus();

/** From a licence key to a signed-in owner in four steps. */
export const ActivationDialog = ({ onClose, onSignIn, onUseCode }: ActivationDialogProps) => {
  const api = useApi();
  const [state, send] = useMachine(
    activationMachine.provide({
      actors: activationCalls(api),
      actions: { enter: (_args, { pair }) => onSignIn({ kind: 'licence', pair }) },
    }),
    { input: { texts, now } },
  );
  const { context } = state;
  const step = state.matches('key') ? 0 : state.matches('code') ? 1 : state.matches('password') ? 2 : 3;
  const entering = state.matches({ done: 'entering' }) || state.matches('signedIn');
  const crowded = state.matches({ done: 'crowded' });
  const busy = !(
    state.matches({ key: 'typing' }) ||
    state.matches({ code: 'typing' }) ||
    state.matches({ password: 'typing' }) ||
    state.matches({ done: 'shown' }) ||
    crowded
  );
  const errorOf = (field: typeof context.errorField): string | null =>
    context.errorField === field ? context.error : null;

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send({ type: 'NEXT' });
  };

  return (
    <Dialog
      title="Активация лицензии"
      onClose={onClose}
      dirty={step < 3 && context.key !== ''}
      closeOnOutsideClick={false}
    >
      <Steps at={step} />
      <CheckedForm className="z-activation" onSubmit={onSubmit}>
        <ActivationStep step={step} context={context} busy={busy} errorOf={errorOf} send={send} />
        <div className="z-activation-foot">
          {(step === 1 || step === 2) && (
            <Button disabled={busy} onClick={() => send({ type: 'BACK' })}>
              Назад
            </Button>
          )}
          {step === 3 && !crowded && (
            <Button disabled={busy} onClick={() => onUseCode(context.loginCode)}>
              Войти по коду
            </Button>
          )}
          {crowded && (
            <Button disabled={busy} onClick={() => send({ type: 'END_OLDEST' })}>
              Завершить самую старую
            </Button>
          )}
          <Button key={step} ref={step === 3 ? focused : undefined} look="primary" type="submit" disabled={busy}>
            {step === 3 ? (entering ? 'Вход...' : 'Войти в систему') : 'Продолжить'}
          </Button>
        </div>
      </CheckedForm>
    </Dialog>
  );
};
