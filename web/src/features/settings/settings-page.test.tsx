import { act, screen, waitFor, within } from '@testing-library/react';
import type { CampaignWire, ChannelWire, SessionWire, UserWire } from '@zakup/contracts/wire-entities';
import { channelInUseBy, messages } from '@zakup/domain/messages';
import { describe, expect, it } from 'vitest';
import { toastStore } from '../../shared/toasts/toasts.ts';
import { SlotOutlet, SlotProvider } from '../../shared/ui/slots.tsx';
import { SettingsPage } from './settings-page.tsx';
import { type Answer, type Call, licence, person, stage } from '../../shared/testing/stage.tsx';

const stamp = { revision: 3, createdAt: '2026-11-01T09:00:00.000Z', updatedAt: '2026-11-01T09:00:00.000Z' };
const channel: ChannelWire = { ...stamp, id: 'ch1', name: 'Кухня за 15 минут', avatar: null };
const renamed: ChannelWire = { ...channel, name: 'Кухня', avatar: '🍲', revision: 5 };
const campaign: CampaignWire = {
  ...stamp,
  id: 'ca1',
  name: 'Ноябрь | Подписчики',
  channelId: 'ch1',
  totalBudget: 1000,
  budget: 1000,
  status: 'ACTIVE',
  startDate: '2026-11-01',
  endDate: '2026-11-30',
  participants: [{ userId: 'u1', budget: 800, salaryType: null, salaryRate: null, cplThreshold: 55 }],
};
const user = (id: string, name: string): UserWire => ({ id, revision: 0, name, role: 'MEDIA_BUYER', isActive: true });
const ilya = person('u1', {
  revision: 4,
  name: 'Илья Кравцов',
  email: 'kravtsov@vkus.media',
  role: 'MEDIA_BUYER',
  authCode: 'QWERTYUI7WQE',
  salaryType: 'performance',
  salaryRate: 12,
  performanceThreshold: 100,
});

const open = (
  tab: string,
  serve: (call: Call) => Answer = () => 'no answer',
  sessions: readonly SessionWire[] | null = null,
) => {
  /** What was asked, apart from when people were last here, where they are signed in, their second factors, and the seats. */
  const calls: Call[] = [];
  const staged = stage({
    element: (
      <SlotProvider>
        <SettingsPage />
        <SlotOutlet name="status-left" className="z-status-left" />
      </SlotProvider>
    ),
    address: `/settings?tab=${tab}`,
    // Only the owner is shown where others are signed in.
    ...(sessions !== null && { me: person('me', { role: 'CEO', isOwner: true }) }),
    serve: (call) => {
      if (call.path === '/api/users/activity') return { data: { people: [] } };
      if (call.path === '/api/license') return { data: { license: licence, openSessions: 6 } };
      if (call.method === 'GET' && call.path.endsWith('/second-factor')) return { data: { since: null } };
      if (call.method === 'GET' && call.path === '/api/users/u1/sessions') return { data: { sessions } };
      calls.push(call);
      return serve(call);
    },
    docs: {
      workspace: [
        ['license', licence],
        ['channel', channel],
        ['campaign', campaign],
        ['user', user('u1', 'Илья Кравцов')],
        ['user', user('u2', 'Мария Белова')],
        ['person', person('me')],
        ['person', ilya],
      ],
    },
  });
  return { ...staged, calls };
};
const said = (): readonly string[] => toastStore.read().shown.map(({ text }) => text);
const focused = (): string | null =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id ?? null;

