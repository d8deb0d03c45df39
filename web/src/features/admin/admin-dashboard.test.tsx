import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { adminSecondFactorData } from '@zakup/contracts/calls/replies';
import { messages } from '@zakup/domain/messages';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { z } from 'zod';
import type { AdminSignInWire } from '@zakup/contracts/calls/replies';
import { licence } from '../../shared/testing/stage.tsx';
import { adminTokens } from './admin-api.tsx';
import { AdminDashboardPage } from './admin-dashboard-page.tsx';
import { type AdminHealth, healthLines, lagText, rebuildView } from './admin-health.ts';
import { eventsNote, lagFinding, lagHour } from './lag-hour.ts';
import { activityText } from './licence-labels.ts';

const noBackup = { last: null, ok: null, position: null, next: null, dir: null, problem: null, running: null };

const health = (over: Partial<AdminHealth> = {}): AdminHealth => ({
  services: [
    { name: 'command', ok: true, version: '1.2.0' },
    { name: 'projector', ok: false },
  ],
  projection: { position: 900, head: 938, lagEvents: 38, lagMilliseconds: 44 },
  sockets: 212,
  sealKeys: [{ fingerprint: 'ab12cd34ef56', since: '2026-02-03T09:00:00.000Z' }],
  events: 1_048_213,
  freeBytes: 61_000_000_000,
  rebuild: null,
  selfCheck: null,
  backup: noBackup,
  webhooks: { active: 0, failing: 0, waiting: 0 },
  imports: { running: 0, undoing: 0 },
  sealsRefused: [],
  seals: { last: null, refused: [], watching: false },
  alarms: [],
  parked: [],
  versions: {},
  ...over,
});

const checked = (differences: number) => ({
  at: '2026-11-21T09:00:00.000Z',
  licences: 3,
  documents: 21,
  differences,
  healed: differences,
  found: [],
});

const progress = { startedAt: '2026-11-21T09:00:00.000Z', events: 21_000, position: 5, head: 10 };

