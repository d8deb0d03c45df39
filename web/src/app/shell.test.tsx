import { act, configure, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, useLocation, useRoutes } from 'react-router-dom';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { LicenseWire, PersonWire } from '@zakup/contracts/wire-entities';
import { person, stage } from '../shared/testing/stage.tsx';
import { chooseTheme, currentTheme, followTheme } from '../shared/theme/theme.ts';
import { tokenKeys } from '../shared/api/tokens.ts';
import { toasts } from '../shared/toasts/toasts.ts';
import { ErrorBoundary } from '../shared/ui/error-boundary.tsx';
import { ErrorPage } from './error-page.tsx';
import { rememberedPath, rememberView } from './remembered-view.ts';
import { routes } from './routes.tsx';
import { TestAuthPage } from './test-auth-page.tsx';
// Loaded before they are asked for: a test is about what they do, not about how fast they come.
import './shell.tsx';
import '../features/licence/licence-admin-page.tsx';
import '../features/profile/profile-page.tsx';
import '../features/settings/settings-page.tsx';

const media = (matching: (query: string) => boolean): void => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) =>
      ({
        matches: matching(query),
        addEventListener: () => 0,
        removeEventListener: () => 0,
      }) as unknown as MediaQueryList,
  );
};

const Address = () => <output aria-label="Адрес">{useLocation().pathname}</output>;
const App = () => (
  <>
    {useRoutes(routes)}
    <Address />
  </>
);

const at = (
  address: string,
  me: PersonWire = person('me', { role: 'CEO' }),
  more: { readonly admin?: boolean; readonly licenceOver?: Partial<LicenseWire> } = {},
) => stage({ element: <App />, me, address, ...more });

// A whole application is drawn, lazily.
configure({ asyncUtilTimeout: 5_000 });

beforeEach(() => {
  media(() => false);
  onTestFinished(() => {
    vi.restoreAllMocks();
    chooseTheme(null);
  });
});

