import type { Locator } from '@playwright/test';
import { crowding } from '../support/crowding.ts';
import { rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-46 a contractor from a placement: overview, history by channel, notes written and deleted', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  const ilya = await as(team, 'ilya');
  for (const one of [page, ilya.page]) {
    await rowOf(one, '@marina_pr').getByRole('button', { name: '@marina_pr', exact: true }).click();
    await expect(one.getByRole('dialog', { name: '@marina_pr' })).toContainText('3 000 ₽');
  }
  const dialog = page.getByRole('dialog', { name: '@marina_pr' });
  await expect(dialog).toContainText('50,00 ₽');
  await dialog.getByRole('button', { name: 'Обновить' }).click();
  await expect(dialog.getByRole('table', { name: 'По байерам' })).toContainText('Анна Соколова');

  await test.step('what was bought, by channel', async () => {
    await dialog.getByRole('tab', { name: /История сотрудничества/u }).press('Enter');
    const history = dialog.getByRole('table', { name: 'История сотрудничества' });
    await expect(history.getByRole('row')).toHaveCount(2);
    await expect(history).toContainText('Ноябрь - Подписчики');
    await dialog.getByLabel('Канал').selectOption({ label: 'Кухня за 15 минут' });
    await expect(history.getByRole('row')).toHaveCount(2);
  });

  await test.step('a note is seen by the other at once; who wrote it deletes it after a question', async () => {
    await dialog.getByRole('tab', { name: /Заметки/u }).click();
    await ilya.page
      .getByRole('dialog')
      .getByRole('tab', { name: /Заметки/u })
      .click();
    const add = dialog.getByRole('button', { name: 'Добавить заметку' });
    await expect(add).toBeDisabled();
    await dialog.getByLabel('Новая заметка').fill('   ');
    await expect(add).toBeDisabled();
    await dialog.getByLabel('Новая заметка').fill('Отвечает вечером');
    await add.click();
    const theirs = ilya.page.getByRole('dialog').getByRole('list', { name: 'История заметок' });
    await expect(theirs).toContainText('Отвечает вечером');
    await expect(theirs).toContainText('Анна Соколова');
    await expect(theirs.getByRole('button', { name: /Удалить заметку/u })).toHaveCount(0);
    await dialog.getByRole('button', { name: /^Удалить заметку/u }).click();
    const question = page.getByRole('alertdialog', { name: 'Вы уверены, что хотите удалить эту заметку?' });
    await question.getByRole('button', { name: 'Удалить' }).click();
    await expect(ilya.page.getByRole('dialog').getByText('Заметок ещё нет')).toBeVisible();
  });
  await expect(dialog.getByText('Заметок ещё нет')).toBeVisible();
});

