import { rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-37 the table is sorted, searched, filtered and cut to columns, its totals follow, and it is remembered', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const grid = page.getByRole('grid');
  const rows = grid.getByRole('row').filter({ hasText: '@' });
  const totals = grid.getByRole('row').last();
  await expect(rows.first()).toContainText('@kitchen_ads');
  await expect(totals).toContainText('21 600,50 ₽');
  await expect(totals).toContainText('оплачено 5 400,50 ₽ · не оплачено 16 200 ₽');

  await test.step('sorted by a header, up and down, and by the keyboard', async () => {
    await grid.getByRole('button', { name: 'Цена' }).click();
    await expect(rows.first()).toContainText('@new_place');
    await grid.getByRole('button', { name: 'Цена' }).click();
    await expect(rows.first()).toContainText('@food_daily');
    await expect(grid.getByRole('columnheader', { name: 'Цена' })).toHaveAttribute('aria-sort', 'descending');
    await rowOf(page, '@food_daily').getByRole('gridcell').nth(3).click();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await expect(grid.getByRole('columnheader', { name: 'Приход' })).toHaveAttribute('aria-sort', 'ascending');
  });

  await test.step('Ctrl+F searches in the table, Escape gives everything back', async () => {
    await rowOf(page, '@food_daily').getByRole('gridcell').nth(3).click();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('food');
    await expect(page.locator('.z-filter-chips')).toContainText('показано 1 из 5');
    await expect(totals).toContainText('Итого по фильтру');
    await expect(totals).toContainText('8 000 ₽');
    await page.keyboard.press('Escape');
    await expect(rows).toHaveCount(5);
  });

  await test.step('filters by payment and buyer, each a chip that can be taken away', async () => {
    await page.getByRole('button', { name: 'Фильтр', exact: true }).click();
    await page.getByLabel('Оплата', { exact: true }).last().selectOption({ label: 'Не оплачено' });
    await page.getByLabel('Байер', { exact: true }).last().selectOption({ label: 'Илья Кравцов' });
    await page.keyboard.press('Escape');
    await expect(page.locator('.z-filter-chips')).toContainText('показано 3 из 5');
    await expect(totals).toContainText('13 200 ₽');
    await page.getByRole('button', { name: /^Убрать: .*Илья/u }).click();
    await expect(page.locator('.z-filter-chips')).toContainText('показано 4 из 5');
  });

  await test.step('a column is put away, and all of it outlives a reload', async () => {
    await page.getByRole('button', { name: 'Столбцы' }).click();
    await page.getByRole('checkbox', { name: 'Тематика' }).uncheck();
    await page.keyboard.press('Escape');
    await expect(grid.getByRole('columnheader', { name: 'Тематика' })).toHaveCount(0);
    await page.reload();
    await expect(page.locator('.z-filter-chips')).toContainText('показано 4 из 5');
    await expect(grid.getByRole('columnheader', { name: 'Тематика' })).toHaveCount(0);
    await expect(grid.getByRole('columnheader', { name: 'Приход' })).toHaveAttribute('aria-sort', 'ascending');
    await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
    await expect(rows).toHaveCount(5);
  });

  await test.step('nothing found is not empty', async () => {
    await page.getByRole('button', { name: 'Найти', exact: true }).click();
    await page.keyboard.type('никого такого');
    await expect(page.getByText('Ничего не найдено')).toBeVisible();
  });
});

test('E2E-2010 the table is narrowed by leads and CPL, all of the filter is in reach on a laptop, and one click takes it away', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.setViewportSize({ width: 1280, height: 800 });
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: '@' });
  await expect(rows).toHaveCount(5);
  await page.getByRole('button', { name: 'Фильтр', exact: true }).click();
  await page.getByLabel('CPL от, ₽', { exact: true }).fill('0');
  await page.getByLabel('Приход от', { exact: true }).fill('1');
  const chips = page.locator('.z-filter-chips');
  await expect(chips).toContainText('CPL: от 0 ₽');
  await expect(chips).toContainText('Приход: от 1');
  await expect(rows.filter({ hasText: '@new_place' })).toHaveCount(0);
  const reset = page.locator('.z-bar-popover-foot').getByRole('button', { name: 'Сбросить фильтры' });
  await expect(page.locator('.z-bar-popover').getByLabel('Контрагент')).toBeInViewport({ ratio: 1 });
  await expect(reset).toBeInViewport({ ratio: 1 });
  await reset.click();
  await expect(rows).toHaveCount(5);
});
