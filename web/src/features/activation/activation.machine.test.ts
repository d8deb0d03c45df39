import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { activationMachine, maskedKey } from './activation.machine.ts';

const texts = {
  badKey: 'Неверный формат лицензионного ключа',
  badCode: 'Неверный код активации',
  shortPassword: 'Пароль должен содержать минимум 8 символов',
  differentPasswords: 'Пароли не совпадают',
};
const key = 'LICENSE-AAAA-BBBB-CCCC-7Q4K';

const dialog = () => {
  const clock = new SimulatedClock();
  const asked: string[] = [];
  const actor = createActor(
    activationMachine.provide({
      actors: {
        requestCode: fromPromise<undefined, { readonly key: string }>(async ({ input }) => {
          asked.push(input.key);
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
        >(async () => ({ loginCode: 'K7QMX4ARTN9E' })),
      },
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
  return { actor, clock, asked, type, next, reachCode, reachPassword };
};

describe('activation', () => {
  it('WAC-1 leads from key to login code', async () => {
    const { actor, type, next, reachPassword } = dialog();
    await reachPassword();
    type('password', 'password1');
    type('confirmation', 'password1');
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
    type('password', 'password1');
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
});
