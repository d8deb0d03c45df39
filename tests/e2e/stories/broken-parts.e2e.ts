import type { Page } from '@playwright/test';
import { cellOf, editCell, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

/** From now on the part of the app that is built from this source does not come. */
const withhold = async (page: Page, source: string): Promise<() => Promise<void>> => {
  const part = new RegExp(`/${source}-[^/]*\\.js$`, 'u');
  await page.route(part, (route) => route.abort('connectionrefused'));
  return () => page.unroute(part);
};

/** What the browser and React say of a part that did not come. */
const missingPart = /ERR_CONNECTION_REFUSED|Failed to fetch dynamically imported module/u;

test('E2E-83 a screen whose part does not come says so, the rest goes on, and a reload brings it @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  expectProblems(missingPart);
  await expect(page.getByRole('heading', { name: 'Ноябрь - Подписчики' })).toBeVisible();
  const bring = await withhold(page, 'analytics-page');
  const sections = page.getByRole('navigation', { name: 'Разделы' }).first();
  await sections.getByRole('link', { name: 'Аналитика' }).click();
  await expect(page.getByRole('heading', { name: 'Ошибка загрузки компонента' })).toBeVisible();
  await expect(page.getByText('Попробуйте обновить страницу')).toBeVisible();

  await sections.getByRole('link', { name: 'Дашборд' }).click();
  await expect(page.getByRole('grid').getByText('@marina_pr')).toBeVisible();
  await expect(page.getByText('На связи')).toBeVisible();
  await sections.getByRole('link', { name: 'Аналитика' }).click();
  await bring();
  await page.getByRole('button', { name: 'Обновить страницу' }).click();
  await expect(page.getByRole('complementary', { name: 'Выбор кампании' })).toBeVisible();
});

test('E2E-84 where the frame does not come the whole window says so, names the version, and leads home @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna', '/login');
  expectProblems(missingPart);
  const bring = await withhold(page, 'shell');
  await page.goto(`${address}/analytics`);
  await expect(page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible();
  await expect(page.getByText('Экран не собрался. Сохранённые данные целы.')).toBeVisible();
  await expect(page).toHaveTitle(/Что-то пошло не так/u);
  // What a copied text or a lost connection says is heard here too.
  await expect(page.locator('[aria-live="polite"]')).toHaveCount(1);
  await page.getByText('Технические детали').click();
  await expect(page.locator('pre')).toContainText('Failed to fetch dynamically imported module');
  await expect(page.locator('pre')).toContainText(/версия \d+\.\d+\.\d+/u);
  await page.getByRole('button', { name: 'Обновить страницу' }).click();
  await expect(page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible();

  await bring();
  await page.getByRole('button', { name: 'На главную' }).click();
  await expect(page).toHaveURL(/\/dashboard/u);
  await expect(page.getByRole('heading', { name: 'Ноябрь - Подписчики' })).toBeVisible();

  await test.step('the part of a screen that needs no sign-in', async () => {
    const stranger = await newcomer();
    stranger.expectProblems(missingPart);
    await withhold(stranger.page, 'admin-login-page');
    await stranger.page.goto(`${address}/admin`);
    await expect(stranger.page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible();
  });
});

test('E2E-1520 the page of a window that failed says how many changes wait, and they go once it is drawn again @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  expectProblems(missingPart);
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  await page.route('**/api/placements/*', (route) => route.abort('connectionrefused'));
  await editCell(page, '@marina_pr', 'Цена', '3900');
  await expect(page.getByText(/Не отправлено: 1/u).first()).toBeVisible();

  const bring = await withhold(page, 'shell');
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Что-то пошло не так' })).toBeVisible();
  await expect(page.getByText('Экран не собрался. Ваши изменения целы: 1 ждёт отправки и уйдёт само.')).toBeVisible();

  await bring();
  await page.unroute('**/api/placements/*');
  await page.getByRole('button', { name: 'Обновить страницу' }).click();
  await settled(page);
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 900 ₽');
  const { placement } = await team.done<{ placement: { readonly price: number } }>(
    'GET',
    `/placements/${placements['marina_pr']?.id}`,
  );
  expect(placement.price).toBe(3900);
});

/** From now on whatever draws an element of this class crashes while it draws it. */
const crashInside = async (page: Page, name: string): Promise<() => Promise<void>> => {
  await page.evaluate(`{
    const real = Element.prototype.setAttribute;
    Element.prototype.setAttribute = function (name, value) {
      if (name === 'class' && String(value).split(' ').includes(${JSON.stringify(name)})) throw new Error('Внутри сломалось');
      return real.call(this, name, value);
    };
    window.mend = () => { Element.prototype.setAttribute = real; };
  }`);
  return () => page.evaluate('window.mend()');
};

test('E2E-135 a crash inside the palette, the bell, the calendar or a history says so in its place, leaves the screen, and is mended by another try, which keeps the focus there @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  expectProblems(/Внутри сломалось/u);
  const row = page.getByRole('grid').getByText('@marina_pr');
  const failure = page.getByText('Ошибка загрузки компонента');
  const retry = page.getByRole('button', { name: 'Повторить', exact: true });
  await expect(row).toBeVisible();

  /** What has the focus in the part, or in the dialog or field that it belongs to. */
  const focused = page.locator(':is(.bp6-portal, [data-floating], [role="dialog"]) :focus');

  const escape = (): Promise<void> => page.keyboard.press('Escape');
  const parts = [
    {
      what: 'the palette',
      drawn: 'z-palette-field',
      open: () => page.keyboard.press('Control+KeyK'),
      close: escape,
      whole: page.getByRole('combobox', { name: 'Поиск и команды' }),
    },
    {
      what: 'the bell',
      drawn: 'z-bell-panel',
      open: () => page.locator('.z-bell').click(),
      close: () => page.locator('.z-bell').click(),
      whole: page.locator('.z-bell-panel'),
    },
    {
      what: 'the calendar',
      drawn: 'z-calendar',
      open: async () => {
        await goToCell(page, '@marina_pr', 'Дата');
        await page.keyboard.press('F2');
      },
      close: () => goToCell(page, '@kitchen_ads', 'Цена'),
      whole: page.locator('.z-calendar'),
    },
    {
      what: 'the history of a placement',
      drawn: 'z-history-list',
      open: async () => {
        await goToCell(page, '@marina_pr', 'Дата');
        await page.keyboard.press('Space');
      },
      close: escape,
      whole: page.getByRole('dialog').locator('.z-history-list'),
    },
  ] as const;
  for (const { what, drawn, open, close, whole } of parts)
    await test.step(what, async () => {
      const mend = await crashInside(page, drawn);
      await open();
      await expect(failure).toBeVisible();
      await expect(row).toBeVisible();
      await mend();
      await retry.focus();
      await page.keyboard.press('Enter');
      await expect(whole.first()).toBeVisible();
      await expect(failure).toHaveCount(0);
      await expect(focused).toHaveCount(1);
      await close();
      await expect(whole).toHaveCount(0);
    });

  await test.step('meanwhile the table can be worked in', async () => {
    const cell = await goToCell(page, '@marina_pr', 'Цена');
    await page.keyboard.press('F2');
    await page.keyboard.type('3100');
    await page.keyboard.press('Enter');
    await expect(cell).toContainText('3 100');
    await expect(page.getByText('Все изменения сохранены')).toBeVisible();
  });
});
