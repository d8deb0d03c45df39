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

test('E2E-53 «Почему эта цифра?» in the report and in the contractor’s dialog @deep', async ({ address, as }) => {
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

test('E2E-145 why the CPL of a row is what it is: by Space in the table, by a finger on a card, with who set what @deep', async ({
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

test('E2E-146 a participant’s budget, what everybody earns and the totals of a filter tell what stands behind them @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, placements } = await givenCampaign(team);
  const [anna, ilya] = [team.member('anna').id, team.member('ilya').id];
  await team.done('PUT', `/campaigns/${campaign.id}`, {
    participants: [
      { userId: anna, budget: 170_000.5, salaryType: 'budget', salaryRate: 10 },
      { userId: ilya, budget: 110_000, salaryType: 'performance', salaryRate: 12, cplThreshold: 100 },
    ],
  });
  const { page } = await as(team, 'owner');
  const events = (why: Locator): Locator => why.getByRole('list', { name: 'Последние события' });

  await test.step('the budget: who set it, and no placement', async () => {
    const why = await explained(page, page, 'Бюджет, Анна Соколова');
    await expect(why).toContainText('участие в кампании');
    await expect(events(why)).toContainText('Виктор');
    await expect(events(why)).toContainText('участник Анна Соколова');
    await expect(events(why)).toContainText('170 000,50 ₽');
    await expect(why.getByText('Засчитано')).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(why).toBeHidden();
  });

  await test.step('everybody’s earnings: each person, and lines that bring it', async () => {
    const why = await explained(page, page, 'Заработок всех');
    const value = await kopecksOf(why.locator('.z-why-value > b'));
    const terms = why.locator('.z-why-terms li');
    await expect(terms).toHaveCount(2);
    const each = await terms.allInnerTexts();
    const earned = each.map((text) =>
      Number(
        /: ([\d\s\u00a0]+,\d\d)/u
          .exec(text)?.[1]
          ?.replace(/[\s\u00a0]/gu, '')
          .replace(',', '.'),
      ),
    );
    expect(Math.round(earned.reduce((sum, one) => sum + one, 0) * 100)).toBe(value);
    await expect(why.getByRole('table', { name: 'Засчитанные размещения', exact: true })).toContainText('+960,00 ₽');
    await expect(why.getByRole('table', { name: 'Не засчитанные размещения' })).toContainText('CPL');
    await page.keyboard.press('Escape');
    await expect(why).toBeHidden();
  });

  await test.step('a filter’s total: rows that count add up, the others say why not', async () => {
    await page.getByRole('button', { name: 'Найти' }).first().click();
    await page.getByRole('searchbox', { name: 'Найти в размещениях' }).fill('ads');
    await expect(page.getByText('Итого по фильтру')).toBeVisible();
    const why = await explained(page, page, 'Потрачено по фильтру');
    const counted = why.getByRole('table', { name: 'Засчитанные размещения', exact: true }).getByRole('row');
    await expect(counted.first()).toBeVisible();
    expect(await kopecksOf(counted.locator('td:nth-child(3)'))).toBe(await kopecksOf(why.locator('.z-why-value > b')));
    for (const nick of await counted.locator('td:nth-child(2)').allInnerTexts()) expect(nick).toContain('ads');
    const leftOut = why.getByRole('table', { name: 'Не засчитанные размещения' });
    await expect(leftOut).toContainText('Не содержит «ads»');
    expect((await counted.count()) + (await leftOut.getByRole('row').count())).toBe(5);
    await page.keyboard.press('Escape');
    await expect(why).toBeHidden();
  });

  await test.step('a row that left the filter is told among what moved its total', async () => {
    await team.done('PATCH', `/placements/${placements['kitchen_ads']?.id}`, { contractor: '@kuhnya' });
    await expect(page.getByRole('gridcell', { name: '@kitchen_ads' })).toHaveCount(0);
    const why = await explained(page, page, 'Потрачено по фильтру');
    await expect(events(why)).toContainText('@kitchen_ads');
    await expect(events(why)).toContainText('@kuhnya');
  });
});

test('E2E-147 the totals of a dashboard without a campaign and the price of a lead tell what stands behind them @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, channel } = await givenCampaign(team);
  const draft = { name: 'Черновик', channelId: channel.id, totalBudget: 30_000.25, status: 'DRAFT' };
  await team.done('POST', '/campaigns/create-safe', draft);
  const { campaign: gone } = await team.done<{ campaign: { id: string } }>('POST', '/campaigns/create-safe', {
    ...draft,
    name: 'Лишняя',
  });
  await team.done('DELETE', `/campaigns/${gone.id}`);
  await team.done('PUT', '/license/settings', { leadValue: 120.5 });
  await team.done('PUT', `/campaigns/${campaign.id}`, { status: 'COMPLETED' });
  const { page } = await as(team, 'anna');
  await expect(page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  const dialog = page.getByRole('dialog', { name: 'Почему эта цифра?' });

  const budgets = await explained(page, page, 'Общий бюджет');
  const counted = budgets.getByRole('table', { name: 'Засчитано', exact: true });
  await expect(counted.getByRole('row')).toHaveCount(2);
  expect(await kopecksOf(counted.locator('td:nth-child(3)'))).toBe(45_000_025);
  await expect(budgets.getByRole('table', { name: 'Не засчитано' })).toContainText(/Лишняя.*Кампания удалена/su);
  await expect(budgets.getByRole('list', { name: 'Последние события' })).toContainText('Виктор');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  const active = await explained(page, page, 'Активные кампании');
  await expect(active.getByRole('table', { name: 'Не засчитано' })).toContainText(/Ноябрь - Подписчики.*Завершена/su);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await explained(page, page, 'Все кампании');
  await dialog.getByRole('link', { name: 'Ноябрь - Подписчики' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard\\?.*campaign=${campaign.id}`, 'u'));
  await expect(page.getByRole('heading', { name: 'Ноябрь - Подписчики' })).toBeVisible();

  await page.goto(`${address}/analytics?channel=${channel.id}&campaign=${campaign.id}`);
  const price = await explained(page, page, 'Цена лида');
  await expect(price.getByRole('list', { name: 'Последние события' })).toContainText('цена лида 100 ₽ → 120,50 ₽');
});