test('E2E-47 the list of contractors is sorted, searched, and takes a new one once @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'owner', '/contractors');
  expectProblems(/status of 409/u);
  const rows = page.getByRole('table', { name: 'Контрагенты' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('@food_daily');
  const byCpl = page.getByRole('columnheader', { name: 'Средний CPL' }).getByRole('button');
  await byCpl.click();
  await byCpl.click();
  await expect(rows.nth(1)).toContainText('@marina_pr');
  await page.getByLabel('Поиск контрагентов').fill('SLOW');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Поиск контрагентов').fill('');

  await page.getByRole('button', { name: 'Добавить контрагента' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Ник').fill('@MARINA_pr');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Контрагент с таким ником уже есть')).toBeVisible();
  await dialog.getByLabel('Ник').fill('https://t.me/fresh_one');
  await page.keyboard.press('Enter');
  await expect(rows.filter({ hasText: '@fresh_one' })).toBeVisible();
});

test('E2E-65 a contractor is renamed into a taken nick, which leads to merging; the merge is undone', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'owner', '/contractors');
  const anna = await as(team, 'anna');
  expectProblems(/status of 409/u);
  const rows = page.getByRole('table', { name: 'Контрагенты' }).getByRole('row');
  const openOne = (nick: string) => page.getByRole('button', { name: nick, exact: true }).click();

  await test.step('a new nick, channel and topic are seen by everybody', async () => {
    await openOne('@slow_ads');
    await page.getByRole('dialog', { name: '@slow_ads' }).getByRole('button', { name: 'Изменить' }).click();
    const form = page.getByRole('dialog', { name: 'Изменить @slow_ads' });
    await form.getByLabel('Ник').fill('t.me/quick_ads');
    await form.getByLabel('Название канала').fill('Быстрые рецепты');
    await form.getByLabel('Тематика').selectOption('Юмор');
    await page.keyboard.press('Tab');
    await form.getByRole('button', { name: 'Сохранить' }).press('Enter');
    await expect(form).toBeHidden();
    await expect(page.getByRole('dialog', { name: '@quick_ads' })).toContainText('Быстрые рецепты');
    await expect(rowOf(anna.page, '@quick_ads')).toBeVisible();
  });

  await test.step('a nick of somebody else leads to merging with them', async () => {
    await page.getByRole('dialog', { name: '@quick_ads' }).getByRole('button', { name: 'Изменить' }).click();
    const form = page.getByRole('dialog', { name: 'Изменить @quick_ads' });
    await form.getByLabel('Ник').fill('@FOOD_daily');
    await page.keyboard.press('Enter');
    await expect(form.getByText('Контрагент с таким ником уже есть')).toBeVisible();
    await form.getByRole('button', { name: 'Объединить с @food_daily' }).click();
    const merge = page.getByRole('dialog', { name: 'Объединить @quick_ads с…' });
    await expect(merge.getByRole('radio', { name: /@food_daily/u })).toBeChecked();
    await expect(merge.getByRole('row', { name: /^Вместе/u })).toContainText('12 000 ₽');
    await expect(merge).toContainText('1 размещение на 4 000 ₽');
    await merge.getByLabel('С кем объединить').press('ArrowDown');
    await expect(merge.getByRole('radio', { name: /@food_daily/u })).toBeFocused();
    await page.keyboard.press('Enter');
    const question = page.getByRole('alertdialog', { name: 'Объединить @quick_ads с @food_daily?' });
    await question.getByRole('button', { name: 'Объединить' }).press('Enter');
    // It stays for as long as the pointer is on it.
    await page.getByRole('button', { name: 'Отменить', exact: true }).hover();
    await expect(page.getByRole('dialog', { name: '@food_daily' })).toContainText('12 000 ₽');
    await expect(rowOf(anna.page, '@quick_ads')).toHaveCount(0);
    await expect(rowOf(anna.page, '@food_daily')).toHaveCount(2);
  });

  await test.step('it is taken back at once', async () => {
    await page.getByRole('button', { name: 'Отменить', exact: true }).click();
    await expect(page.getByText('Объединение отменено: @quick_ads снова отдельно')).toBeVisible();
    await expect(rowOf(anna.page, '@quick_ads')).toBeVisible();
    await page.getByRole('dialog', { name: '@food_daily' }).getByRole('button', { name: 'Закрыть' }).click();
    await expect(rows.filter({ hasText: '@quick_ads' })).toContainText('4 000 ₽');
  });
});

test('E2E-66 on a phone of 320 px two contractors are merged; a buyer is offered neither @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const narrow = { viewport: { width: 320, height: 640 } };
  const { page } = await as(team, 'owner', '/contractors', narrow);
  await page.getByRole('button', { name: '@marina_pr', exact: true }).click();
  await page.getByRole('dialog', { name: '@marina_pr' }).getByRole('button', { name: 'Объединить с…' }).click();
  const merge = page.getByRole('dialog', { name: 'Объединить @marina_pr с…' });
  await merge.getByLabel('С кем объединить').fill('KITCHEN');
  await page.keyboard.press('Enter');
  await expect(merge.getByRole('radio', { name: /@kitchen_ads/u })).toBeChecked();
  await expect(merge.getByRole('row', { name: /^Вместе/u })).toContainText('8 400,50 ₽');
  const overflow = await merge.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect(overflow, 'nothing goes beyond the edge of the dialog').toBeLessThanOrEqual(0);
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Объединить' }).click();
  const target = page.getByRole('dialog', { name: '@kitchen_ads' });
  await expect(target).toContainText('8 400,50 ₽');
  await expect(target).toContainText('также @marina_pr');
  await target.getByRole('button', { name: 'Закрыть' }).click();
  const rows = page.getByRole('table', { name: 'Контрагенты' }).getByRole('row');
  await expect(rows.filter({ has: page.getByRole('button', { name: '@marina_pr', exact: true }) })).toHaveCount(0);

  const anna = await as(team, 'anna');
  await rowOf(anna.page, '@kitchen_ads').first().getByRole('button', { name: '@kitchen_ads', exact: true }).click();
  const theirs = anna.page.getByRole('dialog', { name: '@kitchen_ads' });
  await expect(theirs.getByRole('button', { name: 'Обновить' })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Изменить' })).toHaveCount(0);
  await expect(theirs.getByRole('button', { name: 'Объединить с…' })).toHaveCount(0);
});

