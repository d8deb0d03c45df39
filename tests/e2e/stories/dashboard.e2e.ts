import type { CampaignWire } from '@zakup/contracts/entities';
import { metric, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-62 the dashboard: six cards, blocks that stay closed, and another active campaign one step away', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { channel } = await givenCampaign(team);
  await team.done<{ campaign: CampaignWire }>('POST', '/campaigns', {
    name: 'Декабрь | Заявки',
    channelId: channel.id,
    totalBudget: 1000,
    status: 'ACTIVE',
  });
  const { page } = await as(team, 'anna');
  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await page.getByRole('menuitem', { name: /Ноябрь - Подписчики/u }).click();
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await expect(metric(page, 'Общий бюджет')).toContainText('420 000 ₽');
  await expect(metric(page, 'Потрачено')).toContainText('5,14 %');
  await expect(metric(page, 'Остаток')).toContainText('398 399,50 ₽');
  await expect(metric(page, 'Средний CPL')).toContainText('98,18 ₽');
  await expect(metric(page, 'Приход')).toContainText('220');
  await expect(metric(page, 'Размещения')).toContainText('1 пока без лидов');
  const ilya = page.getByRole('listitem').filter({ hasText: 'Илья Кравцов' });
  await expect(ilya).toContainText('110 000 ₽');
  await expect(ilya).toContainText('1 104,00 ₽');
  await expect(page.getByRole('listitem').filter({ hasText: 'Рецепт за 15 минут' })).toContainText('Отлично');

  await page.getByRole('button', { name: /^Сотрудники/u }).press('Enter');
  await expect(ilya).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Ноябрь - Подписчики' })).toBeVisible();
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Сотрудники/u })).toHaveAttribute('aria-expanded', 'false');
  await expect(page.getByRole('button', { name: /^Креативы/u })).toHaveAttribute('aria-expanded', 'true');

  await page.getByRole('heading', { level: 1 }).getByRole('button').click();
  await page.getByRole('menuitem', { name: /Декабрь - Заявки/u }).click();
  await expect(metric(page, 'Общий бюджет')).toContainText('1 000 ₽');
  await expect(page.getByText('Размещений ещё нет.')).toBeVisible();
});
