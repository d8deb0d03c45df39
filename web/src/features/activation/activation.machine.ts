import { assign, fromPromise, setup } from 'xstate';

/** ACT-2. */
const keyPattern = /^LICENSE-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}$/u;
export const isLicenceKey = (text: string): boolean => keyPattern.test(text);
export const keyLength = 27;
export const minPasswordLength = 8;

/** The key with all but its last group hidden. */
export const maskedKey = (key: string): string => key.replace(/-[A-Z0-9]{4}(?=-)/gu, '-••••');

export const codeLifeMillis = 10 * 60_000;
export const resendMillis = 60_000;
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
}

export type ActivationEvent =
  | { readonly type: 'TYPE'; readonly field: 'key' | 'code' | 'password' | 'confirmation'; readonly value: string }
  | { readonly type: 'NEXT' }
  | { readonly type: 'BACK' }
  | { readonly type: 'RESEND' };

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
 * `proveCode` for key and code (answers the owner's name), `setPassword` (answers the owner's login code);
 * each rejects with an Error whose message a person may read.
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
  },
  actions: {
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
    done: { type: 'final' },
  },
});
