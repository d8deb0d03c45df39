import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { sendImport } from '../../support/import-client.ts';
import { rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam, signIn } from '../support/team.ts';

const dayOf = (days: number): string => dayFromToday(days).split('-').toReversed().join('.');

const lines = [
  'Дата;Контрагент;Цена;Тематика',
  `${dayOf(-2)};@from_file;5 400,50;Юмор`,
  `${dayOf(-1)};https://t.me/also_from_file;1200;Кулинария`,
  `${dayOf(-1)};@broken_row;много;Юмор`,
].join('\r\n');

/** Lets a file fall on the placements. */
const dropFile = async (page: Page, text: string): Promise<Locator> => {
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  const files = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(text)}], 'ноябрь.csv', { type: 'text/csv' }));
    return transfer;
  })()`);
  await page.locator('.z-placements').dispatchEvent('drop', { dataTransfer: files });
  return page.getByRole('dialog', { name: 'Размещения из файла' });
};

test('E2E-2100 a file that falls on the table is told of, written, and taken back as one', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const dialog = await dropFile(page, lines);
  await expect(dialog).toContainText('3 строки: добавится 2, с ошибками 1');
  await expect(dialog.getByRole('table', { name: 'Ошибки файла' })).toContainText('Некорректная цена');
  await dialog.getByRole('button', { name: 'Импортировать: 2 строки' }).click();
  await expect(dialog).toContainText('Готово: добавлено 2, с ошибками 1');

  const nicks = async (): Promise<readonly number[]> =>
    (
      await team.done<{ placements: readonly PlacementWire[] }>('GET', `/campaigns/${campaign.id}/placements`)
    ).placements.map(({ price }) => price);
  await expect.poll(nicks).toEqual(expect.arrayContaining([5400.5, 1200]));

  await dialog.getByRole('button', { name: 'Отменить импорт' }).click();
  await page
    .getByRole('alertdialog', { name: 'Отменить импорт?' })
    .getByRole('button', { name: 'Отменить импорт' })
    .click();
  await expect(dialog).toContainText('Импорт отменён: всё стало как было');
  await dialog.getByRole('button', { name: 'Хорошо' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, '@also_from_file')).toHaveCount(0);
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
});

test('E2E-2400 a contractor on the black list is told of before a file is written, and a wrong cell is mended there @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const verdict = { list: 'black', reason: 'Не вернул предоплату' };
  await team.done('PUT', `/contractors/${placements['kitchen_ads']?.contractorId}`, { verdict });
  const { page } = await as(team, 'ilya');
  const dialog = await dropFile(page, [lines, `${dayOf(-1)};@kitchen_ads;900;Юмор`].join('\r\n'));
  await expect(dialog).toContainText('В чёрном списке: 1 строка');
  const known = dialog.getByRole('table', { name: 'Что известно о контрагентах' });
  await expect(known).toContainText('Чёрный список Не вернул предоплату');
  await expect(known).toContainText(/Куплено другим байером .*: Анна/u);

  const cell = dialog.getByRole('textbox', { name: 'Цена, строка 3' });
  await cell.fill('700');
  await cell.press('Enter');
  await expect(dialog).toContainText('Ошибок нет');
  await dialog.getByRole('button', { name: 'Импортировать: 4 строки' }).click();
  await expect(dialog).toContainText('Готово: добавлено 4');
});

test('E2E-2530 an import of several parts is taken back from the list of earlier imports @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, placements } = await givenCampaign(team);
  const { page } = await as(team, 'owner', '/settings?tab=export');
  const rows = Array.from({ length: 300 }, (_, row) => `${dayOf(-1)};@many_${row % 9};${row + 1};Юмор;Анна Соколова`);
  const owner = team.member('owner');
  await sendImport({
    address,
    by: { userId: owner.id, token: (await signIn(address, owner)).token },
    campaignId: campaign.id,
    file: ['Дата;Контрагент;Цена;Тематика;Байер', ...rows].join('\r\n'),
    key: randomUUID(),
  });
  const count = async (): Promise<number> =>
    (await team.done<{ total: number }>('GET', `/campaigns/${campaign.id}/placements`)).total;
  const before = Object.keys(placements).length;
  await expect.poll(count).toBe(before + 300);

  const earlier = page.getByRole('table', { name: 'Прежние импорты' });
  await expect(earlier).toContainText('Готово: добавлено 300');
  await earlier.getByRole('button', { name: 'Отменить импорт' }).click();
  await page
    .getByRole('alertdialog', { name: 'Отменить импорт?' })
    .getByRole('button', { name: 'Отменить импорт' })
    .click();
  await expect(earlier).toContainText('Импорт отменён: всё стало как было');
  await expect(earlier.getByRole('button', { name: 'Отменить импорт' })).toHaveCount(0);
  await expect.poll(count).toBe(before);
});

test('E2E-2688 Ctrl+Z takes an import of several parts back after a question, and Ctrl+Shift+Z brings it in again @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const before = Object.keys(placements).length;
  const count = async (): Promise<number> =>
    (await team.done<{ total: number }>('GET', `/campaigns/${campaign.id}/placements`)).total;
  const rows = Array.from({ length: 300 }, (_, row) => `${dayOf(-1)};@many_${row % 9};${row + 1};Юмор`);
  const dialog = await dropFile(page, ['Дата;Контрагент;Цена;Тематика', ...rows].join('\r\n'));
  await dialog.getByRole('button', { name: 'Импортировать: 300 строк' }).click();
  await expect(dialog).toContainText('Готово: добавлено 300');
  await dialog.getByRole('button', { name: 'Хорошо' }).click();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  await page.keyboard.press('Control+KeyZ');
  await page
    .getByRole('alertdialog', { name: 'Отменить импорт?' })
    .getByRole('button', { name: 'Отменить импорт' })
    .click();
  await expect(page.getByText('Отменено: Импорт: 300 строк, файл ноябрь.csv')).toBeVisible();
  await expect.poll(count).toBe(before);

  await page.keyboard.press('Control+Shift+KeyZ');
  await expect(page.getByText('Повторено: Импорт: 300 строк, файл ноябрь.csv')).toBeVisible();
  await expect.poll(count).toBe(before + 300);
});
