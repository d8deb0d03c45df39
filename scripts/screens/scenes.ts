import { placementScenes } from './placement-scenes.ts';
import { button, chooseCampaign, click, dashboard, dialog, menu, opens, type Scene } from './steps.ts';

export { type Scene, type Viewer, viewers } from './steps.ts';

const employees = { path: '/settings?tab=employees', as: 'owner' } as const;

/** Every route, and every dialog, drawer and popup on it. */
export const scenes: readonly Scene[] = [
  { name: 'login', title: 'Вход', path: '/login', as: 'nobody' },
  {
    name: 'login-owner',
    unpictured: true,
    title: 'Вход владельца',
    path: '/login',
    as: 'nobody',
    open: (page) => click(page.getByRole('tab', { name: 'Владелец (CEO)' })),
  },
  { name: 'activation', title: 'Активация лицензии', path: '/login', as: 'nobody', open: opens('Активировать ключ') },
  { name: 'start', unpictured: true, title: 'Начало: последний открытый раздел', path: '/', as: 'owner' },
  { ...dashboard, name: 'dashboard', title: 'Дашборд' },
  { ...dashboard, name: 'dashboard-buyer', title: 'Дашборд байера', as: 'buyer' },
  {
    ...dashboard,
    name: 'placements',
    whole: true,
    title: 'Размещения',
    open: async (page) => {
      // Without them there is nothing to scroll to.
      await page.locator('.z-grid-row, main article').first().waitFor();
      await page.getByRole('heading', { name: 'Размещения' }).evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    ...dashboard,
    name: 'campaigns',
    title: 'Выбор кампании',
    open: menu((page) => page.getByRole('heading', { level: 1 }).getByRole('button')),
  },
  {
    ...dashboard,
    name: 'why',
    whole: true,
    title: '«Почему эта цифра?»',
    open: async (page) => {
      await click(page.locator('.z-metric-value .z-figure').nth(1));
      await dialog(page).waitFor();
      await page.locator('.z-why-foot').first().waitFor();
    },
  },
  ...placementScenes,
  { ...dashboard, name: 'drawer', title: 'Меню', open: opens('Меню'), only: 'narrow' },
  {
    ...dashboard,
    name: 'past',
    whole: true,
    title: 'Как было',
    open: async (page) => {
      await click(button(page, 'Как было'));
      const now = new URL(page.url()).searchParams.get('at');
      await page.getByRole('slider', { name: 'Момент' }).press('PageDown');
      await page.waitForURL((url) => url.searchParams.get('at') !== now);
      await page.getByText('загрузка…').waitFor({ state: 'detached' });
    },
  },
  {
    ...dashboard,
    name: 'past-time',
    unpictured: true,
    title: 'Как было: день и время',
    open: async (page) => {
      await click(button(page, 'Как было'));
      await page.getByTitle('Выбрать дату и время').click();
      await page.locator('.z-moment-picker .z-calendar').waitFor();
    },
  },
  {
    ...dashboard,
    name: 'palette',
    title: 'Палитра команд',
    open: async (page) => {
      await page.keyboard.press('Control+KeyK');
      await page.getByRole('combobox').first().waitFor();
    },
  },
  {
    ...dashboard,
    name: 'bell',
    title: 'Уведомления',
    open: async (page) => {
      await click(page.locator('.z-bell'));
      await page.locator('.z-bell-panel').waitFor();
    },
  },
  {
    ...dashboard,
    name: 'user-menu',
    unpictured: true,
    title: 'Меню человека',
    open: menu((page) => button(page, /^Меню: /u)),
  },
  {
    ...dashboard,
    name: 'licence',
    title: 'Лицензия',
    open: async (page) => {
      await click(button(page, /^Меню: /u));
      await page.getByRole('menuitem', { name: 'Лицензия' }).click();
      await dialog(page).waitFor();
    },
  },
  { name: 'analytics-choice', title: 'Аналитика: выбор кампании', unpictured: true, path: '/analytics', as: 'owner' },
  { name: 'analytics', whole: true, title: 'Аналитика', path: '/analytics', as: 'owner', open: chooseCampaign },
  {
    name: 'analytics-charts',
    whole: true,
    title: 'Аналитика: картинки',
    path: '/analytics',
    as: 'owner',
    open: async (page) => {
      await chooseCampaign(page);
      await page
        .locator('.recharts-surface')
        .first()
        .evaluate((picture) => picture.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'chart-files',
    title: 'Таблица и файлы картинки',
    path: '/analytics',
    as: 'owner',
    unpictured: true,
    open: async (page) => {
      await chooseCampaign(page);
      await menu(() => button(page, /: таблица и файлы$/u))(page);
    },
  },
  { name: 'creatives', title: 'Креативы', path: '/creatives', as: 'owner' },
  {
    name: 'creative',
    unpictured: true,
    title: 'Новый креатив',
    path: '/creatives',
    as: 'owner',
    open: opens('Добавить креатив'),
  },
  {
    name: 'creative-results',
    title: 'Креатив: что он принёс',
    path: '/creatives',
    as: 'owner',
    open: async (page) => {
      await click(page.getByRole('table', { name: 'Креативы' }).getByRole('link').first());
      await page.getByRole('heading', { name: 'Последние размещения' }).waitFor();
    },
  },
  { name: 'contractors', title: 'Контрагенты', path: '/contractors', as: 'owner' },
  {
    name: 'add-contractor',
    unpictured: true,
    title: 'Новый контрагент',
    path: '/contractors',
    as: 'owner',
    open: opens(/Добавить/u),
  },
  {
    name: 'contractor',
    whole: true,
    title: 'Контрагент',
    path: '/contractors',
    as: 'owner',
    open: async (page) => {
      await click(page.getByRole('main').getByRole('button', { name: /^@/u }).first());
      await dialog(page).waitFor();
    },
  },
  ...(['История', 'Заметки'] as const).map(
    (tab, index): Scene => ({
      name: ['contractor-history', 'contractor-notes'][index] ?? '',
      title: `Контрагент: ${tab.toLowerCase()}`,
      path: '/contractors',
      as: 'owner',
      open: async (page) => {
        await click(page.getByRole('main').getByRole('button', { name: /^@/u }).first());
        await dialog(page)
          .getByRole('tab', { name: new RegExp(tab, 'u') })
          .click();
      },
    }),
  ),
  ...(['Изменить', 'Объединить с…'] as const).map(
    (doing, index): Scene => ({
      name: ['change-contractor', 'merge-contractor'][index] ?? '',
      unpictured: true,
      title: `Контрагент: ${doing.toLowerCase()}`,
      path: '/contractors',
      as: 'owner',
      open: async (page) => {
        await click(page.getByRole('main').getByRole('button', { name: /^@/u }).first());
        await dialog(page).getByRole('button', { name: doing }).click();
        await page.getByRole('dialog', { name: new RegExp(`^${doing.split(' ')[0]} @`, 'u') }).waitFor();
      },
    }),
  ),
  { name: 'journal', title: 'Журнал', path: '/journal', as: 'owner' },
  {
    name: 'journal-event',
    whole: true,
    title: 'Журнал: событие',
    path: '/journal',
    as: 'owner',
    open: async (page) => {
      const rows = page.locator('.z-journal-row');
      const row = rows.filter({ hasText: '@' }).first();
      await rows.first().waitFor();
      // Below what was done today, of which a phone shows the first alone.
      for (let step = 0; step < 9 && (await row.count()) === 0; step += 1) await rows.last().scrollIntoViewIfNeeded();
      await click(row);
      await page.getByLabel('Событие', { exact: true }).waitFor();
      await page.locator('.z-journal-moves li').first().waitFor();
    },
  },
  { name: 'journal-deleted', title: 'Журнал: удалённое', path: '/journal?tab=deleted', as: 'owner' },
  { name: 'journal-salary', title: 'Отчёт по зарплате', path: '/journal?tab=salary', as: 'owner' },
  {
    name: 'journal-files',
    unpictured: true,
    title: 'Журнал: выгрузка',
    path: '/journal',
    as: 'owner',
    open: menu((page) => button(page, 'Выгрузить')),
  },
  { name: 'settings-channels', title: 'Настройки: каналы', path: '/settings', as: 'owner' },
  {
    name: 'channel',
    unpictured: true,
    title: 'Новый канал',
    path: '/settings',
    as: 'owner',
    open: opens('Добавить канал'),
  },
  { name: 'settings-campaigns', title: 'Настройки: кампании', path: '/settings?tab=campaigns', as: 'owner' },
  {
    name: 'campaign',
    title: 'Новая кампания',
    path: '/settings?tab=campaigns',
    as: 'owner',
    open: opens('Создать кампанию'),
  },
  {
    name: 'edit-campaign',
    unpictured: true,
    title: 'Правка кампании',
    path: '/settings?tab=campaigns',
    as: 'owner',
    open: opens(/^Изменить: /u),
  },
  { ...employees, name: 'settings-employees', title: 'Настройки: сотрудники' },
  { ...employees, name: 'add-employee', title: 'Новый сотрудник', open: opens('Добавить сотрудника') },
  {
    ...employees,
    name: 'employee',
    whole: true,
    title: 'Сотрудник',
    open: async (page) => {
      await click(
        page
          .getByRole('tabpanel')
          .getByRole('button', { name: /Лисицын/u })
          .first(),
      );
      await page.getByText('Права').first().waitFor();
    },
  },
  { name: 'settings-licence', title: 'Настройки: лицензия', path: '/settings?tab=licence', as: 'owner' },
  ...(['Ключи', 'Вебхуки'] as const).map((tab, index): Scene => {
    const name = ['keys', 'webhooks'][index] ?? '';
    return {
      name: `settings-${name}`,
      whole: true,
      title: `Настройки: ${tab.toLowerCase()}`,
      path: `/settings?tab=${name}`,
      as: 'owner',
      open: (page) => page.getByRole('list', { name: tab }).waitFor(),
    };
  }),
  { name: 'settings-export', title: 'Настройки: экспорт', path: '/settings?tab=export', as: 'owner' },
  { name: 'settings-parameters', title: 'Настройки: параметры', path: '/settings?tab=parameters', as: 'owner' },
  { name: 'profile', title: 'Профиль', path: '/profile', as: 'owner' },
  { name: 'profile-buyer', unpictured: true, title: 'Профиль байера', path: '/profile', as: 'buyer' },
  { name: 'licence-admin', title: 'Админ-панель лицензии', path: '/license-admin', as: 'owner' },
  { name: 'denied', title: 'Доступ запрещен', path: '/settings', as: 'buyer' },
  { name: 'not-found', title: 'Страницы нет', path: '/nowhere', as: 'owner' },
  { name: 'admin-login', title: 'Вход администратора', path: '/admin', as: 'nobody' },
  { name: 'admin', title: 'Админ установки', path: '/admin/dashboard', as: 'admin' },
  {
    name: 'issue-licence',
    title: 'Выдача лицензии',
    path: '/admin/dashboard',
    as: 'admin',
    open: opens('Выдать лицензию'),
  },
  { name: 'test-auth', unpictured: true, title: 'Состояние входа', path: '/test-auth', as: 'owner' },
];
