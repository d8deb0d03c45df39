import type { Page } from '@playwright/test';
import { call } from '../../support/api.ts';
import { editCell } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, signIn, type Team, type Who } from '../support/team.ts';

const kept = (page: Page, key: string): Promise<string | null> =>
  page.evaluate(`localStorage.getItem(${JSON.stringify(key)})`);

const logOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Меню: / }).click();
  await page.getByRole('menuitem', { name: 'Выйти' }).click();
  await expect(page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible();
};

const signInOnPage = async (page: Page, team: Team, who: Who): Promise<void> => {
  const { code, password, isOwner } = team.member(who);
  if (isOwner) await page.getByRole('tab', { name: 'Владелец (CEO)' }).click();
  await page.getByLabel(isOwner ? 'Код входа' : 'Код доступа').fill(code);
  await page.getByLabel('Пароль', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/u);
};

test('E2E-16 a session is restored with its last view, and a record a day old restores nothing @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(page.getByRole('heading', { name: 'Ноябрь - Подписчики' })).toBeVisible();
  await page.getByRole('link', { name: 'Аналитика' }).first().click();
  // The address is the new one while the page is still on its way: the view is the last one once it is there.
  await expect.poll(() => kept(page, 'currentView')).toBe('analytics');
  await page.goto(address);
  await expect(page, 'the last view').toHaveURL(/\/analytics/u);

  const record = JSON.parse((await kept(page, 'tg-analytics-session')) ?? '{}') as { userId: string };
  expect(record.userId).toBe(team.member('anna').id);
  const old = JSON.stringify({ ...record, timestamp: Date.now() - 86_400_001 });
  await page.evaluate(`localStorage.setItem('tg-analytics-session', ${JSON.stringify(old)})`);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible();
  for (const key of ['tg-analytics-session', 'authToken', 'refreshToken', 'userInfo'])
    await expect.poll(() => kept(page, key), { message: key }).toBeNull();
});

test('E2E-17 logging out here clears this browser and ends the session on the server @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const { page } = await as(team, 'anna');
  await expect(page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  const token = (await kept(page, 'authToken')) ?? '';
  await logOut(page);
  for (const key of ['tg-analytics-session', 'authToken', 'refreshToken', 'userInfo', 'licenseInfo'])
    await expect.poll(() => kept(page, key), { message: key }).toBeNull();
  await expect(call(address, 'GET', '/auth/session', undefined, { token })).rejects.toThrow('401');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible();
});

test('E2E-18 ending all other sessions in the profile throws the other browser out at once', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const here = await as(team, 'anna', '/profile');
  const there = await as(team, 'anna');
  there.expectProblems(/status of 401/u);
  await expect(there.page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  await here.page.reload();
  const sessions = here.page.getByRole('listitem').filter({ hasText: 'вход' });
  await expect(sessions).toHaveCount(2);
  await here.page.getByRole('button', { name: 'Завершить все остальные' }).click();
  await expect(there.page).toHaveURL(/\/login$/u);
  await expect(there.page.getByText('Session expired. Please login again.')).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await expect(here.page.getByText('Эта сессия')).toBeVisible();
});

test('E2E-19 a session that the server no longer knows leads to the login and its sentence @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const { page, expectProblems } = await as(team, 'anna', '/profile');
  expectProblems(/status of 401/u);
  await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible();
  // The line that is being made when the refusal comes is given up.
  expectProblems(/WebSocket is closed before the connection is established/u);
  // Nothing of the page is left that could hear of it first.
  await page.goto('about:blank');
  const other = await signIn(address, team.member('anna'));
  await call(address, 'DELETE', '/auth/sessions', undefined, { token: other.token });
  await page.goto(`${address}/profile`);
  await expect(page).toHaveURL(/\/login$/u);
  await expect(page.getByText('Session expired. Please login again.')).toBeVisible();
});

test('E2E-20 another licence in the same browser sees nothing of the one before @deep', async ({ address, as }) => {
  const before = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(before);
  const after = await givenTeam(address, ['maria'], { teamName: 'Другая команда' });
  const { page } = await as(before, 'anna');
  await expect(page.getByRole('grid').getByText('@kitchen_ads')).toBeVisible();
  await page.getByRole('link', { name: 'Аналитика' }).first().click();
  await page.getByRole('button', { name: /Кухня за 15 минут/u }).click();
  await logOut(page);

  await signInOnPage(page, after, 'maria');
  await expect(page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  await expect(page.getByText('kitchen_ads')).toHaveCount(0);
  expect(await kept(page, 'analytics_lastChannelId')).toBeNull();
  expect(await kept(page, 'lastCampaignId')).toBeNull();
  await page.getByRole('link', { name: 'Контрагенты' }).first().click();
  await expect(page.getByRole('heading', { name: 'Контрагенты', level: 1 })).toBeVisible();
  await expect(page.getByText('kitchen_ads')).toHaveCount(0);
});

test('E2E-64 logging out with something unsent asks first, and it is sent when the person is back @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  await expect(page.getByRole('grid').getByText('@marina_pr')).toBeVisible();
  expectProblems(/Failed to load resource/u);
  await page.route('**/api/placements/*', (route) => route.abort('connectionrefused'));
  await editCell(page, '@marina_pr', 'Цена', '3900');
  await page.getByRole('button', { name: /^Меню: /u }).click();
  await page.getByRole('menuitem', { name: 'Выйти' }).click();
  const question = page.getByRole('alertdialog', { name: 'Не отправлено: 1. Выйти и оставить их здесь?' });
  await question.getByRole('button', { name: 'Остаться' }).click();
  await expect(page.getByRole('grid')).toBeVisible();
  await page.getByRole('button', { name: /^Меню: /u }).click();
  await page.getByRole('menuitem', { name: 'Выйти' }).click();
  await question.getByRole('button', { name: 'Выйти' }).click();
  await expect(page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible();
  await page.unroute('**/api/placements/*');
  await signInOnPage(page, team, 'anna');
  await expect(page.locator('.z-metric').filter({ hasText: 'Потрачено' })).toContainText('22 500,50 ₽');
});
