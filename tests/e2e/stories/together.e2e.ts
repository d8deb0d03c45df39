import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { cellOf, editCell, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, type Team } from '../support/team.ts';
import { answeredAt, toldAt } from '../support/told-at.ts';

const priceOf = async (team: Team, placement: PlacementWire | undefined): Promise<number | undefined> =>
  (await team.done<{ placement: PlacementWire }>('GET', `/placements/${placement?.id}`)).placement.price;

test('E2E-38 two people in one cell: the other is seen, the open editor is left alone, and nothing is overwritten unseen', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const anna = await as(team, 'anna');
  const owner = await as(team, 'owner');
  anna.expectProblems(/status of 409/u);
  for (const { page } of [anna, owner]) await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await expect(owner.page.getByText(/смотрят: 1/u)).toContainText('Анна Соколова');

  await goToCell(anna.page, '@marina_pr', 'Цена');
  await expect(rowOf(owner.page, '@marina_pr').getByText('Анна смотрит')).toBeVisible();
  await anna.page.keyboard.press('F2');
  await expect(rowOf(owner.page, '@marina_pr').getByText('Анна правит')).toBeVisible();
  await anna.page.keyboard.type('35');

  await editCell(owner.page, '@marina_pr', 'Цена', '3200');
  await settled(owner.page);
  await expect(anna.page.locator('.z-metric').filter({ hasText: 'Потрачено' })).toContainText('21 800,50 ₽');
  const editor = rowOf(anna.page, '@marina_pr').getByRole('textbox', { name: 'Цена' });
  await expect(editor).toHaveValue('35');
  await expect(editor).toBeFocused();
  await anna.page.keyboard.type('00');
  await anna.page.keyboard.press('Enter');

  const theirs = anna.page.getByRole('button', { name: 'Взять новое' });
  await expect(theirs).toBeVisible();
  await expect(anna.page.getByText(/Виктор Лапин поставил\s3\s200\s₽/u)).toBeVisible();
  expect(await priceOf(team, placements['marina_pr'])).toBe(3200);
  await theirs.click();
  await expect(await cellOf(anna.page, '@marina_pr', 'Цена')).toContainText('3 200 ₽');
  await settled(anna.page);
});

test('E2E-39 a conflict that is kept as mine wins, once it was seen @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const anna = await as(team, 'anna');
  const owner = await as(team, 'owner');
  anna.expectProblems(/status of 409/u);
  for (const { page } of [anna, owner]) await expect(rowOf(page, '@marina_pr')).toBeVisible();

  // Anna's change is held on its way until the owner's is there.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await anna.page.route('**/api/placements/*', async (route) => {
    await held;
    await route.continue();
  });
  await editCell(anna.page, '@marina_pr', 'Цена', '3500');
  await expect(anna.page.getByText('Отправляется: 1')).toBeVisible();
  await expect(await cellOf(anna.page, '@marina_pr', 'Цена'), 'predicted at once').toContainText('3 500 ₽');
  await editCell(owner.page, '@marina_pr', 'Цена', '3200');
  await settled(owner.page);
  release();
  await anna.page.getByRole('button', { name: 'Оставить моё' }).click();
  await expect(await cellOf(owner.page, '@marina_pr', 'Цена')).toContainText('3 500 ₽');
  await settled(anna.page);
  expect(await priceOf(team, placements['marina_pr'])).toBe(3500);
});

test('E2E-124 what one person changes stands on the screen of another within a second of the server’s answer', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const anna = await as(team, 'anna');
  const owner = await as(team, 'owner');
  for (const { page } of [anna, owner]) {
    await expect(rowOf(page, '@marina_pr')).toBeVisible();
    await settled(page);
  }
  const delays: number[] = [];
  for (const price of [3456, 3567, 3678]) {
    const shown = `3\u00a0${price - 3000}\u00a0₽`;
    const told = await toldAt(owner.page, shown);
    const answered = answeredAt(anna.page, /\/api\/placements\/[^/]+$/u);
    await editCell(anna.page, '@marina_pr', 'Цена', `${price}`);
    delays.push((await told()) - (await answered));
    await settled(anna.page);
  }
  expect(Math.max(...delays), `milliseconds from the server’s answer to the screen: ${delays.join(', ')}`).toBeLessThan(
    1_000,
  );
  await expect(await cellOf(owner.page, '@marina_pr', 'Цена')).toContainText('Анна');
});
