import { Tick, WarningSign } from '@blueprintjs/icons';
import { useMachine } from '@xstate/react';
import type { FormEvent } from 'react';
import { fromPromise } from 'xstate';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { messages } from '@zakup/domain/messages';
import type { ApiClient } from '../../shared/api/api-client.ts';
import { useApi } from '../../shared/api/api-context.tsx';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import type { TokenPair } from '../../shared/api/tokens.ts';
import type { SignIn } from '../../shared/session/session-context.tsx';
import { CheckedForm } from '../../shared/form/checked-form.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { CodeInput } from '../../shared/ui/code-input.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import { activationMachine, keyLength, maskedKey } from './activation.machine.ts';
import './activation.css';

const texts = {
  badKey: messages.licenceKeyInvalid,
  badCode: messages.activationCodeInvalid,
  shortPassword: messages.passwordTooShort,
  differentPasswords: messages.passwordsDiffer,
};
const steps = ['Ключ', 'Код', 'Пароль', 'Готово'] as const;
const now = (): number => Date.now();

const requests = (api: ApiClient) => ({
  requestCode: fromPromise<undefined, { readonly key: string }>(async ({ input }) => {
    await api.open('/api/licenses/request-code', { licenseKey: input.key });
    return undefined;
  }),
  proveCode: fromPromise<{ ownerName: string }, { readonly key: string; readonly code: string }>(async ({ input }) => {
    const { data } = await api.open<{ ownerName?: string }>('/api/licenses/activate-step1', {
      licenseKey: input.key,
      twoFactorCode: input.code,
    });
    return { ownerName: data.ownerName ?? '' };
  }),
  setPassword: fromPromise<
    { loginCode: string },
    { readonly key: string; readonly password: string; readonly confirmation: string }
  >(async ({ input }) => {
    const { data } = await api.open<{ ceoLoginCode: string }>('/api/licenses/activate-step2', {
      licenseKey: input.key,
      password: input.password,
      passwordConfirm: input.confirmation,
    });
    return { loginCode: data.ceoLoginCode };
  }),
  signIn: fromPromise<TokenPair, { readonly key: string; readonly password: string; readonly endOldest: boolean }>(
    async ({ input: { key, password, endOldest } }) => {
      try {
        const { data } = await api.open<{
          token: string;
          refreshToken: string;
          license?: LicenseWire;
          secondFactorRequired?: boolean;
          secondFactorSetUpRequired?: boolean;
        }>('/api/licenses/activate', { licenseKey: key, password, ...(endOldest && { endOldest }) });
        // The dialog's other button asks for it.
        if (data.secondFactorRequired === true || data.secondFactorSetUpRequired === true)
          throw new ApiProblem({ code: 'ACCESS_DENIED', status: 200, message: messages.secondFactorActivated });
        if (!data.license)
          throw new ApiProblem({ code: 'INTERNAL', status: 200, message: messages.licenceDataMissing });
        return { token: data.token, refreshToken: data.refreshToken };
      } catch (thrown) {
        throw thrown instanceof ApiProblem ? thrown : new Error(messages.activationFailed);
      }
    },
  ),
});

const clock = (millis: number): string => {
  const seconds = Math.max(0, Math.ceil(millis / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

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
      actors: requests(api),
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

  const codeLeft = context.codeUntil - context.shownAt;
  const resendLeft = context.resendAt - context.shownAt;

  return (
    <Dialog
      title="Активация лицензии"
      onClose={onClose}
      dirty={step < 3 && context.key !== ''}
      closeOnOutsideClick={false}
    >
      <Steps at={step} />
      <CheckedForm className="z-activation" onSubmit={onSubmit}>
        {step === 0 && (
          <TextField
            label="Лицензионный ключ"
            value={context.key}
            maxLength={keyLength}
            placeholder="LICENSE-XXXX-XXXX-XXXX-XXXX"
            className="z-mono"
            autoComplete="off"
            spellCheck={false}
            focusOnMount
            disabled={busy}
            error={errorOf('key')}
            onChange={(value) => send({ type: 'TYPE', field: 'key', value })}
          />
        )}
        {step === 1 && (
          <>
            <p>
              Введите 6 цифр из Telegram или от администратора. Ключ{' '}
              <b className="z-nowrap">{maskedKey(context.key)}</b>
            </p>
            <CodeInput
              label="Код активации"
              value={context.code}
              disabled={busy}
              invalid={errorOf('code') !== null}
              describedBy={errorOf('code') === null ? undefined : 'activation-code-note'}
              onChange={(value) => send({ type: 'TYPE', field: 'code', value })}
              onComplete={() => send({ type: 'NEXT' })}
            />
            {errorOf('code') !== null && (
              <p className="z-alert" role="alert" id="activation-code-note">
                <WarningSign size={14} />
                {errorOf('code')}
              </p>
            )}
            <div className="z-activation-times">
              <span>{codeLeft > 0 ? `Код действует ещё ${clock(codeLeft)}` : 'Срок кода истёк'}</span>
              <button
                type="button"
                className="z-link"
                disabled={busy || resendLeft > 0}
                onClick={() => send({ type: 'RESEND' })}
              >
                {resendLeft > 0 ? `Отправить снова через ${clock(resendLeft)}` : 'Отправить снова'}
              </button>
            </div>
          </>
        )}
        {step === 2 && (
          <>
            <p>
              {context.ownerName === '' ? 'Код принят.' : `Код принят, ${context.ownerName}.`} Задайте пароль, не короче
              8 символов.
            </p>
            <input type="text" autoComplete="username" value={context.key} readOnly hidden />
            <PasswordField
              label="Пароль"
              value={context.password}
              autoComplete="new-password"
              focusOnMount
              disabled={busy}
              error={errorOf('password')}
              onChange={(value) => send({ type: 'TYPE', field: 'password', value })}
            />
            <PasswordField
              label="Пароль ещё раз"
              value={context.confirmation}
              autoComplete="new-password"
              disabled={busy}
              error={errorOf('confirmation')}
              onChange={(value) => send({ type: 'TYPE', field: 'confirmation', value })}
            />
          </>
        )}
        {step === 3 && (
          <>
            <p>Лицензия активирована. Это ваш код входа: он нужен на вкладке «Владелец (CEO)».</p>
            <div className="z-activation-code">
              <b className="z-mono">{context.loginCode}</b>
              <CopyButton text={context.loginCode} what="код входа" small />
            </div>
            {errorOf(null) !== null && (
              <p className="z-alert" role="alert">
                <WarningSign size={14} />
                {errorOf(null)}
              </p>
            )}
          </>
        )}
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
