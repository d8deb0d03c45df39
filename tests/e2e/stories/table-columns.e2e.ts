import type { Locator, Page } from '@playwright/test';
import { goToCell } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

const headingOf = (page: Page, name: string): Locator =>
  page.getByRole('grid').getByRole('columnheader', { name: new RegExp(`^${name}`, 'u') });

const boxOf = async (place: Locator) => {
  const box = await place.boundingBox();
  if (box === null) throw new Error('It is not on the page');
  return box;
};

const widthOf = async (heading: Locator): Promise<number> => (await boxOf(heading)).width;

/** From and to points of the page, in px. */
const drag = async (page: Page, [fromX, toX]: readonly [number, number], y: number): Promise<void> => {
  await page.mouse.move(fromX, y);
  await page.mouse.down();
  await page.mouse.move((fromX + toX) / 2, y);
  await page.mouse.move(toX, y);
  await page.mouse.up();
};

/** The columns as they stand, by their headings. */
const namesOf = async (page: Page): Promise<readonly string[]> =>
  (await page.getByRole('grid').getByRole('columnheader').allTextContents()).map((text) => text.replace(/ [▲▼]$/u, ''));

const usual = ['Дата', 'Контрагент', 'Цена', 'Приход', 'CPL', 'Креатив', 'Тематика', 'Формат', 'Байер', 'Оплата'];

test('E2E-2361 columns are made wider, moved and pinned by the mouse and by keys, stay so after a reload, and a pinned one stays in sight', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.setViewportSize({ width: 1280, height: 800 });
  await goToCell(page, '@kitchen_ads', 'Цена');
  expect((await namesOf(page)).slice(0, 10)).toEqual(usual);

  // The tools of the headings come after the table.
  const topic = headingOf(page, 'Тематика');
  await topic.hover();
  await expect(topic.locator('.z-column-button')).toBeVisible();
  const before = await boxOf(topic);
  const edge = before.x + before.width - 3;
  const middle = before.y + before.height / 2;
  await drag(page, [edge, edge + 83], middle);
  await expect.poll(() => widthOf(topic)).toBe(Math.round(before.width + 80));
  const wide = await boxOf(topic);
  await page.mouse.dblclick(wide.x + wide.width - 3, middle);
  await expect.poll(() => widthOf(topic)).toBeLessThan(before.width + 40);
  expect(await page.locator('[aria-sort]').getAttribute('data-column')).toBe('0');

  const buyer = await boxOf(headingOf(page, 'Байер'));
  const price = await boxOf(headingOf(page, 'Цена'));
  await drag(page, [buyer.x + 20, price.x + 20], middle);
  const moved = ['Дата', 'Контрагент', 'Байер', 'Цена', 'Приход', 'CPL', 'Креатив', 'Тематика', 'Формат', 'Оплата'];
  await expect.poll(async () => (await namesOf(page)).slice(0, 10)).toEqual(moved);

  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Control+ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(headingOf(page, 'Цена')).toBeFocused();
  const narrower = await widthOf(headingOf(page, 'Цена'));
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menuitem', { name: 'Шире' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => widthOf(headingOf(page, 'Цена'))).toBeGreaterThan(narrower + 14);
  await page.getByRole('menuitem', { name: 'Закрепить слева' }).press('Enter');
  const pinned = ['Дата', 'Контрагент', 'Цена', 'Байер', 'Приход', 'CPL', 'Креатив', 'Тематика', 'Формат', 'Оплата'];
  await expect.poll(async () => (await namesOf(page)).slice(0, 10)).toEqual(pinned);
  await page.keyboard.press('Escape');
  await expect(headingOf(page, 'Цена')).toBeFocused();

  await page.reload();
  await expect.poll(async () => (await namesOf(page)).slice(0, 10)).toEqual(pinned);
  await page.setViewportSize({ width: 820, height: 1180 });
  const grid = page.locator('.z-grid');
  await grid.evaluate((place) => place.scrollTo({ left: 10_000 }));
  await expect.poll(() => grid.evaluate((place) => place.scrollLeft)).toBeGreaterThan(50);
  const staying = await Promise.all(['Контрагент', 'Цена'].map((name) => boxOf(headingOf(page, name))));
  const [contractor, cost] = staying as [(typeof staying)[0], (typeof staying)[0]];
  expect(Math.abs(contractor.x + contractor.width - cost.x)).toBeLessThan(2);
  const onTop = await page.evaluate<string>(
    `document.elementFromPoint(${cost.x + 12}, ${cost.y + cost.height / 2}).closest('[data-column]').textContent`,
  );
  expect(onTop).toContain('Цена');

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Столбцы' }).click();
  const reset = page.getByRole('button', { name: 'Как было: ширина и порядок' });
  await reset.click();
  await expect.poll(async () => (await namesOf(page)).slice(0, 10)).toEqual(usual);
  await expect(reset).toHaveCount(0);
});

test('E2E-2420 by keys a column comes into sight from beside the table and from under what is pinned, under which totals go too', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await page.setViewportSize({ width: 820, height: 1180 });
  await goToCell(page, '@kitchen_ads', 'Цена');
  await page.keyboard.press('Control+ArrowUp');
  await page.keyboard.press('ArrowUp');
  const price = headingOf(page, 'Цена');
  await expect(price).toBeFocused();
  await expect(price).toHaveAttribute('aria-haspopup', 'menu');
  for (const name of ['Тематика', 'Креатив']) {
    await headingOf(page, name).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: name === 'Креатив' ? 'Закрепить слева' : 'Шире' }).press('Enter');
    await page.keyboard.press('Escape');
  }
  const grid = page.locator('.z-grid');
  const scrolled = (): Promise<number> => grid.evaluate((place) => place.scrollLeft);
  const pinned = headingOf(page, 'Креатив');
  await expect(pinned).toBeFocused();
  await page.keyboard.press('End');
  await expect.poll(scrolled).toBeGreaterThan(50);
  const total = page.locator('.z-grid-foot-row > .z-grid-pinned[aria-hidden]');
  const [own, below] = [await boxOf(pinned), await boxOf(total)];
  expect([Math.round(below.x), Math.round(below.width)]).toEqual([Math.round(own.x), Math.round(own.width)]);
  for (let steps = 0; steps < 12 && !(await price.evaluate((one) => one.matches(':focus'))); steps += 1)
    await page.keyboard.press('ArrowLeft');
  await expect.poll(async () => (await boxOf(price)).x - own.x - own.width).toBeGreaterThan(-2);
});

test('E2E-2421 menus of the person, the channel, the campaign, the views and the table give the keyboard back to their buttons @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner');
  await expect(page.getByRole('grid')).toBeVisible();
  for (const button of [
    page.getByRole('button', { name: /^Меню: /u }),
    page.locator('.z-channel-button').first(),
    page.locator('.z-campaign-button'),
    page.getByRole('button', { name: 'Виды', exact: true }),
    page.getByRole('button', { name: /^Ещё: скачать/u }),
  ]) {
    await button.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(button).toBeFocused();
    await expect(page.getByRole('menuitem')).toHaveCount(0);
  }
});
