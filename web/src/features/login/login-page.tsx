import { WarningSign } from '@blueprintjs/icons';
import { useMachine } from '@xstate/react';
import {
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
  lazy,
  Suspense,
} from 'react';
import { fromPromise } from 'xstate';
import { rateLimited } from '@zakup/domain/messages';
import { useApi } from '../../shared/api/api-context.tsx';
import { type SignIn, useSessionFlow } from '../../shared/session/session-context.tsx';
import { SecondFactorStep } from '../../shared/session/second-factor-step.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { EntryPage } from '../../shared/ui/entry-page.tsx';
import { PasswordField } from '../../shared/ui/password-field.tsx';
import { useTitle } from '../../shared/moment/use-title.ts';
import { type AskedStep, type Credentials, finishSignIn, type Realm, signInWith } from './login-calls.ts';
import { codeLength, isByCode, loginMachine } from './login.machine.ts';

/** Needed once in a person's life: not with the first load. */
const SecondFactorSetUp = lazy(async () => ({
  default: (await import('./second-factor-set-up.tsx')).SecondFactorSetUp,
}));

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

const now = (): number => Date.now();

/** At once, and with the next frame where the field is not open or not drawn yet. */
const standIn = (field: RefObject<HTMLInputElement | null>): void => {
  field.current?.focus();
  requestAnimationFrame(() => field.current?.focus());
};

/** The refusal is read out once, as the server said it; its seconds are counted down for the eye. */
const Countdown = ({ sentence, millis }: { readonly sentence: string; readonly millis: number }) => (
  <>
    <span className="z-visually-hidden">{sentence}</span>
    <span aria-hidden="true">{rateLimited(Math.max(1, Math.ceil(millis / 1_000)))}</span>
  </>
);

/** Signing in as an employee or as the owner, and the way to activate a licence key. */
export const LoginPage = ({ activation: Activation, notice, onSignedIn }: LoginPageProps) => {
  useTitle('Вход');
  const api = useApi();
  const { signIn } = useSessionFlow();
  const [activating, setActivating] = useState(false);
  const codeInput = useRef<HTMLInputElement>(null);
  const activationButton = useRef<HTMLButtonElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const tabButtons = useRef<Record<Realm, HTMLButtonElement | null>>({ employee: null, owner: null });

  const enter = (signedIn: SignIn): void => {
    signIn(signedIn);
    onSignedIn();
  };
  const [state, send, actor] = useMachine(
    loginMachine.provide({
      actors: { signIn: fromPromise<SignIn | AskedStep, Credentials>(({ input }) => signInWith(api, input)) },
      actions: { enter: (_args, params) => enter(params.signIn) },
    }),
    { input: { now } },
  );
  useEffect(() => {
    const told = actor.on('focus', ({ field }) => standIn(field === 'code' ? codeInput : passwordInput));
    return () => told.unsubscribe();
  }, [actor]);
  const { context } = state;
  const { realm, error } = context;
  const byCode = isByCode(context);
  const busy = !state.matches('entering');
  const problemId = useId();
  /** What the refusal is about: a wrong pair is about both fields, a missing one about the empty field, all else about neither. */
  const problemOf = (value: string): string | undefined =>
    state.matches({ entering: 'refused' }) || (state.matches({ entering: 'incomplete' }) && value.trim() === '')
      ? problemId
      : undefined;

  const onTabKey = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const next: Realm = realm === 'employee' ? 'owner' : 'employee';
    send({ type: 'TURN', realm: next });
    tabButtons.current[next]?.focus();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    send({ type: 'SUBMIT' });
  };

  return (
    <>
      <EntryPage
        title="media buying analytics"
        covered={activating}
        below={
          <>
            Купили лицензию?{' '}
            <button
              ref={activationButton}
              type="button"
              className="z-link"
              disabled={busy}
              onClick={() => setActivating(true)}
            >
              Активировать ключ
            </button>
          </>
        }
      >
        {context.asked === null ? (
          <>
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
        ) : context.asked.setUp ? (
          <Suspense fallback={null}>
            <SecondFactorSetUp
              step={context.asked}
              onSignIn={(signedIn) => send({ type: 'STEP_DONE', signIn: signedIn })}
              onOver={(why) => send({ type: 'STEP_OVER', why })}
            />
          </Suspense>
        ) : (
          <SecondFactorStep
            show={async (given) => {
              if (context.asked !== null)
                send({ type: 'STEP_DONE', signIn: await finishSignIn(api, context.asked, given) });
            }}
            onOver={(why) => send({ type: 'STEP_OVER', why })}
          />
        )}
      </EntryPage>
      {activating && (
        <Activation
          onClose={() => {
            setActivating(false);
            // The page was out of reach before the dialog came, so that nothing had the keyboard that it could give back.
            requestAnimationFrame(() => activationButton.current?.focus());
          }}
          onSignIn={enter}
          onUseCode={(loginCode) => {
            setActivating(false);
            send({ type: 'USE_CODE', loginCode });
          }}
        />
      )}
    </>
  );
};
