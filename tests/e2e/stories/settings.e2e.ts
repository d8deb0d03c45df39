import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import readWorkbook from 'read-excel-file/node';
import { call } from '../../support/api.ts';
import { rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

const downloaded = async (page: Page, press: () => Promise<void>): Promise<{ name: string; path: string }> => {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return { name: download.suggestedFilename(), path: await download.path() };
};

test('E2E-49 channels, the own sessions and the switches of the team', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const anna = await as(team, 'anna');
  await expect(rowOf(anna.page, '@marina_pr')).toBeVisible();
  await expect(rowOf(anna.page, '@food_daily').getByRole('button', { name: 'Не оплачено' })).toBeVisible();
  const { page, expectProblems } = await as(team, 'owner', '/settings');
  expectProblems(/status of 409/u);

  await test.step('a channel is added and renamed; one with campaigns is not deleted', async () => {
    const list = page.getByRole('list', { name: 'Каналы' });
    await page.getByRole('button', { name: 'Добавить канал' }).click();
    await page.getByRole('dialog').getByLabel('Название').fill('Дача');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Изменить: Дача' }).click();
    await page.getByRole('dialog').getByLabel('Название').fill('Дача и сад');
    await page.keyboard.press('Enter');
    await expect(list.getByRole('listitem').filter({ hasText: 'Дача и сад' })).toContainText('кампаний нет');
    await page.getByRole('button', { name: 'Удалить: Кухня за 15 минут' }).click();
    const question = page.getByRole('alertdialog');
    await question.getByRole('button', { name: 'Удалить' }).click();
    await expect(question.getByRole('alert')).toBeVisible();
    await question.getByRole('button', { name: 'Отмена' }).click();
    await page.getByRole('button', { name: 'Удалить: Дача и сад' }).click();
    await question.getByRole('button', { name: 'Удалить' }).click();
    await expect(list.getByRole('listitem')).toHaveCount(1);
    await expect(page.getByRole('button', { name: 'Удалить: Кухня за 15 минут' })).toBeFocused();
  });

  await test.step('licence and sessions', async () => {
    await page.getByRole('tab', { name: 'Лицензия и сессии' }).click();
    await expect(page.getByText('lapin@vkus.media')).toBeVisible();
    await expect(page.getByText('Эта сессия')).toBeVisible();
  });

  await test.step('a switch for all placements counts at once in a buyer’s open table', async () => {
    await page.getByRole('tab', { name: 'Параметры' }).click();
    await page.getByRole('checkbox', { name: /Байеры правят все размещения/u }).uncheck();
    await page.getByRole('checkbox', { name: /Вход только по коду/u }).check();
    await page.getByLabel('Цена лида, ₽').fill('150');
    await page.getByRole('button', { name: 'Сохранить' }).click();
    await expect(page.getByRole('main').getByText('Параметры сохранены')).toBeVisible();
    await expect(rowOf(anna.page, '@food_daily').getByRole('button', { name: 'Не оплачено' })).toHaveCount(0);
    await expect(rowOf(anna.page, '@marina_pr').getByRole('button', { name: 'Не оплачено' })).toBeVisible();
    const byCode = await call<{ token: string }>(address, 'POST', '/auth/login-code', {
      authCode: team.member('anna').code,
    });
    expect(byCode.data.token).not.toBe('');
  });
});

test('E2E-88 the avatar of a channel: an emoji, letters, a picture, and without one the initials of its name @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner', '/settings');
  const channel = page.getByRole('list', { name: 'Каналы' }).getByRole('listitem');
  const avatar = channel.locator('.z-avatar');
  await expect(avatar).toHaveText('КЗ');
  const give = async (text: string): Promise<void> => {
    await page.getByRole('button', { name: 'Изменить: Кухня за 15 минут' }).click();
    await page.getByRole('dialog').getByLabel('Аватар').fill(text);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await give('👨‍🍳');
  await expect(avatar, 'one sign, though it is made of several').toHaveText('👨‍🍳');
  await give('кух');
  await expect(avatar).toHaveText('ку');
  const pixel = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  await give(pixel);
  await expect(channel.locator('img')).toHaveJSProperty('naturalWidth', 1);
  await give('https://example.org/avatar.png');
  await expect(avatar, 'nothing is asked of other machines').toHaveText('КЗ');
  await page.reload();
  await expect(avatar).toHaveText('КЗ');
});

