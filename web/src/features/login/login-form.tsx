import { WarningSign } from '@blueprintjs/icons';
import { type FormEvent, type KeyboardEvent, type RefObject, useId, useRef } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { rateLimited } from '@zakup/domain/sign-in-messages';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import type { Realm } from './login-calls.ts';
import { codeLength, isByCode, type loginMachine } from './login.machine.ts';

const tabs: readonly { readonly realm: Realm; readonly name: string; readonly label: string }[] = [
  { realm: 'employee', name: 'Сотрудник', label: 'Код доступа' },
  { realm: 'owner', name: 'Владелец (CEO)', label: 'Код входа' },
];

type Send = ActorRefFrom<typeof loginMachine>['send'];

/** The refusal is read out once, as the server said it; its seconds are counted down for the eye. */
const Countdown = ({ sentence, millis }: { readonly sentence: string; readonly millis: number }) => (
  <>
    <span className="z-visually-hidden">{sentence}</span>
    <span aria-hidden="true">{rateLimited(Math.max(1, Math.ceil(millis / 1_000)))}</span>
  </>
);

const LoginTabs = ({ realm, busy, send }: { readonly realm: Realm; readonly busy: boolean; readonly send: Send }) => {
  const tabButtons = useRef<Record<Realm, HTMLButtonElement | null>>({ employee: null, owner: null });
  const onTabKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const next: Realm = realm === 'employee' ? 'owner' : 'employee';
    send({ type: 'TURN', realm: next });
    tabButtons.current[next]?.focus();
  };
  return (
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
          onClick={() => send({ type: 'TURN', realm: tab.realm })}
          onKeyDown={onTabKey}
        >
          {tab.name}
        </button>
      ))}
    </div>
  );
};

/** Who signs in, and with what; `state` is of the page's machine. */
export const LoginForm = ({
  state,
  send,
  busy,
  notice,
  codeInput,
  passwordInput,
}: {
  readonly state: SnapshotFrom<typeof loginMachine>;
  readonly send: Send;
  readonly busy: boolean;
  /** Why the person is here again. */
  readonly notice: string | null;
  readonly codeInput: RefObject<HTMLInputElement | null>;
  readonly passwordInput: RefObject<HTMLInputElement | null>;
}) => {
  const { context } = state;
  const { realm, error } = context;
  const byCode = isByCode(context);
  const problemId = useId();
  /** What the refusal is about: a wrong pair is about both fields, a missing one about the empty field, all else about neither. */
  const problemOf = (value: string): string | undefined =>
    state.matches({ entering: 'refused' }) || (state.matches({ entering: 'incomplete' }) && value.trim() === '')
      ? problemId
      : undefined;

  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send({ type: 'SUBMIT' });
  };

  return (
    <>
      <LoginTabs realm={realm} busy={busy} send={send} />
      {notice !== null && error === null && <output className="z-entry-notice">{notice}</output>}
      <div id="login-panel" role="tabpanel" aria-labelledby={`tab-${realm}`}>
        <form noValidate onSubmit={onSubmit}>
          <TextField
            key={realm}
            label={tabs.find((tab) => tab.realm === realm)?.label}
            inputRef={codeInput}
            className="z-entry-code"
            value={context.codes[realm]}
            maxLength={codeLength}
            autoComplete="username"
            autoCapitalize="characters"
            spellCheck={false}
            disabled={busy}
            focusOnMount
            problemId={problemOf(context.codes[realm])}
            onChange={(value) => send({ type: 'TYPE', field: 'code', value })}
          />
          {!byCode && (
            <PasswordField
              label="Пароль"
              inputRef={passwordInput}
              value={context.password}
              autoComplete="current-password"
              disabled={busy}
              problemId={problemOf(context.password)}
              onChange={(value) => send({ type: 'TYPE', field: 'password', value })}
            />
          )}
          {realm === 'employee' && (
            <button
              type="button"
              className="z-link z-entry-way"
              disabled={busy}
              onClick={() => send({ type: 'CHANGE_WAY' })}
            >
              {byCode ? 'Войти с паролем' : 'Войти только по коду'}
            </button>
          )}
          <div role="alert" id={problemId} className="z-entry-problem">
            {error !== null && (
              <p className="z-alert">
                <WarningSign size={14} />
                {state.matches({ entering: 'waiting' }) ? (
                  <Countdown sentence={error} millis={context.retryAt - context.shownAt} />
                ) : (
                  error
                )}
              </p>
            )}
          </div>
          {state.matches({ entering: 'crowded' }) && (
            <Button onClick={() => send({ type: 'END_OLDEST' })}>Завершить самую старую</Button>
          )}
          <Button look="primary" type="submit" disabled={busy}>
            {busy ? 'Вход...' : 'Войти'}
          </Button>
        </form>
      </div>
    </>
  );
};
