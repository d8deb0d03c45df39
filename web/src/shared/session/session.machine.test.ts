import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
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

const session = (restored: Restored | Error, load: () => Promise<SessionView>) => {
  const calls: string[] = [];
  const clock = new SimulatedClock();
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        restore: fromPromise(async () => {
          if (restored instanceof Error) throw restored;
          return restored;
        }),
        load: fromPromise(load),
        signOut: fromPromise(async (): Promise<undefined> => {
          calls.push('logout');
          throw new Error('no answer');
        }),
      },
      actions: { forget: () => calls.push('forget'), remember: () => calls.push('remember') },
    }),
    { clock },
  ).start();
  return { actor, calls, clock };
};
const fails = (code: 'NETWORK' | 'PASSWORD_CHANGE_REQUIRED' | 'LICENSE_INACTIVE') => () =>
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

  it.each([
    ['known', { kind: 'known', view }],
    ['unknown', { kind: 'unknown' }],
  ] as const)('SM-7 a licence that lets nobody in leads to the login page with its reason, %s', async (_, restored) => {
    const { actor, calls } = session(restored, fails('LICENSE_INACTIVE'));
    const state = await waitFor(actor, (now) => now.matches('signedOut'));
    expect(state.context).toEqual({ view: null, notice: 'нет' });
    expect(calls).toEqual(['forget']);
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

  it('SM-8 a store that cannot be read restores nobody, and is emptied', async () => {
    const { actor, calls } = session(new Error('no storage'), async () => view);
    const state = await waitFor(actor, (now) => now.matches('signedOut'));
    expect(state.context).toEqual({ view: null, notice: null });
    expect(calls).toEqual(['forget']);
  });

  it('SM-9 whoever is restored is asked for again: painted from memory, then as the server says', async () => {
    const now = { ...view, permissions: { dashboard: true, settings: true } };
    const { actor, calls } = session({ kind: 'known', view }, async () => now);
    const painted = await waitFor(actor, (state) => state.matches('signedIn'));
    expect(painted.matches({ signedIn: 'refreshing' })).toBe(true);
    expect(painted.context.view).toEqual(view);
    const asked = await waitFor(actor, (state) => state.matches({ signedIn: 'idle' }));
    expect(asked.context.view).toEqual(now);
    expect(calls).toEqual(['remember']);
  });

  it('SM-10 a sign-in loads who it is before anything is shown, in place of whoever was there', async () => {
    const other: SessionView = { ...view, user: { ...view.user, id: 'u2', name: 'Илья' } };
    const views = [view, other];
    const { actor, calls } = session({ kind: 'unknown' }, async () => views.shift() ?? other);
    await waitFor(actor, (state) => state.matches('signedIn'));
    actor.send({ type: 'SIGNED_IN', kind: 'employee', userId: 'u2', passwordChangeRequired: false });
    expect(actor.getSnapshot().matches('loading')).toBe(true);
    expect(actor.getSnapshot().context.view).toBeNull();
    const state = await waitFor(actor, (now) => now.matches('signedIn'));
    expect(state.context.view).toEqual(other);
    expect(calls).toEqual(['remember', 'remember']);
  });

  it('SM-11 asked again in between: what the server says now is taken and kept', async () => {
    const now = { ...view, permissions: {} };
    let answers = view;
    const { actor, calls } = session({ kind: 'unknown' }, async () => answers);
    await waitFor(actor, (state) => state.matches({ signedIn: 'idle' }));
    answers = now;
    actor.send({ type: 'REFRESH' });
    expect(actor.getSnapshot().matches({ signedIn: 'refreshing' })).toBe(true);
    const state = await waitFor(actor, (at) => at.matches({ signedIn: 'idle' }));
    expect(state.context.view).toEqual(now);
    expect(calls).toEqual(['remember', 'remember']);
  });

  it.each([
    ['says so of the person', async () => ({ ...view, passwordChangeRequired: true })],
    ['refuses', fails('PASSWORD_CHANGE_REQUIRED')],
  ] as const)(
    'SM-12 a password that has become a one-time one opens only its change, when the server %s',
    async (_, load) => {
      const known = session({ kind: 'known', view }, load);
      const state = await waitFor(known.actor, (now) => now.matches('changingPassword'));
      expect(state.status).toBe('active');
      const unknown = session({ kind: 'unknown' }, load);
      await waitFor(unknown.actor, (now) => now.matches('changingPassword'));
      expect([...known.calls, ...unknown.calls], 'nothing to remember').toEqual([]);
    },
  );

  it('SM-13 one may leave from everywhere one waits: the change of a password, the loading, no answer', async () => {
    const changing = session({ kind: 'unknown' }, fails('PASSWORD_CHANGE_REQUIRED'));
    await waitFor(changing.actor, (state) => state.matches('changingPassword'));
    const away = session({ kind: 'unknown' }, fails('NETWORK'));
    await waitFor(away.actor, (state) => state.matches('unreachable'));
    const loading = session({ kind: 'unknown' }, () => new Promise(() => undefined));
    await waitFor(loading.actor, (state) => state.matches('loading'));
    for (const { actor, calls } of [changing, away, loading]) {
      actor.send({ type: 'SIGN_OUT' });
      expect(actor.getSnapshot().matches('signingOut')).toBe(true);
      await waitFor(actor, (state) => state.matches('signedOut'));
      expect(calls).toEqual(['logout', 'forget']);
    }
  });

  it('SM-14 a lost session ends everything that is under way', async () => {
    const never = (): Promise<SessionView> => new Promise(() => undefined);
    const changing = session({ kind: 'unknown' }, fails('PASSWORD_CHANGE_REQUIRED'));
    await waitFor(changing.actor, (state) => state.matches('changingPassword'));
    const loading = session({ kind: 'unknown' }, never);
    await waitFor(loading.actor, (state) => state.matches('loading'));
    const away = session({ kind: 'unknown' }, fails('NETWORK'));
    await waitFor(away.actor, (state) => state.matches('unreachable'));
    const refreshing = session({ kind: 'known', view }, never);
    await waitFor(refreshing.actor, (state) => state.matches({ signedIn: 'refreshing' }));
    for (const { actor, calls } of [changing, loading, away, refreshing]) {
      actor.send({ type: 'SESSION_LOST', message: 'Вы вышли в другой вкладке' });
      expect(actor.getSnapshot().matches('signedOut')).toBe(true);
      expect(actor.getSnapshot().context).toEqual({ view: null, notice: 'Вы вышли в другой вкладке' });
      expect(calls).toEqual(['forget']);
    }
  });

  it('SM-15 the sentence of a lost session is gone with the next sign-in', async () => {
    const { actor } = session({ kind: 'none' }, async () => view);
    await waitFor(actor, (state) => state.matches('signedOut'));
    for (const passwordChangeRequired of [false, true]) {
      actor.send({ type: 'SESSION_LOST', message: 'нет' });
      actor.send({ type: 'SIGNED_IN', kind: 'employee', userId: 'u1', passwordChangeRequired });
      expect(actor.getSnapshot().context.notice).toBeNull();
    }
  });

  it('SM-16 nothing happens to a session by time alone, and signed out nothing is left to leave', async () => {
    const { actor, calls, clock } = session({ kind: 'known', view }, async () => view);
    await waitFor(actor, (state) => state.matches({ signedIn: 'idle' }));
    clock.increment(7 * 86_400_000);
    expect(actor.getSnapshot().matches({ signedIn: 'idle' })).toBe(true);
    actor.send({ type: 'SIGN_OUT' });
    await waitFor(actor, (state) => state.matches('signedOut'));
    const before = [...calls];
    actor.send({ type: 'SIGN_OUT' });
    actor.send({ type: 'REFRESH' });
    actor.send({ type: 'PASSWORD_CHANGED' });
    expect(actor.getSnapshot().matches('signedOut')).toBe(true);
    expect(calls).toEqual(before);
  });
});