describe('the frame', () => {
  it('SHL-2 the sidebar is titled, names the sections that are open, and comes as a drawer where it has no room', async () => {
    const { user } = at('/profile', person('me', { role: 'MEDIA_BUYER' }));
    const sections = await screen.findAllByRole('navigation', { name: 'Разделы' });
    const side = sections[0] ?? document.body;
    expect(screen.getByText('media buying analytics')).toBeTruthy();
    expect(within(side).queryByRole('link', { name: 'Настройки' })).toBeNull();
    expect(within(side).getByRole('link', { name: 'Дашборд' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Меню' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Меню' }));
    expect(drawer.getByText('media buying analytics')).toBeTruthy();
    await user.click(drawer.getByRole('button', { name: 'Закрыть' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Меню' })).toBeNull());
  });

  it('SHL-3 the user menu says media buyer, the real role on its own line, profile and logout', async () => {
    const { user } = at('/profile', person('me', { role: 'TEAM_LEAD', name: 'Ольга Демидова' }));
    await user.click(await screen.findByRole('button', { name: 'Меню: Ольга Демидова' }));
    const head = (await screen.findByText('media buyer')).parentElement;
    expect(head === null ? [] : [...head.children].map(({ textContent }) => textContent)).toEqual([
      'Ольга Демидова',
      'media buyer',
      'Тим-лид',
    ]);
    await user.click(await screen.findByRole('menuitem', { name: 'Выйти' }));
    await waitFor(() => expect(localStorage.getItem(tokenKeys.access)).toBeNull());
  });

  it('SHL-1120 the palette does what the person may: adding from any screen, places of sections, the past, the way out', async () => {
    const { user } = at('/profile', person('me', { role: 'CEO' }));
    await user.click(await screen.findByRole('button', { name: /Поиск и команды/u }));
    const options = within(await screen.findByRole('listbox')).getAllByRole('option');
    const names = options.map((one) => one.querySelector('span')?.textContent);
    for (const name of [
      'Добавить размещение',
      'Журнал',
      'Отчёт по зарплате',
      'Импорт и экспорт',
      'Лицензия',
      'Тёмная тема',
    ])
      expect(names).toContain(name);
    await user.type(screen.getByRole('combobox'), 'выйти{Enter}');
    await waitFor(() => expect(localStorage.getItem(tokenKeys.access)).toBeNull());
  });

  it('SHL-1121 the palette offers nothing that the person may not do', async () => {
    const { user } = at('/profile', person('me', { role: 'ANALYTIC', permissions: { dashboard: true } }), {});
    await user.click(await screen.findByRole('button', { name: /Поиск и команды/u }));
    const list = within(await screen.findByRole('listbox'));
    expect(list.getByRole('option', { name: 'Профиль' })).toBeTruthy();
    expect(list.queryByRole('option', { name: /Добавить размещение/u })).toBeNull();
  });

  it.each([
    ['who manages keys and webhooks', true, 8],
    ['who does not', false, 6],
  ] as const)('SHL-3140 the palette leads to every tab of the settings of %s', async (_, isOwner, count) => {
    const { user } = at('/settings', person('me', { role: 'CEO', isOwner }));
    const tabs = (await screen.findAllByRole('tab')).map(({ textContent }) => textContent.replace('/', ' и '));
    expect(tabs).toHaveLength(count);
    await user.click(screen.getByRole('button', { name: /Поиск и команды/u }));
    const options = within(await screen.findByRole('listbox')).getAllByRole('option');
    const names = options.map((one) => one.querySelector('span')?.textContent);
    expect(names).toEqual(expect.arrayContaining(tabs));
    expect(names.filter((name) => name === 'Ключи' || name === 'Вебхуки')).toHaveLength(isOwner ? 2 : 0);
  });

  it('SHL-4 a screen without its permission says so, by its name and with the code', async () => {
    at('/settings', person('me', { role: 'MEDIA_BUYER' }));
    expect(await screen.findByRole('heading', { name: 'Доступ запрещен' })).toBeTruthy();
    expect(screen.getByText(/Раздел «Настройки» закрыт/u)).toBeTruthy();
    expect(screen.getByText('ACCESS_DENIED')).toBeTruthy();
  });

  it('SHL-5 an unknown path keeps the frame, and /login leads to the dashboard', async () => {
    at('/nowhere');
    expect(await screen.findByRole('heading', { name: 'Страница не найдена' })).toBeTruthy();
    expect(screen.getAllByRole('navigation', { name: 'Разделы' }).length).toBeGreaterThan(0);
  });

  it('SHL-6 /login of somebody signed in is the dashboard', async () => {
    at('/login');
    await waitFor(() => expect(screen.getByLabelText('Адрес').textContent).toBe('/dashboard'));
  });

  it.each([
    ['/', 'Дашборд'],
    ['/dashboard', 'Дашборд'],
    ['/analytics', 'Аналитика'],
    ['/creatives', 'Креативы'],
    ['/contractors', 'Контрагенты'],
    ['/profile', 'Профиль'],
    ['/settings', 'Настройки'],
    ['/journal', 'Журнал'],
  ])('SHL-7 %s is %s', async (path, name) => {
    at(path);
    await waitFor(() => expect(document.title).toContain(name));
    expect(screen.queryByText('ACCESS_DENIED')).toBeNull();
  });

  it('SHL-8 the ADMIN link and its page are there for whom the operator named, and for nobody else', async () => {
    at('/license-admin', person('me', { role: 'CEO' }), { admin: true });
    expect(await screen.findByRole('heading', { name: 'Админ-панель' })).toBeTruthy();
    expect(screen.getByRole('link', { name: /ADMIN/u }).getAttribute('href')).toBe('/license-admin');
  });

  it('SHL-9 the owner of a licence that nobody named is refused there', async () => {
    at('/license-admin', person('me', { role: 'CEO', isOwner: true }));
    expect(await screen.findByText(/Раздел «Админ-панель» закрыт/u)).toBeTruthy();
    expect(screen.queryByRole('link', { name: /ADMIN/u })).toBeNull();
  });

  it('SHL-10 the licence stands in the top bar and opens', async () => {
    const { user } = at('/profile');
    await user.click(await screen.findByRole('button', { name: 'Лицензия' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Лицензия' }));
    await user.click(dialog.getByRole('button', { name: 'Готово' }));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Лицензия' })).toBeNull());
  });
});

describe('the view that is remembered', () => {
  const all = { dashboard: true, analytics: true, creatives: true, contractors: true, settings: true };
  it('SHL-11 is one of six, and `/` leads there while it is open to the person', () => {
    const after = (pathname: string, search = '') => {
      rememberView(pathname, search);
      return [localStorage.getItem('currentView'), rememberedPath(all)];
    };
    localStorage.clear();
    expect(rememberedPath(all)).toBeNull();
    expect(after('/dashboard')).toEqual(['dashboard', null]);
    expect(after('/analytics')).toEqual(['analytics', '/analytics']);
    expect(after('/creatives')).toEqual(['creatives', '/creatives']);
    expect(after('/contractors')).toEqual(['contractors', '/contractors']);
    expect(after('/settings', '?tab=employees')).toEqual(['users', '/settings?tab=employees']);
    expect(after('/settings', '?tab=licence')).toEqual(['settings', '/settings']);
    expect(after('/profile')).toEqual(['settings', '/settings']);
    expect(rememberedPath({ ...all, settings: false })).toBeNull();
  });
});

const Broken = (): never => {
  throw new Error('Внутри сломалось');
};

describe('what stands where something broke', () => {
  // React says of every crash what it caught.
  const silently = async (work: () => Promise<void>): Promise<void> => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await work();
    errors.mockClear();
  };

  it('SHL-12 the whole window: retry, home and the technical details', () =>
    silently(async () => {
      vi.stubGlobal('__APP_VERSION__', '1.2.0');
      onTestFinished(() => {
        vi.unstubAllGlobals();
      });
      render(
        <RouterProvider
          router={createMemoryRouter([{ path: '/', element: <Broken />, errorElement: <ErrorPage /> }])}
        />,
      );
      expect(await screen.findByRole('heading', { name: 'Что-то пошло не так' })).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Обновить страницу' })).toBeTruthy();
      expect(screen.getByRole('button', { name: 'На главную' })).toBeTruthy();
      await userEvent.setup().click(screen.getByText('Технические детали'));
      expect(screen.getByText(/Внутри сломалось/u)).toBeTruthy();
    }));

  it('SHL-13 a part: the rest stays', () =>
    silently(async () => {
      render(
        <>
          <p>Остальное</p>
          <ErrorBoundary>
            <Broken />
          </ErrorBoundary>
        </>,
      );
      expect(await screen.findByRole('heading', { name: 'Ошибка загрузки компонента' })).toBeTruthy();
      expect(screen.getByText('Попробуйте обновить страницу')).toBeTruthy();
      expect(screen.getByText('Остальное')).toBeTruthy();
    }));
});

describe('the theme', () => {
  const dark = () => document.documentElement.classList.contains('bp6-dark');
  it('SHL-14 follows the system until one is chosen, which is kept in this browser', async () => {
    localStorage.clear();
    media((query) => query.includes('dark'));
    followTheme();
    expect([currentTheme(), dark()]).toEqual(['dark', true]);
    const { user } = at('/profile');
    await user.click(await screen.findByRole('button', { name: 'Светлая тема' }));
    expect([currentTheme(), dark(), localStorage.getItem('theme')]).toEqual(['light', false, 'light']);
    media(() => false);
    await user.click(screen.getByRole('button', { name: 'Тёмная тема' }));
    expect([currentTheme(), dark(), localStorage.getItem('theme')]).toEqual(['dark', true, 'dark']);
  });
});

interface Files {
  readonly readFileSync: (path: string, encoding: 'utf8') => string;
}

describe('toasts', () => {
  it('SHL-15 stand at the top right, at most 350 px wide', async () => {
    at('/profile');
    await screen.findByRole('heading', { name: 'Профиль' });
    act(() => void toasts.info('Сохранено'));
    const toast = (await screen.findByText('Сохранено')).closest('.bp6-toast');
    expect(toast?.classList.contains('z-toast')).toBe(true);
    expect(toast?.closest('.bp6-toast-container-top, .bp6-toast-container')?.className).toContain('right');
    const { readFileSync } = await vi.importActual<Files>('node:fs');
    const rules = readFileSync('web/src/shared/theme/blueprint.css', 'utf8');
    expect(rules).toMatch(/\.bp6-toast \{[^}]*max-width: min\(350px, 100%\)/u);
  });
});

describe('/test-auth', () => {
  it('SHL-16 shows what this browser keeps of the session, and asks the server nothing', async () => {
    const { calls } = stage({ element: <TestAuthPage />, me: person('me') });
    expect(await screen.findByText(/"userId": "me"/u)).toBeTruthy();
    expect(screen.getByText(/"sub": "me"/u)).toBeTruthy();
    expect(calls).toEqual([]);
  });
});
