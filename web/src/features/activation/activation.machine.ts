import { assign, fromPromise, setup } from 'xstate';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import type { TokenPair } from '../../shared/api/tokens.ts';

/** ACT-2. */
const keyPattern = /^LICENSE-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/u;
const isLicenceKey = (text: string): boolean => keyPattern.test(text);
export const keyLength = 27;
const minPasswordLength = 8;

/** The key with all but its last group hidden. */
export const maskedKey = (key: string): string => key.replace(/-[A-Z0-9]{4}(?=-)/gu, '-••••');

const codeLifeMillis = 10 * 60_000;
const resendMillis = 60_000;
const second = 1_000;

/** Refusals in the words a person reads. */
export interface ActivationTexts {
  readonly badKey: string;
  readonly badCode: string;
  readonly shortPassword: string;
  readonly differentPasswords: string;
}

interface Context {
  readonly texts: ActivationTexts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly key: string;
  readonly code: string;
  readonly password: string;
  readonly confirmation: string;
  readonly error: string | null;
  /** Field the error belongs to; the whole step when null. */
  readonly errorField: 'key' | 'code' | 'password' | 'confirmation' | null;
  readonly codeUntil: number;
  readonly resendAt: number;
  /** Time as last shown; moves the two countdowns. */
  readonly shownAt: number;
  readonly ownerName: string;
  readonly loginCode: string;
  /** Ends one's own oldest session where all seats are taken. */
  readonly endOldest: boolean;
}

export type ActivationEvent =
  | { readonly type: 'TYPE'; readonly field: 'key' | 'code' | 'password' | 'confirmation'; readonly value: string }
  | { readonly type: 'NEXT' }
  | { readonly type: 'BACK' }
  | { readonly type: 'RESEND' }
  | { readonly type: 'END_OLDEST' };

const wrong = (field: Context['errorField'], text: string) => ({ error: text, errorField: field });
const fine = { error: null, errorField: null } as const;
const textOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

const cleaned = (field: 'key' | 'code' | 'password' | 'confirmation', value: string): string => {
  switch (field) {
    case 'key':
      return value.replace(/\s/gu, '').toUpperCase().slice(0, keyLength);
    case 'code':
      return value.replace(/\D/gu, '').slice(0, 6);
    case 'password':
    case 'confirmation':
      return value;
  }
};

/**
 * Key, code, password, done. Back returns one step. Requests come with `provide`: `requestCode` for a key,
 * `proveCode` for key and code (answers the owner's name), `setPassword` (answers the owner's login code), `signIn` by
 * key and password; each rejects with an Error whose message a person may read. `enter` is told the pair of the sign-in.
 */
