import type { Locator, Page } from '@playwright/test';
import { givenPlacement } from '../support/bought.ts';
import { crowding } from '../support/crowding.ts';
import { cellOf, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam } from '../support/team.ts';

/** Has a placement of the campaign shown that the filters leave out. */
const revealKitchenAds = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k');
  await page.keyboard.type('kitchen_ads');
  await page
    .getByRole('option', { name: /@kitchen_ads/u })
    .filter({ hasText: '5 400,50' })
    .first()
    .click();
};

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

test('E2E-1124 on a phone a filter moves no card, as it comes or goes', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.setViewportSize({ width: 390, height: 844 });
  const list = page.getByRole('list').filter({ has: page.getByRole('article') });
  await expect(page.getByRole('article')).toHaveCount(5);
  await settled(page);
  const heading = page.getByRole('heading', { name: 'Размещения' });
  /** The page itself may have been scrolled meanwhile. */
  const top = async (): Promise<number> =>
    Math.round(((await list.boundingBox())?.y ?? -1) - ((await heading.boundingBox())?.y ?? -1));
  const before = await top();
  await page.getByRole('button', { name: /^Фильтр/u }).click();
  const dialog = page.getByRole('dialog', { name: 'Порядок и фильтр' });
  await dialog.getByRole('button', { name: 'Байер' }).click();
  await dialog.getByRole('checkbox', { name: 'Илья Кравцов' }).check();
  await dialog.getByRole('button', { name: 'Показать' }).click();
  await expect(page.getByRole('article')).toHaveCount(3);
  expect(await top()).toBe(before);
  await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
  await expect(page.getByRole('article')).toHaveCount(5);
  expect(await top()).toBe(before);
});

test('E2E-1125 what is said of a placement that stands out of its place moves no row', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.setViewportSize({ width: 1280, height: 800 });
  const grid = page.getByRole('grid');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await settled(page);
  await page.getByRole('button', { name: 'Найти' }).click();
  await page.keyboard.type('marina');
  await expect(page.getByRole('button', { name: /^Убрать: / })).toBeVisible();
  await expect(rowOf(page, '@kitchen_ads')).toHaveCount(0);
  const head = await grid.boundingBox();
  await revealKitchenAds(page);
  await expect(page.getByText('Показано сверху: не подходит под фильтр')).toBeVisible();
  expect((await grid.boundingBox())?.y).toBe(head?.y);
  await page.getByRole('button', { name: 'Вернуть список как был' }).click();
  await expect(page.getByText('Показано сверху: не подходит под фильтр')).toHaveCount(0);
  expect((await grid.boundingBox())?.y).toBe(head?.y);
  expect(placements['kitchen_ads']).toBeDefined();
});

test('E2E-1126 what is said of a figure goes with it when a row comes above it @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'owner', '/contractors');
  await page.setViewportSize({ width: 1280, height: 800 });
  const row = page.getByRole('row').filter({ hasText: '@food_daily' });
  await expect(row).toBeVisible();
  await settled(page);
  const figure = row.getByTitle(/почему эта цифра/u).first();
  await figure.click();
  const why = page.getByRole('dialog', { name: 'Почему эта цифра?' });
  await expect(why.getByRole('table').first()).toBeVisible();
  /** Pixels between the two, whichever is above. */
  const apart = async (): Promise<number> => {
    const [it, at] = [await why.boundingBox(), await figure.boundingBox()];
    if (it === null || at === null) return Number.NaN;
    return Math.round(Math.max(at.y - (it.y + it.height), it.y - (at.y + at.height)));
  };
  const before = await apart();
  expect(before).toBeGreaterThanOrEqual(0);
  const above = (await figure.boundingBox())?.y ?? 0;
  await givenPlacement(team, campaign, { contractor: '@new_place', buyer: 'ilya', price: 900_000 });
  await expect.poll(async () => (await figure.boundingBox())?.y ?? 0).toBeGreaterThan(above);
  await expect.poll(apart).toBe(before);
});

