import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { cellOf, editCell, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam } from '../support/team.ts';

const clipboard = 'navigator.clipboard.readText()';

test('E2E-1900 a range is selected by keys and mouse, summed in the status bar and copied for a spreadsheet, in a completed campaign too @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const status = page.locator('.z-selection-status');

  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await expect(page.locator('[aria-selected="true"]')).toHaveCount(4);
  await expect(status).toHaveText(
    /Выбрано: 4 ячейки в 2 строках · Сумма: 8\s400,50\s₽ · Среднее: 4\s200,25\s₽ · Приход: 110 · CPL: 76,37\s₽/u,
  );
  await page.keyboard.press('Control+KeyC');
  await expect.poll(() => page.evaluate(clipboard)).toBe('5400,5\t50\n3000\t60');

  await test.step('by the mouse', async () => {
    const [from, to] = [await cellOf(page, '@kitchen_ads', 'Цена'), await cellOf(page, '@food_daily', 'Цена')];
    await from.hover({ position: { x: 4, y: 4 } });
    await page.mouse.down();
    await to.hover({ position: { x: 4, y: 4 } });
    await page.mouse.up();
    await expect(status).toHaveText(/Выбрано: 3 ячейки · Сумма: 16\s400,50\s₽/u);
    await page.keyboard.press('Escape');
    await expect(page.locator('[aria-selected="true"]')).toHaveCount(0);
    await expect(status).toHaveCount(0);
  });

  await team.done('PUT', `/campaigns/${campaign.id}`, { status: 'COMPLETED' });
  await expect(page.getByRole('grid')).toHaveAttribute('aria-readonly', 'true');
  await goToCell(page, '@food_daily', 'Приход');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Delete');
  await page.keyboard.press('Control+KeyD');
  await page.keyboard.press('Control+KeyC');
  await expect.poll(() => page.evaluate(clipboard)).toBe('100\n10');
});

test('E2E-1902 from the top of the page the first cell is three presses away, the table is one Tab stop, and Tab comes back to where one was', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'К содержимому' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'К таблице' })).toBeFocused();
  await page.keyboard.press('Enter');
  const first = page.getByRole('grid').getByRole('row').nth(1).getByRole('gridcell').first();
  await expect(first).toBeFocused();

  await test.step('typing, Enter and arrows go on as in a spreadsheet', async () => {
    await goToCell(page, '@kitchen_ads', 'Приход');
    await page.keyboard.type('70');
    await page.keyboard.press('Enter');
    await expect(await cellOf(page, '@marina_pr', 'Приход')).toBeFocused();
    await page.keyboard.type('80');
    await page.keyboard.press('ArrowUp');
    await expect(await cellOf(page, '@kitchen_ads', 'Приход')).toBeFocused();
    await expect(await cellOf(page, '@kitchen_ads', 'Приход')).toContainText('70');
    await expect(await cellOf(page, '@marina_pr', 'Приход')).toContainText('80');
  });

  await page.keyboard.press('Tab');
  await expect(page.locator('[data-row] :focus')).toHaveCount(0);
  await page.keyboard.press('Shift+Tab');
  await expect(await cellOf(page, '@kitchen_ads', 'Приход')).toBeFocused();
});

test('E2E-1901 a price is filled down over a range and emptied by Delete, each as one command that the server undoes as one @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const commands: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/placements/batch')) commands.push(request.headers()['idempotency-key'] ?? '');
  });
  const prices = async (): Promise<readonly number[]> =>
    Promise.all(
      ['kitchen_ads', 'marina_pr', 'food_daily'].map(
        async (nick) =>
          (await team.done<{ placement: PlacementWire }>('GET', `/placements/${placements[nick]?.id ?? ''}`)).placement
            .price,
      ),
    );
  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+KeyD');
  await expect(await cellOf(page, '@food_daily', 'Цена')).toContainText('5 400,50 ₽');
  await settled(page);
  expect(await prices()).toEqual([5400.5, 5400.5, 5400.5]);
  await page.keyboard.press('Delete');
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText(/^0\s₽/u);
  await settled(page);
  expect(await prices()).toEqual([0, 0, 0]);
  expect(commands).toHaveLength(2);
  for (const commandId of commands.toReversed()) await team.done('POST', '/undo', { commandId, reason: 'Проверка' });
  await expect.poll(prices).toEqual([5400.5, 3000, 8000]);

  await test.step('what may not be empty says so', async () => {
    await goToCell(page, '@kitchen_ads', 'Дата');
    await page.keyboard.press('Delete');
    await expect(page.locator('.z-toast')).toContainText('Поле «Дата» не бывает пустым');
    await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  });
});

