import { screen, waitFor, within } from '@testing-library/react';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { closeLicence } from '../../shared/licence/licence-opener.ts';
import { type Answer, type Call, licence, person, stage, stageNow } from '../../shared/testing/stage.tsx';
import { LicenceBanner, licenceNotice } from './licence-banner.tsx';
import { LicenceAdminPage } from './licence-admin-page.tsx';
import { LicenceHost } from './licence-host.tsx';
// Loaded before it is asked for: a test is about what it does, not about how fast it comes.
import './licence-modal.tsx';

const whole = 'LICENSE-AAAA-BBBB-CCCC-7Q4K';
const owner = person('owner', { role: 'CEO', isOwner: true, name: 'Виктор Лапин', email: '@v_lapin' });
const inDays = (days: number): string => new Date(stageNow + days * 86_400_000).toISOString();
const told = (over: Partial<LicenseWire> = {}) => ({
  data: { license: { ...licence, ...over, revision: 1 }, openSessions: 3 },
});
const serving =
  (over: Partial<LicenseWire> = {}) =>
  ({ path }: Call): Answer =>
    path.includes('reveal=true') ? told({ ...over, licenseKey: whole }) : told(over);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: stageNow });
  onTestFinished(() => {
    vi.useRealTimers();
    closeLicence();
  });
});

