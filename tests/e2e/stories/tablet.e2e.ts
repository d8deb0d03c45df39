import type { Page } from '@playwright/test';
import { givenOpenCampaign } from '../support/bought.ts';
import { crowding } from '../support/crowding.ts';
import { rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

/** By how much each table is wider than the place it scrolls in; pixels. */
const beyond = (page: Page): Promise<readonly number[]> =>
  page
    .locator('.z-table-scroll')
    .evaluateAll((places) => places.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));

test('E2E-1312 at 768 px contractors, the salary report and what was deleted show all they have without scrolling sideways', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, placements } = await givenCampaign(team);
  await team.done('POST', '/placements', {
    campaignId: campaign.id,
    contractor: '@a_nick_of_twenty_eight_signs',
    buyerId: team.member('anna').id,
    category: 'Путешествия',
    price: 98_765_432.5,
  });
  await team.done('DELETE', `/placements/${placements['marina_pr']?.id ?? ''}`);
  const { page } = await as(team, 'owner', '/contractors');
  const main = page.getByRole('main');
  for (const width of [768, 1000]) {
    await page.setViewportSize({ width, height: 1024 });
    for (const [path, last] of [
      ['/contractors', 'Путешествия'],
      ['/journal?tab=salary', 'Анна Соколова'],
      ['/journal?tab=deleted', '@marina_pr'],
    ] as const)
      await test.step(`${path} at ${width} px`, async () => {
        await page.goto(address + path);
        await expect(main.getByText(last).filter({ visible: true }).first()).toBeVisible();
        await expect.poll(() => beyond(page)).toEqual([0]);
        await expect.poll(() => crowding(page)).toEqual([]);
      });
  }
});

test('E2E-1314 at 1280, 1366 and 1920 px the day of a row is read whole, with its weekday', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna']);
  const { campaign } = await givenOpenCampaign(team, {
    participants: [{ userId: team.member('anna').id, budget: 100_000 }],
  });
  // The longest of months and weekdays.
  for (const date of ['2026-09-28', '2026-09-27'])
    await team.done('POST', '/placements', {
      campaignId: campaign.id,
      contractor: '@september',
      buyerId: team.member('anna').id,
      category: 'Кулинария',
      date,
      price: 1000,
    });
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`);
  for (const width of [1280, 1366, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(rowOf(page, '@september')).toHaveCount(2);
    await expect
      .poll(() =>
        page
          .locator('.z-grid-row .z-day')
          .evaluateAll((days) =>
            days.filter((day) => day.scrollWidth > day.clientWidth).map(({ textContent }) => textContent),
          ),
      )
      .toEqual([]);
  }
});
