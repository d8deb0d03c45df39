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
    const filter = page.locator('.z-bar-popover');
    await filter.getByRole('button', { name: 'Оплата' }).click();
    await filter.getByRole('checkbox', { name: 'Не оплачено' }).check();
    await page.keyboard.press('Escape');
    await filter.getByRole('button', { name: 'Байер' }).click();
    await filter.getByRole('checkbox', { name: 'Илья Кравцов' }).check();
    await page.keyboard.press('Escape');
    await expect(filter.getByRole('checkbox'), 'the list goes first').toHaveCount(0);
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

test('E2E-2160 several buyers are chosen by keys, the rows, their totals and the explanation follow, and what was taken down early stays in reach @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  await team.done('PATCH', `/placements/${placements['slow_ads']?.id ?? ''}`, { status: 'REMOVED_EARLY' });
  const { page } = await as(team, 'owner');
  await page.setViewportSize({ width: 1280, height: 800 });
  const rows = page.getByRole('grid').getByRole('row').filter({ hasText: '@' });
  await expect(rows).toHaveCount(4);
  await page.getByRole('button', { name: 'Фильтр', exact: true }).click();
  const filter = page.locator('.z-bar-popover');
  await filter.getByRole('button', { name: 'Байер' }).press('Enter');
  await page.getByRole('checkbox', { name: 'Анна Соколова' }).press(' ');
  const chips = page.locator('.z-filter-chips');
  await expect(chips).toContainText('Байер: Анна Соколова');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press(' ');
  await expect(chips).toContainText('Байер: Анна Соколова, Илья Кравцов');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect(filter).toHaveCount(0);
  await expect(rows).toHaveCount(4);

  const totals = page.getByRole('row').filter({ hasText: 'Итого по фильтру' });
  await totals.getByRole('button', { name: '4 из 5' }).click();
  await expect(page.getByRole('dialog')).toContainText('Байер: Анна Соколова, Илья Кравцов');
  await expect(page.getByRole('dialog')).toContainText('Засчитано 4');
  await page.keyboard.press('Escape');

  const takenDown = chips.getByRole('button', { name: 'Показать снятые: 1' });
  await expect(takenDown).toBeInViewport({ ratio: 1 });
  await takenDown.click();
  await expect(rows).toHaveCount(5);
  await page.reload();
  await expect(chips).toContainText('Байер: Анна Соколова, Илья Кравцов');
  await expect(rows).toHaveCount(5);
});

test('E2E-2010 the table is narrowed by leads and CPL, all of the filter is in reach on a laptop, and one click takes it away @deep', async ({
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
