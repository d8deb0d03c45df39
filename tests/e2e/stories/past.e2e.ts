import type { PlacementWire } from '@zakup/contracts/wire-entities';
import type { Locator, Page } from '@playwright/test';
import { cellOf, metric, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, type Team } from '../support/team.ts';

const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Как было' });
const sliderOf = (page: Page): Locator => barOf(page).getByRole('slider', { name: 'Момент' });

const changed = async (team: Team, placement: PlacementWire | undefined, change: object): Promise<PlacementWire> =>
  (await team.done<{ placement: PlacementWire }>('PATCH', `/placements/${placement?.id}`, change)).placement;

test('E2E-56 another moment: everything becomes it, read-only, with its position in the address, and Escape leads back', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  const change = (price: number): Promise<{ placement: PlacementWire }> =>
    team.done('PATCH', `/placements/${placements['marina_pr']?.id ?? ''}`, { price });
  await change(3500);
  await expect(metric(page, 'Потрачено')).toContainText('22 100,50 ₽');

  await page.getByRole('button', { name: 'Как было' }).click();
  const bar = barOf(page);
  const slider = sliderOf(page);
  await expect(page).toHaveURL(/[?&]at=\d+/u);
  const head = Number(new URL(page.url()).searchParams.get('at'));

  await test.step('E2E-1525 what the status line says of now stands behind the word that says so', async () => {
    await expect(page.locator('.z-status').getByText('сейчас:', { exact: true })).toBeVisible();
    /** Pixels between the word and what it is said of. */
    const between = (): Promise<number> =>
      page.evaluate<number>(`(() => {
        const right = document.querySelector('.z-status-right').getBoundingClientRect().left;
        return right - document.querySelector('.z-status > .z-quiet').getBoundingClientRect().right;
      })()`);
    await expect.poll(between).toBeLessThanOrEqual(12);
  });

  await test.step('E2E-1643 the content ends where the line of states begins, and the last row of the table is in sight', async () => {
    await expect(bar).toContainText('только чтение');
    const content = await page.getByRole('main').boundingBox();
    const states = await page.locator('.z-status').boundingBox();
    expect((content?.y ?? 0) + (content?.height ?? 0)).toBe(states?.y);
    await expect(page.getByRole('grid').getByText('Итого')).toBeInViewport({ ratio: 1 });
  });

  await test.step('one event back by the keyboard: the table, the cards and the address are of then', async () => {
    await expect(slider).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
    await expect(metric(page, 'Потрачено')).toContainText('21 600,50 ₽');
    await expect(metric(page, 'Потрачено')).toContainText('сейчас 22 100,50 ₽');
    const at = Number(new URL(page.url()).searchParams.get('at'));
    expect(at).toBeLessThan(head);
    await expect(bar).toContainText('только чтение');
  });

  await test.step('nothing can be changed there', async () => {
    await expect(page.getByRole('grid')).toHaveAttribute('aria-readonly', 'true');
    await expect(page.getByRole('button', { name: /Добавить размещение/u })).toHaveCount(0);
    await expect(rowOf(page, '@marina_pr').getByRole('button', { name: 'Не оплачено' })).toHaveCount(0);
  });

  await test.step('what happens meanwhile raises a chip and touches nothing', async () => {
    await change(3600);
    await expect(bar.getByText('новых событий: 1')).toBeVisible();
    await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
  });

  await test.step('the address opens the same moment for another, in the report too', async () => {
    const ilya = await as(team, 'ilya', new URL(page.url()).pathname + new URL(page.url()).search);
    await expect(await cellOf(ilya.page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
  });

  await test.step('the contractor is of that moment too', async () => {
    await rowOf(page, '@marina_pr').getByRole('button', { name: '@marina_pr', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: '@marina_pr' });
    await expect(dialog).toContainText('3 000 ₽');
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  await test.step('Escape leads back to now', async () => {
    await page.keyboard.press('Escape');
    await expect(bar).toBeHidden();
    await expect(page).not.toHaveURL(/[?&]at=/u);
    await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 600 ₽');
    await settled(page);
    await expect(rowOf(page, '@marina_pr').getByRole('button', { name: 'Не оплачено' })).toBeVisible();
  });
});

test('E2E-85 the report of another moment: one event back by the time line, and Escape leads back to now @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, channel, placements } = await givenCampaign(team);
  await changed(team, placements['marina_pr'], { leads: 80 });
  const { page } = await as(team, 'anna', `/analytics?channel=${channel.id}&campaign=${campaign.id}`);
  await expect(metric(page, 'Приход')).toContainText('240');
  await page.getByRole('button', { name: 'Как было' }).click();
  await sliderOf(page).focus();
  await page.keyboard.press('ArrowLeft');
  await expect(metric(page, 'Приход')).toContainText('220');
  await expect(metric(page, 'Средний CPL')).toContainText('98,18 ₽');
  await expect(page.getByRole('table', { name: 'Анализ байеров' })).toContainText('840,05 ₽');
  await expect(page).toHaveURL(/[?&]at=\d+/u);

  await test.step('the same moment for whoever opens the address, and on the dashboard', async () => {
    const ilya = await as(team, 'ilya', new URL(page.url()).pathname + new URL(page.url()).search);
    await expect(metric(ilya.page, 'Приход')).toContainText('220');
  });

  await test.step('what happens meanwhile raises a chip and touches nothing', async () => {
    await changed(team, placements['marina_pr'], { leads: 90 });
    await expect(barOf(page).getByText('новых событий: 1')).toBeVisible();
    await expect(metric(page, 'Приход')).toContainText('220');
  });

  await page.keyboard.press('Escape');
  await expect(barOf(page)).toBeHidden();
  await expect(metric(page, 'Приход')).toContainText('250');
});

test('E2E-86 a contractor of another moment: sums and notes of then, nothing to change, and back @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const marina = placements['marina_pr'];
  // Before the two changes: signing in is an event too.
  const { page } = await as(team, 'owner', '/contractors');
  await team.done('POST', `/contractors/${marina?.contractorId}/notes`, { note: 'Отвечает вечером' });
  await changed(team, marina, { price: 3500 });
  await page.getByRole('button', { name: '@marina_pr', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: '@marina_pr' });
  const totals = dialog.getByLabel('Итоги по контрагенту');
  await expect(totals).toContainText('3 500 ₽');
  await dialog.getByRole('button', { name: 'Как было' }).click();
  await expect(dialog.getByRole('slider', { name: 'Момент' })).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(totals).toContainText('3 000 ₽');
  for (const name of ['Изменить', 'Объединить с…', 'Обновить'])
    await expect(dialog.getByRole('button', { name })).toHaveCount(0);

  await dialog.getByRole('tab', { name: /Заметки/u }).click();
  await expect(dialog).toContainText('Отвечает вечером');
  await expect(dialog.getByRole('button', { name: /^Удалить заметку/u })).toHaveCount(0);
  await sliderOf(page).last().focus();
  await page.keyboard.press('ArrowLeft');
  await expect(dialog.getByText('Заметок ещё нет')).toBeVisible();

  await dialog.getByRole('button', { name: 'Сейчас' }).click();
  await expect(dialog).toContainText('Отвечает вечером');
  await dialog.getByRole('tab', { name: 'Обзор' }).click();
  await expect(totals).toContainText('3 500 ₽');
  await expect(dialog.getByRole('button', { name: 'Изменить' })).toBeVisible();
});

test('E2E-87 a moment chosen by date and time shows what was the last thing then @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { updatedAt } = await changed(team, placements['marina_pr'], { price: 3500 });
  // The first whole second after it; what follows is of a later one.
  const second = Math.ceil((Date.parse(updatedAt) + 1) / 1000) * 1000;
  await expect.poll(() => Date.now()).toBeGreaterThan(second);
  await changed(team, placements['marina_pr'], { price: 3600 });
  const moscow = new Date(second + 3 * 3_600_000).toISOString();

  const { page, expectProblems } = await as(team, 'anna');
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 600 ₽');
  await page.getByRole('button', { name: 'Как было' }).click();
  await barOf(page).getByTitle('Выбрать дату и время').click();
  const day = page
    .locator('.z-moment-picker')
    .getByRole('gridcell', { name: String(Number(moscow.slice(8, 10))), exact: true })
    // The last days of the month before stand there as well.
    .and(page.locator(':not(.rdp-day_outside)'));
  await day.first().click();
  await page.getByLabel('Время (МСК)').fill(moscow.slice(11, 19));
  await page.getByRole('button', { name: 'Показать' }).click();
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 500 ₽');
  const shown = new Date(Date.parse(updatedAt) + 3 * 3_600_000).toISOString().slice(11, 19);
  await expect(barOf(page)).toContainText(shown);
  await expect(page, 'the address names an event, not a time').toHaveURL(/[?&]at=\d+(?:&|$)/u);

  await test.step('a day before there was anything: it says so, and what was there stays', async () => {
    expectProblems(/status of 422/u);
    await barOf(page).getByTitle('Выбрать дату и время').click();
    await page.getByLabel('Год').selectOption('2020');
    await day.first().click();
    await page.getByRole('button', { name: 'Показать' }).click();
    await expect(barOf(page).getByRole('alert')).toContainText('В этот момент лицензии ещё не было');
    await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 500 ₽');
  });

  await test.step('the picker that was just closed takes no key: Escape leads back to now', async () => {
    await barOf(page).getByTitle('Выбрать дату и время').click();
    await day.first().focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 600 ₽');
  });
});