const opened = async (over: Partial<LicenseWire> = {}, me = owner, serve = serving(over)) => {
  const set = stage({ element: <LicenceHost />, me, licenceOver: over, serve });
  await set.user.click(await screen.findByRole('button', { name: 'Лицензия' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Лицензия' }));
  return { ...set, dialog };
};

describe('the licence modal', () => {
  it('LICM-1 shows everything of the licence, the copy of this browser first, then as the server says', async () => {
    const { dialog } = await opened({}, owner, () => 'no answer');
    expect(dialog.getByText('Активна')).toBeTruthy();
    expect(dialog.getByText('LICENSE-••••-••••-••••-7Q4K')).toBeTruthy();
    expect(dialog.getByText('Виктор Лапин, @v_lapin')).toBeTruthy();
    expect(dialog.getByText('lapin@vkus.media')).toBeTruthy();
    expect(dialog.getByText('21 ноября 2027 (остался год)')).toBeTruthy();
    expect(dialog.getByText('не больше 10, владелец отдельно')).toBeTruthy();
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Аналитика',
      'Кампании',
      'Контрагенты',
      'Креативы',
      'Размещения',
      'Отчёты и журнал',
      'Настройки',
    ]);
    expect(await dialog.findByText(/Показано то, что сохранил этот браузер/u)).toBeTruthy();
  });

  it('LICM-2 what the server says takes its place and is kept for the next time', async () => {
    const { dialog } = await opened({}, owner, () => told({ maxConcurrentSessions: 25, ownerEmail: 'new@vkus.media' }));
    expect(await dialog.findByText('3 из 25, владелец отдельно')).toBeTruthy();
    expect(dialog.getByText('new@vkus.media')).toBeTruthy();
    expect(localStorage.getItem('licenseInfo')).toContain('new@vkus.media');
  });

  it('LICM-3 the owner shows and hides the key, and its copy is confirmed for 2 seconds', async () => {
    const { user, dialog, calls } = await opened();
    await user.click(dialog.getByRole('button', { name: 'Показать ключ' }));
    expect(await dialog.findByText(whole)).toBeTruthy();
    expect(calls.some(({ path }) => path === '/api/license?reveal=true')).toBe(true);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: stageNow, shouldAdvanceTime: true });
    await user.click(dialog.getByRole('button', { name: 'Скопировать: лицензионный ключ' }));
    expect(await dialog.findByText('Скопировано')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(whole);
    await vi.advanceTimersByTimeAsync(1_900);
    expect(dialog.getByText('Скопировано')).toBeTruthy();
    await vi.advanceTimersByTimeAsync(200);
    await waitFor(() => expect(dialog.queryByText('Скопировано')).toBeNull());
    vi.useRealTimers();
    await user.click(dialog.getByRole('button', { name: 'Скрыть ключ' }));
    expect(dialog.queryByText(whole)).toBeNull();
  });

  it('LICM-4 nobody else is offered the key, a renewal or the closing', async () => {
    const { dialog } = await opened({ expiresAt: inDays(5) }, person('me', { role: 'CEO' }));
    await dialog.findByText('3 из 10, владелец отдельно');
    expect(dialog.getByText('Виктор Лапин')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: 'Показать ключ' })).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Продлить' })).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Закрыть лицензию' })).toBeNull();
  });

  it.each([
    [30, true],
    [31, false],
  ])('LICM-5 %i days before the end: the owner is offered a renewal: %s', async (days, offered) => {
    const { dialog } = await opened({ expiresAt: inDays(days) });
    await dialog.findByText('3 из 10, владелец отдельно');
    expect(dialog.queryByRole('button', { name: 'Продлить' }) !== null).toBe(offered);
  });

  it('LICM-6 a renewal is asked for once, and then says when', async () => {
    let asked = false;
    const over = { expiresAt: inDays(3) };
    const { user, dialog, calls } = await opened(over, owner, ({ path }) => {
      if (path === '/api/license/renewal-request') asked = true;
      return told({ ...over, renewalRequestedAt: asked ? '2026-11-21T11:02:00.000Z' : null });
    });
    await user.click(dialog.getByRole('button', { name: 'Продлить' }));
    expect(await dialog.findByText('Продление запрошено 21 ноября, 14:02')).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'POST')).toMatchObject([
      { path: '/api/license/renewal-request', commandId: expect.any(String) },
    ]);
  });

  it('LICM-7 a grace period says since when and until when', async () => {
    const { dialog } = await opened({
      status: 'grace_period',
      expiresAt: inDays(-2),
      gracePeriodExpiresAt: inDays(5),
    });
    expect(dialog.getByText(/Срок лицензии закончился 19 ноября 2026.*до 26 ноября 2026/u)).toBeTruthy();
    expect(dialog.getByText('до 26 ноября 2026 (осталось 5 дней)')).toBeTruthy();
  });

  it('LICM-8 the owner closes only after typing the word, with a reason if they like, and may take it back', async () => {
    let closesAt: string | null = null;
    const { user, dialog, calls } = await opened({}, owner, ({ path }) => {
      if (path === '/api/license/close') closesAt = inDays(7);
      if (path === '/api/license/close/cancel') closesAt = null;
      return told({ closesAt });
    });
    await user.click(dialog.getByRole('button', { name: 'Закрыть лицензию' }));
    const asking = within(await screen.findByRole('dialog', { name: 'Закрыть лицензию?' }));
    const sends = () => calls.filter(({ method }) => method === 'POST');
    await user.type(asking.getByLabelText('Введите слово ЗАКРЫТЬ'), 'закрыт');
    await user.click(asking.getByRole('button', { name: 'Закрыть лицензию' }));
    expect(asking.getByText('Введите слово ЗАКРЫТЬ', { selector: 'p' })).toBeTruthy();
    expect(sends()).toEqual([]);
    await user.type(asking.getByLabelText('Введите слово ЗАКРЫТЬ'), 'ь');
    await user.type(asking.getByLabelText('Причина, если хотите её назвать'), 'Переезжаем');
    await user.click(asking.getByRole('button', { name: 'Закрыть лицензию' }));
    expect(await dialog.findByText(/доступ закончится 28 ноября 2026/u)).toBeTruthy();
    expect(sends()).toMatchObject([{ path: '/api/license/close', body: { reason: 'Переезжаем' } }]);
    await user.click(dialog.getByRole('button', { name: 'Оставить открытой' }));
    await waitFor(() => expect(dialog.queryByText(/доступ закончится/u)).toBeNull());
    expect(sends().at(-1)?.path).toBe('/api/license/close/cancel');
  });
});

