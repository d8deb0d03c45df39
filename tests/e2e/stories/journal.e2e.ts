import { readFile } from 'node:fs/promises';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, signIn } from '../support/team.ts';

test('E2E-57 the journal: what was and what became, filters, a live event on request, one change undone', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const id = placements['marina_pr']?.id ?? '';
  await team.done('PATCH', `/placements/${id}`, { price: 3500 });
  const { page } = await as(team, 'owner', '/journal');
  const grid = page.getByRole('grid', { name: 'Журнал' });
  const rows = grid.getByRole('row').filter({ hasText: '@' });
  await expect(rows.first()).toContainText('@marina_pr');
  await expect(rows.first()).toContainText('3 500 ₽');

  await test.step('filters narrow it and stand in the address', async () => {
    await page.getByLabel('Поиск по журналу').fill('slow_ads');
    await expect(page).toHaveURL(/search=slow_ads/u);
    await expect(rows.first()).toContainText('@slow_ads');
    await expect(rows.filter({ hasText: '@marina_pr' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
    await page.getByLabel('Кто').selectOption({ label: 'Анна Соколова' });
    await expect(page.getByText('Ничего не найдено')).toBeVisible();
    await page.getByRole('button', { name: 'Сбросить фильтры' }).first().click();
    await expect(rows.first()).toContainText('@marina_pr');
  });

  await test.step('a new event waits above until it is asked for', async () => {
    await team.done('PATCH', `/placements/${id}`, { price: 3700 });
    await page.getByRole('button', { name: /^Новых событий: 1/u }).click();
    await expect(rows.first()).toContainText('3 700 ₽');
  });

  await test.step('the event tells its fields, and its value of before is given back', async () => {
    await rows.first().click();
    const aside = page.getByRole('complementary', { name: 'Событие' });
    await expect(aside).toContainText('3 500 ₽');
    await aside
      .getByRole('button', { name: /^Вернуть/u })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: /^Вернуть/u });
    await expect(dialog).toContainText('3 500 ₽');
    await dialog.getByRole('button', { name: /^Вернуть/u }).click();
    await expect(dialog).toBeHidden();
    await expect(rows.first()).toContainText('3 500 ₽');
  });
});

test('E2E-1224 what an action moved: each figure of its campaign by how much and from what to what, whatever colleagues did since @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const [id, other] = ['marina_pr', 'food_daily'].map((nick) => placements[nick]?.id ?? '');
  await team.done('PATCH', `/placements/${id}`, { price: 3500 });
  await team.done('PATCH', `/placements/${other}`, { price: 9999 });
  await team.done('PATCH', `/placements/${id}`, { category: 'Мемы' });
  await team.done('PUT', `/users/${team.member('anna').id}`, { salaryType: 'budget', salaryRate: 15 });
  const { page } = await as(team, 'owner', '/journal');
  const grid = page.getByRole('grid', { name: 'Журнал' });
  const aside = page.getByRole('complementary', { name: 'Событие' });
  const opened = async (words: RegExp): Promise<void> => {
    await grid.getByRole('row', { name: words }).click();
    await expect(aside.getByRole('heading', { name: 'Что сдвинулось' })).toBeVisible();
  };

  await test.step('a price moves what follows from it, and nothing else', async () => {
    await opened(/@marina_pr.*3.500.₽/u);
    const moved = aside.getByRole('listitem').filter({ hasText: 'было' });
    await expect(moved).toHaveText([
      /^Потрачено\+500.₽, было 21.600,50.₽ → , стало 22.100,50.₽$/u,
      /^Остаток бюджета−500.₽, было 398.399,50.₽ → , стало 397.899,50.₽$/u,
      /^Использование бюджета\+0,12.п\..п\., было 5,14.% → , стало 5,26.%$/u,
      /^Средний CPL\+2,28.₽, было 98,18.₽ ▼низкий CPL → , стало 100,46.₽ ◆средний CPL$/u,
      /^Остаток, Анна Соколова−500.₽, было 156.599,50.₽ → , стало 156.099,50.₽$/u,
      /^Заработок, Анна Соколова\+50,00.₽, было 840,05.₽ → , стало 890,05.₽$/u,
    ]);
  });

  await test.step('what moves no figure says so', async () => {
    await opened(/@marina_pr.*Мемы/u);
    await expect(aside.getByText('Цифры не сдвинулись', { exact: true })).toBeVisible();
  });

  await test.step('what moves figures everywhere says that they are not told here', async () => {
    await opened(/Сотрудник Анна Соколова.*15.%/u);
    await expect(aside.getByText(/^Это меняет расчёт сразу во многих кампаниях/u)).toBeVisible();
  });
});

