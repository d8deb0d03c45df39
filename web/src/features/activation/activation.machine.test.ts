import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { ApiProblem } from '../../shared/api/api-problem.ts';
import type { TokenPair } from '../../shared/api/tokens.ts';
import { activationMachine, maskedKey } from './activation.machine.ts';

const texts = {
  badKey: 'Неверный формат лицензионного ключа',
  badCode: 'Неверный код активации',
  shortPassword: 'Пароль должен содержать минимум 8 символов',
  differentPasswords: 'Пароли не совпадают',
};
const key = 'LICENSE-AAAA-BBBB-CCCC-7Q4K';

/** The dialog; `refuse` makes the requests of these names fail with these words from now on, null = answer again. */
const dialog = () => {
  const clock = new SimulatedClock();
  const refused: Partial<Record<'requestCode' | 'setPassword' | 'signIn', string | null>> = {};
  const entries: boolean[] = [];
  const entered: TokenPair[] = [];
  const answer = (name: keyof typeof refused): void => {
    const words = refused[name] ?? null;
    if (words !== null) throw new Error(words);
  };
  const asked: string[] = [];
  const actor = createActor(
    activationMachine.provide({
      actors: {
        requestCode: fromPromise<undefined, { readonly key: string }>(async ({ input }) => {
          asked.push(input.key);
          answer('requestCode');
          return undefined;
        }),
        proveCode: fromPromise<{ ownerName: string }, { readonly key: string; readonly code: string }>(
          async ({ input }) => {
            if (input.code !== '409118') throw new Error(texts.badCode);
            return { ownerName: 'Виктор' };
          },
        ),
        setPassword: fromPromise<
          { loginCode: string },
          { readonly key: string; readonly password: string; readonly confirmation: string }
        >(async () => {
          answer('setPassword');
          return { loginCode: 'K7QMX4ARTN9E' };
        }),
        signIn: fromPromise<
          TokenPair,
          { readonly key: string; readonly password: string; readonly endOldest: boolean }
        >(async ({ input: { endOldest } }) => {
          entries.push(endOldest);
          answer('signIn');
          if (!endOldest) throw new ApiProblem({ code: 'SESSION_LIMIT', status: 409, message: 'Слишком много сессий' });
          return { token: 'a.b.c', refreshToken: 'r' };
        }),
      },
      actions: { enter: (_args, { pair }) => entered.push(pair) },
    }),
    { clock, input: { texts, now: () => clock.now() } },
  ).start();
  const type = (field: 'key' | 'code' | 'password' | 'confirmation', value: string): void =>
    actor.send({ type: 'TYPE', field, value });
  const next = (): void => actor.send({ type: 'NEXT' });
  const reachCode = async (): Promise<void> => {
    type('key', key);
    next();
    await waitFor(actor, (state) => state.matches({ code: 'typing' }));
  };
  const reachPassword = async (): Promise<void> => {
    await reachCode();
    type('code', '409118');
    next();
    await waitFor(actor, (state) => state.matches({ password: 'typing' }));
  };
  const refuse = (name: keyof typeof refused, words: string | null): void => {
    refused[name] = words;
  };
  const reachDone = async (): Promise<void> => {
    await reachPassword();
    type('password', 'seven-roads');
    type('confirmation', 'seven-roads');
    next();
    await waitFor(actor, (state) => state.matches({ done: 'shown' }));
  };
  return { actor, clock, asked, entries, entered, refuse, type, next, reachCode, reachPassword, reachDone };
};

