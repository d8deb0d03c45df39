import type { Locator, Page } from '@playwright/test';
import { cellOf, goToCell } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

/** Opens what a figure says of itself, by the words of its tooltip. */
const explained = async (within: Page | Locator, page: Page, label: string): Promise<Locator> => {
  await within.getByTitle(`${label}: почему эта цифра?`).first().click();
  const why = page.getByRole('dialog', { name: 'Почему эта цифра?' });
  await expect(why).toBeVisible();
  return why;
};

/** Kopecks of everything in a column of money, `+` and spaces aside. */
const kopecksOf = async (cells: Locator): Promise<number> => {
  const texts = await cells.allInnerTexts();
  return texts
    .map((text) => Math.round(Number(text.replace(/[^\d,]/gu, '').replace(',', '.')) * 100))
    .reduce((sum, one) => sum + one, 0);
};

test('E2E-52 «Почему эта цифра?» on the dashboard: spent adds up to the kopeck, earnings to what was counted', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner');

  await test.step('spent: its lines add up', async () => {
    const why = await explained(page, page, 'Потрачено');
    await expect(why).toContainText('21 600,50 ₽');
    const lines = why.getByRole('table', { name: 'Засчитанные размещения' }).getByRole('row');
    await expect(lines).toHaveCount(5);
    expect(await kopecksOf(lines.locator('td:nth-child(3)'))).toBe(2_160_050);
    await expect(why.getByRole('list', { name: 'Последние события' })).toContainText('Виктор');
    await page.keyboard.press('Escape');
    await expect(why).toBeHidden();
  });

  await test.step('what Ilya earns: 12 % of what cost at most 100 a lead; the rest is left out with its reason', async () => {
    const why = await explained(page, page, 'Заработок, Илья Кравцов');
    await expect(why).toContainText('1 104,00 ₽');
    const counted = why.getByRole('table', { name: 'Засчитанные размещения', exact: true });
    await expect(counted).toContainText('@food_daily');
    await expect(counted).toContainText('+960,00 ₽');
    await expect(counted.getByRole('row').filter({ hasText: '@new_place' })).toContainText('+144,00 ₽');
    await expect(counted.getByRole('row')).toHaveCount(2);
    const leftOut = why.getByRole('table', { name: 'Не засчитанные размещения' });
    await expect(leftOut.getByRole('row').filter({ hasText: '@slow_ads' })).toContainText('CPL');
    await page.keyboard.press('Escape');
  });

  await test.step('from the figure to the journal', async () => {
    const why = await explained(page, page, 'Приход');
    await why.getByRole('link', { name: 'Показать в журнале' }).click();
    await expect(page).toHaveURL(/\/journal\?campaign=/u);
    await expect(page.getByRole('grid', { name: 'Журнал' })).toBeVisible();
  });
});

test('E2E-53 «Почему эта цифра?» in the report and in the contractor’s dialog', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, channel } = await givenCampaign(team);
  const { page } = await as(team, 'anna', `/analytics?channel=${channel.id}&campaign=${campaign.id}`);

  const roi = await explained(page, page, 'ROI');
  await expect(roi).toContainText('(220 лидов × 100 ₽ − 21 600,50 ₽) ÷ 21 600,50 ₽ × 100 = 1,85 %');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Дашборд' }).first().click();
  await page.getByRole('grid').getByRole('button', { name: '@kitchen_ads', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '@kitchen_ads' });
  const why = await explained(dialog, page, 'Средний CPL');
  await expect(why).toContainText('108,01 ₽');
  await expect(why.getByRole('table', { name: 'Засчитанные размещения' }).getByRole('row')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(why).toBeHidden();
  await expect(dialog).toBeVisible();
});

test('E2E-145 why the CPL of a row is what it is: by Space in the table, by a finger on a card, with who set what', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  await team.done('PATCH', `/placements/${placements['marina_pr']?.id ?? ''}`, { leads: 64 });
  const { page } = await as(team, 'anna');
  await goToCell(page, '@marina_pr', 'CPL');
  await page.keyboard.press(' ');
  const why = page.getByRole('dialog', { name: 'Почему эта цифра?' });
  await expect(why).toContainText('46,88 ₽');
  await expect(why).toContainText('3 000 ₽ ÷ 64');
  const line = why.getByRole('table', { name: 'Засчитанные размещения' }).getByRole('row');
  await expect(line).toHaveCount(1);
  await expect(line).toContainText('@marina_pr');
  await expect(why.getByRole('list', { name: 'Последние события' })).toContainText('Виктор');
  await page.keyboard.press('Escape');
  await expect(why).toBeHidden();
  await expect(await cellOf(page, '@marina_pr', 'CPL'), 'the keys stay where they were').toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  const card = page.getByRole('article', { name: /^@marina_pr/u });
  await card.getByTitle('CPL: почему эта цифра?').click();
  await expect(why).toContainText('46,88 ₽');
  await expect(line).toHaveCount(1);
});
