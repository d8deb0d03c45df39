import type { ViewWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

const rowsOf = (page: Page) => page.getByRole('grid').getByRole('row').filter({ hasText: '@' });
const openViews = (page: Page) => page.getByRole('button', { name: 'Виды', exact: true }).click();
const inMenu = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });

const find = async (page: Page, text: string): Promise<void> => {
  const search = page.getByRole('searchbox', { name: 'Найти в размещениях' });
  if (!(await search.isVisible())) await page.getByRole('button', { name: 'Найти', exact: true }).click();
  await search.fill(text);
  await expect(page).toHaveURL(new RegExp(`search=${text}`, 'u'));
};
const save = async (page: Page, name: string, forTeam: boolean): Promise<void> => {
  await openViews(page);
  await inMenu(page, 'Сохранить вид…').click();
  const dialog = page.getByRole('dialog', { name: 'Сохранить вид' });
  await dialog.getByLabel('Название').fill(name);
  if (forTeam) await dialog.getByLabel('Для всей команды').check();
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await expect(page.getByText(`Вид «${name}» сохранён`)).toBeVisible();
  await expect(dialog).toHaveCount(0);
};

test('E2E-2410 a view is saved, chosen again, and given to the team, who see it come, change and go at once @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const { page: theirs } = await as(team, 'ilya');
  for (const each of [page, theirs]) await each.setViewportSize({ width: 1280, height: 800 });
  const rows = rowsOf(page);
  await expect(rows).toHaveCount(5);
  await expect(rowsOf(theirs)).toHaveCount(5);

  await find(page, 'ads');
  await expect(rows).toHaveCount(2);
  await save(page, 'Реклама', false);
  await find(page, 'daily');
  await expect(rows).toHaveCount(1);
  await openViews(page);
  await inMenu(page, 'Реклама').click();
  await expect(rows).toHaveCount(2);
  await expect(page).toHaveURL(/search=ads/u);
  await openViews(page);
  await expect(inMenu(page, 'Реклама')).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Escape');
  await page.goBack();
  await expect(rows).toHaveCount(1);

  await save(page, 'Ежедневные', true);
  await openViews(theirs);
  await expect(inMenu(theirs, 'Ежедневные')).toBeVisible();
  await expect(inMenu(theirs, 'Реклама')).toHaveCount(0);
  await inMenu(theirs, 'Ежедневные').click();
  await expect(rowsOf(theirs)).toHaveCount(1);
  await openViews(theirs);
  await expect(inMenu(theirs, 'Удалить «Ежедневные»')).toHaveCount(0);

  await test.step('the address of a chosen view is a link to it', async () => {
    const { pathname, search } = new URL(theirs.url());
    const { page: opened } = await as(team, 'maria', pathname + search);
    await opened.setViewportSize({ width: 1280, height: 800 });
    await expect(rowsOf(opened)).toHaveCount(1);
    await openViews(opened);
    await expect(inMenu(opened, 'Ежедневные')).toHaveAttribute('aria-current', 'true');
    await inMenu(opened, 'Переименовать «Ежедневные»…').click();
    const dialog = opened.getByRole('dialog', { name: 'Переименовать вид' });
    await dialog.getByLabel('Название').fill('Каждый день');
    await dialog.getByRole('button', { name: 'Сохранить' }).click();
    await expect(inMenu(theirs, 'Каждый день')).toBeVisible();
  });

  await openViews(page);
  await inMenu(page, 'Удалить «Каждый день»').click();
  await expect(page.getByText('Вид «Каждый день» удалён')).toBeVisible();
  await expect(inMenu(theirs, 'Каждый день')).toHaveCount(0);
  await page.getByRole('button', { name: 'Вернуть', exact: true }).click();
  await expect(inMenu(theirs, 'Каждый день')).toBeVisible();
});

