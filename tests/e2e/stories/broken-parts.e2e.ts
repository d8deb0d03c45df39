import type { Page } from '@playwright/test';
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

test('E2E-83 a screen whose part does not come says so, the rest goes on, and a reload brings it', async ({
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

test('E2E-84 where the frame does not come the whole window says so, names the version, and leads home', async ({
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
