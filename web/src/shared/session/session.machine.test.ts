import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, waitFor } from 'xstate';
import { ApiProblem } from '../api/api-problem.ts';
import { type Restored, sessionMachine } from './session.machine.ts';
import type { SessionView } from './session-view.ts';

const view: SessionView = {
  user: { id: 'u1', name: 'Анна', email: '', role: 'MEDIA_BUYER', licenseId: 'l1' },
  license: null,
  permissions: { dashboard: true },
  readOnly: null,
  passwordChangeRequired: false,
};

const session = (restored: Restored, load: () => Promise<SessionView>) => {
  const calls: string[] = [];
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        restore: fromPromise(async () => restored),
        load: fromPromise(load),
        signOut: fromPromise(async (): Promise<undefined> => {
          calls.push('logout');
          throw new Error('no answer');
        }),
      },
      actions: { forget: () => calls.push('forget'), remember: () => calls.push('remember') },
    }),
  ).start();
  return { actor, calls };
};
const fails = (code: 'NETWORK' | 'PASSWORD_CHANGE_REQUIRED') => () =>
  Promise.reject(new ApiProblem({ code, status: 0, message: 'нет' }));

describe('session machine', () => {
  it('SM-1 nothing to restore leads to the login page', async () => {
    const { actor } = session({ kind: 'none' }, async () => view);
    const state = await waitFor(actor, (now) => now.matches('signedOut'));
    expect(state.context.notice).toBeNull();
  });

  it('SM-2 a remembered person works on while the server does not answer', async () => {
    const { actor } = session({ kind: 'known', view }, fails('NETWORK'));
    const state = await waitFor(actor, (now) => now.matches({ signedIn: 'idle' }));
    expect(state.context.view).toEqual(view);
  });

  it('SM-3 an unknown person and no answer: try again, then in', async () => {
    let answers = false;
    const { actor } = session({ kind: 'unknown' }, () => (answers ? Promise.resolve(view) : fails('NETWORK')()));
    await waitFor(actor, (state) => state.matches('unreachable'));
    answers = true;
    actor.send({ type: 'REFRESH' });
    const state = await waitFor(actor, (now) => now.matches('signedIn'));
    expect(state.context.view).toEqual(view);
  });

  it('SM-4 a temporary password opens only its change, also after a reload', async () => {
    const first = session({ kind: 'none' }, async () => view);
    await waitFor(first.actor, (state) => state.matches('signedOut'));
    first.actor.send({ type: 'SIGNED_IN', kind: 'employee', userId: 'u1', passwordChangeRequired: true });
    expect(first.actor.getSnapshot().matches('changingPassword')).toBe(true);
    first.actor.send({ type: 'PASSWORD_CHANGED' });
    await waitFor(first.actor, (state) => state.matches('signedIn'));

    const reloaded = session({ kind: 'unknown' }, fails('PASSWORD_CHANGE_REQUIRED'));
    await waitFor(reloaded.actor, (state) => state.matches('changingPassword'));
  });

  it('SM-5 a lost session says why and forgets', async () => {
    const { actor, calls } = session({ kind: 'known', view }, async () => view);
    await waitFor(actor, (state) => state.matches({ signedIn: 'idle' }));
    actor.send({ type: 'SESSION_LOST', message: 'Session expired. Please login again.' });
    expect(actor.getSnapshot().matches('signedOut')).toBe(true);
    expect(actor.getSnapshot().context).toEqual({ view: null, notice: 'Session expired. Please login again.' });
    expect(calls).toContain('forget');
  });

  it('SM-6 logging out calls the server and forgets even when it does not answer', async () => {
    const { actor, calls } = session({ kind: 'known', view }, async () => view);
    await waitFor(actor, (state) => state.matches({ signedIn: 'idle' }));
    actor.send({ type: 'SIGN_OUT' });
    await waitFor(actor, (state) => state.matches('signedOut'));
    expect(calls.slice(-2)).toEqual(['logout', 'forget']);
  });
});
