import { describe, expect, it } from 'vitest';
import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { messages } from '@zakup/domain/messages';
import { ApiProblem, type ApiProblemParts } from '../../shared/api/api-problem.ts';
import type { SignIn } from '../../shared/session/session-context.tsx';
import type { AskedStep, Credentials } from './login-calls.ts';
import { loginMachine } from './login.machine.ts';

const signedIn: SignIn = {
  kind: 'employee',
  pair: { token: 'a.b.c', refreshToken: 'r' },
  passwordChangeRequired: false,
};
const refusal = (parts: Partial<ApiProblemParts>): ApiProblem =>
  new ApiProblem({ code: 'UNAUTHENTICATED', status: 401, message: 'Неверно', ...parts });

const door = () => {
  const clock = new SimulatedClock();
  const asked: Credentials[] = [];
  const focused: string[] = [];
  const entered: SignIn[] = [];
  let answer: () => Promise<SignIn | AskedStep> = () => Promise.resolve(signedIn);
  const actor = createActor(
    loginMachine.provide({
      actors: {
        signIn: fromPromise<SignIn | AskedStep, Credentials>(({ input }) => {
          asked.push(input);
          return answer();
        }),
      },
      actions: {
        enter: (_args, params) => entered.push(params.signIn),
      },
    }),
    { clock, input: { now: () => clock.now() } },
  );
  actor.on('focus', ({ field }) => focused.push(field));
  actor.start();
  const type = (field: 'code' | 'password', value: string): void => actor.send({ type: 'TYPE', field, value });
  const filled = (): void => {
    type('code', 'K7QMX4ARTN9E');
    type('password', 'secret12');
  };
  /** Submits what is entered and waits until the answer has led somewhere. */
  const submitted = async (next: () => Promise<SignIn | AskedStep>) => {
    answer = next;
    actor.send({ type: 'SUBMIT' });
    expect(actor.getSnapshot().matches('submitting')).toBe(true);
    return waitFor(actor, (state) => !state.matches('submitting'));
  };
  const state = () => actor.getSnapshot();
  return { actor, clock, asked, focused, entered, type, filled, submitted, state };
};