test('E2E-58 the salary report: bonus, what counted and what did not, and its file', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  await team.done('PUT', `/users/${team.member('ilya').id}`, { salaryType: 'performance', salaryRate: 12 });
  const { page } = await as(team, 'owner', '/journal?tab=salary');
  const table = page.getByRole('table', { name: 'Отчёт по зарплате' });
  const ilya = table.getByRole('row').filter({ hasText: 'Илья Кравцов' });
  // 10 % of the price of what cost less than 100 a lead, what has no leads yet among it: 8 000 ₽ and 1 200 ₽.
  await expect(ilya).toContainText('920,00 ₽');
  await expect(ilya).toContainText('2 размещения, 9 200 ₽');
  const total = table.getByRole('row', { name: /^Итого/u });
  await expect(total).toContainText('920,00 ₽');
  await total.getByTitle(/^Бонус, итого/u).click();
  const why = page.getByRole('dialog', { name: 'Почему эта цифра?' });
  await expect(why.getByRole('table', { name: 'Бонус по сотрудникам' })).toContainText(/Илья Кравцов\s*920,00\s₽/u);
  await page.keyboard.press('Escape');
  await ilya.getByRole('button', { name: /Илья Кравцов/u }).click();
  await expect(table.getByRole('table', { name: 'Засчитано', exact: true })).toContainText('8 000 ₽');
  await expect(table.getByRole('table', { name: 'Не засчитано' })).toContainText('4 000 ₽');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Скачать CSV' }).click(),
  ]);
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toContain('Илья Кравцов');
  expect(text).toMatch(/[;,]920[;,.]/u);
});

test('E2E-134 one press brings one of the deleted back and leads to the next row; Enter that is held does nothing to that', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  for (const nick of ['marina_pr', 'slow_ads']) await team.done('DELETE', `/placements/${placements[nick]?.id ?? ''}`);
  const { page } = await as(team, 'owner', '/journal?tab=deleted');
  const rows = page.getByRole('table', { name: 'Удалённое' }).getByRole('row').filter({ hasText: '@' });
  await expect(rows).toHaveCount(2);
  const restore = page.getByRole('button', { name: /^Вернуть/u });
  await restore.first().focus();
  await page.keyboard.down('Enter');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(restore).toBeFocused();
  // Still held: what comes now is a repeat.
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(restore).toBeEnabled();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Ничего не удалено')).toBeVisible();
});

test('E2E-1235 a row with several changes is read whole, beside an opened event too, and the filters with their reset are one line @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const changes = { leads: 123_456, category: 'Дом и ремонт', format: '1/72', date: '2026-11-17' };
  for (const [index, { id }] of Object.values(placements).entries())
    await team.done('PATCH', `/placements/${id}`, { ...changes, price: 1_234_567.5 + index });
  const { page } = await as(team, 'owner', '/journal?source=api');
  const grid = page.getByRole('grid', { name: 'Журнал' });
  const row = grid.getByRole('row', { name: /@marina_pr.*1.234.56\d/u });
  const cut = () =>
    grid
      .locator('.z-journal-what')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      );
  for (const width of [1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 640 });
    await expect(row).toBeVisible();
    expect(await cut()).toEqual([]);
    const [search, reset] = await Promise.all([
      page.getByLabel('Поиск по журналу').boundingBox(),
      page.getByRole('button', { name: 'Сбросить фильтры' }).boundingBox(),
    ]);
    expect(reset?.y).toBeLessThan((search?.y ?? 0) + (search?.height ?? 0));
    await row.click();
    const aside = page.getByRole('complementary', { name: 'Событие' });
    await expect(aside.getByRole('heading', { name: 'Что сдвинулось' })).toBeVisible();
    expect(await cut()).toEqual([]);
    await aside.getByRole('button', { name: 'Закрыть событие', exact: true }).click();
    await expect(aside).toBeHidden();
  }
});