export const activationMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ActivationEvent,
    input: {} as { readonly texts: ActivationTexts; readonly now: () => number },
  },
  actors: {
    requestCode: fromPromise<undefined, { readonly key: string }>(() => Promise.resolve(undefined)),
    proveCode: fromPromise<{ ownerName: string }, { readonly key: string; readonly code: string }>(() =>
      Promise.resolve({ ownerName: '' }),
    ),
    setPassword: fromPromise<
      { loginCode: string },
      { readonly key: string; readonly password: string; readonly confirmation: string }
    >(() => Promise.resolve({ loginCode: '' })),
    signIn: fromPromise<TokenPair, { readonly key: string; readonly password: string; readonly endOldest: boolean }>(
      () => Promise.reject(new Error('signIn is not provided')),
    ),
  },
  actions: {
    enter: (_args: unknown, _params: { readonly pair: TokenPair }) => undefined,
    type: assign(({ context, event }) =>
      event.type === 'TYPE' ? { ...context, ...fine, [event.field]: cleaned(event.field, event.value) } : context,
    ),
    startCode: assign(({ context }) => {
      const now = context.now();
      return { codeUntil: now + codeLifeMillis, resendAt: now + resendMillis, shownAt: now, code: '' };
    }),
  },
  guards: {
    keyFits: ({ context }) => isLicenceKey(context.key),
    codeFits: ({ context }) => /^\d{6}$/u.test(context.code),
    passwordsMatch: ({ context }) => context.password === context.confirmation,
    mayResend: ({ context }) => context.now() >= context.resendAt,
  },
  delays: { second },
}).createMachine({
  id: 'activation',
  context: ({ input }) => ({
    texts: input.texts,
    now: input.now,
    key: '',
    code: '',
    password: '',
    confirmation: '',
    ...fine,
    codeUntil: 0,
    resendAt: 0,
    shownAt: 0,
    ownerName: '',
    loginCode: '',
    endOldest: false,
  }),
  initial: 'key',
  states: {
    key: {
      initial: 'typing',
      states: {
        typing: {
          on: {
            TYPE: { actions: 'type' },
            NEXT: [
              { guard: 'keyFits', target: 'asking', actions: assign(fine) },
              { actions: assign(({ context }) => wrong('key', context.texts.badKey)) },
            ],
          },
        },
        asking: {
          invoke: {
            src: 'requestCode',
            input: ({ context }) => ({ key: context.key }),
            onDone: { target: '#activation.code', actions: 'startCode' },
            onError: { target: 'typing', actions: assign(({ event }) => wrong('key', textOf(event.error))) },
          },
        },
      },
    },
    code: {
      initial: 'typing',
      states: {
        typing: {
          after: {
            second: { target: 'typing', reenter: true, actions: assign({ shownAt: ({ context }) => context.now() }) },
          },
          on: {
            TYPE: { actions: 'type' },
            BACK: { target: '#activation.key', actions: assign(fine) },
            RESEND: { guard: 'mayResend', target: 'resending', actions: assign(fine) },
            NEXT: [
              { guard: 'codeFits', target: 'proving', actions: assign(fine) },
              { actions: assign(({ context }) => wrong('code', context.texts.badCode)) },
            ],
          },
        },
        resending: {
          invoke: {
            src: 'requestCode',
            input: ({ context }) => ({ key: context.key }),
            onDone: { target: 'typing', actions: 'startCode' },
            onError: { target: 'typing', actions: assign(({ event }) => wrong('code', textOf(event.error))) },
          },
        },
        proving: {
          invoke: {
            src: 'proveCode',
            input: ({ context }) => ({ key: context.key, code: context.code }),
            onDone: {
              target: '#activation.password',
              actions: assign({ ownerName: ({ event }) => event.output.ownerName }),
            },
            onError: {
              target: 'typing',
              actions: assign(({ event }) => ({ ...wrong('code', textOf(event.error)), code: '' })),
            },
          },
        },
      },
    },
    password: {
      initial: 'typing',
      states: {
        typing: {
          on: {
            TYPE: { actions: 'type' },
            BACK: { target: '#activation.code', actions: assign({ ...fine, code: '' }) },
            NEXT: [
              {
                guard: ({ context }) => context.password.length < minPasswordLength,
                actions: assign(({ context }) => wrong('password', context.texts.shortPassword)),
              },
              { guard: 'passwordsMatch', target: 'setting', actions: assign(fine) },
              { actions: assign(({ context }) => wrong('confirmation', context.texts.differentPasswords)) },
            ],
          },
        },
        setting: {
          invoke: {
            src: 'setPassword',
            input: ({ context }) => ({
              key: context.key,
              password: context.password,
              confirmation: context.confirmation,
            }),
            onDone: {
              target: '#activation.done',
              actions: assign({ loginCode: ({ event }) => event.output.loginCode }),
            },
            onError: { target: 'typing', actions: assign(({ event }) => wrong('password', textOf(event.error))) },
          },
        },
      },
    },
    done: {
      initial: 'shown',
      on: { NEXT: { target: '.entering', actions: assign({ ...fine, endOldest: false }) } },
      states: {
        shown: {},
        /** All seats are taken. */
        crowded: { on: { END_OLDEST: { target: 'entering', actions: assign({ ...fine, endOldest: true }) } } },
        entering: {
          invoke: {
            src: 'signIn',
            input: ({ context }) => ({
              key: context.key,
              password: context.password,
              endOldest: context.endOldest,
            }),
            onDone: {
              target: '#activation.signedIn',
              actions: { type: 'enter', params: ({ event }) => ({ pair: event.output }) },
            },
            onError: [
              {
                guard: ({ event }) => event.error instanceof ApiProblem && event.error.code === 'SESSION_LIMIT',
                target: 'crowded',
                actions: assign(({ event }) => wrong(null, textOf(event.error))),
              },
              { target: 'shown', actions: assign(({ event }) => wrong(null, textOf(event.error))) },
            ],
          },
          on: { NEXT: {} },
        },
      },
    },
    signedIn: { type: 'final' },
  },
});