test('E2E-81 whoever looks at a contractor, or at its rows alone, when it is merged is led to the one it is a part of @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const contractorOf = (nick: string): string => placements[nick]?.contractorId ?? '';
  const anna = await as(team, 'anna');
  const ilya = await as(team, 'ilya');
  await rowOf(anna.page, '@slow_ads').getByRole('button', { name: '@slow_ads', exact: true }).click();
  await expect(anna.page.getByRole('dialog', { name: '@slow_ads' })).toContainText('4 000 ₽');
  await ilya.page.getByRole('button', { name: /^Фильтр/u }).click();
  await ilya.page.getByLabel('Контрагент', { exact: true }).selectOption({ label: '@slow_ads' });
  await expect(ilya.page.locator('.z-filter-chips')).toContainText('показано 1 из 5');

  await team.done('POST', `/contractors/${contractorOf('slow_ads')}/merge`, { intoId: contractorOf('food_daily') });
  await expect(anna.page.getByRole('dialog', { name: '@food_daily' })).toContainText('12 000 ₽');
  await expect(anna.page.getByText('@slow_ads объединён с @food_daily')).toBeVisible();
  await expect(ilya.page.getByText('@slow_ads объединён с @food_daily')).toBeVisible();
  await expect(ilya.page.locator('.z-filter-chips')).toContainText('показано 2 из 5');
});

test('E2E-1189 the dialog of a contractor keeps its buttons beside the nick at 1440 px, its three tabs whole on a phone, its rows low; it says who else bought lately @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const contractor = '@long_name_of_channel_pr';
  await team.done('POST', '/placements/batch', {
    atomic: true,
    items: (['anna', 'ilya'] as const).map((who, index) => ({
      op: 'add',
      campaignId: campaign.id,
      contractor,
      buyerId: team.member(who).id,
      category: 'Дом и ремонт',
      date: dayFromToday(-5 * index),
      price: 1_234_567.5,
    })),
  });
  const { page } = await as(team, 'owner', '/contractors');
  await page.getByRole('main').getByRole('button', { name: contractor, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: contractor });
  await expect(dialog.getByText(/^Куплено другим байером 5 дней назад/u)).toBeVisible();
  await expect(dialog).toContainText(/Илья Кравцов, [^,]*, 1\s234\s567,50/u);

  const middle = async (of: Locator): Promise<number> => {
    const box = await of.boundingBox();
    return box === null ? Number.NaN : box.y + box.height / 2;
  };
  await page.setViewportSize({ width: 1440, height: 900 });
  const nick = dialog.getByRole('heading', { name: contractor, exact: true });
  for (const name of ['Изменить', 'Объединить с…', 'Как было', 'Обновить', 'Закрыть']) {
    const button = dialog.getByRole('button', { name, exact: true });
    await expect.poll(async () => Math.abs((await middle(button)) - (await middle(nick))), name).toBeLessThan(4);
  }
  await dialog.getByRole('tab', { name: 'История сотрудничества 2', exact: true }).click();
  const rows = dialog.getByRole('table', { name: 'История сотрудничества' }).getByRole('row');
  await expect(rows).toHaveCount(3);
  await expect.poll(async () => (await rows.nth(1).boundingBox())?.height ?? Number.NaN).toBeLessThanOrEqual(33);

  await page.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByRole('tab', { name: 'История 2', exact: true })).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByRole('tab', { name: /^Заметки/u })).toBeInViewport({ ratio: 1 });
  const beyond =
    "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.z-contractor-tabs > [role=tablist]'))";
  expect(await page.evaluate(beyond)).toBeLessThanOrEqual(0);
  await expect.poll(() => crowding(page)).toEqual([]);
});
