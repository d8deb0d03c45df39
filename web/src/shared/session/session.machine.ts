import { assign, fromPromise, setup } from 'xstate';
import { ApiProblem } from '../api/api-problem.ts';
import type { SessionView } from './session-view.ts';

/** What a sign-in hands over once its tokens are stored. */
export interface SignedIn {
  readonly kind: 'employee' | 'owner' | 'licence';
  readonly userId: string;
  readonly passwordChangeRequired: boolean;
}

export type SessionEvent =
  | ({ readonly type: 'SIGNED_IN' } & SignedIn)
  | { readonly type: 'PASSWORD_CHANGED' }
  | { readonly type: 'SESSION_LOST'; readonly message: string }
  | { readonly type: 'REFRESH' }
  | { readonly type: 'SIGN_OUT' };

interface Context {
  readonly view: SessionView | null;
  /** A sentence for the login page. */
  readonly notice: string | null;
}

/** What the stored record allows at start. */
export type Restored =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly view: SessionView }
  | { readonly kind: 'unknown' };

/** The licence lets nobody in but its owner. */
const isShutOut = (thrown: unknown): thrown is ApiProblem =>
  thrown instanceof ApiProblem && thrown.code === 'LICENSE_INACTIVE';

const mustChangePassword = (thrown: unknown): boolean =>
  thrown instanceof ApiProblem && thrown.code === 'PASSWORD_CHANGE_REQUIRED';

/**
 * Restores what the browser remembers, loads who the person is, and ends by logout or by the server's word.
 * Actors and actions come with `provide`: `restore` reads and cleans the store, `load` asks the server.
 */
export const sessionMachine = setup({
  types: { context: {} as Context, events: {} as SessionEvent },
  actors: {
    restore: fromPromise<Restored>(() => Promise.resolve({ kind: 'none' })),
    load: fromPromise<SessionView>(() => Promise.reject(new Error('load is not provided'))),
    signOut: fromPromise<undefined>(() => Promise.resolve(undefined)),
  },
  actions: { forget: () => undefined, remember: (_args: unknown, _params: { view: SessionView }) => undefined },
}).createMachine({
  id: 'session',
  context: { view: null, notice: null },
  initial: 'restoring',
  on: {
    SESSION_LOST: {
      target: '.signedOut',
      actions: ['forget', assign({ view: null, notice: ({ event }) => event.message })],
    },
    SIGNED_IN: [
      {
        guard: ({ event }) => event.passwordChangeRequired,
        target: '.changingPassword',
        actions: assign({ notice: null }),
      },
      { target: '.loading', actions: assign({ notice: null, view: null }) },
    ],
  },
  states: {
    restoring: {
      invoke: {
        src: 'restore',
        onDone: [
          {
            guard: ({ event }) => event.output.kind === 'known',
            target: 'signedIn.refreshing',
            actions: assign({ view: ({ event }) => (event.output.kind === 'known' ? event.output.view : null) }),
          },
          { guard: ({ event }) => event.output.kind === 'unknown', target: 'loading' },
          { target: 'signedOut' },
        ],
        onError: { target: 'signedOut', actions: 'forget' },
      },
    },
    signedOut: {},
    changingPassword: {
      on: { PASSWORD_CHANGED: 'loading', SIGN_OUT: 'signingOut' },
    },
    loading: {
      invoke: {
        src: 'load',
        onDone: [
          { guard: ({ event }) => event.output.passwordChangeRequired, target: 'changingPassword' },
          {
            target: 'signedIn',
            actions: [
              assign({ view: ({ event }) => event.output }),
              { type: 'remember', params: ({ event }) => ({ view: event.output }) },
            ],
          },
        ],
        onError: [
          { guard: ({ event }) => mustChangePassword(event.error), target: 'changingPassword' },
          {
            guard: ({ event }) => isShutOut(event.error),
            target: 'signedOut',
            actions: ['forget', assign({ notice: ({ event }) => (event.error as ApiProblem).message })],
          },
          { target: 'unreachable' },
        ],
      },
      on: { SIGN_OUT: 'signingOut' },
    },
    /** Signed in, but nobody says as whom: the person may try again or leave. */
    unreachable: { on: { REFRESH: 'loading', SIGN_OUT: 'signingOut' } },
    signedIn: {
      initial: 'idle',
      on: { SIGN_OUT: 'signingOut', REFRESH: '.refreshing' },
      states: {
        idle: {},
        refreshing: {
          invoke: {
            src: 'load',
            onDone: [
              { guard: ({ event }) => event.output.passwordChangeRequired, target: '#session.changingPassword' },
              {
                target: 'idle',
                actions: [
                  assign({ view: ({ event }) => event.output }),
                  { type: 'remember', params: ({ event }) => ({ view: event.output }) },
                ],
              },
            ],
            onError: [
              { guard: ({ event }) => mustChangePassword(event.error), target: '#session.changingPassword' },
              {
                guard: ({ event }) => isShutOut(event.error),
                target: '#session.signedOut',
                actions: ['forget', assign({ view: null, notice: ({ event }) => (event.error as ApiProblem).message })],
              },
              { target: 'idle' },
            ],
          },
        },
      },
    },
    signingOut: {
      invoke: {
        src: 'signOut',
        onDone: { target: 'signedOut', actions: ['forget', assign({ view: null, notice: null })] },
        onError: { target: 'signedOut', actions: ['forget', assign({ view: null, notice: null })] },
      },
    },
  },
});