describe('what the health of the system says', () => {
  it('ADM-1 each service, the lag, the last self-check and each alarm have a line with a word', () => {
    const words = (given: AdminHealth) => healthLines(given).map(({ name, tone, state }) => [name, tone, state]);
    expect(words(health())).toEqual([
      ['Приём изменений', 'good', 'работает'],
      ['Сборка данных', 'bad', 'не отвечает'],
      ['Журнал событий', 'good', 'работает'],
      ['База чтения', 'good', 'работает'],
      ['Самопроверка', 'neutral', 'ещё не было'],
    ]);
    expect(words(health({ selfCheck: checked(2) })).at(-1)).toEqual([
      'Самопроверка',
      'bad',
      'расхождений: 2, исправлено 2',
    ]);
    expect(words(health({ sealsRefused: [{ licenceId: '3f1', number: 2, position: 7 }] })).at(-1)).toEqual([
      'Подпись истории',
      'bad',
      'остановлена',
    ]);
    const since = '2026-11-21T09:00:00.000Z';
    const alarms: AdminHealth['alarms'] = [
      { kind: 'clock', since, milliseconds: 3_600_000 },
      { kind: 'witness', since },
    ];
    expect(words(health({ alarms })).slice(-2)).toEqual([
      ['Часы сервера', 'bad', 'ушли вперёд на 60 мин'],
      ['Свидетель печатей', 'bad', 'не принимает'],
    ]);
    expect(lagText(health())).toBe('отстаёт на 38 событий');
    expect(lagText(health({ projection: { position: 2, head: 2, lagEvents: 0 } }))).toBe('не отстаёт');
    expect(lagText(health({ projection: { position: 1, head: 2, lagMilliseconds: 5 } }))).toBe('отстаёт');
    expect(lagText(health({ projection: { position: 1, head: 2 } }))).toBe('неизвестно');
  });

  it('ADM-3418 each part says what it did and measured, where that is known', () => {
    const lines = (given: Partial<AdminHealth>) =>
      healthLines(health(given)).map(({ name, note, figure, state }) => [name, note, figure, state]);
    const measured: AdminHealth['services'] = [
      { name: 'command', ok: true, changesPerMinute: 1_240, p99Milliseconds: 6, telegramBot: false },
      { name: 'projector', ok: true },
      { name: 'gateway', ok: true, connections: 212, p99Milliseconds: 11.4 },
    ];
    const late = { position: 900, head: 938, lagEvents: 38, lagMilliseconds: 64 };
    const storeBytes = { events: 412_000_000, readModels: 268_000_000 };
    expect(lines({ services: measured, storeBytes, projection: late }).slice(0, 6)).toEqual([
      ['Приём изменений', `1\u00a0240 в минуту`, 'p99 6 мс', 'работает'],
      ['Сборка данных', 'отстаёт на 38 событий', '64 мс', 'отстаёт'],
      ['Чтение и рассылка', '212 подключений', 'p99 11 мс', 'работает'],
      ['Журнал событий', `1\u00a0048\u00a0213 событий`, '412 МБ', 'работает'],
      ['База чтения', 'позиция 900 из 938', '268 МБ', 'работает'],
      ['Telegram-бот', 'не настроен', 'коды видны здесь', 'выключен'],
    ]);
    const bare: AdminHealth['services'] = [
      { name: 'command', ok: true },
      { name: 'gateway', ok: true },
    ];
    const none = lines({ services: bare, events: undefined }).slice(0, 4);
    expect(none).toEqual([
      ['Приём изменений', '', undefined, 'работает'],
      ['Чтение и рассылка', '212 подключений', undefined, 'работает'],
      ['Журнал событий', 'позиция 938', undefined, 'работает'],
      ['База чтения', 'позиция 900 из 938', undefined, 'работает'],
    ]);
    const bot = lines({ services: [{ name: 'command', ok: true, telegramBot: true }] });
    expect(bot).toContainEqual(['Telegram-бот', 'коды приходят владельцам', undefined, 'включён']);
  });

  it('ADM-3419 the last hour says the lag now, the worst one with its time, and what it is not yet long enough for', () => {
    const now = Date.UTC(2026, 10, 21, 11, 41, 30);
    const at = (ago: number): string => new Date(Date.UTC(2026, 10, 21, 11, 41) - ago * 60_000).toISOString();
    const hourOf = (lags: Readonly<Record<number, number>>, lagMilliseconds = 0) => {
      const ago = Object.keys(lags)
        .map(Number)
        .toSorted((a, b) => b - a);
      const minutes = ago.map((one) => ({ at: at(one), lagMilliseconds: lags[one] ?? 0 }));
      const lastHour = { since: at(ago[0] ?? 0), events: 8_412, minutes };
      return lagHour({ position: 1, head: 1, lagMilliseconds, lastHour }, now);
    };
    const whole = hourOf(Object.fromEntries(Array.from({ length: 60 }, (_, ago) => [ago, ago === 19 ? 58 : ago % 3])));
    expect(whole).toMatchObject({ lastMinute: 0, worst: { lag: 58 }, usual: 2, since: null });
    expect(whole?.points).toHaveLength(60);
    expect(whole && lagFinding(whole)).toBe(
      'За последнюю минуту 0 мс, худшее за час: 58 мс в 14:22. Порог предупреждения 50 мс.',
    );
    const fresh = hourOf({ 3: 0.44, 1: 12, 0: 44 });
    expect(fresh?.points.map(({ lag }) => lag)).toEqual([0.44, null, 12, 44]);
    expect(fresh).toMatchObject({ lastMinute: 44, usual: null });
    expect(fresh && lagFinding(fresh)).toBe(
      'За последнюю минуту 44 мс, худшее с 14:38: 44 мс в 14:41. Порог предупреждения 50 мс.',
    );
    const quiet = hourOf({ 1: 0, 0: 0 });
    expect(quiet && lagFinding(quiet)).toBe(
      'За последнюю минуту 0 мс, задержек не было с 14:40. Порог предупреждения 50 мс.',
    );
    // What is behind now has waited longer than anything before it.
    expect(hourOf({ 1: 3, 0: 4 }, 12_000)?.lastMinute).toBe(12_000);
    // Whoever projected is gone: what it was is not what is now.
    expect(hourOf({ 9: 30, 8: 40 })).toMatchObject({ lastMinute: 0, worst: { lag: 40 } });
    expect(lagHour({ position: 1, head: 1 }, now)).toBeNull();
    expect(eventsNote({ since: at(75), events: 8_412, minutes: [{ at: at(0), lagMilliseconds: 1 }] })).toBe(
      'в среднем 2,3 в секунду',
    );
    expect(eventsNote({ since: at(19), events: 12, minutes: [{ at: at(0), lagMilliseconds: 1 }] })).toBe('с 14:22');
  });

  it('ADM-3494 it is an hour too between the turn of a minute and when that is noted', () => {
    const now = Date.UTC(2026, 10, 21, 11, 41, 2);
    const sinceOf = (count: number): number | null | undefined => {
      const minutes = Array.from({ length: count }, (_, index) => ({
        at: new Date(Date.UTC(2026, 10, 21, 11, 41 - count + index)).toISOString(),
        lagMilliseconds: 1,
      }));
      const lastHour = { since: '2026-11-20T11:00:00.000Z', events: 0, minutes };
      return lagHour({ position: 1, head: 1, lastHour }, now)?.since;
    };
    expect([sinceOf(60), sinceOf(59)]).toEqual([null, null]);
    expect(sinceOf(58)).toBe(Date.UTC(2026, 10, 21, 10, 43));
  });

  it('ADM-3420 the activity of a licence is now, minutes or hours ago, a day, or none', () => {
    const now = Date.UTC(2026, 10, 21, 11, 41);
    const told = (ago: number): string =>
      activityText({ lastActiveAt: new Date(now - ago * 60_000).toISOString() }, now);
    expect([0, 4, 5, 59, 60, 150, 60 * 24, 60 * 24 * 10].map(told)).toEqual([
      'сейчас',
      'сейчас',
      '5 мин назад',
      '59 мин назад',
      '1 ч назад',
      '2 ч назад',
      '20 ноября',
      '11 ноября',
    ]);
    expect(activityText({ lastActiveAt: null }, now)).toBe('—');
  });

  it('ADM-2 a rebuild says how far it is, and another is offered only when none is under way', () => {
    const asked = { state: 'asked', askedAt: '2026-11-21T09:00:00.000Z' } as const;
    const running = { state: 'running', ...progress, percent: 40, secondsLeft: 90 } as const;
    const done = {
      state: 'done',
      ...progress,
      finishedAt: '2026-11-21T09:05:00.000Z',
      percent: 100,
      secondsLeft: null,
    } as const;
    expect([null, asked, running, done].map((rebuild) => rebuildView(health({ rebuild })))).toEqual([
      { text: 'Не запускалась.', percent: null, idle: true },
      { text: 'Запрошена 21 ноября, 12:00, сейчас начнётся.', percent: 0, idle: false },
      { text: `Идёт: 40 %, 21\u00a0000 событий, осталось около 2 мин.`, percent: 40, idle: false },
      { text: `Готово 21 ноября, 12:05: 21\u00a0000 событий.`, percent: null, idle: true },
    ]);
  });
});

