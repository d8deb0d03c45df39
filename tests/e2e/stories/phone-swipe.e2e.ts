import type { PlacementWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, type Team } from '../support/team.ts';

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

/** A finger from one place to another, in px of the window, in steps as a hand makes them. */
const swipe = async (page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  const steps = 12;
  const at = (step: number) => ({
    x: Math.round(from.x + ((to.x - from.x) * step) / steps),
    y: Math.round(from.y + ((to.y - from.y) * step) / steps),
  });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(0)] });
  for (let step = 1; step <= steps; step += 1)
    await devtools.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(step)] });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await devtools.detach();
};

const paymentIn = (team: Team, id: string | undefined) => async (): Promise<string> =>
  (await team.done<{ placement: PlacementWire }>('GET', `/placements/${id}`)).placement.paymentStatus;

/** The first card of a dashboard, drawn far enough to the right to be paid. */
const paidBySwipe = async (page: Page): Promise<void> => {
  const card = page.getByRole('article', { name: /^@new_place/u });
  await card.scrollIntoViewIfNeeded();
  const box = await card.boundingBox();
  if (box === null) throw new Error('the card has no box');
  const finger = { x: box.x + 60, y: box.y + box.height / 3 };
  await swipe(page, finger, { x: finger.x + 200, y: finger.y + 6 });
};

test('E2E-2450 on a phone: a card is drawn to the right and paid, and taken back', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna', '/dashboard', phone);
  const paymentOf = paymentIn(team, placements['new_place']?.id);
  const before = await paymentOf();
  await paidBySwipe(page);
  await expect.poll(paymentOf).not.toBe(before);
  await page.getByRole('button', { name: 'Отменить', exact: true }).tap();
  await expect.poll(paymentOf).toBe(before);
});

test('E2E-2690 what was paid, and is on the server, before the part that undoes has come is taken back all the same @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna', '/start', phone);
  let come: () => void = () => undefined;
  const hasCome = new Promise<void>((resolve) => {
    come = resolve;
  });
  await page.route(/\/own-actions-(?!dialog)/u, async (route) => {
    await hasCome;
    await route.continue();
  });
  await page.goto(`${address}/dashboard`);
  const paymentOf = paymentIn(team, placements['new_place']?.id);
  const before = await paymentOf();
  await paidBySwipe(page);
  await expect.poll(paymentOf).not.toBe(before);
  await expect(page.locator('[data-unsent]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Отменить', exact: true }).tap();
  come();
  await expect.poll(paymentOf).toBe(before);
});

test('E2E-2451 on a phone: cards are ticked and paid at once @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const ids = Object.values(placements).map(({ id }) => id);
  const { page } = await as(team, 'anna', '/dashboard', phone);
  await page.getByRole('button', { name: 'Отметить', exact: true }).tap();
  const bar = page.getByRole('region', { name: 'Отмеченные размещения' });
  await bar.getByRole('button', { name: 'Все', exact: true }).tap();
  await expect(bar).toContainText(`Отмечено ${ids.length}`);
  await bar.getByRole('button', { name: 'Изменить…' }).tap();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Оплата').selectOption('paid');
  await dialog.getByRole('button', { name: 'Изменить', exact: true }).tap();
  await expect(dialog).toHaveCount(0);
  for (const id of ids)
    await expect
      .poll(async () => (await team.done<{ placement: PlacementWire }>('GET', `/placements/${id}`)).placement)
      .toMatchObject({ paymentStatus: 'paid' });
  await bar.getByRole('button', { name: 'Готово' }).tap();
  await expect(page.getByRole('checkbox')).toHaveCount(0);
});