describe('activation', () => {
  it('WAC-1 leads from key to login code', async () => {
    const { actor, type, next, reachPassword } = dialog();
    await reachPassword();
    type('password', 'seven-roads');
    type('confirmation', 'seven-roads');
    next();
    const done = await waitFor(actor, (state) => state.matches('done'));
    expect(done.context.loginCode).toBe('K7QMX4ARTN9E');
  });

  it('WAC-2 forces the key to upper case and 27 characters, refuses another form without asking', () => {
    const { actor, asked, type, next } = dialog();
    type('key', ' license-aaaa-bbbb-cccc-7q4k-more');
    expect(actor.getSnapshot().context.key).toBe(key);
    type('key', 'LICENSE-AAAA');
    next();
    expect(actor.getSnapshot().context).toMatchObject({ error: texts.badKey, errorField: 'key' });
    expect(asked).toEqual([]);
  });

  it('WAC-3 a wrong code empties the boxes and stays; five digits are refused here', async () => {
    const { actor, type, next, reachCode } = dialog();
    await reachCode();
    type('code', '12345');
    next();
    expect(actor.getSnapshot().context.error).toBe(texts.badCode);
    type('code', '000000');
    next();
    const state = await waitFor(actor, (now) => now.matches({ code: 'typing' }));
    expect(state.context).toMatchObject({ code: '', error: texts.badCode });
  });

  it('WAC-4 checks length before confirmation', async () => {
    const { actor, type, next, reachPassword } = dialog();
    await reachPassword();
    type('password', 'short');
    type('confirmation', 'other');
    next();
    expect(actor.getSnapshot().context).toMatchObject({ error: texts.shortPassword, errorField: 'password' });
    type('password', 'seven-roads');
    next();
    expect(actor.getSnapshot().context).toMatchObject({ error: texts.differentPasswords, errorField: 'confirmation' });
  });

  it('WAC-5 back returns one step and keeps the key', async () => {
    const { actor, reachPassword } = dialog();
    await reachPassword();
    actor.send({ type: 'BACK' });
    expect(actor.getSnapshot().matches({ code: 'typing' })).toBe(true);
    actor.send({ type: 'BACK' });
    expect(actor.getSnapshot().matches({ key: 'typing' })).toBe(true);
    expect(actor.getSnapshot().context.key).toBe(key);
  });

  it('WAC-6 sends again only after 60 s and counts ten minutes down', async () => {
    const { actor, clock, asked, reachCode } = dialog();
    await reachCode();
    actor.send({ type: 'RESEND' });
    expect(asked).toHaveLength(1);
    for (let second = 0; second < 60; second += 1) clock.increment(1_000);
    const { codeUntil, shownAt } = actor.getSnapshot().context;
    expect(codeUntil - shownAt).toBe(9 * 60_000);
    actor.send({ type: 'RESEND' });
    const again = await waitFor(actor, (state) => state.matches({ code: 'typing' }));
    expect(asked).toHaveLength(2);
    expect(again.context.codeUntil - again.context.shownAt).toBe(10 * 60_000);
  });

  it('WAC-7 shows the last group of the key only', () => {
    expect(maskedKey(key)).toBe('LICENSE-••••-••••-••••-7Q4K');
  });

  it('WAC-9 a key that the server refuses stays with its words, which go when it is typed anew', async () => {
    const { actor, refuse, type, next } = dialog();
    refuse('requestCode', 'Сервер не отвечает');
    type('key', key);
    next();
    expect(actor.getSnapshot().matches({ key: 'asking' })).toBe(true);
    const state = await waitFor(actor, (now) => now.matches({ key: 'typing' }));
    expect(state.context).toMatchObject({ key, error: 'Сервер не отвечает', errorField: 'key' });
    type('key', 'LICENSE-');
    expect(actor.getSnapshot().context).toMatchObject({ error: null, errorField: null });
  });

  it('WAC-10 of a pasted code the digits count, the first six of them', async () => {
    const { actor, type, reachCode } = dialog();
    await reachCode();
    type('code', ' 409-118 (действует 10 минут)');
    expect(actor.getSnapshot().context.code).toBe('409118');
  });

  it('WAC-11 a code that could not be sent again leaves both countdowns as they were', async () => {
    const { actor, clock, asked, refuse, reachCode } = dialog();
    await reachCode();
    const before = actor.getSnapshot().context;
    refuse('requestCode', 'Нет ответа');
    clock.increment(60_000);
    actor.send({ type: 'RESEND' });
    expect(actor.getSnapshot().matches({ code: 'resending' })).toBe(true);
    const state = await waitFor(actor, (now) => now.matches({ code: 'typing' }));
    expect(asked).toHaveLength(2);
    expect(state.context).toMatchObject({
      error: 'Нет ответа',
      errorField: 'code',
      codeUntil: before.codeUntil,
      resendAt: before.resendAt,
    });
  });

  it('WAC-12 the countdowns move by the second, and only while a code is typed', async () => {
    const { actor, clock, type, next, reachCode } = dialog();
    await reachCode();
    const shown = (): number => actor.getSnapshot().context.shownAt;
    clock.increment(999);
    expect(shown()).toBe(0);
    clock.increment(1);
    expect(shown()).toBe(1_000);
    type('code', '409118');
    next();
    await waitFor(actor, (state) => state.matches({ password: 'typing' }));
    clock.increment(5_000);
    expect(shown()).toBe(1_000);
  });

  it('WAC-13 a password that the server refuses stays where it was typed, with its words', async () => {
    const { actor, refuse, type, next, reachPassword } = dialog();
    await reachPassword();
    refuse('setPassword', 'Код истёк');
    type('password', 'seven-roads');
    type('confirmation', 'seven-roads');
    next();
    const refused = await waitFor(actor, (state) => state.matches({ password: 'typing' }));
    expect(refused.context).toMatchObject({ error: 'Код истёк', errorField: 'password', password: 'seven-roads' });
    refuse('setPassword', null);
    next();
    await waitFor(actor, (state) => state.matches('done'));
  });

  it('WAC-14 going back takes the words and the code with it', async () => {
    const { actor, type, next, reachCode, reachPassword } = dialog();
    await reachCode();
    type('code', '1');
    next();
    actor.send({ type: 'BACK' });
    expect(actor.getSnapshot().context).toMatchObject({ error: null, errorField: null });
    await reachPassword();
    type('password', 'short');
    next();
    actor.send({ type: 'BACK' });
    expect(actor.getSnapshot().context).toMatchObject({ error: null, errorField: null, code: '' });
  });

  it('WAC-15 nothing leads on, back or twice while an answer is under way', async () => {
    const { actor, asked, type, next } = dialog();
    type('key', key);
    next();
    next();
    actor.send({ type: 'BACK' });
    type('key', 'LICENSE-AAAA');
    expect(actor.getSnapshot().context.key).toBe(key);
    await waitFor(actor, (state) => state.matches({ code: 'typing' }));
    expect(asked).toEqual([key]);
    type('code', '409118');
    next();
    actor.send({ type: 'BACK' });
    actor.send({ type: 'RESEND' });
    await waitFor(actor, (state) => state.matches({ password: 'typing' }));
    expect(asked).toEqual([key]);
  });

  it('WAC-16 signs in from the last step: seats taken, the choice to end the oldest, and in', async () => {
    const { actor, entries, entered, next, reachDone } = dialog();
    await reachDone();
    actor.send({ type: 'END_OLDEST' });
    expect(actor.getSnapshot().matches({ done: 'shown' }), 'only where seats are taken').toBe(true);
    next();
    next();
    actor.send({ type: 'BACK' });
    expect(actor.getSnapshot().matches({ done: 'entering' })).toBe(true);
    const full = await waitFor(actor, (state) => state.matches({ done: 'crowded' }));
    expect(full.context).toMatchObject({ error: 'Слишком много сессий', errorField: null });
    actor.send({ type: 'END_OLDEST' });
    expect(actor.getSnapshot().context.error).toBeNull();
    const end = await waitFor(actor, (state) => state.matches('signedIn'));
    expect(end.status).toBe('done');
    expect([entries, entered]).toEqual([[false, true], [{ token: 'a.b.c', refreshToken: 'r' }]]);
  });

  it('WAC-17 a sign-in that fails leaves the code on the screen, with the words, and may be tried again', async () => {
    const { actor, entries, refuse, next, reachDone } = dialog();
    await reachDone();
    refuse('signIn', 'Нет ответа');
    next();
    const state = await waitFor(actor, (now) => now.matches({ done: 'shown' }));
    expect(state.context).toMatchObject({ error: 'Нет ответа', errorField: null, loginCode: 'K7QMX4ARTN9E' });
    next();
    expect(actor.getSnapshot().context.error).toBeNull();
    await waitFor(actor, (now) => now.matches({ done: 'shown' }));
    expect(entries).toEqual([false, false]);
  });
});
