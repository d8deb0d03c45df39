import { WarningSign } from '@blueprintjs/icons';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { CodeInput } from '../../shared/ui/code-input.tsx';
import { CopyButton } from '../../shared/ui/copy-button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import { type activationMachine, keyLength, maskedKey } from './activation.machine.ts';

type Context = SnapshotFrom<typeof activationMachine>['context'];

interface StepProps {
  readonly context: Context;
  readonly busy: boolean;
  /** Of a field; of none = of the step. */
  readonly errorOf: (field: Context['errorField']) => string | null;
  readonly send: ActorRefFrom<typeof activationMachine>['send'];
}

const clock = (millis: number): string => {
  const seconds = Math.max(0, Math.ceil(millis / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
};

const KeyStep = ({ context, busy, errorOf, send }: StepProps) => (
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
);

const CodeStep = ({ context, busy, errorOf, send }: StepProps) => {
  const codeLeft = context.codeUntil - context.shownAt;
  const resendLeft = context.resendAt - context.shownAt;
  return (
    <>
      <p>
        Введите 6 цифр из Telegram или от администратора. Ключ <b className="z-nowrap">{maskedKey(context.key)}</b>
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
  );
};

const PasswordStep = ({ context, busy, errorOf, send }: StepProps) => (
  <>
    <p>
      {context.ownerName === '' ? 'Код принят.' : `Код принят, ${context.ownerName}.`} Задайте пароль, не короче 8
      символов.
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
);

const DoneStep = ({ context, errorOf }: StepProps) => (
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
);

const parts = [KeyStep, CodeStep, PasswordStep, DoneStep] as const;

/** What is asked for at a step from 0 to 3, and what the last one shows. */
export const ActivationStep = ({ step, ...props }: StepProps & { readonly step: 0 | 1 | 2 | 3 }) => {
  const Part = parts[step];
  return <Part {...props} />;
};