describe('login machine', () => {
  it('LGM-1 begins clean on the employee’s tab', () => {
    const { state } = door();
    expect(state().matches({ entering: 'clean' })).toBe(true);
    expect(state().context).toMatchObject({ realm: 'employee', error: null, codeAlone: false });
  });

  it('LGM-2 forces a code to upper case and twelve characters, each tab its own; a password stays as typed', () => {
    const { actor, type, state } = door();
    type('code', 'k7qmx4artn9e-more');
    type('password', ' Secret ');
    actor.send({ type: 'TURN', realm: 'owner' });
    type('code', 'owner');
    expect(state().context.codes).toEqual({ employee: 'K7QMX4ARTN9E', owner: 'OWNER' });
    expect(state().context.password).toBe(' Secret ');
  });

  it('LGM-3 asks nobody before both fields are filled, and leads to the first empty one', () => {
    const { actor, asked, focused, type, state } = door();
    type('code', '   ');
    actor.send({ type: 'SUBMIT' });
    expect(state().matches({ entering: 'incomplete' })).toBe(true);
    expect(state().context.error).toBe(messages.fieldsRequired);
    type('code', 'ABC');
    actor.send({ type: 'SUBMIT' });
    expect(state().matches({ entering: 'incomplete' })).toBe(true);
    expect(focused).toEqual(['code', 'password']);
    expect(asked).toEqual([]);
  });

  it('LGM-4 an employee signs in: the code without blanks, the answer handed over, and the machine is done', async () => {
    const { asked, entered, type, submitted } = door();
    type('code', ' abc ');
    type('password', 'secret12');
    const end = await submitted(() => Promise.resolve(signedIn));
    expect(asked).toEqual([{ realm: 'employee', code: 'ABC', password: 'secret12', endOldest: false }]);
    expect(entered).toEqual([signedIn]);
    expect([end.value, end.status]).toEqual(['signedIn', 'done']);
  });

  it('LGM-5 a one-time password signs in as such: its change is asked by who keeps the session', async () => {
    const { entered, filled, submitted } = door();
    filled();
    await submitted(() => Promise.resolve({ ...signedIn, passwordChangeRequired: true }));
    expect(entered[0]?.passwordChangeRequired).toBe(true);
  });

  it('LGM-6 refused: the server’s words, else those of the tab, and back into the password', async () => {
    const { actor, focused, filled, type, submitted } = door();
    filled();
    const first = await submitted(() => Promise.reject(refusal({ message: 'Доступ закрыт' })));
    expect(first.matches({ entering: 'refused' })).toBe(true);
    expect(first.context.error).toBe('Доступ закрыт');
    const second = await submitted(() => Promise.reject(refusal({ message: '' })));
    expect(second.context.error).toBe(messages.wrongEmployeeLogin);
    actor.send({ type: 'TURN', realm: 'owner' });
    type('code', 'OWNER');
    const third = await submitted(() => Promise.reject(refusal({ message: '' })));
    expect(third.context.error).toBe(messages.wrongLogin);
    expect(focused).toEqual(['password', 'password', 'password']);
  });

  it('LGM-7 the words stay while the person types, go when they submit again or turn to the other tab', async () => {
    const { actor, asked, filled, type, submitted, state } = door();
    filled();
    await submitted(() => Promise.reject(refusal({})));
    type('password', 'secret13');
    expect(state().matches({ entering: 'refused' })).toBe(true);
    expect(state().context.error).toBe('Неверно');
    actor.send({ type: 'SUBMIT' });
    expect(state().context.error).toBeNull();
    expect(asked.at(-1)?.password).toBe('secret13');
    await waitFor(actor, (now) => now.matches({ entering: 'refused' }));
    actor.send({ type: 'TURN', realm: 'owner' });
    expect(state().matches({ entering: 'clean' })).toBe(true);
    expect(state().context.error).toBeNull();
  });

  it('LGM-8 no answer is a lost connection, and the next try may lead in', async () => {
    const { filled, submitted } = door();
    filled();
    const lost = await submitted(() => Promise.reject(refusal({ code: 'NETWORK', status: 0 })));
    expect(lost.matches({ entering: 'unreachable' })).toBe(true);
    expect(lost.context.error).toBe(messages.connectionFailed);
    const end = await submitted(() => Promise.resolve(signedIn));
    expect(end.matches('signedIn')).toBe(true);
  });

  it('LGM-9 all seats taken: only there may the oldest session be ended, and only by that choice', async () => {
    const { actor, asked, filled, submitted, state } = door();
    filled();
    actor.send({ type: 'END_OLDEST' });
    expect(state().matches({ entering: 'clean' })).toBe(true);
    const crowded = () =>
      Promise.reject(refusal({ code: 'SESSION_LIMIT', status: 409, message: messages.sessionLimit }));
    const full = await submitted(crowded);
    expect(full.matches({ entering: 'crowded' })).toBe(true);
    expect(full.context.error).toBe(messages.sessionLimit);
    await submitted(crowded);
    actor.send({ type: 'END_OLDEST' });
    expect(state().matches('submitting')).toBe(true);
    expect(asked.map(({ endOldest }) => endOldest)).toEqual([false, false, true]);
    await waitFor(actor, (now) => now.matches({ entering: 'crowded' }));
    await submitted(() => Promise.resolve(signedIn));
    expect(asked.at(-1)?.endOldest, 'the choice was for one try').toBe(false);
  });

  it('LGM-10 a choice with an emptied password is incomplete, and leaving the tab takes the choice back', async () => {
    const { actor, filled, type, submitted, state } = door();
    const full = () => Promise.reject(refusal({ code: 'SESSION_LIMIT', status: 409 }));
    filled();
    await submitted(full);
    type('password', '');
    actor.send({ type: 'END_OLDEST' });
    expect(state().matches({ entering: 'incomplete' })).toBe(true);
    filled();
    await submitted(full);
    actor.send({ type: 'TURN', realm: 'owner' });
    actor.send({ type: 'END_OLDEST' });
    expect(state().matches({ entering: 'clean' })).toBe(true);
  });

  it('LGM-11 too many tries are counted down second by second, then the words go', async () => {
    const { clock, filled, submitted, state } = door();
    filled();
    const words = 'Слишком много попыток. Повторите через 30 с';
    const waiting = await submitted(() =>
      Promise.reject(refusal({ code: 'RATE_LIMITED', status: 429, message: words, retryAfterSeconds: 30 })),
    );
    expect(waiting.matches({ entering: 'waiting' })).toBe(true);
    const left = (): number => (state().context.retryAt - state().context.shownAt) / 1_000;
    expect(left()).toBe(30);
    for (let passed = 1; passed < 30; passed += 1) {
      clock.increment(1_000);
      expect(left()).toBe(30 - passed);
      expect(state().context.error).toBe(words);
    }
    clock.increment(1_000);
    expect(state().matches({ entering: 'clean' })).toBe(true);
    expect(state().context.error).toBeNull();
  });

  it('LGM-12 while it counts one may type and try: the server alone judges, and says anew how long', async () => {
    const { clock, type, filled, submitted, state } = door();
    const limited = (retryAfterSeconds: number) => () =>
      Promise.reject(refusal({ code: 'RATE_LIMITED', status: 429, retryAfterSeconds }));
    filled();
    await submitted(limited(30));
    clock.increment(1_000);
    type('password', 'secret13');
    expect(state().context.shownAt).toBe(1_000);
    await submitted(limited(60));
    expect(state().context.retryAt).toBe(61_000);
    const end = await submitted(() => Promise.resolve(signedIn));
    expect(end.matches('signedIn')).toBe(true);
  });

  it('LGM-13 too many tries without a time are a refusal like another', async () => {
    const { filled, submitted } = door();
    filled();
    const end = await submitted(() => Promise.reject(refusal({ code: 'RATE_LIMITED', status: 429 })));
    expect(end.matches({ entering: 'refused' })).toBe(true);
  });

  it('LGM-14 by the code alone: no password asked or sent, the words of that way, back into the code', async () => {
    const { actor, asked, focused, type, submitted, state } = door();
    actor.send({ type: 'CHANGE_WAY' });
    actor.send({ type: 'SUBMIT' });
    expect(state().matches({ entering: 'incomplete' })).toBe(true);
    type('code', 'ABC');
    const end = await submitted(() => Promise.reject(refusal({ message: '' })));
    expect(asked).toEqual([{ realm: 'employee', code: 'ABC', password: null, endOldest: false }]);
    expect(end.context.error).toBe(messages.loginFailed);
    expect(focused).toEqual(['code', 'code']);
    actor.send({ type: 'CHANGE_WAY' });
    expect(state().matches({ entering: 'clean' })).toBe(true);
    actor.send({ type: 'SUBMIT' });
    expect(focused.at(-1), 'with a password again').toBe('password');
  });

  it('LGM-15 the owner always needs a password, also after an employee chose the code alone', () => {
    const { actor, focused, type, state } = door();
    actor.send({ type: 'CHANGE_WAY' });
    actor.send({ type: 'TURN', realm: 'owner' });
    type('code', 'OWNER');
    actor.send({ type: 'SUBMIT' });
    expect(state().matches({ entering: 'incomplete' })).toBe(true);
    expect(focused).toEqual(['password']);
  });

  it('LGM-16 the code of an activation opens the owner’s tab with it, and waits for the password', () => {
    const { actor, focused, filled, state } = door();
    filled();
    actor.send({ type: 'USE_CODE', loginCode: 'OWNERCODE234' });
    expect(state().context).toMatchObject({
      realm: 'owner',
      codes: { employee: 'K7QMX4ARTN9E', owner: 'OWNERCODE234' },
      password: '',
    });
    expect(focused).toEqual(['password']);
  });

  it('LGM-17 nothing is typed, turned or sent twice while the answer is under way', async () => {
    const { actor, asked, filled, type, submitted, state } = door();
    filled();
    const end = submitted(() => Promise.resolve(signedIn));
    type('password', 'other');
    actor.send({ type: 'TURN', realm: 'owner' });
    actor.send({ type: 'CHANGE_WAY' });
    actor.send({ type: 'SUBMIT' });
    expect(state().context).toMatchObject({ realm: 'employee', password: 'secret12', codeAlone: false });
    await end;
    expect(asked).toHaveLength(1);
  });
});
