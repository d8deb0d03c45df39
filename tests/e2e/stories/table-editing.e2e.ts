import type { ContractorWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { cellOf, editCell, goToCell, metric, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam, type Team } from '../support/team.ts';

const stored = async (team: Team, id: string): Promise<PlacementWire> =>
  (await team.done<{ placement: PlacementWire }>('GET', `/placements/${id}`)).placement;

const asTyped = (day: string): string => day.split('-').toReversed().join('.');

test('E2E-33 every column is edited in place by keys, and Escape leaves each as it was', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const id = placements['kitchen_ads']?.id ?? '';
  const { page } = await as(team, 'owner');
  const nick = '@kitchen_ads';
  await expect(rowOf(page, nick)).toBeVisible();

  await test.step('F2, Enter and a double click open with the old value selected; Escape restores it and sends nothing', async () => {
    const changes: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') changes.push(request.url());
    });
    const isAllSelected =
      '(({ selectionStart, selectionEnd, value }) => value !== "" && selectionEnd - selectionStart === value.length)(document.activeElement)';
    for (const [column, way, typed, isText] of [
      ['Дата', 'F2', '01.02.2026', true],
      ['Цена', 'Enter', '1', true],
      ['Приход', 'double click', '1', true],
      ['Тематика', 'F2', 'Юмор', false],
      ['Формат', 'Enter', '1/72', false],
    ] as const) {
      const cell = await goToCell(page, nick, column);
      const before = await cell.innerText();
      if (way === 'double click') await cell.dblclick({ position: { x: 3, y: 3 } });
      else await page.keyboard.press(way);
      await expect.poll(() => page.evaluate(isAllSelected), column).toBe(isText);
      await page.keyboard.type(typed);
      await page.keyboard.press('Escape');
      await expect(cell.getByRole('textbox')).toHaveCount(0);
      expect(await cell.innerText(), column).toBe(before);
    }
    expect(changes.filter((url) => url.includes('/api/placements'))).toEqual([]);
  });

  await test.step('Enter saves', async () => {
    await editCell(page, nick, 'Дата', asTyped(dayFromToday(-7)));
    await editCell(page, nick, 'Цена', '6000,25');
    await editCell(page, nick, 'Приход', '70+5');
    await editCell(page, nick, 'Креатив', 'завтр');
    await editCell(page, nick, 'Тематика', 'юмор');
    await editCell(page, nick, 'Формат', '1/72');
    await editCell(page, nick, 'Байер', 'илья');
    await expect(await cellOf(page, nick, 'Цена')).toContainText('6 000,25 ₽');
    await expect(await cellOf(page, nick, 'CPL')).toContainText('80,00 ₽');
    await expect(await cellOf(page, nick, 'Байер')).toContainText('Илья');
    await settled(page);
  });
  expect(await stored(team, id)).toMatchObject({
    date: dayFromToday(-7),
    price: 6000.25,
    leads: 75,
    costPerLead: 80,
    creativeId: placements['food_daily']?.creativeId,
    category: 'Юмор',
    format: '1/72',
    buyerId: team.member('ilya').id,
  });
  await expect(metric(page, 'Потрачено')).toContainText('22 200,25 ₽');

  await test.step('what is no price stays as it was typed, and several cells spread from the cell on', async () => {
    await goToCell(page, nick, 'Цена');
    await page.keyboard.type('-300');
    await page.keyboard.press('Enter');
    const field = page.getByRole('grid').getByRole('textbox', { name: 'Цена' });
    await expect(field).toHaveValue('-300');
    await expect(page.getByText('Некорректная цена')).toBeVisible();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const paste = async (clip: string): Promise<void> => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(clip)})`);
      await field.selectText();
      await page.keyboard.press('Control+V');
    };
    await paste('5,2к\r\n');
    await expect(field, 'a single one ends with a line break too').toHaveValue('5,2к');
    await paste('5400\t64');
    await expect(field).toHaveCount(0);
    await expect(await cellOf(page, nick, 'Цена')).toContainText('5 400 ₽');
    await expect(await cellOf(page, nick, 'Приход')).toContainText('64');
    await page.keyboard.press('Control+KeyZ');
    await expect(await cellOf(page, nick, 'Цена')).toContainText('6 000,25 ₽');
    const toast = page.locator('.z-toast').filter({ hasText: 'Отменено' });
    await toast.hover();
    await page.keyboard.press('F2');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('grid').getByRole('textbox')).toHaveCount(0);
    await expect(toast, 'Escape in a cell leaves toasts alone').toBeVisible();
    await settled(page);
  });

  await test.step('Tab saves and goes on, from the end of a row to the next; the mouse saves what is valid, and what is not stays open', async () => {
    await goToCell(page, nick, 'Цена');
    await page.keyboard.type('1 000,50');
    await page.keyboard.press('Tab');
    await expect(await cellOf(page, nick, 'Приход')).toBeFocused();
    await expect(await cellOf(page, nick, 'Цена')).toContainText('1 000,50 ₽');
    await page.keyboard.type('81');
    await page.keyboard.press('Shift+Tab');
    await expect(await cellOf(page, nick, 'Цена')).toBeFocused();
    await expect(await cellOf(page, nick, 'Приход')).toContainText('81');
    await goToCell(page, nick, 'Байер');
    await page.keyboard.press('F2');
    await page.keyboard.press('Tab');
    await expect(await cellOf(page, '@marina_pr', 'Дата')).toBeFocused();
    for (const [typed, shown] of [
      ['2000.5', '2 000,50 ₽'],
      ['3\u00a0000,5', '3 000,50 ₽'],
    ] as const) {
      await goToCell(page, nick, 'Цена');
      await page.keyboard.type(typed);
      await goToCell(page, '@marina_pr', 'Дата');
      await expect(await cellOf(page, nick, 'Цена')).toContainText(shown);
    }
    await goToCell(page, nick, 'Цена');
    await page.keyboard.type('abc');
    await (await cellOf(page, '@marina_pr', 'Дата')).click({ position: { x: 3, y: 3 } });
    await expect(page.getByRole('grid').getByRole('textbox', { name: 'Цена' })).toHaveValue('abc');
    await expect(page.getByText('Некорректная цена')).toBeVisible();
    await page.getByRole('grid').getByRole('textbox', { name: 'Цена' }).press('Escape');
    await settled(page);
  });

  await test.step('a wrong date is said at its cell, and typing alone begins to edit', async () => {
    await goToCell(page, nick, 'Дата');
    await page.keyboard.press('F2');
    await page.keyboard.type('31.02.2026');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Некорректная дата')).toBeVisible();
    await page.keyboard.press('Escape');
    await goToCell(page, nick, 'Цена');
    await page.keyboard.type('7000');
    await page.keyboard.press('Enter');
    await expect(await cellOf(page, nick, 'Цена')).toContainText('7 000 ₽');
  });

  await test.step('the contractor becomes another by its nick', async () => {
    await goToCell(page, nick, 'Контрагент');
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog', { name: 'Контрагент' });
    await expect(dialog.getByLabel('Введите новый ник контрагента:')).toBeFocused();
    await page.keyboard.type('MARINA_PR ');
    await page.keyboard.press('Enter');
    await expect(rowOf(page, '@marina_pr')).toHaveCount(2);
    await settled(page);
  });
  const { contractors } = await team.done<{ contractors: readonly ContractorWire[] }>('GET', '/contractors');
  const totals = (name: string) => contractors.find(({ adminUsername }) => adminUsername === name)?.totalSpent;
  expect([totals('@marina_pr'), totals('@kitchen_ads')]).toEqual([10_000, 0]);
});

test('E2E-34 payment toggles by click and by Space, and says so to everybody', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const ilya = await as(team, 'ilya');
  await expect(rowOf(ilya.page, '@marina_pr')).toContainText('Не оплачено');
  await rowOf(page, '@marina_pr').getByRole('button', { name: 'Не оплачено' }).click();
  await expect(rowOf(ilya.page, '@marina_pr')).not.toContainText('Не оплачено');
  await expect(metric(ilya.page, 'Потрачено')).toContainText('не оплачено 13 200 ₽');
  await goToCell(page, '@marina_pr', 'Приход');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press(' ');
  await expect(rowOf(ilya.page, '@marina_pr')).toContainText('Не оплачено');
  await settled(page);
  expect((await stored(team, placements['marina_pr']?.id ?? '')).paymentStatus).toBe('unpaid');
});

test('E2E-35 a placement is deleted after a question, the keyboard goes on in the next row, and it comes back by «Вернуть»', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const row = rowOf(page, '@marina_pr');
  await expect(row).toBeVisible();
  const ask = async () => {
    await row.hover();
    await row.getByRole('button', { name: 'Удалить размещение @marina_pr' }).click();
    const question = page.getByRole('alertdialog', { name: /^Удалить @marina_pr, 3.000.₽, .+\?$/u });
    await expect(question).toContainText('Вы уверены, что хотите удалить это размещение?');
    return question;
  };
  await (await ask()).getByRole('button', { name: 'Отмена' }).click();
  await expect(row).toBeVisible();
  await goToCell(page, '@marina_pr', 'Дата');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  const place = await row.getAttribute('aria-rowindex');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
  // A slow machine would let it go before the keyboard has been tried.
  await page.locator('.z-toast').filter({ hasText: 'Вернуть' }).hover();
  await expect(row).toHaveCount(0);
  const focused = page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.locator(':focus') });
  await expect(focused).toHaveAttribute('aria-rowindex', place ?? '');
  // A second Enter does not ask about the next row too: the focus stands on its date.
  await expect(focused.getByRole('gridcell').first()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(focused.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(metric(page, 'Потрачено')).toContainText('18 600,50 ₽');
  await page.getByRole('button', { name: 'Вернуть' }).click();
  await expect(row).toContainText('3 000 ₽');
  await expect(metric(page, 'Потрачено')).toContainText('21 600,50 ₽');
});

test('E2E-36 the history of a row tells who changed what, and gives a price back @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await editCell(page, '@marina_pr', 'Цена', '3500');
  await settled(page);
  await goToCell(page, '@marina_pr', 'Дата');
  await page.keyboard.press(' ');
  const dialog = page.getByRole('dialog', { name: 'История: @marina_pr' });
  const entries = dialog.getByRole('listitem');
  await expect(entries.first()).toContainText('Анна Соколова');
  await expect(entries.first()).toContainText('3 000 ₽');
  await expect(entries.first()).toContainText('3 500 ₽');
  await expect(entries.last()).toContainText('Виктор Лапин');
  await entries
    .first()
    .getByRole('button', { name: /^Вернуть/u })
    .click();
  const question = page.getByRole('dialog', { name: /^Вернуть/u });
  await expect(question).toContainText('3 000 ₽');
  await question.getByRole('button', { name: /^Вернуть/u }).click();
  await expect(question).toBeHidden();
  await expect(entries.first()).toContainText('3 500 ₽');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
});
