import { assign, emit, fromPromise, setup } from 'xstate';
import { signInMessages } from '@zakup/domain/sign-in-messages';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import type { SignIn } from '../../shared/session/session-context.tsx';
import { type AskedStep, type Credentials, type Realm, signInFailure } from './login-calls.ts';

/** AUTH-5: signs of an access or login code. */
export const codeLength = 12;

const second = 1_000;

interface Context {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly realm: Realm;
  readonly codes: Readonly<Record<Realm, string>>;
  readonly password: string;
  /** The employee signs in by the code alone, which their licence may allow. */
  readonly codeAlone: boolean;
  /** Ends one's own oldest session where all seats are taken. */
  readonly endOldest: boolean;
  /** Why the person is not in, in the words they read. */
  readonly error: string | null;
  /** When the server takes another try, and the time as last shown. */
  readonly retryAt: number;
  readonly shownAt: number;
  /** What the second secret is shown for. */
  readonly asked: AskedStep | null;
}

export type LoginEvent =
  | { readonly type: 'TURN'; readonly realm: Realm }
  | { readonly type: 'TYPE'; readonly field: 'code' | 'password'; readonly value: string }
  /** With a password or by the code alone, the other of the two. */
  | { readonly type: 'CHANGE_WAY' }
  /** A new owner comes with the login code of the activation. */
  | { readonly type: 'USE_CODE'; readonly loginCode: string }
  | { readonly type: 'SUBMIT' }
  | { readonly type: 'END_OLDEST' }
  /** The second secret was right, or the first one has to be shown again; null = as the person wished. */
  | { readonly type: 'STEP_DONE'; readonly signIn: SignIn }
  | { readonly type: 'STEP_OVER'; readonly why: string | null };

/** Whether the person who enters gives no password. */
export const isByCode = ({ realm, codeAlone }: Pick<Context, 'realm' | 'codeAlone'>): boolean =>
  realm === 'employee' && codeAlone;

const credentialsOf = (context: Context): Credentials => ({
  realm: context.realm,
  code: context.codes[context.realm].trim(),
  password: isByCode(context) ? null : context.password,
  endOldest: context.endOldest,
});

const is = (thrown: unknown, code: ApiProblem['code']): thrown is ApiProblem =>
  thrown instanceof ApiProblem && thrown.code === code;

/** No word about what was typed: the server was not there, or had a fault of its own. */
const unreached = ['NETWORK', 'UNAVAILABLE', 'INTERNAL'] as const;

const attempt = (endOldest: boolean) =>
  [
    {
      guard: 'codeMissing',
      target: '#login.entering.incomplete',
      actions: { type: 'focus', params: { field: 'code' } },
    },
    {
      guard: 'passwordMissing',
      target: '#login.entering.incomplete',
      actions: { type: 'focus', params: { field: 'password' } },
    },
    { target: '#login.submitting', actions: { type: 'attempt', params: { endOldest } } },
  ] as const;

/** Told to the page: where the person has to go on. */
export interface LoginFocus {
  readonly type: 'focus';
  readonly field: 'code' | 'password';
}

/**
 * Entering, submitting, `asked` for a second secret where the account has one, signed in. While entering: `clean`, or why the last try led nowhere (`incomplete`, `refused`,
 * `unreachable`, `crowded` = all seats taken, `waiting` = too many tries, counted down).
 * With `provide` come: `signIn`, which rejects with `ApiProblem`; `enter`, told what a sign-in answered (a one-time
 * password among it: changing that is the session's). Emits `focus`.
 */