/** Where the sign-in is shown, with what it is told. */
const SignIn = () => <p role="alert">{(useLocation().state as { notice?: string } | null)?.notice ?? 'Вход'}</p>;

describe('/admin/dashboard', () => {
  const sent: string[] = [];
  const inits: RequestInit[] = [];
  let idle = false;
  let ownerSecondFactor = false;
  let current = health();
  let secondFactor: z.infer<typeof adminSecondFactorData>;
  let signIns: readonly AdminSignInWire[] = [];
  beforeEach(() => {
    signIns = [];
    sent.length = 0;
    inits.length = 0;
    idle = false;
    ownerSecondFactor = false;
    current = health();
    secondFactor = { since: null, recoveryCodesLeft: 0, wanted: 'optional' };
    adminTokens.write({ token: 'a.b.c', refreshToken: null });
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
      sent.push(`${init.method ?? 'GET'} ${path}`);
      inits.push(init);
      if (idle) {
        const refusal = { success: false, error: messages.adminIdle, code: 'UNAUTHENTICATED', status: 401 };
        return Promise.resolve(
          new Response(JSON.stringify(refusal), {
            status: 401,
            headers: { 'content-type': 'application/problem+json' },
          }),
        );
      }
      const data = path.endsWith('/second-factor')
        ? secondFactor
        : path.endsWith('/licenses')
          ? { licenses: [{ ...licence, openSessions: 4, ownerSecondFactor }] }
          : path.endsWith('/sign-ins')
            ? { signIns }
            : current;
      return Promise.resolve(
        new Response(JSON.stringify({ success: true, data }), { headers: { 'content-type': 'application/json' } }),
      );
    });
    onTestFinished(() => {
      vi.unstubAllGlobals();
      adminTokens.clear();
    });
  });
  let client: QueryClient;
  const shown = () => {
    client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <QueryClientProvider client={client}>
        <MemoryRouter initialEntries={['/admin/dashboard']}>
          <Routes>
            <Route path="/admin" element={<SignIn />} />
            <Route path="*" element={<AdminDashboardPage />} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>,
    );
    return userEvent.setup();
  };

  it('ADM-3 shows lag, sockets, free space, licences that stand still by their team, and fingerprints to copy', async () => {
    current = health({ parked: [{ licenceId: licence.id, position: 7, reason: 'Неизвестное событие' }] });
    const user = shown();
    const parked = within(await screen.findByRole('list', { name: 'Остановленные лицензии' }));
    expect(parked.getByText('Вкус')).toBeTruthy();
    expect(parked.getByText('Неизвестное событие')).toBeTruthy();
    expect(screen.getByText('61 ГБ')).toBeTruthy();
    expect(screen.getByText('владелец отдельно').parentElement?.textContent).toBe('4 из 10владелец отдельно');
    await user.click(screen.getByRole('button', { name: 'Скопировать: отпечаток ab12cd34' }));
    expect(await navigator.clipboard.readText()).toBe('ab12cd34ef56');
  });

  it('ADM-3495 a slow minute is said as the last one, and nothing says that readers are behind who no longer are', async () => {
    const at = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    const lastHour = { since: at, events: 900, minutes: [{ at, lagMilliseconds: 12_000 }] };
    current = health({ projection: { position: 938, head: 938, lagEvents: 0, lagMilliseconds: 0, lastHour } });
    shown();
    const metric = (await screen.findByText('Отставание чтения')).closest('.z-metric');
    expect(metric?.textContent).toBe('Отставание чтения0 событий0 мс');
    expect(screen.getByText(/^За последнюю минуту 12 с, худшее с /u)).toBeTruthy();
    expect(screen.getByText('не отстаёт')).toBeTruthy();
  });

  it('ADM-3496 readers who are behind by more than they notice have the mark beside how long', async () => {
    current = health({ projection: { position: 900, head: 938, lagEvents: 38, lagMilliseconds: 64 } });
    shown();
    const metric = (await screen.findByText('Отставание чтения')).closest('.z-metric');
    expect(metric?.textContent).toBe('Отставание чтения38 событий◆ 64 мс');
  });

  it('ADM-3498 the table of the last hour says its unit once, in the heading, as its file does', async () => {
    const at = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString();
    const lastHour = { since: at, events: 1, minutes: [{ at, lagMilliseconds: 12_345.6 }] };
    current = health({ projection: { position: 938, head: 938, lastHour } });
    const user = shown();
    await user.click(await screen.findByRole('button', { name: 'Отставание чтения, последний час: таблица и файлы' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Показать таблицей' }));
    const table = within(await screen.findByRole('table', { name: 'Отставание чтения, последний час' }));
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Минута',
      'Отставание, мс',
    ]);
    expect(table.getAllByRole('cell')[1]?.textContent).toBe('12\u00a0346');
  });

  it('ADM-1556 shows the last sign-ins and refusals with time and network, the others on request', async () => {
    const entry = (minute: number, more: Partial<AdminSignInWire> = {}): AdminSignInWire => {
      const at = `2026-11-21T09:${String(minute).padStart(2, '0')}:00.000Z`;
      return { outcome: 'in', since: at, until: at, count: 1, network: '203.0.113.0/24', ...more };
    };
    const others = Array.from({ length: 9 }, (_, index) => entry(30 - index));
    signIns = [entry(40, { outcome: 'refused', count: 5, network: '' }), ...others];
    const user = shown();
    const list = within(await screen.findByRole('list', { name: 'Последние входы' }));
    const lines = () => list.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(lines().slice(0, 2)).toEqual([
      '21 ноября, 12:40сеть неизвестнаотказ, 5 попыток',
      '21 ноября, 12:30сеть 203.0.113.0/24вход',
    ]);
    expect(lines()).toHaveLength(8);
    await user.click(screen.getByRole('button', { name: 'Показать ещё: 2' }));
    expect(lines()).toHaveLength(10);
  });

  it('ADM-1000 the number of sessions of a new licence stays as it is typed', async () => {
    const user = shown();
    await user.click(await screen.findByRole('button', { name: 'Выдать лицензию' }));
    const field = await screen.findByLabelText<HTMLInputElement>('Одновременных сессий');
    for (const typed of ['1.5', '-3']) {
      await user.clear(field);
      await user.type(field, typed);
      expect(field.value).toBe(typed);
    }
  });

  it('ADM-1158 every empty field of a new licence says itself what is missing', async () => {
    const user = shown();
    await user.click(await screen.findByRole('button', { name: 'Выдать лицензию' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Выдать' }));
    const said = ['Введите название команды', 'Введите имя владельца', 'Введите почту владельца'];
    for (const text of [...said, 'Введите Telegram владельца']) expect(dialog.getByText(text)).toBeTruthy();
    expect(sent.filter((call) => call.startsWith('POST'))).toEqual([]);
  });

  it('ADM-4 a rebuild is asked for after a question', async () => {
    const user = shown();
    await user.click(await screen.findByRole('button', { name: 'Собрать заново' }));
    expect(sent.filter((call) => call.startsWith('POST'))).toEqual([]);
    current = health({ rebuild: { state: 'asked', askedAt: '2026-11-21T09:00:00.000Z' } });
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Собрать' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Собрать заново' })).toBeNull());
    expect(sent).toContain('POST /api/admin/rebuild');
  });

  it('BAK-2798 a backup is made at once, with how far it is and what came of it; the next one is told', async () => {
    const dir = '/mnt/backups';
    const next = '2026-11-22T03:00:00.000Z';
    const made = { ...noBackup, dir, next, last: '2026-11-21T03:00:00.000Z', ok: true, position: 900 };
    current = health({ backup: made });
    const user = shown();
    const lines = within(await screen.findByRole('list', { name: 'Резервные копии' }));
    const told = () => lines.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(told()).toEqual([
      'Последняя копия21 ноября, 06:00, до позиции 900сделана',
      'Следующая22 ноября, 06:00',
      'Папка/mnt/backups',
    ]);
    current = health({ backup: { ...made, running: { bytes: 12_000_000, of: 48_000_000 } } });
    await user.click(screen.getByRole('button', { name: 'Сделать копию сейчас' }));
    expect(await screen.findByText('Копирую: 12 МБ из 48 МБ')).toBeTruthy();
    expect(sent).toContain('POST /api/admin/backup');
    expect(screen.queryByRole('button', { name: 'Сделать копию сейчас' })).toBeNull();
    const problem = 'На диске нет места для файла events.db. Освободите место.';
    current = health({ backup: { ...made, ok: false, problem } });
    await client.invalidateQueries();
    expect((await screen.findByRole('alert')).textContent).toBe(problem);
    expect(told().slice(0, 2)).toEqual([
      'Последняя копия21 ноября, 06:00не сделана',
      'Прошлая целая копиядо позиции 900',
    ]);
    current = health();
    await client.invalidateQueries();
    expect(await screen.findByText(/задайте папку в BACKUP_DIR/u)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Сделать копию сейчас' })).toBeNull();
  });

  it('ADM-1570 an owner’s second factor is taken away after a question, where there is one', async () => {
    const user = shown();
    await screen.findByText('владелец отдельно');
    expect(screen.queryByRole('button', { name: 'Снять второй фактор: Вкус' })).toBeNull();
    ownerSecondFactor = true;
    await client.invalidateQueries();
    await user.click(await screen.findByRole('button', { name: 'Снять второй фактор: Вкус' }));
    const asked = within(await screen.findByRole('alertdialog'));
    expect(asked.getByText(/войти можно будет одним паролем/u)).toBeTruthy();
    expect(sent.filter((call) => call.startsWith('POST'))).toEqual([]);
    ownerSecondFactor = false;
    await user.click(asked.getByRole('button', { name: 'Снять' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Снять второй фактор: Вкус' })).toBeNull());
    expect(sent.filter((call) => call.startsWith('POST'))).toEqual([
      `POST /api/admin/licenses/${licence.id}/second-factor/reset`,
    ]);
  });

  it('ADM-1458 signing out ends the session on the server too, at once and with the token that it had', async () => {
    const user = shown();
    await screen.findByRole('heading', { name: 'Лицензии' });
    await user.click(screen.getByRole('button', { name: 'Выйти' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Вход');
    expect(adminTokens.read()).toBeNull();
    const out = sent.indexOf('POST /api/admin/logout');
    expect(inits[out]).toMatchObject({ headers: { authorization: 'Bearer a.b.c' }, keepalive: true });
  });

  it('ADM-1459 a session that ended because nobody used it leads to the sign-in, which says so', async () => {
    idle = true;
    shown();
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Сеанс закончился: полчаса без действий. Войдите снова.',
    );
    expect(adminTokens.read()).toBeNull();
  });

  it('ADM-1460 what the page asks by itself is told as such once nobody has acted on it for a minute', async () => {
    const unattended = (): readonly boolean[] => inits.map(({ headers }) => new Headers(headers).has('X-Unattended'));
    const user = shown();
    await screen.findByRole('heading', { name: 'Лицензии' });
    expect(unattended()).not.toContain(true);
    const soon = Date.now() + 61_000;
    vi.spyOn(Date, 'now').mockReturnValue(soon);
    inits.length = 0;
    await act(() => client.refetchQueries());
    expect(unattended()).toEqual([true, true, true, true]);
    inits.length = 0;
    await user.click(screen.getByRole('searchbox', { name: 'Найти лицензию' }));
    await act(() => client.refetchQueries());
    expect(unattended()).toEqual([false, false, false, false]);
    vi.restoreAllMocks();
  });

  it('ADM-1477 where other machines reach the server and a password alone guards it, a banner says so and leads to the set-up', async () => {
    secondFactor = { since: null, recoveryCodesLeft: 0, wanted: 'asked' };
    const user = shown();
    const banner = await screen.findByRole('region', { name: 'Второй фактор не включён' });
    expect(banner.textContent).toContain('доступен с других компьютеров');
    await user.click(within(banner).getByRole('button', { name: 'Включить второй фактор' }));
    const dialog = await screen.findByRole('dialog', { name: 'Второй фактор администратора' });
    expect(within(dialog).getByRole('button', { name: 'Включить второй фактор' })).toBeTruthy();
    secondFactor = { ...secondFactor, since: '2026-11-21T09:00:00.000Z', recoveryCodesLeft: 10 };
    await act(() => client.refetchQueries());
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Второй фактор не включён' })).toBeNull());
    expect(dialog.textContent).toContain('Осталось резервных кодов: 10');
  });

  it('ADM-1478 on loopback nothing asks for a second factor', async () => {
    shown();
    await screen.findByRole('heading', { name: 'Лицензии' });
    await waitFor(() => expect(sent).toContain('GET /api/admin/second-factor'));
    await act(() => client.refetchQueries());
    expect(screen.queryByRole('region', { name: 'Второй фактор не включён' })).toBeNull();
  });
});