test('E2E-3322 what opens at a cell or a heading of the placements goes with it while rows, columns or the page are scrolled', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  await team.done('POST', '/placements/batch', {
    atomic: true,
    items: Array.from({ length: 40 }, (_, index) => ({
      op: 'add',
      campaignId: campaign.id,
      contractor: `@place_${String(index).padStart(2, '0')}`,
      buyerId: team.member('anna').id,
      category: 'Кулинария',
      date: dayFromToday(index - 60),
      price: 1000 + index,
    })),
  });
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`);
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(rowOf(page, '@place_00')).toBeVisible();
  await settled(page);
  const grid = page.getByRole('grid');
  await page.locator('.z-grid').evaluate((element) => element.scrollIntoView({ block: 'end' }));
  const popup = page.locator('[data-floating], .bp6-popover').last();
  const head = grid.getByRole('columnheader', { name: 'Приход' });
  const placeOf = async (what: Locator): Promise<readonly [number, number]> => {
    const box = await what.boundingBox();
    return box === null ? [Number.NaN, Number.NaN] : [Math.round(box.x), Math.round(box.y)];
  };
  /** Pixels between the popup and what it opened at, across and, on whichever side of it the popup is, down; `from`: a menu opened so far down in it. */
  const apart = async (at: Locator, from: number | null): Promise<readonly [number, number]> => {
    const [it, of] = [await popup.boundingBox(), await at.boundingBox()];
    if (it === null || of === null) return [Number.NaN, Number.NaN];
    const [top, bottom] = from === null ? [of.y, of.y + of.height] : [of.y + from, of.y + from + 1];
    return [Math.round(it.x - of.x), Math.round(Math.max(top - (it.y + it.height), it.y - bottom))];
  };
  const keeps = async (
    at: Locator,
    [across, down]: readonly [number, number],
    from: number | null = null,
  ): Promise<void> => {
    await expect(popup).toBeVisible();
    const [before, there] = [await apart(at, from), await placeOf(at)];
    await page.mouse.wheel(across, down);
    await expect.poll(() => placeOf(at)).not.toEqual(there);
    await expect.poll(() => apart(at, from)).toEqual(before);
  };
  const cell = (column: string): Promise<Locator> => cellOf(page, '@place_03', column);
  const edit = async (column: string): Promise<Locator> => {
    const at = await goToCell(page, '@place_03', column);
    await page.keyboard.press('F2');
    return at;
  };
  const opens: Readonly<Record<string, () => Promise<Locator>>> = {
    'the price, edited': () => edit('Цена'),
    'the date, edited': () => edit('Дата'),
    'the creative, chosen': () => edit('Креатив'),
    'the topic, chosen': () => edit('Тематика'),
    'the menu of a cell': async () => {
      const at = await cell('Цена');
      await at.click({ button: 'right', position: { x: 10, y: 10 } });
      return at;
    },
  };
  for (const [what, open] of Object.entries(opens))
    await test.step(what, async () => {
      const at = await open();
      const row = await rowOf(page, '@place_05').boundingBox();
      await page.mouse.move((row?.x ?? 0) + 20, (row?.y ?? 0) + 10);
      const from = what === 'the menu of a cell' ? 10 : null;
      await keeps(at, [0, 40], from);
      await keeps(at, [0, -40], from);
      await page.keyboard.press('Escape');
      await expect(popup).toHaveCount(0);
    });
  await test.step('the menu of a heading', async () => {
    // The table is wider than its place.
    await page.setViewportSize({ width: 768, height: 768 });
    await head.click({ button: 'right' });
    const box = await head.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await keeps(head, [60, 0]);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1024, height: 768 });
  });
  await test.step('the menu of a cell, whose row is scrolled away', async () => {
    await (await cell('Цена')).click({ button: 'right', position: { x: 10, y: 10 } });
    await expect(popup).toBeVisible();
    const row = await rowOf(page, '@place_05').boundingBox();
    await page.mouse.move((row?.x ?? 0) + 20, (row?.y ?? 0) + 10);
    await page.mouse.wheel(0, 900);
    await expect(popup).toHaveCount(0);
  });
});

test('E2E-1302 a campaign that is completed while one looks says so and moves no row; opened again from its panel it moves none either', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`);
  const said = page.getByText('Размещения только для чтения: кампания завершена.');
  const grid = page.getByRole('grid');
  const top = async (): Promise<number> => Math.round((await grid.boundingBox())?.y ?? -1);
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
    await settled(page);
    const before = await top();
    await team.done('POST', `/campaigns/${campaign.id}/complete`);
    await expect(said).toBeVisible();
    await expect(grid).toHaveAttribute('aria-readonly', 'true');
    expect(await top()).toBe(before);
    expect(await crowding(page)).toEqual([]);
    await page.getByRole('button', { name: 'Открыть снова' }).click();
    await expect(said).toHaveCount(0);
    await expect(grid).not.toHaveAttribute('aria-readonly', 'true');
    expect(await top()).toBe(before);
  }

  await team.done('POST', `/campaigns/${campaign.id}/complete`);
  await page.reload();
  await expect(said).toBeVisible();
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await settled(page);
  const below = await top();
  await page.getByRole('button', { name: 'Открыть снова' }).click();
  await expect(page.getByText('Кампания снова открыта.')).toBeVisible();
  expect(await top()).toBe(below);
});

test('E2E-1303 what is said of a placement out of its place, closed by mouse, key or finger, leaves the focus in the list @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const close = page.getByRole('button', { name: 'Вернуть список как был' });
  const reveal = async (): Promise<void> => {
    await revealKitchenAds(page);
    await expect(close).toBeVisible();
  };
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await page.getByRole('button', { name: 'Найти' }).click();
  await page.keyboard.type('marina');
  await expect(rowOf(page, '@kitchen_ads')).toHaveCount(0);
  for (const press of [() => close.click(), () => close.press('Enter')]) {
    await reveal();
    await press();
    await expect(rowOf(page, '@kitchen_ads')).toHaveCount(0);
    await expect(rowOf(page, '@marina_pr').locator(':focus')).toHaveAttribute('role', 'gridcell');
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await reveal();
  await close.click();
  await expect(close).toHaveCount(0);
  await expect(page.getByRole('article').filter({ hasText: '@marina_pr' }).locator(':focus')).toBeVisible();
});

test('E2E-1307 a campaign that is completed while filters fill the line of its note is opened again from its menu, wide and on a phone @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`);
  const chip = page.getByRole('button', { name: /^Убрать: / });
  const item = page.getByRole('menuitem', { name: 'Открыть снова' });
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await page.getByRole('button', { name: 'Найти' }).click();
  await page.keyboard.type('kitchen');
  await expect(chip).toBeVisible();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await team.done('POST', `/campaigns/${campaign.id}/complete`);
    await expect(page.getByText('Завершена', { exact: true }).first()).toBeVisible();
    await page
      .getByRole('heading', { level: 1 })
      .getByRole('button', { name: /Ноябрь - Подписчики/u })
      .click();
    await item.click();
    await expect(page.getByText('Активная', { exact: true }).first()).toBeVisible();
    await expect(item).toHaveCount(0);
  }
});