export const loginMachine = setup({
  types: {
    context: {} as Context,
    events: {} as LoginEvent,
    input: {} as { readonly now: () => number },
    emitted: {} as LoginFocus,
  },
  actors: {
    signIn: fromPromise<SignIn | AskedStep, Credentials>(() => Promise.reject(new Error('signIn is not provided'))),
  },
  actions: {
    enter: (_args: unknown, _params: { readonly signIn: SignIn }) => undefined,
    focus: emit((_args, { field }: { readonly field: 'code' | 'password' }) => ({ type: 'focus', field })),
    attempt: assign((_args, { endOldest }: { readonly endOldest: boolean }) => ({ endOldest, error: null })),
    refuse: assign(({ context }, { thrown }: { readonly thrown: unknown }) => ({
      error: signInFailure(context.realm, isByCode(context), thrown),
    })),
    focusAgain: emit(({ context }) => ({ type: 'focus', field: isByCode(context) ? 'code' : 'password' })),
  },
  guards: {
    codeMissing: ({ context }) => context.codes[context.realm].trim() === '',
    passwordMissing: ({ context }) => !isByCode(context) && context.password === '',
    mayTryAgain: ({ context }) => context.now() >= context.retryAt,
  },
  delays: { second },
}).createMachine({
  id: 'login',
  context: ({ input }) => ({
    now: input.now,
    realm: 'employee',
    codes: { employee: '', owner: '' },
    password: '',
    codeAlone: false,
    endOldest: false,
    error: null,
    retryAt: 0,
    shownAt: 0,
    asked: null,
  }),
  initial: 'entering',
  states: {
    entering: {
      initial: 'clean',
      on: {
        TYPE: {
          actions: assign(({ context, event }) =>
            event.field === 'password'
              ? { password: event.value }
              : { codes: { ...context.codes, [context.realm]: event.value.toUpperCase().slice(0, codeLength) } },
          ),
        },
        TURN: { target: '.clean', actions: assign(({ event }) => ({ realm: event.realm })) },
        CHANGE_WAY: { target: '.clean', actions: assign(({ context }) => ({ codeAlone: !context.codeAlone })) },
        USE_CODE: {
          target: '.clean',
          actions: [
            assign(({ context, event }) => ({
              realm: 'owner',
              codes: { ...context.codes, owner: event.loginCode },
              password: '',
            })),
            { type: 'focus', params: { field: 'password' } },
          ],
        },
        SUBMIT: attempt(false),
      },
      states: {
        clean: { entry: assign({ error: null }) },
        incomplete: { entry: assign({ error: signInMessages.fieldsRequired }) },
        refused: {},
        unreachable: {},
        crowded: { on: { END_OLDEST: attempt(true) } },
        waiting: {
          entry: assign({ shownAt: ({ context }) => context.now() }),
          after: {
            second: [
              { guard: 'mayTryAgain', target: 'clean' },
              { target: 'waiting', reenter: true },
            ],
          },
        },
      },
    },
    submitting: {
      invoke: {
        src: 'signIn',
        input: ({ context }) => credentialsOf(context),
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'asked',
            target: 'asked',
            actions: assign(({ event }) => ({ asked: event.output.kind === 'asked' ? event.output : null })),
          },
          {
            target: 'signedIn',
            actions: {
              type: 'enter',
              params: ({ event }) => ({ signIn: event.output as SignIn }),
            },
          },
        ],
        onError: [
          {
            guard: ({ event }) => is(event.error, 'SESSION_LIMIT'),
            target: 'entering.crowded',
            actions: [{ type: 'refuse', params: ({ event }) => ({ thrown: event.error }) }, 'focusAgain'],
          },
          {
            guard: ({ event }) => is(event.error, 'RATE_LIMITED') && event.error.retryAfterSeconds !== null,
            target: 'entering.waiting',
            actions: [
              { type: 'refuse', params: ({ event }) => ({ thrown: event.error }) },
              assign(({ context, event }) => ({
                retryAt:
                  context.now() + (is(event.error, 'RATE_LIMITED') ? (event.error.retryAfterSeconds ?? 0) : 0) * second,
              })),
              'focusAgain',
            ],
          },
          {
            guard: ({ event }) => unreached.some((code) => is(event.error, code)),
            target: 'entering.unreachable',
            actions: [{ type: 'refuse', params: ({ event }) => ({ thrown: event.error }) }, 'focusAgain'],
          },
          {
            target: 'entering.refused',
            actions: [{ type: 'refuse', params: ({ event }) => ({ thrown: event.error }) }, 'focusAgain'],
          },
        ],
      },
    },
    asked: {
      exit: assign({ asked: null }),
      on: {
        STEP_DONE: {
          target: 'signedIn',
          actions: { type: 'enter', params: ({ event }) => ({ signIn: event.signIn }) },
        },
        STEP_OVER: [
          { guard: ({ event }) => event.why === null, target: 'entering.clean', actions: 'focusAgain' },
          {
            target: 'entering.unreachable',
            actions: [assign(({ event }) => ({ error: event.why })), 'focusAgain'],
          },
        ],
      },
    },
    signedIn: { type: 'final' },
  },
});
