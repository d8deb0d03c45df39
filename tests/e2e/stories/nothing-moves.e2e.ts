import { goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-1120 no bar or chip moves the rows under the pointer as it comes or goes', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  expectProblems(/ERR_INTERNET_DISCONNECTED/u);
  await page.setViewportSize({ width: 1280, height: 800 });
  const row = rowOf(page, '@kitchen_ads');
  await expect(row).toBeVisible();
  await settled(page);
  const top = async (): Promise<number> => Math.round((await row.boundingBox())?.y ?? -1);
  const before = await top();

  await test.step('a filter', async () => {
    const grid = page.getByRole('grid');
    const head = await grid.boundingBox();
    await page.getByRole('button', { name: 'Найти' }).click();
    await page.keyboard.type('kitchen');
    await expect(page.getByRole('button', { name: /^Убрать: / })).toBeVisible();
    expect((await grid.boundingBox())?.y).toBe(head?.y);
    await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
    await expect(page.getByRole('button', { name: /^Убрать: / })).toHaveCount(0);
    expect((await grid.boundingBox())?.y).toBe(head?.y);
    expect(await top()).toBe(before);
  });

  await test.step('a lost line, while the pointer is in the table', async () => {
    await goToCell(page, '@kitchen_ads', 'Цена');
    const still = await top();
    await page.context().setOffline(true);
    await page.getByText('Нет связи, изменения будут отправлены.').waitFor();
    expect(await top()).toBe(still);
    await page.context().setOffline(false);
    await expect(page.getByText('Нет связи, изменения будут отправлены.')).toHaveCount(0);
    expect(await top()).toBe(still);
  });
});

test('E2E-1121 the contractor’s dialog is as high on each of its tabs', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await rowOf(page, '@kitchen_ads').getByRole('button', { name: '@kitchen_ads', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '@kitchen_ads' });
  const heights = new Set<number>();
  for (const tab of ['Обзор', /^История/u, /^Заметки/u]) {
    await dialog.getByRole('tab', { name: tab }).click();
    await expect(dialog.getByRole('tab', { name: tab, selected: true })).toBeVisible();
    heights.add((await dialog.boundingBox())?.height ?? 0);
  }
  expect([...heights]).toHaveLength(1);
});