test('E2E-2301 of 55 placements: the figures of a selection are told to the last one beside the pager, on a screen of 1280 too; Ctrl+Z reaches what was changed on another page, keys every row of one list', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const items = Array.from({ length: 50 }, (_, at) => ({
    op: 'add',
    campaignId: campaign.id,
    contractor: `@million_${at}`,
    buyerId: team.member('anna').id,
    category: 'Кулинария',
    date: dayFromToday(0),
    price: 1_234_567.5,
  }));
  await team.done('POST', '/placements/batch', { atomic: true, items });
  const { page } = await as(team, 'anna');
  await page.setViewportSize({ width: 1280, height: 800 });
  const pager = page.getByRole('navigation', { name: 'Страницы размещений' });
  await expect(pager).toContainText('из 55');
  const price = page.getByRole('gridcell', { name: /1\s234\s567,50/u }).first();
  await price.click({ position: { x: 3, y: 3 } });
  await expect(price).toBeFocused();
  await page.keyboard.press('Control+KeyA');
  const status = page.locator('.z-selection-status');
  await expect(status).toHaveText(/строках · Сумма: .+ · Среднее: .+ · Приход: .+ · CPL: .+$/u);
  const lastSeen = (): Promise<readonly boolean[]> =>
    status.evaluate((element) => {
      const change = element.parentElement?.querySelector('button')?.getBoundingClientRect();
      const bar = element.closest('.z-status')?.querySelector('.z-status-right')?.getBoundingClientRect();
      return [
        element.scrollWidth <= element.clientWidth,
        change !== undefined && bar !== undefined && change.right <= bar.left,
      ];
    });
  await expect.poll(lastSeen).toEqual([true, true]);
  await expect(status.locator('.z-fitted-short')).toHaveAttribute('data-short', /^Выбрано .+ · приход .+ · CPL .+$/u);
  await expect(pager.getByRole('button', { name: 'Следующая страница' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pager.getByRole('button', { name: 'все' })).toBeVisible();

  await test.step('on another page, in another order and under a search Ctrl+Z takes back what is not shown', async () => {
    await editCell(page, '@kitchen_ads', 'Цена', '777');
    await settled(page);
    await pager.getByRole('button', { name: 'Следующая страница' }).click();
    await expect(rowOf(page, '@kitchen_ads')).toHaveCount(0);
    await page.getByRole('grid').getByRole('button', { name: 'Приход' }).click();
    await page.getByRole('button', { name: 'Найти', exact: true }).click();
    await page.keyboard.type('food');
    await expect(page.locator('.z-filter-chips')).toContainText('показано 1 из 55');
    await goToCell(page, '@food_daily', 'Цена');
    await page.keyboard.press('Control+KeyZ');
    await expect(page.locator('.z-toast')).toContainText(/Отменено: @kitchen_ads, цена 777.₽ → 5.400,50.₽/u);
    await page.keyboard.press('Control+KeyY');
    await expect(page.locator('.z-toast')).toContainText(/Повторено: @kitchen_ads/u);
    await settled(page);
    await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
  });

  await test.step('in one list keys lead to rows that were not in the document, and bring them into sight', async () => {
    await pager.getByRole('button', { name: 'все' }).click();
    const rows = page.locator('[data-row]');
    await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '57');
    expect(await rows.count()).toBeLessThan(55);
    const first = page.getByRole('grid').getByRole('row').nth(1).getByRole('gridcell').first();
    await first.click({ position: { x: 3, y: 3 } });
    const stands = async (row: string, column: string): Promise<void> => {
      await expect(page.locator(`[data-row][aria-rowindex="${row}"] [aria-colindex="${column}"]`)).toBeFocused();
      await expect(page.locator('[data-row] :focus')).toBeInViewport();
    };
    const lastColumn = (await page.getByRole('grid').getAttribute('aria-colcount')) ?? '';
    await page.keyboard.press('Control+End');
    await stands('56', lastColumn);
    await page.keyboard.press('Home');
    await stands('56', '1');
    await page.keyboard.press('PageUp');
    await expect(page.locator('[data-row][aria-rowindex="56"] :focus')).toHaveCount(0);
    await expect(page.locator('[data-row] :focus')).toBeInViewport();
    await page.keyboard.press('PageDown');
    await stands('56', '1');
    await page.keyboard.press('Control+ArrowUp');
    await stands('2', '1');
    await page.keyboard.press('End');
    await stands('2', lastColumn);
    await page.keyboard.press('ArrowDown');
    await stands('3', lastColumn);
    await page.keyboard.press('Control+Home');
    await stands('2', '1');
  });
});
