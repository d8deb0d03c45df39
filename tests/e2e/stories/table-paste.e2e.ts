import type { PlacementWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { cellOf, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

const copyText = async (page: Page, text: string): Promise<void> => {
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
};

/** Ids of the batches that the page sends. */
const batchesOf = (page: Page): readonly string[] => {
  const commands: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/placements/batch')) commands.push(request.headers()['idempotency-key'] ?? '');
  });
  return commands;
};

test('E2E-2210 a block that was copied in the table is pasted from another cell on at once, as one command that the server undoes as one', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const commands = batchesOf(page);
  const nicks = ['kitchen_ads', 'marina_pr', 'food_daily'];
  const figures = async (): Promise<readonly unknown[]> =>
    Promise.all(
      nicks.map(async (nick) => {
        const { placement } = await team.done<{ placement: PlacementWire }>(
          'GET',
          `/placements/${placements[nick]?.id ?? ''}`,
        );
        return [placement.price, placement.leads];
      }),
    );
  const before = await figures();
  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Control+KeyC');
  await goToCell(page, '@marina_pr', 'Цена');
  await page.keyboard.press('Control+KeyV');
  await expect(page.locator('.z-toast')).toContainText('Вставлено');
  await expect(page.locator('.z-toast')).toContainText('CPL считается сам');
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('5 400,50 ₽');
  await settled(page);
  await expect.poll(figures).toEqual([before[0], before[0], before[1]]);
  expect(commands).toHaveLength(1);
  await team.done('POST', '/undo', { commandId: commands[0], reason: 'Проверка' });
  await expect.poll(figures).toEqual(before);
});

test('E2E-2211 five lines with a heading are shown before they become placements, the unknown is chosen there, and the server undoes all as one @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const commands = batchesOf(page);
  const lines = [1, 2, 3, 4, 5].map((at) => `@sheet_${at}\t${at}к\t${at * 10}\tКулинарияя`);
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await goToCell(page, '@kitchen_ads', 'Дата');
  await copyText(page, ['Ник\tСтоимость\tЛиды\tТематика', ...lines].join('\n'));
  await page.keyboard.press('Control+KeyV');
  const preview = page.getByRole('dialog', { name: 'Вставка: 20 ячеек' });
  await expect(preview).toContainText('Тематика «Кулинарияя» (5 ячеек)');
  await expect(preview.getByRole('button', { name: 'Вставить' })).toBeDisabled();

  await test.step('cancelled, nothing is done, and the cell has the focus again', async () => {
    await page.keyboard.press('Escape');
    await expect(preview).toHaveCount(0);
    await expect(await cellOf(page, '@kitchen_ads', 'Дата')).toBeFocused();
    await page.keyboard.press('Control+KeyV');
  });

  await preview.getByLabel('Тематика «Кулинарияя»').selectOption('Кулинария');
  await expect(preview).toContainText('Создастся: 5 размещений');
  await preview.getByRole('button', { name: 'Вставить' }).press('Enter');
  await expect(rowOf(page, '@sheet_5')).toBeVisible();
  await expect(await cellOf(page, '@sheet_5', 'Приход')).toContainText('50');
  await settled(page);
  await page.reload();
  const pasted = page.getByRole('grid').getByRole('row').filter({ hasText: '@sheet_' });
  await expect(pasted, 'in the order of the block').toContainText([1, 2, 3, 4, 5].map((at) => `@sheet_${at}`));
  const stored = async (): Promise<readonly unknown[]> => {
    const { placements } = await team.done<{ placements: readonly PlacementWire[] }>(
      'GET',
      `/campaigns/${campaign.id}/placements`,
    );
    return placements.map(({ price, leads }) => [price, leads]);
  };
  await expect.poll(async () => (await stored()).length).toBe(10);
  expect(await stored()).toEqual(expect.arrayContaining([1, 2, 3, 4, 5].map((at) => [at * 1000, at * 10])));
  expect(commands).toHaveLength(1);
  await team.done('POST', '/undo', { commandId: commands[0], reason: 'Проверка' });
  await expect(rowOf(page, '@sheet_5')).toHaveCount(0);
});
