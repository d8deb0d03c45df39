import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { crowding } from '../support/crowding.ts';
import { metric, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-62 the dashboard: six cards, blocks that stay closed, and another active campaign one step away @deep', async ({
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

test('E2E-1122 with a full campaign ten rows and the totals are in sight at 1440 × 900, and at 1280 × 800 every column is', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria', 'olga']);
  const { campaign, creatives } = await givenCampaign(team);
  await team.done('POST', '/placements/batch', {
    atomic: true,
    items: Array.from({ length: 60 }, (_, index) => ({
      op: 'add',
      campaignId: campaign.id,
      contractor: `@long_name_of_channel_${index}`,
      buyerId: team.member(index % 2 === 0 ? 'anna' : 'ilya').id,
      category: 'Кулинария',
      date: dayFromToday(-index % 9),
      // Both are over their budgets by then: the word for it must not make a card higher.
      price: 9_582.5,
      creativeId: creatives.breakfast.id,
      paymentStatus: 'unpaid',
    })),
  });
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`);
  const grid = page.getByRole('grid');
  const totals = grid.getByRole('row', { name: /^Итого/u });
  await expect(totals).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Страницы размещений' })).toContainText(/1–50 из 65/u);

  await page.setViewportSize({ width: 1440, height: 900 });
  const inSight = (): Promise<number> =>
    page.evaluate(`(() => {
      const foot = document.querySelector('.z-grid-foot').getBoundingClientRect();
      const head = document.querySelector('.z-grid-head').getBoundingClientRect();
      return [...document.querySelectorAll('.z-grid-body .z-grid-row')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= head.bottom - 1 && bottom <= foot.top + 1;
      }).length;
    })()`);
  await expect.poll(inSight).toBeGreaterThanOrEqual(10);
  await expect(totals).toBeInViewport({ ratio: 1 });

  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(grid.getByRole('columnheader', { name: 'Оплата' })).toBeInViewport({ ratio: 1 });
  await expect(grid.getByRole('button', { name: 'Не оплачено' }).first()).toBeInViewport({ ratio: 1 });
  await expect(totals).toBeInViewport({ ratio: 1 });
  await expect.poll(() => crowding(page)).toEqual([]);
  expect(
    await page.evaluate(
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.z-grid'))",
    ),
  ).toBe(0);
});

test('E2E-1532 at 1280 px the name of a campaign stands whole before that of its channel does; what has not begun says when it will @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const { channel } = await team.done<{ channel: ChannelWire }>('POST', '/channels', {
    name: 'Северный канал о финансах и о том, что с ними делают',
  });
  const { campaign } = await team.done<{ campaign: CampaignWire }>('POST', '/campaigns', {
    name: 'Декабрь | Подписчики',
    channelId: channel.id,
    totalBudget: 12_000_000,
    status: 'ACTIVE',
    startDate: dayFromToday(4),
    endDate: dayFromToday(33),
    participants: [{ userId: team.member('anna').id, budget: 12_000_000 }],
  });
  const options = { viewport: { width: 1280, height: 800 } } as const;
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`, options);
  const title = page.getByRole('heading', { level: 1 }).getByRole('button');
  await expect(page.getByText('начнётся через 4 дня')).toBeVisible();
  await expect(page.getByText(/в день$/u), 'a thirtieth of the budget').toContainText(/400\s000/u);
  await expect(title).toContainText('Декабрь - Подписчики');
  const isCut = (scope: typeof title): Promise<boolean> =>
    scope
      .locator('span')
      .first()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);
  await expect.poll(() => isCut(title)).toBe(false);
  const ofChannel = page.getByRole('button', { name: channel.name });
  await expect(ofChannel, 'and the channel is told whole').toHaveAttribute('title', channel.name);
  await expect.poll(() => crowding(page)).toEqual([]);
});
