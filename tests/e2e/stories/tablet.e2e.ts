import type { Page } from '@playwright/test';
import { givenOpenCampaign } from '../support/bought.ts';
import { crowding } from '../support/crowding.ts';
import { cellOf, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

/** By how much each table is wider than the place it scrolls in; pixels. */
const beyond = (page: Page): Promise<readonly number[]> =>
  page
    .locator('.z-table-scroll')
    .evaluateAll((places) => places.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));

test('E2E-1312 from 768 to 1280 px contractors, the salary report and what was deleted show all they have without scrolling sideways', async ({
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
  for (const [path, last] of [
    ['/contractors', 'Путешествия'],
    ['/journal?tab=salary', 'Анна Соколова'],
    ['/journal?tab=deleted', '@marina_pr'],
  ] as const) {
    await page.goto(address + path);
    for (const width of [768, 1000, 1024, 1280])
      await test.step(`${path} at ${width} px`, async () => {
        await page.setViewportSize({ width, height: 1024 });
        await expect(main.getByText(last).filter({ visible: true }).first()).toBeVisible();
        await expect.poll(() => beyond(page)).toEqual([0]);
        await expect.poll(() => crowding(page)).toEqual([]);
      });
  }
});

test('E2E-2691 from 768 to 1440 px what one earns stands beside how it was counted, however long that is', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  for (const { id } of Object.values(placements))
    await team.done('PATCH', `/placements/${id}`, { price: 98_765_432.5, leads: 1_272_000 });
  const { page } = await as(team, 'ilya', '/profile');
  const earned = page
    .getByRole('table', { name: 'Заработок по кампаниям' })
    .getByRole('columnheader', { name: 'Заработок' });
  for (const width of [768, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(earned).toBeVisible();
    await expect.poll(() => beyond(page), `${width} px`).toEqual([0]);
    await expect.poll(() => crowding(page), `${width} px`).toEqual([]);
  }
});

test('E2E-1314 at 1280, 1366, 1440, 1680 and 1920 px the day of a row is read whole, with its weekday', async ({
  address,
  as,
}) => {
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
  for (const width of [1280, 1366, 1440, 1680, 1920]) {
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

test('E2E-2560 on a touch screen a tap makes a cell active, its corner is drawn to a range, a finger beside it scrolls, and one that rests opens the menu', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna', '/dashboard', { viewport: { width: 1024, height: 768 }, hasTouch: true });
  const devtools = await page.context().newCDPSession(page);
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0): Promise<void> => {
    const touchPoints = type === 'touchEnd' ? [] : [{ x: Math.round(x), y: Math.round(y) }];
    await devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  const middleOf = async (nick: string, column: string) => {
    const box = await (await cellOf(page, nick, column)).boundingBox();
    if (box === null) throw new Error(`no cell ${nick} ${column}`);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  };
  const selected = page.locator('[aria-selected="true"]');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();

  const first = await middleOf('@kitchen_ads', 'Цена');
  await page.touchscreen.tap(first.x - 12, first.y - 4);
  await expect(await cellOf(page, '@kitchen_ads', 'Цена')).toBeFocused();
  const handle = page.locator('.z-range-handle');
  await expect(handle).toBeVisible();
  const box = await handle.boundingBox();
  if (box === null) throw new Error('the handle has no box');
  expect([box.width, box.height]).toEqual([44, 44]);

  const to = await middleOf('@food_daily', 'Приход');
  await touch('touchStart', box.x + 34, box.y + 34);
  for (const part of [0.3, 0.6, 0.9, 1])
    await touch('touchMove', box.x + 34 + (to.x - box.x - 34) * part, box.y + 34 + (to.y - box.y - 34) * part);
  await touch('touchEnd');
  await expect(selected).toHaveCount(6);
  await expect(page.locator('.z-selection-status')).toBeVisible();

  await touch('touchStart', first.x, first.y);
  for (const step of [10, 20, 40]) await touch('touchMove', first.x, first.y - step);
  await touch('touchEnd');
  await expect(selected).toHaveCount(6);

  await touch('touchStart', first.x - 12, first.y - 4);
  const menu = page.getByRole('menu');
  await expect(menu).toBeVisible();
  await touch('touchEnd');
  await expect(menu.getByRole('menuitem', { name: /^Копировать/u })).toBeVisible();
  await expect(selected).toHaveCount(6);
});

test('E2E-3325 at 1024 px on a touch screen what a finger hits in the menu of a cell, of a heading and in a list of choices is 44 px high', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna', '/dashboard', { viewport: { width: 1024, height: 768 }, hasTouch: true });
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  const lows = (items: string): Promise<readonly string[]> =>
    page
      .locator(items)
      .evaluateAll((all) =>
        all.filter((one) => one.getBoundingClientRect().height < 44).map(({ textContent }) => textContent),
      );
  const menu = page.getByRole('menu');
  await (await cellOf(page, '@kitchen_ads', 'Цена')).click({ button: 'right' });
  await expect(menu).toBeVisible();
  expect(await lows('[role="menuitem"]')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('grid').getByRole('columnheader', { name: 'Цена' }).click({ button: 'right' });
  await expect(menu).toBeVisible();
  expect(await lows('[role="menuitem"]')).toEqual([]);
  await page.keyboard.press('Escape');
  await (await cellOf(page, '@kitchen_ads', 'Тематика')).dblclick();
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(await lows('.z-choice-list button')).toEqual([]);
});
