import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { cellOf, editCell, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, type Team } from '../support/team.ts';

const placementsOf = async (team: Team, campaignId: string): Promise<readonly PlacementWire[]> =>
  (await team.done<{ placements: readonly PlacementWire[] }>('GET', `/campaigns/${campaignId}/placements`)).placements;

test('E2E-2290 Ctrl+J makes a row once more, of today and focused, and the rows of a range as one command @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const before = (await placementsOf(team, campaign.id)).length;
  let batches = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/placements/batch')) batches += 1;
  });
  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Control+KeyJ');
  await expect(rowOf(page, '@kitchen_ads')).toHaveCount(2);
  await expect(page.locator('[data-revealed] [role="gridcell"]').first()).toBeFocused();
  await settled(page);
  const copies = (await placementsOf(team, campaign.id)).filter(({ price }) => price === 5400.5);
  expect(copies.map(({ leads, paymentStatus }) => [leads, paymentStatus])).toContainEqual([0, 'unpaid']);
  expect([copies.length, batches]).toEqual([2, 0]);

  await goToCell(page, '@marina_pr', 'Цена');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+KeyJ');
  await expect(rowOf(page, '@marina_pr')).toHaveCount(2);
  await settled(page);
  expect([(await placementsOf(team, campaign.id)).length - before, batches]).toEqual([3, 1]);
});

test('E2E-2291 the rows of a range are paid and deleted by their status bar, each as one command, and called back by Ctrl+Z', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const before = await placementsOf(team, campaign.id);
  let batches = 0;
  page.on('request', (request) => {
    if (/\/(?:placements\/batch|undo)$/u.test(request.url())) batches += 1;
  });
  const openDialog = async (): Promise<void> => {
    await goToCell(page, '@marina_pr', 'Цена');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByRole('button', { name: 'Изменить…' }).click();
    await expect(page.getByRole('dialog', { name: 'Изменить: 2 размещения' })).toBeVisible();
  };
  await openDialog();
  await page.getByRole('dialog').getByRole('combobox').nth(1).selectOption({ label: 'Оплачено' });
  await page.getByRole('button', { name: 'Изменить', exact: true }).click();
  await expect(await cellOf(page, '@food_daily', 'Оплата')).toContainText('Оплачено');
  await settled(page);
  const paid = (await placementsOf(team, campaign.id)).filter(({ paymentStatus }) => paymentStatus === 'paid');
  expect([paid.map(({ price }) => price), batches]).toEqual([expect.arrayContaining([3000, 8000]), 1]);

  await openDialog();
  await page.getByRole('button', { name: 'Удалить 2 размещения…' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText(/Удалить 2 размещения на 11\s000\s₽\?/u);
  await question.getByRole('button', { name: 'Удалить' }).click();
  await expect(page.locator('.z-toast')).toContainText(/Удалено: 2 размещения, 11\s000\s₽/u);
  await expect(rowOf(page, '@marina_pr')).toHaveCount(0);
  await page.keyboard.press('Control+KeyZ');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  expect((await placementsOf(team, campaign.id)).map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  expect(batches).toBe(3);
});

test('E2E-2292 rows are ticked at their numbers, summed, and changed as one command @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const numberOf = (nick: string) => rowOf(page, nick).locator('[data-number]');
  await numberOf('@kitchen_ads').click();
  await numberOf('@food_daily').click();
  await expect(page.locator('.z-selection-status')).toHaveText(/Отмечено: 2 строки · Сумма: 13\s400,50\s₽/u);
  await numberOf('@marina_pr').click();
  await numberOf('@marina_pr').click();
  await page.getByRole('button', { name: 'Изменить…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Изменить: 2 размещения' });
  await dialog.getByLabel('Что изменить').selectOption({ label: 'Приход' });
  await dialog.getByLabel('Приход', { exact: true }).fill('7');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await settled(page);
  const seven = (await placementsOf(team, campaign.id)).filter(({ leads }) => leads === 7);
  expect(seven.map(({ price }) => price).toSorted((a, b) => a - b)).toEqual([5400.5, 8000]);
});

test('E2E-2293 the right button and Shift+F10 open a menu in which a cell is copied, and its row deleted and called back @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const menu = page.getByRole('menu', { name: 'Действия с ячейкой' });
  await (await cellOf(page, '@food_daily', 'Цена')).click({ button: 'right', position: { x: 4, y: 4 } });
  await menu.getByRole('menuitem', { name: 'Копировать' }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe('8000');
  await expect(await cellOf(page, '@food_daily', 'Цена')).toBeFocused();

  await page.keyboard.press('Shift+F10');
  await expect(menu.getByRole('menuitem').first()).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
  await expect(rowOf(page, '@food_daily')).toHaveCount(0);
  await page.getByRole('button', { name: 'Вернуть' }).click();
  await expect(rowOf(page, '@food_daily')).toBeVisible();
});

test('E2E-2422 the menu of a cell opens the history of its field, from which a value goes back, and that of the whole row @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await editCell(page, '@marina_pr', 'Приход', '77');
  await editCell(page, '@marina_pr', 'Цена', '3500');
  await settled(page);
  const openHistory = async (column: string): Promise<void> => {
    await goToCell(page, '@marina_pr', column);
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'История' }).click();
  };
  await openHistory('Цена');
  const dialog = page.getByRole('dialog', { name: 'История: Цена, @marina_pr' });
  const entries = page.getByRole('dialog').getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText('3 500 ₽');
  await expect(entries.last()).toContainText('Создано 3 000 ₽');

  await dialog.getByRole('button', { name: 'Вся история строки' }).click();
  await expect(page.getByRole('dialog', { name: 'История: @marina_pr' })).toBeVisible();
  await expect(entries).toHaveCount(4);
  await page.getByRole('button', { name: 'Только «Цена»' }).click();
  await expect(entries).toHaveCount(2);

  await entries
    .first()
    .getByRole('button', { name: /^Вернуть/u })
    .click();
  const question = page.getByRole('dialog', { name: /^Вернуть/u });
  await question.getByRole('button', { name: /^Вернуть/u }).click();
  await expect(question).toBeHidden();
  await expect(dialog.getByRole('listitem')).toHaveCount(3);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toBeFocused();

  await openHistory('Формат');
  await expect(page.getByRole('dialog', { name: 'История: Формат, @marina_pr' })).toContainText(
    'Не меняли с добавления строки',
  );
  await expect(entries).toHaveCount(1);
});