test('E2E-2411 what the table shows replaces a saved view, with the way back, and whoever may not change placements saves for themselves', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'olga']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'olga');
  await page.setViewportSize({ width: 1280, height: 800 });
  await find(page, 'ads');
  await openViews(page);
  await inMenu(page, 'Сохранить вид…').click();
  const dialog = page.getByRole('dialog', { name: 'Сохранить вид' });
  await expect(dialog.getByLabel('Название')).toBeFocused();
  await expect(dialog.getByLabel('Для всей команды')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await save(page, 'Мой вид', false);

  await find(page, 'daily');
  await openViews(page);
  await inMenu(page, 'Обновить «Мой вид»').click();
  await expect(page.getByText('Вид «Мой вид» обновлён')).toBeVisible();
  await openViews(page);
  await expect(inMenu(page, 'Мой вид')).toHaveAttribute('aria-current', 'true');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Вернуть', exact: true }).click();
  await expect(page.getByText('Вид «Мой вид» возвращён')).toBeVisible();
  await openViews(page);
  await inMenu(page, 'Мой вид').click();
  await expect(page).toHaveURL(/search=ads/u);

  await openViews(page);
  await inMenu(page, 'Сохранить вид…').click();
  expectProblems(/409/u);
  await dialog.getByLabel('Название').fill('МОЙ  вид');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await expect(dialog.getByText('Вид с таким названием уже есть')).toBeVisible();
});

test('E2E-2561 on a phone a view of the team is chosen from the cards, and one’s own is saved @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  await team.done('POST', '/views', { name: 'Реклама', query: 'search=ads&sort=price', shared: true });
  await team.done('PATCH', `/placements/${placements['food_daily']?.id}`, { status: 'REMOVED_EARLY' });
  const { page } = await as(team, 'anna', '/dashboard', { viewport: { width: 390, height: 844 }, hasTouch: true });
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(4);
  const line = page.locator('.z-said-of-rows');
  await expect(line).toContainText('Показать снятые: 1');
  await expect.poll(() => line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  const button = page.getByRole('button', { name: 'Виды', exact: true });
  await expect
    .poll(async () => {
      const box = await button.boundingBox();
      return Math.min(box?.width ?? 0, box?.height ?? 0);
    })
    .toBeGreaterThanOrEqual(44);
  await button.tap();
  await inMenu(page, 'Реклама').tap();
  await expect(cards).toHaveCount(2);
  await expect(page).toHaveURL(/search=ads/u);
  await button.tap();
  await expect(inMenu(page, 'Реклама')).toHaveAttribute('aria-current', 'true');
  await inMenu(page, 'Сохранить вид…').tap();
  const dialog = page.getByRole('dialog', { name: 'Сохранить вид' });
  await dialog.getByLabel('Название').fill('С телефона');
  await dialog.getByRole('button', { name: 'Сохранить' }).tap();
  await expect(page.getByText('Вид «С телефона» сохранён')).toBeVisible();
  await button.tap();
  await expect(inMenu(page, 'С телефона')).toHaveAttribute('aria-current', 'true');
});

test('E2E-2562 who replaces a view of the team that another changed meanwhile is asked, and replaces it @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  await givenCampaign(team);
  const { view } = await team.done<{ view: ViewWire }>('POST', '/views', {
    name: 'Реклама',
    query: 'search=ads&sort=date',
    shared: true,
  });
  const { page, expectProblems } = await as(team, 'maria');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(rowsOf(page)).toHaveCount(5);
  await openViews(page);
  await inMenu(page, 'Реклама').click();
  await expect(rowsOf(page)).toHaveCount(2);
  await team.done('PUT', `/views/${view.id}`, { query: 'search=daily&sort=date' });
  await openViews(page);
  await expect(inMenu(page, 'Реклама')).not.toHaveAttribute('aria-current', 'true');
  expectProblems(/409/u);
  await inMenu(page, 'Обновить «Реклама»').click();
  const dialog = page.getByRole('dialog', { name: 'Вид изменён' });
  await expect(dialog).toContainText('Вид «Реклама» изменён, пока он был открыт');
  await dialog.getByRole('button', { name: 'Показать изменённый' }).click();
  await expect(rowsOf(page)).toHaveCount(1);

  await find(page, 'ads');
  await team.done('PUT', `/views/${view.id}`, { query: 'search=kitchen&sort=date' });
  await openViews(page);
  await inMenu(page, 'Обновить «Реклама»').click();
  await dialog.getByRole('button', { name: 'Заменить' }).click();
  await expect(page.getByText('Вид «Реклама» обновлён')).toBeVisible();
  const { views } = await team.done<{ views: readonly ViewWire[] }>('GET', '/views');
  expect(views.map(({ query }) => query)).toEqual(['search=ads&sort=date']);
});
