import type { Page } from '@playwright/test';

/** How the window of each page is named, before the name of the product; those that a campaign names begin so. */
export const pageTitles: Readonly<Record<string, string>> = {
  login: 'Вход',
  'admin-login': 'Вход администратора',
  admin: 'Администрирование',
  'test-auth': 'Проверка входа',
  dashboard: 'Кухня на каждый день',
  'analytics-choice': 'Аналитика',
  creatives: 'Креативы',
  contractors: 'Контрагенты',
  journal: 'Журнал',
  'settings-channels': 'Настройки',
  'licence-admin': 'Админ-панель',
  profile: 'Профиль',
  denied: 'Доступ запрещен',
  'not-found': 'Страница не найдена',
};

const product = ' · media buying analytics';

/** A text, as the page runs it. */
const frameSource = `(() => {
  const shown = (selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  const found = [];
  for (const [what, count] of [['h1', shown('h1').length], ['main', shown('main').length]])
    if (count !== 1) found.push(count + ' × ' + what);
  if (document.documentElement.lang !== 'ru') found.push('the language is ' + document.documentElement.lang);
  if (document.activeElement !== document.body && !document.activeElement.isConnected) found.push('the focus is nowhere');
  return found;
})()`;

/** What a page lacks to be found one's way in: exactly one `h1` and one `main`, its language, a name of its own; a line for each. */
export const frameProblems = async (page: Page): Promise<readonly string[]> => {
  const title = await page.title();
  const named = title.endsWith(product) && title.length > product.length;
  return [
    ...(await page.evaluate<readonly string[]>(frameSource)),
    ...(named ? [] : [`the window is named «${title}»`]),
  ];
};

/** A text, as the page runs it. Blueprint makes a polite region of the frame of each of its overlays, none of which is the app's; a calendar tells its month by one. */
const liveSource = `(() => {
  const counted = { polite: 'output, [role=status], [role=log], [aria-live=polite]', assertive: '[role=alert], [aria-live=assertive]' };
  const found = [];
  for (const [kind, selector] of Object.entries(counted)) {
    const regions = [...document.querySelectorAll(selector)].filter((one) => !one.matches('.bp6-overlay, .rdp-caption_label')).map((one) => one.tagName.toLowerCase() + '.' + one.className);
    if (regions.length > 1) found.push(kind + ': ' + regions.join(', '));
    if (kind === 'polite' && regions.length === 0) found.push('no polite region');
  }
  return found;
})()`;

/** Where a screen reader is told of changes in more or fewer places than the one of the app, or in more than one that interrupts; a line for each kind. */
export const liveRegionsTooMany = (page: Page): Promise<readonly string[]> => page.evaluate(liveSource);

/** The name of the window without that of the product. */
export const titleOf = async (page: Page): Promise<string> => (await page.title()).replace(product, '');