test('E2E-131 a contractor that was merged: before the merge what it was then, after it the way to whom it is a part of @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const [kitchen, marina] = [placements['kitchen_ads']?.contractorId, placements['marina_pr']?.contractorId];
  // Signing in is an event too.
  const { page } = await as(team, 'owner', '/contractors');
  await expect(page.getByRole('button', { name: '@kitchen_ads', exact: true })).toBeVisible();
  const before = Date.now();
  await expect.poll(() => Date.now()).toBeGreaterThan(before + 1000);
  await team.done('POST', `/contractors/${kitchen}/merge`, { intoId: marina });
  await expect(page.getByRole('button', { name: '@kitchen_ads', exact: true })).toHaveCount(0);
  await page.goto(`${address}/contractors?at=${new Date(before).toISOString()}`);
  const spentAt = (of: Locator): Locator => of.locator('.z-metric').filter({ hasText: 'Потрачено' });
  const receiver = page.getByRole('dialog', { name: '@marina_pr' });

  const dialog = page.getByRole('dialog', { name: '@kitchen_ads' });
  await test.step('before the merge it is what it was', async () => {
    await page.getByRole('button', { name: '@kitchen_ads', exact: true }).click();
    await expect(spentAt(dialog)).toContainText('5 400,50 ₽');
    await dialog.getByRole('tab', { name: /История сотрудничества/u }).click();
    await expect(dialog.getByRole('table', { name: 'История сотрудничества' }).getByRole('row')).toHaveCount(2);
    await expect(dialog.getByText('Контрагент не найден')).toHaveCount(0);
  });

  await test.step('after it the dialog says whom it is a part of, and leads there', async () => {
    await sliderOf(page).last().focus();
    await page.keyboard.press('ArrowRight');
    await expect(dialog).toContainText('К этому моменту @kitchen_ads объединён с @marina_pr.');
    await expect(dialog.getByText('Контрагент не найден')).toHaveCount(0);
    await dialog.getByRole('button', { name: 'Открыть @marina_pr' }).click();
    await expect(spentAt(receiver)).toContainText('8 400,50 ₽');
  });

  await test.step('who opens the address of the moment finds the one it is a part of', async () => {
    await page.reload();
    await expect(page.getByRole('button', { name: '@marina_pr', exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: '@kitchen_ads', exact: true })).toHaveCount(0);
  });
});