test('E2E-1310 a row that is pressed stays under the pointer as its event opens and closes; who did it and in what campaign is read whole @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { channel, placements } = await givenCampaign(team);
  const words = {
    name: `${channel.name} | Подписчики из новостей, август 2026`,
    channelId: channel.id,
    status: 'ACTIVE',
  };
  const { campaign } = await team.done<{ campaign: { id: string } }>('POST', '/campaigns', {
    ...words,
    totalBudget: 1_000_000,
    participants: [{ userId: team.member('anna').id, budget: 1_000_000 }],
  });
  await team.done('POST', '/placements', {
    campaignId: campaign.id,
    contractor: '@kitchen_ads',
    buyerId: team.member('anna').id,
    category: 'Кулинария',
    price: 1_234_567.5,
  });
  const changes = { leads: 123_456, category: 'Дом и ремонт', format: '1/72', date: '2026-11-17' };
  for (let turn = 0; turn < 4; turn += 1)
    for (const { id } of Object.values(placements))
      await team.done('PATCH', `/placements/${id}`, { ...changes, leads: turn, price: 1_234_567.5 + turn });
  const { page } = await as(team, 'owner', '/journal');
  const grid = page.getByRole('grid', { name: 'Журнал' });
  const aside = page.getByRole('complementary', { name: 'Событие' });
  for (const width of [1280, 1366, 1440]) {
    await page.setViewportSize({ width, height: 768 });
    const rows = grid.locator('[data-event]');
    for (const nth of [1, 2, 4]) {
      const row = grid.locator(`[data-event="${await rows.nth(nth).getAttribute('data-event')}"]`);
      const top = async (): Promise<number> => Math.round((await row.boundingBox())?.y ?? -1);
      const before = await top();
      await row.click();
      await expect(aside.getByRole('heading', { name: 'Что сдвинулось' })).toBeVisible();
      await expect.poll(top, `${width} px, row ${nth} opened`).toBe(before);
      await aside.getByRole('button', { name: 'Закрыть событие', exact: true }).click();
      await expect(aside).toBeHidden();
      await expect.poll(top, `${width} px, row ${nth} closed`).toBe(before);
    }
  }
  await page.getByLabel('Поиск по журналу').fill('kitchen_ads');
  const placed = grid.getByRole('row', { name: /@kitchen_ads Подписчики из новостей, август 2026/u });
  await expect(placed.locator('.z-journal-where')).toHaveAttribute('title', /Кухня за 15 минут - Подписчики/u);
  const cut = (): Promise<readonly string[]> =>
    placed
      .locator('.z-journal-where, .z-journal-who span:last-child')
      .evaluateAll((cells) =>
        cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent ?? ''),
      );
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect.poll(cut).toEqual([]);
});

test('E2E-1557 the journal tells the owner what a colleague took along with a program of their own, and from where @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const { campaign } = await givenCampaign(team);
  const { token } = await signIn(address, team.member('maria'));
  const headers = { Authorization: `Bearer ${token}` };
  const file = await fetch(`${address}/api/campaigns/${campaign.id}/export?format=csv`, { headers });
  expect((await file.text()).length).toBeGreaterThan(100);
  const audit = () => team.done<{ entries: readonly { event: string }[] }>('GET', '/audit?limit=200');
  await expect.poll(async () => (await audit()).entries.map(({ event }) => event)).toContain('DataTaken');
  const { page } = await as(team, 'owner', '/journal');
  const row = page.getByRole('grid', { name: 'Журнал' }).getByRole('row').filter({ hasText: 'Данные выгружены' });
  await expect(row).toContainText('Мария Белова');
  await row.click();
  const aside = page.getByRole('complementary', { name: 'Событие' });
  for (const text of ['размещения', 'Ноябрь - Подписчики', 'сеть 127.0.0.0/24'])
    await expect(aside).toContainText(text);
});
