import { useMachine } from '@xstate/react';
import { type ComponentType, type RefObject, useEffect, useRef, useState, lazy, Suspense } from 'react';
import { fromPromise } from 'xstate';
import { useApi } from '../../shared/api/api-context.tsx';
import { type SignIn, useSessionFlow } from '../../shared/session/session-context.tsx';
import { SecondFactorStep } from '../../shared/session/second-factor-step.tsx';
import { EntryPage } from '../../shared/ui/entry-page.tsx';
import { useTitle } from '../../shared/moment/use-title.ts';
import { type AskedStep, type Credentials, finishSignIn, signInWith } from './login-calls.ts';
import { LoginForm } from './login-form.tsx';
import { loginMachine } from './login.machine.ts';

/** Needed once in a person's life: not with the first load. */
const SecondFactorSetUp = lazy(async () => ({
  default: (await import('./second-factor-set-up.tsx')).SecondFactorSetUp,
}));

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

/** Signing in as an employee or as the owner, and the way to activate a licence key. */
export const LoginPage = ({ activation: Activation, notice, onSignedIn }: LoginPageProps) => {
  useTitle('Вход');
  const api = useApi();
  const { signIn } = useSessionFlow();
  const [activating, setActivating] = useState(false);
  const codeInput = useRef<HTMLInputElement>(null);
  const activationButton = useRef<HTMLButtonElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);

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
  const busy = !state.matches('entering');

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
          <LoginForm
            state={state}
            send={send}
            busy={busy}
            notice={notice}
            codeInput={codeInput}
            passwordInput={passwordInput}
          />
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