describe('the banner of the licence', () => {
  const over = (state: Partial<LicenseWire>) => ({ ...licence, ...state });
  it('LICM-9 every state that is not simply in force has its sentence, for the owner and for others', () => {
    const states = {
      grace: over({ status: 'grace_period', expiresAt: inDays(-1), gracePeriodExpiresAt: inDays(6) }),
      expired: over({ status: 'expired', expiresAt: inDays(-9) }),
      suspended: over({ status: 'suspended' }),
      closing: over({ closesAt: inDays(3) }),
      closed: over({ status: 'expired', closesAt: inDays(-3) }),
    };
    const of = (isOwner: boolean) =>
      Object.values(states).map((state) => {
        const notice = licenceNotice(state, isOwner, stageNow);
        return `${notice?.locked === true ? 'L ' : ''}${notice?.text ?? ''}`;
      });
    expect(of(true)).toEqual([
      'Льготный период до 27 ноября 2026: срок лицензии закончился 20 ноября 2026. Потом останется только чтение.',
      'L Лицензия истекла 12 ноября 2026: только просмотр и выгрузка. Запросите продление.',
      'L Лицензия приостановлена: только просмотр и выгрузка. Сотрудники войти не могут. Напишите администратору площадки.',
      'Вы закрываете лицензию: доступ закончится 24 ноября 2026.',
      'L Вы закрыли лицензию 18 ноября 2026: только просмотр и выгрузка. Открыть её снова может администратор площадки.',
    ]);
    expect(of(false)).toEqual([
      'Льготный период до 27 ноября 2026: срок лицензии закончился 20 ноября 2026. Продлить её может владелец.',
      'L Лицензия истекла 12 ноября 2026: только просмотр и выгрузка. Продлить её может владелец.',
      'L Лицензия приостановлена: только просмотр. Подробности знает владелец.',
      'Владелец закрывает лицензию: доступ закончится 24 ноября 2026.',
      'L Владелец закрыл лицензию 18 ноября 2026: только просмотр.',
    ]);
    expect(licenceNotice(licence, true, stageNow)).toBeNull();
  });

  it('LICM-10 it comes and goes live, and offers the owner the way back', async () => {
    const { bring } = stage({
      element: <LicenceBanner />,
      me: owner,
      docs: { workspace: [['license', { ...licence, closesAt: inDays(3) } as LicenseWire]] },
    });
    expect(await screen.findByText(/Вы закрываете лицензию/u)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Оставить открытой' })).toBeTruthy();
    const open: LicenseWire = { ...licence, revision: 2 };
    bring('workspace', [['license', open]]);
    await waitFor(() => expect(screen.queryByRole('status')).toBeNull());
  });
});

describe('/license-admin', () => {
  it('LICM-11 shows the own licence, its seats and the own sessions', async () => {
    stage({
      element: <LicenceAdminPage />,
      me: owner,
      admin: true,
      docs: {
        workspace: [['user', { id: 'a', revision: 1, name: 'Анна', role: 'TEAM_LEAD', isActive: true } as never]],
      },
      serve: ({ path }) => (path === '/api/auth/sessions' ? { data: { sessions: [] } } : told()),
    });
    expect(await screen.findByText('3 из 10')).toBeTruthy();
    expect(screen.getByText('3 из 10').nextElementSibling?.textContent).toBe('владелец отдельно');
    expect(screen.getByText('3 из 10, владелец отдельно')).toBeTruthy();
    expect(screen.getByText('Сотрудники').nextElementSibling?.textContent).toBe('1');
    expect(screen.getByRole('heading', { name: 'Админ-панель' })).toBeTruthy();
    expect(screen.getByText('Мои сессии')).toBeTruthy();
  });
});