test('E2E-50 placements leave as CSV and XLSX with the sums of the screen, and everything as one archive @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner', '/settings?tab=export');

  const csv = await test.step('CSV', async () => {
    await page.getByLabel('Вид файла').selectOption('csv');
    const file = await downloaded(page, () => page.getByRole('button', { name: 'Скачать размещения' }).click());
    expect(file.name).toMatch(/\.csv$/u);
    return readFile(file.path, 'utf8');
  });
  expect(csv.startsWith('\uFEFF'), 'opens in Excel as Cyrillic').toBe(true);
  const [header = '', ...lines] = csv.slice(1).trim().split(/\r?\n/u);
  expect(header).toContain('Цена');
  expect(lines.filter((line) => line.includes('@'))).toHaveLength(5);
  expect(lines.some((line) => line.includes('kitchen_ads') && /5400[.,]50?/u.test(line))).toBe(true);

  await test.step('XLSX: the same rows, prices as numbers', async () => {
    await page.getByLabel('Вид файла').selectOption('xlsx');
    const file = await downloaded(page, () => page.getByRole('button', { name: 'Скачать размещения' }).click());
    expect(file.name).toMatch(/\.xlsx$/u);
    const [sheet] = await readWorkbook(file.path);
    const [names = [], ...rows] = sheet?.data ?? [];
    const column = names.findIndex((name) => String(name).startsWith('Цена'));
    const prices = rows.map((row) => row[column]);
    expect(prices).toEqual([5400.5, 3000, 8000, 4000, 1200]);
    expect(rows.every((row) => row[names.indexOf('Дата')] instanceof Date)).toBe(true);
  });

  await test.step('everything of the team', async () => {
    const file = await downloaded(page, () => page.getByRole('button', { name: 'Скачать все данные' }).click());
    expect((await readFile(file.path)).subarray(0, 2).toString()).toBe('PK');
  });
});

test('E2E-51 the table downloads what it shows, in its order, with texts that start no formula', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  await team.done('PATCH', `/placements/${placements['slow_ads']?.id}`, { comment: '=1+1' });
  const { page } = await as(team, 'owner');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await page.getByRole('button', { name: 'Найти', exact: true }).click();
  await page.keyboard.type('ads');
  await expect(page.locator('.z-filter-chips')).toContainText('показано 2 из 5');
  const price = page.getByRole('grid').getByRole('button', { name: 'Цена' });
  await price.click();
  await expect(page.getByRole('grid').getByRole('row').nth(1)).toContainText('@slow_ads');
  await page.getByRole('button', { name: 'Ещё: скачать, печать, клавиши' }).click();
  const file = await downloaded(page, () => page.getByRole('menuitem', { name: 'Скачать CSV' }).click());
  const text = await readFile(file.path, 'utf8');
  expect([...text.matchAll(/@\w+/gu)].map(([nick]) => nick)).toEqual(['@slow_ads', '@kitchen_ads']);
  expect(text).toContain(";'=1+1;");
  expect(text).toMatch(/;5400,50?;/u);
});

test('E2E-1663 the tab of campaigns leads who has no channel yet to the channels', async ({ address, as }) => {
  const team = await givenTeam(address, []);
  const { page } = await as(team, 'owner', '/settings?tab=campaigns');
  await expect(page.getByRole('heading', { name: 'Сначала добавьте канал' })).toBeVisible();
  await page.getByRole('button', { name: 'К каналам' }).click();
  await page.getByRole('button', { name: 'Добавить канал' }).click();
  await expect(page.getByRole('dialog', { name: 'Новый канал' })).toBeVisible();
});

test('E2E-3040 a key opens what it may until it is deleted; a webhook is refused a private address, made, paused and deleted @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'owner', '/settings?tab=keys');
  expectProblems(/status of 422/u);
  const dialog = page.getByRole('dialog');
  const opens = async (key: string): Promise<number> =>
    (await fetch(`${address}/api/campaigns/${campaign.id}/placements`, { headers: { authorization: `Bearer ${key}` } }))
      .status;

  await test.step('a key', async () => {
    await page.getByRole('button', { name: 'Создать ключ' }).click();
    await dialog.getByLabel('Название').fill('Отчёты');
    await dialog.getByRole('button', { name: 'Создать ключ' }).click();
    const key = (await page.getByTestId('key-secret').textContent()) ?? '';
    expect(await opens(key)).toBe(200);
    await page.getByRole('button', { name: 'Убрать с экрана' }).click();
    await page.getByRole('button', { name: 'Удалить: Отчёты' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
    await expect(page.getByText('Ключей ещё нет')).toBeVisible();
    expect(await opens(key)).toBe(401);
  });

  await test.step('a webhook', async () => {
    await page.getByRole('tab', { name: 'Вебхуки' }).click();
    await page.getByRole('button', { name: 'Создать вебхук' }).click();
    await dialog.getByLabel('Адрес').fill('http://127.0.0.1:9/zakup');
    await dialog.getByRole('button', { name: 'Создать вебхук' }).click();
    await expect(dialog.getByText('Адрес внутренней сети: на него ничего не отправляется')).toBeVisible();
    await dialog.getByLabel('Адрес').fill('https://zakup.invalid/events');
    await dialog.getByRole('button', { name: 'Создать вебхук' }).click();
    await expect(page.getByTestId('webhook-secret')).toHaveText(/^whsec_/u);
    const item = page.getByRole('list', { name: 'Вебхуки' }).getByRole('listitem');
    await expect(item).toContainText('zakup.invalid/events');
    await page.getByRole('button', { name: 'Приостановить: zakup.invalid' }).click();
    await expect(item).toContainText('приостановлен');
    await page.getByRole('button', { name: 'Удалить: zakup.invalid' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
    await expect(page.getByText('Вебхуков ещё нет')).toBeVisible();
    await expect(page.getByTestId('webhook-secret')).toHaveCount(0);
  });
});
