import { goToCell, metric, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-42 a campaign is completed, read only without a dead button, and opened again @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const anna = await as(team, 'anna', `/dashboard?campaign=${campaign.id}`);
  await expect(rowOf(anna.page, '@marina_pr')).toBeVisible();
  const owner = await as(team, 'owner', '/settings?tab=campaigns');
  await owner.page.getByRole('button', { name: 'Завершить: Ноябрь - Подписчики' }).click();
  const inList = owner.page.getByRole('listitem').filter({ hasText: 'Ноябрь - Подписчики' });
  await expect(inList).toContainText('Завершена');

  await test.step('a buyer who has it open: said at once, nothing to press that would be refused', async () => {
    const { page } = anna;
    await expect(page.getByText('Размещения только для чтения: кампания завершена.')).toBeVisible();
    await expect(page.locator('.z-status')).toContainText(/Завершена \d+ [а-я]+ в \d\d:\d\d · Виктор Лапин/u);
    await expect(page.getByRole('button', { name: /Добавить размещение/u })).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Открыть снова' })).toHaveCount(0);
    await expect(page.getByRole('grid')).toHaveAttribute('aria-readonly', 'true');
    await expect(rowOf(page, '@marina_pr').getByRole('button', { name: /Удалить|оплачено/u })).toHaveCount(0);
    await goToCell(page, '@marina_pr', 'Цена');
    await page.keyboard.press('F2');
    await page.keyboard.type('1');
    await expect(page.getByRole('grid').getByRole('textbox')).toHaveCount(0);
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(metric(page, 'Потрачено')).toContainText('21 600,50 ₽');
  });

  await owner.page.goto(`${address}/dashboard?campaign=${campaign.id}`);
  await owner.page.getByRole('button', { name: 'Открыть снова' }).click();
  await expect(owner.page.getByText(/кампания завершена/u)).toHaveCount(0);
  await expect(anna.page.getByText(/^Завершена \d/u)).toHaveCount(0);
  await expect(rowOf(anna.page, '@marina_pr').getByRole('button', { name: 'Не оплачено' })).toBeVisible();
});

test('E2E-43 a campaign is deleted with its placements and comes back with them from the journal @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const anna = await as(team, 'anna');
  await expect(rowOf(anna.page, '@marina_pr')).toBeVisible();
  const { page } = await as(team, 'owner', '/settings?tab=campaigns');
  await page.getByRole('button', { name: 'Удалить: Ноябрь - Подписчики' }).click();
  const question = page.getByRole('alertdialog', { name: 'Удалить кампанию «Ноябрь - Подписчики»?' });
  await expect(question).toContainText('Вместе с ней уйдут её размещения.');
  await question.getByRole('button', { name: 'Удалить' }).click();
  await expect(page.getByText('Кампаний ещё нет')).toBeVisible();
  await expect(anna.page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();

  await page.goto(`${address}/journal?tab=deleted`);
  const gone = page.getByRole('row').filter({ hasText: 'Ноябрь - Подписчики' });
  await gone.getByRole('button', { name: /^Вернуть/u }).click();
  await expect(gone).toHaveCount(0);
  await expect(rowOf(anna.page, '@marina_pr')).toContainText('3 000 ₽');
  await expect(metric(anna.page, 'Потрачено')).toContainText('21 600,50 ₽');
});

test('E2E-44 with no active campaign the four totals say so, and one that was completed is picked by channel @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  await team.done('POST', `/campaigns/${campaign.id}/complete`);
  const { page } = await as(team, 'anna');
  await expect(page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  await expect(metric(page, 'Все кампании')).toContainText('1');
  await expect(metric(page, 'Активные кампании')).toContainText('0');
  await expect(metric(page, 'Каналы')).toContainText('Кухня за 15 минут');
  await expect(metric(page, 'Общий бюджет')).toContainText('420 000 ₽');
  await page.getByRole('button', { name: 'Выберите канал' }).click();
  await page.getByRole('menuitem', { name: 'Кухня за 15 минут' }).click();
  await page.getByRole('menuitem', { name: /Ноябрь - Подписчики/u }).click();
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await expect(page.getByText('Размещения только для чтения: кампания завершена.')).toBeVisible();
});
