import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { apiClient } from '../../shared/api/api-client.ts';
import { ApiProvider } from '../../shared/api/api-context.tsx';
import { tokenStore } from '../../shared/api/tokens.ts';
import { SessionProvider } from '../../shared/session/session-context.tsx';
import { LoginPage } from './login-page.tsx';

const json = (status: number, body: object): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
const refusal = (code: string, error: string, status = 401): Response =>
  json(status, { success: false, code, error, instance: 'x', sessions: [] });
const now = (): number => Date.now();

const page = (answer: (path: string, body: unknown) => Response | Promise<Response>) => {
  const tokens = tokenStore(localStorage);
  const api = apiClient({
    tokens,
    now,
    fetch: async (path, init) => answer(path, JSON.parse(init.body as string)),
  });
  const state = { signedIn: 0 };
  render(
    <MemoryRouter>
      <ApiProvider value={api}>
        <SessionProvider tokens={tokens} storage={localStorage} now={now}>
          <LoginPage
            activation={() => null}
            notice={null}
            onSignedIn={() => {
              state.signedIn += 1;
            }}
          />
        </SessionProvider>
      </ApiProvider>
    </MemoryRouter>,
  );
  return { state, user: userEvent.setup(), tokens };
};
const code = () => screen.getByLabelText<HTMLInputElement>(/^Код (доступа|входа)$/u);
const password = () => screen.getByLabelText<HTMLInputElement>('Пароль');
const submit = () => screen.getByRole('button', { name: 'Войти' });

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal('__APP_VERSION__', 'test');
  vi.stubGlobal('fetch', async () => new Response('', { status: 200 }));
});