describe('settings', () => {
  it('ST-1 the open tab stands in the address, and there is no tab without a screen', async () => {
    const { user: hand } = open('employees');
    expect(await screen.findByRole('tab', { name: 'Сотрудники', selected: true })).toBeDefined();
    expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual([
      'Каналы',
      'Кампании',
      'Сотрудники',
      'Лицензия и сессии',
      'Импорт/экспорт',
      'Параметры',
    ]);
    await hand.click(screen.getByRole('tab', { name: 'Каналы' }));
    expect(await screen.findByText('Кухня за 15 минут')).toBeDefined();
  });

  it('ST-3083 the list of people says how many sessions are taken', async () => {
    open('employees');
    const status = (): string | undefined => document.querySelector('.z-status-left')?.textContent;
    await waitFor(() => expect(status()).toBe('Людей 2, с доступом 2, сессии 6 из 10'));
  });

  it('KEY-2898 the secret of a new key stays when its tab is left, until it is put away', async () => {
    const key = { id: 'k1', name: 'Отчёты', access: 'read', prefix: 'zk_A', createdAt: stamp.createdAt };
    const made = { key: { ...key, expiresAt: null, lastUsedAt: null }, secret: 'zk_Abc' };
    const { user: hand } = open('keys', ({ method }) => ({ data: method === 'POST' ? made : { keys: [] } }), []);
    await hand.click(await screen.findByRole('button', { name: 'Создать ключ' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.type(dialog.getByLabelText('Название'), 'Отчёты');
    await hand.click(dialog.getByRole('button', { name: 'Создать ключ' }));
    expect((await screen.findByTestId('key-secret')).textContent).toBe('zk_Abc');
    await hand.click(screen.getByRole('tab', { name: 'Каналы' }));
    expect(screen.queryByTestId('key-secret')).toBeNull();
    await hand.click(screen.getByRole('tab', { name: 'Ключи' }));
    await hand.click(await screen.findByRole('button', { name: 'Убрать с экрана' }));
    expect(screen.queryByTestId('key-secret')).toBeNull();
  });

  it('ST-2 a new employee: errors in order with the keyboard in the first, then code and password once', async () => {
    const created = {
      user: person('u9', { name: 'Роман Гусев' }),
      authCode: 'NEWCODE2H5AV',
      temporaryPassword: 'tundra-9-kivi-48',
    };
    const { user: hand, calls } = open('employees', () => ({ data: created }));
    await hand.click(await screen.findByRole('button', { name: 'Добавить сотрудника' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.click(dialog.getByRole('button', { name: 'Добавить' }));
    expect(dialog.getByText(messages.userNameInvalid)).toBeDefined();
    expect(dialog.getByText(messages.emailInvalid)).toBeDefined();
    expect(document.activeElement).toBe(dialog.getByLabelText('Имя'));
    await hand.type(dialog.getByLabelText('Имя'), 'Роман Гусев');
    await hand.click(dialog.getByRole('button', { name: 'Добавить' }));
    expect(document.activeElement).toBe(dialog.getByLabelText('Почта'));
    expect(calls).toHaveLength(0);
    await hand.type(dialog.getByLabelText('Почта'), 'gusev@vkus.media');
    await hand.selectOptions(dialog.getByLabelText('Схема'), 'budget');
    await hand.type(dialog.getByLabelText('Ставка, %'), '9,5');
    await hand.click(dialog.getByRole('button', { name: 'Добавить' }));

    expect((await screen.findByTestId('issued-password')).textContent).toBe('tundra-9-kivi-48');
    expect(said(), 'the card with code and password says it').toEqual([]);
    expect(screen.getByTestId('issued-auth-code').textContent).toBe('NEWCODE2H5AV');
    expect(screen.getByText(/Показан один раз, действует до/u)).toBeDefined();
    expect(calls[0]).toMatchObject({
      method: 'POST',
      path: '/api/employees/create',
      body: {
        name: 'Роман Гусев',
        email: 'gusev@vkus.media',
        role: 'MEDIA_BUYER',
        salaryType: 'budget',
        salaryRate: 9.5,
      },
    });
    expect(calls[0]?.commandId).toMatch(/^[\da-f-]{36}$/u);
    await hand.click(screen.getByRole('button', { name: 'Убрать с экрана' }));
    expect(screen.queryByText('tundra-9-kivi-48')).toBeNull();
    await hand.click(screen.getByRole('tab', { name: 'Каналы' }));
    await hand.click(screen.getByRole('tab', { name: 'Сотрудники' }));
    expect(screen.queryByText('tundra-9-kivi-48')).toBeNull();
  });

  it('ST-3 an e-mail in use is said at the e-mail', async () => {
    const { user: hand } = open('employees', () => ({ problem: { code: 'DUPLICATE', message: messages.emailTaken } }));
    await hand.click(await screen.findByRole('button', { name: 'Добавить сотрудника' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.type(dialog.getByLabelText('Имя'), 'Роман Гусев');
    await hand.type(dialog.getByLabelText('Почта'), 'kravtsov@vkus.media');
    await hand.click(dialog.getByRole('button', { name: 'Добавить' }));
    expect(await dialog.findByText(messages.emailTaken)).toBeDefined();
    expect(document.activeElement).toBe(dialog.getByLabelText('Почта'));
  });

  it('ST-4 an unanswered save goes again under the same command id', async () => {
    let answer: Answer = 'no answer';
    const { user: hand, calls } = open('channels', () => answer);
    await hand.click(await screen.findByRole('button', { name: 'Изменить: Кухня за 15 минут' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.clear(dialog.getByLabelText('Название'));
    await hand.type(dialog.getByLabelText('Название'), 'Кухня');
    await hand.click(dialog.getByRole('button', { name: 'Сохранить' }));
    expect((await dialog.findByRole('alert')).textContent).toContain(messages.connectionFailed);
    answer = { data: { channel: { ...channel, name: 'Кухня', revision: 4 } } };
    await hand.click(dialog.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.map(({ body }) => body)).toEqual([
      { name: 'Кухня', baseRevision: 3 },
      { name: 'Кухня', baseRevision: 3 },
    ]);
    expect(calls[0]?.commandId).toBe(calls[1]?.commandId);
  });

  it('ST-5 a conflict names the other and the value; mine goes again on the newer revision, and only mine', async () => {
    let answer: Answer = {
      problem: {
        code: 'CONFLICT',
        message: messages.conflict,
        revision: 5,
        conflicts: [
          {
            field: 'name',
            base: 'Кухня за 15 минут',
            theirs: 'Кухня',
            mine: 'Кухонька',
            by: { userId: 'u1', name: 'Анна' },
            at: '2026-11-21T11:00:00.000Z',
          },
        ],
      },
    };
    const { user: hand, calls, bring } = open('channels', () => answer);
    await hand.click(await screen.findByRole('button', { name: 'Изменить: Кухня за 15 минут' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.clear(dialog.getByLabelText('Название'));
    await hand.type(dialog.getByLabelText('Название'), 'Кухонька');
    await hand.click(dialog.getByRole('button', { name: 'Сохранить' }));
    const notice = await dialog.findByRole('alert');
    expect(notice.textContent).toContain('Данные изменились');
    expect(notice.textContent).toContain('Анна, 21 ноября, 14:00: Кухня (было Кухня за 15 минут), у вас: Кухонька');
    const mine = dialog.getByRole<HTMLButtonElement>('button', { name: 'Оставить моё' });
    expect(mine.disabled).toBe(true);
    act(() => bring('workspace', [['channel', renamed]]));
    expect(mine.disabled).toBe(false);
    answer = { data: { channel: { ...channel, name: 'Кухонька', revision: 6 } } };
    await hand.click(mine);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls.at(-1)?.body).toEqual({ name: 'Кухонька', baseRevision: 5 });
  });

  it('ST-6 taking the new value drops mine and keeps the form open', async () => {
    const answer: Answer = {
      problem: {
        code: 'CONFLICT',
        message: messages.conflict,
        revision: 5,
        conflicts: [
          {
            field: 'name',
            base: '',
            theirs: 'Кухня',
            mine: 'Моя',
            by: { userId: 'u1', name: 'Анна' },
            at: '2026-11-21T11:00:00.000Z',
          },
        ],
      },
    };
    const { user: hand, bring } = open('channels', () => answer);
    await hand.click(await screen.findByRole('button', { name: 'Изменить: Кухня за 15 минут' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.clear(dialog.getByLabelText('Название'));
    await hand.type(dialog.getByLabelText('Название'), 'Моя');
    await hand.click(dialog.getByRole('button', { name: 'Сохранить' }));
    await dialog.findByRole('alert');
    act(() => bring('workspace', [['channel', renamed]]));
    await hand.click(dialog.getByRole('button', { name: 'Взять новое' }));
    expect(dialog.getByLabelText<HTMLInputElement>('Название').value).toBe('Кухня');
    expect(dialog.queryByRole('alert')).toBeNull();
  });

  it('ST-7 a channel with campaigns stays, and the refusal names them', async () => {
    const text = channelInUseBy(['Ноябрь']);
    const { user: hand, calls } = open('channels', () => ({ problem: { code: 'CONFLICT', message: text } }));
    await hand.click(await screen.findByRole('button', { name: 'Удалить: Кухня за 15 минут' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await hand.click(dialog.getByRole('button', { name: 'Удалить' }));
    expect((await dialog.findByRole('alert')).textContent).toContain(text);
    expect(calls[0]).toMatchObject({ method: 'DELETE', path: '/api/channels/ch1?baseRevision=3' });
  });

  it('ST-8 a new campaign is active in the form; its errors come in order of the fields', async () => {
    const { user: hand } = open('campaigns');
    await hand.click(await screen.findByRole('button', { name: 'Создать кампанию' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText<HTMLSelectElement>('Статус').value).toBe('ACTIVE');
    await hand.click(dialog.getByRole('button', { name: 'Создать' }));
    expect([...document.querySelectorAll('.z-field-error')].map((one) => one.textContent)).toEqual([
      messages.nameInvalid,
      messages.channelRequired,
    ]);
    expect(document.activeElement).toBe(dialog.getByLabelText('Название'));
  });

  it("ST-9 participants' budgets above the whole are a warning; those not touched go as they were", async () => {
    const { user: hand, calls } = open('campaigns');
    await hand.click(await screen.findByRole('button', { name: 'Изменить: Ноябрь - Подписчики' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.selectOptions(dialog.getByLabelText('Добавить участника'), 'u2');
    await hand.type(dialog.getByLabelText('Бюджет, ₽: Мария Белова'), '300,5');
    expect(dialog.getByText(/Бюджеты участников больше общего на 100,50/u)).toBeDefined();
    await hand.selectOptions(dialog.getByLabelText('Схема: Мария Белова'), 'performance');
    await hand.type(dialog.getByLabelText('Ставка, %: Мария Белова'), '200');
    await hand.click(dialog.getByRole('button', { name: 'Сохранить' }));
    expect(dialog.getByText(messages.rateInvalid)).toBeDefined();
    expect(focused()).toBe('Ставка, %: Мария Белова');
    await hand.clear(dialog.getByLabelText('Ставка, %: Мария Белова'));
    await hand.type(dialog.getByLabelText('Ставка, %: Мария Белова'), '10');
    await hand.click(dialog.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]?.body).toEqual({
      baseRevision: 3,
      participants: [
        campaign.participants[0],
        { userId: 'u2', budget: 300.5, salaryType: 'performance', salaryRate: 10, cplThreshold: null },
      ],
    });
  });

  it('ST-13 a campaign takes days as ДД.ММ.ГГГГ, refuses what is none, and is said to be there', async () => {
    const { user: hand, calls } = open('campaigns', () => ({ data: { campaign } }));
    await hand.click(await screen.findByRole('button', { name: 'Создать кампанию' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.type(dialog.getByLabelText('Название'), 'Декабрь');
    await hand.selectOptions(dialog.getByLabelText('Канал'), 'ch1');
    await hand.type(dialog.getByLabelText('Начало'), '1.12.2026');
    await hand.type(dialog.getByLabelText('Конец'), '32.12.2026');
    await hand.click(dialog.getByRole('button', { name: 'Создать' }));
    expect(dialog.getByText(messages.dateInvalid)).toBeDefined();
    expect(document.activeElement).toBe(dialog.getByLabelText('Конец'));
    await hand.clear(dialog.getByLabelText('Конец'));
    await hand.type(dialog.getByLabelText('Конец'), '31.12.2026');
    await hand.click(dialog.getByRole('button', { name: 'Создать' }));
    await waitFor(() => expect(toastStore.announced()?.text).toBe('Кампания создана'));
    expect(said()).toEqual([]);
    expect(calls.map(({ body }) => body)).toEqual([
      expect.objectContaining({ startDate: '2026-12-01', endDate: '2026-12-31' }),
    ]);
  });

  it('ST-10 the first right changed names all of them, and only changed members are sent', async () => {
    const { user: hand, calls } = open('employees', () => ({ data: { user: { ...ilya, revision: 5 } } }));
    await hand.click(await screen.findByRole('button', { name: 'Илья Кравцов' }));
    const card = within(await screen.findByRole('dialog'));
    expect(card.getByLabelText<HTMLInputElement>('Дашборд').checked).toBe(true);
    await hand.click(card.getByLabelText('Контрагенты'));
    expect(card.getByText('по роли, изменено: 1')).toBeDefined();
    await hand.click(card.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]?.body).toEqual({
      baseRevision: 4,
      permissions: {
        dashboard: true,
        analytics: true,
        contractors: true,
        creatives: false,
        settings: false,
        campaigns: false,
        reports: false,
        capabilities: false,
      },
    });
  });

  it('ST-11 a new temporary password is asked for, shown once, and gone with the card', async () => {
    const { user: hand, calls } = open('employees', () => ({
      data: { user: ilya, temporaryPassword: 'kedr-7-limon-15' },
    }));
    await hand.click(await screen.findByRole('button', { name: 'Илья Кравцов' }));
    await hand.click(await screen.findByRole('button', { name: 'Новый временный пароль' }));
    await hand.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Выдать' }));
    expect((await screen.findAllByTestId('issued-password'))[0]?.textContent).toBe('kedr-7-limon-15');
    expect(calls[0]?.path).toBe('/api/users/u1/temporary-password');
  });

  it('ST-1540 an address with a person opens their card', async () => {
    open('employees&person=u1');
    const card = within(await screen.findByRole('dialog', { name: 'Сотрудник' }));
    expect(card.getByRole('heading', { name: 'Илья Кравцов' })).toBeDefined();
  });

  it('PPL-1181 the card of a person shows the owner where they are signed in, and ends one or all', async () => {
    const at = (hour: number) => `2026-11-21T${String(hour)}:00:00.000Z`;
    const session = (id: string, userAgent: string): SessionWire => ({
      id,
      createdAt: at(10),
      lastSeenAt: at(11),
      expiresAt: at(12),
      userAgent,
      current: false,
    });
    const two = [session('s1', 'Chrome Windows'), session('s2', 'Safari iPhone')];
    const { user: hand, calls } = open('employees', () => ({ data: { ended: 1 } }), two);
    await hand.click(await screen.findByRole('button', { name: 'Илья Кравцов' }));
    const list = within(await screen.findByRole('region', { name: 'Сессии' }));
    expect((await list.findAllByRole('listitem')).map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining('Chrome, Windows'),
      expect.stringContaining('Safari, iPhone'),
    ]);
    await hand.click(list.getByRole('button', { name: /^Завершить: Safari, iPhone/u }));
    await waitFor(() => expect(calls).toHaveLength(1));
    await waitFor(() =>
      expect(list.getByRole<HTMLButtonElement>('button', { name: 'Завершить все' }).disabled).toBe(false),
    );
    await hand.click(list.getByRole('button', { name: 'Завершить все' }));
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'DELETE /api/users/u1/sessions/s2',
      'DELETE /api/users/u1/sessions',
    ]);
  });

  it('ST-32 what opens the door to one person stays on the screen when another one is added, and goes when it is put away', async () => {
    const made = ['Роман Гусев', 'Олег Жук'].map((name, index) => ({
      user: person(`n${index}`, { name }),
      authCode: `NEWCODE2H5A${index + 2}`,
      temporaryPassword: `tundra-9-kivi-4${index}`,
    }));
    const { user: hand, calls } = open('employees', () => ({ data: made[calls.length - 1] }));
    for (const { user: added } of made) {
      await hand.click(await screen.findByRole('button', { name: 'Добавить сотрудника' }));
      const dialog = within(await screen.findByRole('dialog'));
      await hand.type(dialog.getByLabelText('Имя'), added.name);
      await hand.type(dialog.getByLabelText('Почта'), `${added.id}@vkus.media`);
      await hand.click(dialog.getByRole('button', { name: 'Добавить' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    }
    const shown = () => screen.queryAllByTestId('issued-password').map(({ textContent }) => textContent);
    expect(shown()).toEqual(['tundra-9-kivi-41', 'tundra-9-kivi-40']);
    await hand.click(screen.getAllByRole('button', { name: 'Убрать с экрана' })[0] as HTMLElement);
    expect(shown()).toEqual(['tundra-9-kivi-40']);
  });

  it('ST-33 a one-time password stays when its tab is left, until it is put away, and all of it is copied at once', async () => {
    const made = {
      user: person('n1', { name: 'Роман Гусев' }),
      authCode: 'NEWCODE2H5A2',
      temporaryPassword: 'tundra-9',
    };
    const { user: hand } = open('employees', () => ({ data: made }));
    await hand.click(await screen.findByRole('button', { name: 'Добавить сотрудника' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.type(dialog.getByLabelText('Имя'), made.user.name);
    await hand.type(dialog.getByLabelText('Почта'), 'n1@vkus.media');
    await hand.click(dialog.getByRole('button', { name: 'Добавить' }));
    await screen.findByTestId('issued-password');
    await hand.click(screen.getByRole('tab', { name: 'Каналы' }));
    expect(screen.queryByTestId('issued-password')).toBeNull();
    await hand.click(screen.getByRole('tab', { name: 'Сотрудники' }));
    expect((await screen.findByTestId('issued-password')).textContent).toBe('tundra-9');
    await hand.click(screen.getByRole('button', { name: 'Скопировать всё: Роман Гусев' }));
    expect(await navigator.clipboard.readText()).toBe(
      `Вход: ${window.location.origin}/\nКод доступа: NEWCODE2H5A2\nВременный пароль: tundra-9`,
    );
    const kept = [localStorage, sessionStorage].flatMap((storage) =>
      Array.from({ length: storage.length }, (_, at) => storage.getItem(storage.key(at) ?? '') ?? ''),
    );
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.join(' ')).not.toContain('tundra-9');
    await hand.click(screen.getByRole('button', { name: 'Убрать с экрана' }));
    await hand.click(screen.getByRole('tab', { name: 'Каналы' }));
    await hand.click(screen.getByRole('tab', { name: 'Сотрудники' }));
    expect(screen.queryByTestId('issued-password')).toBeNull();
  });

  it('ST-1000 what is typed as a sum stays as it is typed, and is not saved where it is none; two cells are never one', async () => {
    const { user: hand, calls } = open('parameters', () => ({ data: { license: licence } }));
    const field = await screen.findByLabelText<HTMLInputElement>('Цена лида, ₽');
    for (const typed of ['-300', '5к', '12аб']) {
      await hand.clear(field);
      await hand.type(field, typed);
      expect(field.value).toBe(typed);
      await hand.click(screen.getByRole('button', { name: 'Сохранить' }));
      expect(field.getAttribute('aria-invalid')).toBe('true');
    }
    await hand.clear(field);
    await hand.paste('5400\n64');
    expect(field.value).toBe('');
    expect(screen.getByText(/^Скопировано несколько ячеек/u)).toBeDefined();
    expect(calls).toEqual([]);
  });

  it("ST-1001 a participant's budget, rate and threshold stay as they are typed, and take no two cells for one", async () => {
    const { user: hand, calls } = open('campaigns');
    await hand.click(await screen.findByRole('button', { name: 'Изменить: Ноябрь - Подписчики' }));
    const dialog = within(await screen.findByRole('dialog'));
    await hand.selectOptions(dialog.getByLabelText('Добавить участника'), 'u2');
    await hand.selectOptions(dialog.getByLabelText('Схема: Мария Белова'), 'performance');
    for (const label of ['Бюджет, ₽', 'Ставка, %', 'Порог CPL, ₽']) {
      const field = dialog.getByLabelText<HTMLInputElement>(`${label}: Мария Белова`);
      await hand.click(field);
      await hand.paste('7\n5');
      expect([label, field.value]).toEqual([label, '']);
      expect(dialog.getByText(/^Скопировано несколько ячеек/u)).toBeDefined();
      await hand.type(field, '-300');
      expect([label, field.value]).toEqual([label, '-300']);
    }
    await hand.click(dialog.getByRole('button', { name: 'Сохранить' }));
    expect(focused()).toBe('Бюджет, ₽: Мария Белова');
    expect(calls).toEqual([]);
  });

  it('ST-12 the switches of the licence send what changed', async () => {
    const { user: hand, calls } = open('parameters', () => ({ data: { license: licence } }));
    await hand.click(await screen.findByLabelText(/Заработок коллег виден всем/u));
    await hand.clear(screen.getByLabelText('Цена лида, ₽'));
    await hand.type(screen.getByLabelText('Цена лида, ₽'), '120');
    await hand.click(screen.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(calls).toHaveLength(1));
    expect(calls[0]).toMatchObject({
      method: 'PUT',
      path: '/api/license/settings',
      body: { earningsVisible: false, leadValue: 120, baseRevision: 0 },
    });
    expect(await screen.findByText('Параметры сохранены')).toBeDefined();
    expect(said()).toEqual([]);
    await hand.click(screen.getByLabelText(/Заработок коллег виден всем/u));
    expect(screen.queryByText('Параметры сохранены')).toBeNull();
  });

  it('ST-1570 «Второй фактор для всех»: a refusal stands at the switch, and only the owner has it open', async () => {
    const text = messages.secondFactorForAllOwnFirst;
    const errors = [{ pointer: '/secondFactorForAll', detail: text }];
    const problem = { code: 'VALIDATION_FAILED', message: text, errors } as const;
    const { user: hand, calls } = open('parameters', () => ({ problem }), []);
    const field = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Второй фактор для всех/u });
    expect(field.checked).toBe(false);
    await hand.click(field);
    await hand.click(screen.getByRole('button', { name: 'Сохранить' }));
    expect(await screen.findByText(text)).toBeDefined();
    expect([field.getAttribute('aria-invalid'), field.checked]).toEqual(['true', true]);
    expect(calls[0]?.body).toEqual({ secondFactorForAll: true, baseRevision: 0 });
  });

  it('PW-1508 «Пароли, заданные другим» is off at first, and saved by itself', async () => {
    const { user: hand, calls } = open('parameters', () => ({ problem: { code: 'INTERNAL', message: 'Нет' } }));
    const field = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Пароли, заданные другим/u });
    expect([field.checked, field.disabled]).toEqual([false, false]);
    await hand.click(field);
    await hand.click(screen.getByRole('button', { name: 'Сохранить' }));
    await waitFor(() => expect(calls[0]?.body).toEqual({ changeGivenPasswords: true, baseRevision: 0 }));
  });

  it('ST-1571 «Второй фактор для всех» is closed to whoever does not own the licence', async () => {
    open('parameters');
    const field = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Второй фактор для всех/u });
    expect(field.disabled).toBe(true);
  });
});
