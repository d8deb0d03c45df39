import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { cellOf, editCell, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-2240 a price goes back by Ctrl+Z and forth by Ctrl+Shift+Z, after a reload too, in the Russian layout and from the list', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const toast = page.locator('.z-toast');
  await editCell(page, '@marina_pr', 'Цена', '5200');
  const price = await cellOf(page, '@marina_pr', 'Цена');
  await expect(price).toContainText('5 200 ₽');
  await settled(page);

  await page.keyboard.press('Control+KeyZ');
  await expect(price).toContainText('3 000 ₽');
  await expect(toast).toContainText(/Отменено: @marina_pr, цена 5.200.₽ → 3.000.₽/u);
  await page.keyboard.press('Control+Shift+KeyZ');
  await expect(price).toContainText('5 200 ₽');
  await expect(toast).toContainText(/Повторено: @marina_pr, цена 3.000.₽ → 5.200.₽/u);
  await settled(page);

  await page.reload();
  await settled(page);
  await goToCell(page, '@kitchen_ads', 'Дата');
  const russian = { key: 'я', code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true };
  await page.getByRole('grid').dispatchEvent('keydown', russian);
  await expect(price).toContainText('3 000 ₽');
  await settled(page);
  await page.keyboard.press('Control+KeyY');
  await expect(price).toContainText('5 200 ₽');
  await settled(page);

  await page.getByRole('button', { name: 'Ещё: скачать, печать, клавиши' }).click();
  await page.getByRole('menuitem', { name: 'Мои последние действия' }).click();
  const list = page.getByRole('dialog', { name: 'Мои последние действия' });
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await list.getByRole('button', { name: /^Отменить: @marina_pr/u }).click();
  await expect(list.getByRole('listitem')).toContainText('отменено');
  await expect(list.getByRole('button', { name: /^Повторить: @marina_pr/u })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(price).toContainText('3 000 ₽');
});

test('E2E-2241 a fill over rows is undone as one, and repeated as one @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(new URL(request.url()).pathname);
  });
  const nicks = Object.keys(placements);
  const prices = (): Promise<readonly number[]> =>
    Promise.all(
      nicks.map(
        async (nick) =>
          (await team.done<{ placement: PlacementWire }>('GET', `/placements/${placements[nick]?.id ?? ''}`)).placement
            .price,
      ),
    );
  const before = await prices();
  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Control+Home');
  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Control+Shift+ArrowDown');
  await page.keyboard.press('Control+KeyD');
  await expect(await cellOf(page, '@food_daily', 'Цена')).toContainText('5 400,50 ₽');
  await settled(page);
  const filled = await prices();
  expect(filled.filter((price) => price === 5400.5).length).toBeGreaterThan(2);
  await page.keyboard.press('Control+KeyZ');
  await expect.poll(prices).toEqual(before);
  await expect(page.locator('.z-toast')).toContainText(/Отменено: Заполнение вниз/u);
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
  await page.keyboard.press('Control+Shift+KeyZ');
  await expect.poll(prices).toEqual(filled);
  expect(sent.filter((path) => path === '/api/undo')).toHaveLength(2);
  expect(sent.filter((path) => path === '/api/placements/batch')).toHaveLength(1);
});

test('E2E-2242 where a colleague changed the field since, undoing shows three values and takes the one that is chosen @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const id = placements['marina_pr']?.id ?? '';
  const { page, expectProblems } = await as(team, 'anna');
  expectProblems(/status of 409/u);
  await editCell(page, '@marina_pr', 'Цена', '5200');
  const price = await cellOf(page, '@marina_pr', 'Цена');
  await settled(page);
  const { placement } = await team.done<{ placement: PlacementWire }>('GET', `/placements/${id}`);
  await team.done('PATCH', `/placements/${id}`, { price: 4800, baseRevision: placement.revision });
  await expect(price).toContainText('4 800 ₽');

  await page.keyboard.press('Control+KeyZ');
  const dialog = page.getByRole('dialog', { name: 'Отменить: значение уже другое' });
  await expect(dialog).toContainText(/Было\s*3.000.₽\s*Вы поставили\s*5.200.₽\s*Сейчас\s*4.800.₽/u);
  await dialog.getByRole('button', { name: 'Вернуть прежнее' }).click();
  await expect(price).toContainText('3 000 ₽');
  await settled(page);
  await page.keyboard.press('Control+KeyZ');
  await expect(price).toContainText('4 800 ₽');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
});