describe('login page', () => {
  it('LP-1 asks for both fields and sends nothing', async () => {
    const sent: string[] = [];
    const { user } = page((path) => {
      sent.push(path);
      return refusal('UNAUTHENTICATED', 'нет');
    });
    await user.type(code(), 'abc');
    await user.click(submit());
    expect(screen.getByRole('alert').textContent).toBe('Пожалуйста, заполните все поля');
    expect(sent).toEqual([]);
    expect(document.activeElement).toBe(password());
  });

  it('LP-2 takes twelve upper-case characters and signs in by the employee call', async () => {
    const seen: unknown[] = [];
    const { user, state, tokens } = page((path, body) => {
      seen.push([path, body]);
      return path === '/api/auth/employee-login'
        ? json(200, { success: true, data: { token: 'a.b.c', refreshToken: 'r', user: {} } })
        : refusal('INTERNAL', 'x', 500);
    });
    await user.type(code(), 'k7qmx4artn9e-more');
    await user.type(password(), 'secret12');
    await user.click(submit());
    expect(seen[0]).toEqual(['/api/auth/employee-login', { authCode: 'K7QMX4ARTN9E', password: 'secret12' }]);
    expect(state.signedIn).toBe(1);
    expect(tokens.read()).toEqual({ token: 'a.b.c', refreshToken: 'r' });
  });

  it('LP-3 while it waits the button says so and the fields are closed', async () => {
    let answer: (response: Response) => void = () => undefined;
    const { user } = page(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    await user.type(code(), 'A');
    await user.type(password(), 'B');
    await user.click(submit());
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Вход...' }).disabled).toBe(true);
    expect(code().disabled && password().disabled).toBe(true);
    answer(refusal('UNAUTHENTICATED', 'Неверный логин или пароль'));
    await screen.findByText('Неверный логин или пароль');
    expect(password().disabled).toBe(false);
  });

  it('LP-9 ties a refusal to the fields that it is about', async () => {
    let answer = refusal('UNAUTHENTICATED', 'Неверный логин или пароль');
    const { user } = page(() => answer);
    const described = (field: HTMLElement): string =>
      (field.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent ?? '')
        .join('');
    const both = () => [code(), password()].map((field) => [field.getAttribute('aria-invalid'), described(field)]);
    const whole = [null, ''];

    await user.type(code(), 'A');
    expect(both()).toEqual([whole, whole]);
    await user.click(submit());
    expect(both()).toEqual([whole, ['true', 'Пожалуйста, заполните все поля']]);
    await user.type(password(), 'B');
    await user.click(submit());
    await screen.findByText('Неверный логин или пароль');
    expect(both()).toEqual([
      ['true', 'Неверный логин или пароль'],
      ['true', 'Неверный логин или пароль'],
    ]);
    answer = refusal('INTERNAL', 'Сбой', 500);
    await user.click(submit());
    await screen.findByText('Сбой');
    expect(both()).toEqual([whole, whole]);
  });

  it('LP-4 shows the server text first, else the words of the tab', async () => {
    let body = refusal('RATE_LIMITED', 'Слишком много попыток. Повторите через 30 с', 429);
    const { user } = page(() => body);
    await user.type(code(), 'A');
    await user.type(password(), 'B');
    await user.click(submit());
    await screen.findByText('Слишком много попыток. Повторите через 30 с');
    body = new Response('oops', { status: 500 });
    await user.click(submit());
    expect(await screen.findByText('Неверный код доступа, пароль или доступ деактивирован')).toBeDefined();
  });

  it('LP-8 too many tries: the sentence is read out once as the server said it, its seconds count down for the eye', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
    try {
      const words = (seconds: number): string => `Слишком много попыток. Повторите через ${seconds} с`;
      const limited = refusal('RATE_LIMITED', words(30), 429);
      limited.headers.set('retry-after', '30');
      page(() => limited);
      fireEvent.change(code(), { target: { value: 'A' } });
      fireEvent.change(password(), { target: { value: 'B' } });
      fireEvent.click(submit());
      await act(() => vi.advanceTimersByTimeAsync(0));
      const shown = () => screen.getByRole('alert').querySelector('[aria-hidden="true"]:not(svg, .bp6-icon)');
      expect(shown()?.textContent).toBe(words(30));
      await act(() => vi.advanceTimersByTimeAsync(2_000));
      expect(shown()?.textContent).toBe(words(28));
      expect(screen.getByRole('alert').querySelector('.z-visually-hidden')?.textContent).toBe(words(30));
      await act(() => vi.advanceTimersByTimeAsync(28_000));
      expect(screen.getByRole('alert').textContent).toBe('');
    } finally {
      vi.useRealTimers();
    }
  });

  it('LP-5 no answer reads as a lost connection', async () => {
    const { user } = page(() => Promise.reject(new TypeError('fetch failed')));
    await user.type(code(), 'A');
    await user.type(password(), 'B');
    await user.click(submit());
    expect(await screen.findByText('Ошибка соединения с сервером')).toBeDefined();
  });

  it('LP-6 all seats taken: the choice ends the oldest and signs the owner in', async () => {
    const seen: unknown[] = [];
    const { user, state } = page((_path, body) => {
      seen.push(body);
      return (body as { endOldest?: boolean }).endOldest
        ? json(200, { success: true, data: { token: 'a.b.c', refreshToken: 'r', license: {} } })
        : refusal('SESSION_LIMIT', 'Открыто слишком много сессий', 409);
    });
    await user.click(screen.getByRole('tab', { name: 'Владелец (CEO)' }));
    await user.type(code(), 'OWNERCODE234');
    await user.type(password(), 'secret12');
    await user.click(submit());
    await user.click(await screen.findByRole('button', { name: 'Завершить самую старую' }));
    expect(seen.at(1)).toEqual({ loginCode: 'OWNERCODE234', password: 'secret12', endOldest: true });
    expect(state.signedIn).toBe(1);
  });

  it('SHL-17 an owner is not signed in by a reply without a licence, and told so', async () => {
    const { user, state } = page(() => json(200, { success: true, data: { token: 'a.b.c', refreshToken: 'r' } }));
    await user.click(screen.getByRole('tab', { name: 'Владелец (CEO)' }));
    await user.type(code(), 'OWNERCODE234');
    await user.type(password(), 'secret12');
    await user.click(submit());
    expect(await screen.findByText('Отсутствуют данные лицензии в ответе сервера')).toBeDefined();
    expect(state.signedIn).toBe(0);
  });

  it('LP-1470 where a second factor is asked for: a missing and a wrong code are said, a full house is cleared by the same code', async () => {
    const seen: unknown[] = [];
    let answer = json(200, { success: true, data: { secondFactorRequired: true, token: 'step', expiresAt: 'x' } });
    const { user, state, tokens } = page((path, body) => {
      if (path !== '/health/ready') seen.push([path, body]);
      return answer;
    });
    await user.type(code(), 'K7QMX4ARTN9E');
    await user.type(password(), 'secret12');
    await user.click(submit());
    const second = await screen.findByLabelText('Код из приложения');
    expect(screen.queryByLabelText('Пароль')).toBeNull();
    expect([document.activeElement, tokens.read()]).toEqual([second, null]);
    await user.click(submit());
    expect(screen.getByRole('alert').textContent).toBe('Введите код');
    answer = refusal('VALIDATION_FAILED', 'Код не подошёл', 422);
    await user.type(second, '123456');
    await user.click(submit());
    await screen.findByText('Код не подошёл');
    expect(second.getAttribute('aria-invalid')).toBe('true');
    answer = refusal('SESSION_LIMIT', 'Открыто слишком много сессий', 409);
    await user.click(submit());
    const oldest = await screen.findByRole('button', { name: 'Завершить самую старую' });
    answer = json(200, { success: true, data: { token: 'a.b.c', refreshToken: 'r', user: {} } });
    await user.click(oldest);
    expect(seen.at(-1)).toEqual(['/api/auth/second-factor', { code: '123456', endOldest: true }]);
    expect([state.signedIn, tokens.read()]).toEqual([1, { token: 'a.b.c', refreshToken: 'r' }]);
  });

  it('LP-1471 when the time for the second secret is over, or by «Назад», the first one is asked for again', async () => {
    const asked = { success: true, data: { secondFactorRequired: true, token: 'step', expiresAt: 'x' } };
    let over = false;
    const { user } = page(() => (over ? refusal('UNAUTHENTICATED', 'Время вышло') : json(200, asked)));
    await user.type(code(), 'K7QMX4ARTN9E');
    await user.type(password(), 'secret12');
    await user.click(submit());
    await user.click(await screen.findByRole('button', { name: 'Назад' }));
    expect([code().value, screen.getByRole('alert').textContent]).toEqual(['K7QMX4ARTN9E', '']);
    await user.click(submit());
    await user.type(await screen.findByLabelText('Код из приложения'), '123456');
    over = true;
    await user.click(submit());
    await screen.findByText('Время вышло');
    expect(password().getAttribute('aria-invalid')).toBeNull();
  });

  it('LP-1570 where the team needs a second factor it is set up at the door: the key, a code, recovery codes, and then in', async () => {
    const seen: unknown[] = [];
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
    const recoveryCodes = Array.from({ length: 10 }, (_, index) => `AAAA${index}-BBBBB`);
    const answers: Record<string, object> = {
      '/api/auth/employee-login': { secondFactorSetUpRequired: true, token: 'step', expiresAt: 'x' },
      '/api/auth/second-factor/set-up': { secret, url: `otpauth://totp/Zakup:A?secret=${secret}` },
      '/api/auth/second-factor/set-up/confirm': { recoveryCodes },
      '/api/auth/second-factor': { token: 'a.b.c', refreshToken: 'r', user: {} },
    };
    let refused: Response | null = null;
    const { user, state, tokens } = page((path, body) => {
      if (path !== '/health/ready') seen.push([path, body]);
      return refused ?? json(200, { success: true, data: answers[path] });
    });
    await user.type(code(), 'K7QMX4ARTN9E');
    await user.type(password(), 'secret12');
    await user.click(submit());
    await user.click(await screen.findByRole('button', { name: 'Настроить второй фактор' }));
    const field = await screen.findByLabelText('Код из приложения');
    expect(screen.getByTestId('second-factor-key').textContent).toBe(secret.replaceAll(/(.{4})(?=.)/gu, '$1 '));
    await user.click(screen.getByRole('button', { name: 'Включить' }));
    expect(screen.getByRole('alert').textContent).toBe('Введите код');
    refused = refusal('VALIDATION_FAILED', 'Код не подошёл', 422);
    await user.type(field, '123456');
    await user.click(screen.getByRole('button', { name: 'Включить' }));
    await screen.findByText('Код не подошёл');
    refused = null;
    await user.click(screen.getByRole('button', { name: 'Включить' }));
    const shown = await screen.findByRole('list', { name: 'Резервные коды' });
    expect([shown.textContent, tokens.read()]).toEqual([recoveryCodes.join(''), null]);
    refused = refusal('SESSION_LIMIT', 'Открыто слишком много сессий', 409);
    await user.click(screen.getByRole('button', { name: 'Коды сохранены' }));
    const oldest = await screen.findByRole('button', { name: 'Завершить самую старую' });
    refused = null;
    await user.click(oldest);
    expect(seen.at(-1)).toEqual(['/api/auth/second-factor', { code: '123456', endOldest: true }]);
    expect([state.signedIn, tokens.read()]).toEqual([1, { token: 'a.b.c', refreshToken: 'r' }]);
  });

  it('SCR-1644 the set-up begins with the keyboard on what leads on, not on «Назад»', async () => {
    const asked = { success: true, data: { secondFactorSetUpRequired: true, token: 'step', expiresAt: 'x' } };
    const { user } = page(() => json(200, asked));
    await user.type(code(), 'K7QMX4ARTN9E');
    await user.type(password(), 'secret12');
    await user.click(submit());
    const next = await screen.findByRole('button', { name: 'Настроить второй фактор' });
    expect(document.activeElement).toBe(next);
  });

  it('LP-1571 when the time for setting it up is over, the first secret is asked for again', async () => {
    const asked = { success: true, data: { secondFactorSetUpRequired: true, token: 'step', expiresAt: 'x' } };
    let over = false;
    const { user } = page(() => (over ? refusal('UNAUTHENTICATED', 'Время вышло') : json(200, asked)));
    await user.type(code(), 'K7QMX4ARTN9E');
    await user.type(password(), 'secret12');
    await user.click(submit());
    over = true;
    await user.click(await screen.findByRole('button', { name: 'Настроить второй фактор' }));
    await screen.findByText('Время вышло');
    expect(code().value).toBe('K7QMX4ARTN9E');
  });

  it('LP-7 shows and hides the password', async () => {
    const { user } = page(() => refusal('UNAUTHENTICATED', 'нет'));
    await user.click(screen.getByRole('button', { name: 'Показать пароль' }));
    expect(password().type).toBe('text');
    await user.click(screen.getByRole('button', { name: 'Скрыть пароль' }));
    expect(password().type).toBe('password');
  });

  it('WLO-26 an employee signs in by the code alone; the server’s text comes first, else «Ошибка авторизации»', async () => {
    const seen: unknown[] = [];
    let answer = refusal('ACCESS_DENIED', 'Вход только по коду включает владелец лицензии', 403);
    const { user, state } = page((path, body) => {
      seen.push([path, body]);
      return answer;
    });
    await user.click(screen.getByRole('button', { name: 'Войти только по коду' }));
    expect(screen.queryByLabelText('Пароль')).toBeNull();
    await user.click(submit());
    expect(screen.getByRole('alert').textContent).toBe('Пожалуйста, заполните все поля');
    await user.type(code(), 'K7QMX4ARTN9E');
    await user.click(submit());
    await screen.findByText('Вход только по коду включает владелец лицензии');
    answer = new Response('oops', { status: 500 });
    await user.click(submit());
    await screen.findByText('Ошибка авторизации');
    answer = json(200, { success: true, data: { token: 'a.b.c', refreshToken: 'r', user: {} } });
    await user.click(submit());
    expect(seen.at(-1)).toEqual(['/api/auth/login-code', { authCode: 'K7QMX4ARTN9E' }]);
    expect(state.signedIn).toBe(1);
  });

  it('WLO-27 the owner always needs a password, and an employee finds theirs again', async () => {
    const { user } = page(() => refusal('UNAUTHENTICATED', 'нет'));
    await user.click(screen.getByRole('button', { name: 'Войти только по коду' }));
    await user.click(screen.getByRole('tab', { name: 'Владелец (CEO)' }));
    expect(password()).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Войти с паролем' })).toBeNull();
    await user.click(screen.getByRole('tab', { name: 'Сотрудник' }));
    await user.click(screen.getByRole('button', { name: 'Войти с паролем' }));
    expect(password()).toBeDefined();
  });
});
