import { type ContractorWire, type PlacementWire, type CampaignWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { mostSeen } from '../support/most-seen.ts';
import { cellOf, goToCell, metric, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-30 a campaign is made with participants and terms, and stands on the dashboard at once', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await team.done('POST', '/channels', { name: 'Кухня за 15 минут' });
  const anna = await as(team, 'anna');
  await expect(anna.page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  const { page } = await as(team, 'owner', '/settings?tab=campaigns');
  await page.getByRole('button', { name: 'Создать кампанию' }).click();
  const dialog = page.getByRole('dialog', { name: 'Новая кампания' });
  await dialog.getByLabel('Название').fill('Весна | Лиды');
  await dialog.getByLabel('Общий бюджет, ₽').fill('100000,50');
  await dialog.getByLabel('Добавить участника').selectOption({ label: 'Анна Соколова, Медиа-байер' });
  await dialog.getByLabel('Бюджет, ₽: Анна Соколова').fill('120000');
  await expect(dialog.getByText('Бюджеты участников больше общего на 19 999,50 ₽')).toBeVisible();
  await dialog.getByLabel('Бюджет, ₽: Анна Соколова').fill('60000');
  await dialog.getByLabel('Схема: Анна Соколова').selectOption('За результат');
  await dialog.getByLabel('Ставка, %: Анна Соколова').fill('12');
  await dialog.getByLabel('Порог CPL, ₽: Анна Соколова').fill('90');
  await dialog.getByRole('button', { name: 'Создать' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Весна - Лиды' })).toContainText('Активная');

  await expect(anna.page.getByRole('heading', { name: 'Весна - Лиды' })).toBeVisible();
  await expect(metric(anna.page, 'Общий бюджет')).toContainText('100 000,50 ₽');
  await expect(anna.page.getByText('за результат', { exact: false }).first()).toBeVisible();
  const { campaigns } = await team.done<{ campaigns: readonly CampaignWire[] }>('GET', '/campaigns');
  expect(campaigns[0]?.participants).toEqual([
    { userId: team.member('anna').id, budget: 60_000, salaryType: 'performance', salaryRate: 12, cplThreshold: 90 },
  ]);
});

test('E2E-31 a placement is added by keys: checks in order, suggestions, analysis, and a contractor made on the fly', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, creatives } = await givenCampaign(team);
  const { page } = await as(team, 'owner');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Добавить размещение' });
  const alert = dialog.getByRole('alert').first();
  const nick = dialog.getByLabel('Ник контрагента');
  const add = dialog.getByRole('button', { name: 'Добавить размещение' });

  await test.step('each missing thing is named in its turn', async () => {
    await add.click();
    await expect(alert).toHaveText('Ник контрагента обязателен');
    await expect(nick).toBeFocused();
    await nick.fill('совсем_новый');
    await add.click();
    await expect(alert).toHaveText('Выберите байера');
    await dialog.getByLabel('Байер').selectOption({ label: 'Анна Соколова' });
    await add.click();
    await expect(alert).toHaveText('Выберите тематику');
    await expect(dialog.getByLabel('Тематика'), 'what is missing has the keyboard').toBeFocused();
  });

  await test.step('an unknown contractor has nothing to analyse, a known one is suggested and analysed', async () => {
    await expect(dialog.getByRole('button', { name: 'Нет данных для анализа' })).toBeDisabled();
    await nick.fill('KITCH');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(nick).toHaveValue('@kitchen_ads');
    await dialog.getByRole('button', { name: 'Анализ контрагента' }).click();
    await expect(
      dialog.getByText('1 размещение · средняя цена 5 400,50 ₽ · средний CPL 108,01 ₽', { exact: false }),
    ).toBeVisible();
    await expect(dialog.getByRole('table', { name: 'Последние размещения у контрагента' })).toContainText('Анна');
  });

  await test.step('the price takes no letters; the topic is found by its letters', async () => {
    await nick.fill('https://t.me/Brand_New');
    const price = dialog.getByLabel('Цена, ₽');
    await price.fill('');
    await price.pressSequentially('12аб50,5');
    await expect(price).toHaveValue('1250.5');
    await dialog.getByLabel('Тематика').fill('кулин');
    await page.getByRole('option', { name: 'Кулинария' }).click();
    await dialog.getByLabel('Формат').selectOption('1/∞');
    await dialog.getByLabel('Креатив').selectOption({ label: 'Завтраки недели' });
    await dialog.getByLabel('Оплачено', { exact: true }).check();
    await page.keyboard.press('Enter');
  });

  await expect(dialog).toBeHidden();
  await expect(page.getByText('Размещение добавлено')).toBeVisible();
  await expect(rowOf(page, '@Brand_New')).toContainText('1 250,50 ₽');
  await expect(metric(page, 'Потрачено')).toContainText('22 851 ₽');
  const { placements } = await team.done<{ placements: readonly PlacementWire[] }>(
    'GET',
    `/campaigns/${campaign.id}/placements`,
  );
  const { contractors } = await team.done<{ contractors: readonly ContractorWire[] }>('GET', '/contractors');
  const contractor = contractors.find(({ adminUsername }) => adminUsername === '@Brand_New');
  expect(contractor).toMatchObject({ channelName: 'Ноябрь | Подписчики', automatic: true, totalSpent: 1250.5 });
  expect(placements.find(({ contractorId }) => contractorId === contractor?.id)).toMatchObject({
    price: 1250.5,
    leads: 0,
    format: '1/∞',
    category: 'Кулинария',
    creativeId: creatives.breakfast.id,
    buyerId: team.member('anna').id,
    paymentStatus: 'paid',
    status: 'PENDING',
  });
});

/** What is held until it is opened. */
const gate = () => {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
};

/** Adds `@brand_new` by the dialog. Tells how many rows of it, and how many placements in the totals, stood at most at any moment since. */
const addBrandNew = async (page: Page) => {
  const rows = await mostSeen(
    page,
    'rows',
    `[...document.querySelectorAll('[role=grid] [role=row]')].filter((row) => row.innerText.includes('@brand_new')).length`,
  );
  const counted = await mostSeen(
    page,
    'counted',
    `Number(/(\\d+) размещен/u.exec(document.querySelector('[role=grid]')?.innerText ?? '')?.[1] ?? 0)`,
  );
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Добавить размещение' });
  await dialog.getByLabel('Ник контрагента').fill('brand_new');
  await dialog.getByLabel('Цена, ₽').fill('1250');
  await dialog.getByLabel('Тематика').fill('кулин');
  await page.getByRole('option', { name: 'Кулинария' }).click();
  await dialog.getByRole('button', { name: 'Добавить размещение' }).click();
  return async () => ({ rows: await rows(), counted: await counted() });
};

test('E2E-143 a new row whose document comes before the answer is the same row all along, stands once and counts once @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await settled(page);
  const [sending, answering] = [gate(), gate()];
  await page.route('**/api/placements', async (route) => {
    await sending.opened;
    const response = await route.fetch();
    await answering.opened;
    await route.fulfill({ response });
  });
  const most = await addBrandNew(page);
  const row = rowOf(page, '@brand_new');
  const nick = row.getByRole('button', { name: '@brand_new', exact: true });
  await expect(nick, 'the server does not have it yet').toBeDisabled();
  const price = await goToCell(page, '@brand_new', 'Цена');
  const before = await row.elementHandle();
  sending.open();
  await expect(nick, 'its document has come').toBeEnabled();
  expect(await row.evaluate((node, known) => node === known, before), 'the same row').toBe(true);
  await expect(price).toBeFocused();
  await expect(page.getByText('Размещение добавлено')).toHaveCount(0);
  expect(await most()).toEqual({ rows: 1, counted: 6 });
  answering.open();
  await expect(page.getByText('Размещение добавлено')).toBeVisible();
  await settled(page);
  await expect(await cellOf(page, '@brand_new', 'Цена')).toBeFocused();
  expect(await most()).toEqual({ rows: 1, counted: 6 });
});

test('E2E-144 a new row whose answer was lost stands once and counts once, and is sent again without a second one @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await settled(page);
  expectProblems(/Failed to load resource/u);
  let lost = 0;
  const again = gate();
  await page.route('**/api/placements', async (route) => {
    if (lost > 0) {
      await again.opened;
      return route.fallback();
    }
    lost += 1;
    await route.fetch();
    return route.abort('connectionreset');
  });
  const most = await addBrandNew(page);
  await expect(rowOf(page, '@brand_new').getByRole('button', { name: '@brand_new', exact: true })).toBeEnabled();
  await expect(page.getByText('Не отправлено: 1').first()).toBeVisible();
  again.open();
  await expect(page.getByText('Размещение добавлено')).toBeVisible();
  await settled(page);
  expect(await most()).toEqual({ rows: 1, counted: 6 });
  const { total } = await team.done<{ total: number }>('GET', `/campaigns/${campaign.id}/placements`);
  expect(total).toBe(6);
});

test('E2E-2140 three placements are added one after another by keys alone, and the last one is gone to @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await settled(page);
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Добавить размещение' });
  const nick = dialog.getByLabel('Ник контрагента');
  const price = dialog.getByLabel('Цена, ₽');
  await expect(nick, 'the day is today’s for the most part').toBeFocused();

  await page.keyboard.type('kitch');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(price, 'as the last deal had it').toHaveValue('5400.5');
  await expect(dialog.getByLabel('Тематика')).toHaveValue('Кулинария');
  await expect(dialog.getByText('как в прошлый раз', { exact: false })).toHaveCount(3);
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('Добавлено: @kitchen_ads, 5 400,50 ₽')).toBeVisible();

  await expect(nick).toBeFocused();
  await expect(nick).toHaveValue('');
  await page.keyboard.type('совсем_новый');
  await page.keyboard.press('Tab');
  await expect(price).toBeFocused();
  await page.keyboard.type('1250');
  await page.keyboard.press('Control+Enter');
  await expect(dialog.getByText('Добавлено: @совсем_новый, 1 250 ₽')).toBeVisible();

  await expect(nick).toBeFocused();
  await page.keyboard.type('third_one');
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  const last = rowOf(page, '@third_one');
  await expect(last.locator('[tabindex="0"]')).toBeFocused();
  await settled(page);
  const { total, placements } = await team.done<{ total: number; placements: readonly PlacementWire[] }>(
    'GET',
    `/campaigns/${campaign.id}/placements`,
  );
  expect(total).toBe(8);
  const anna = team.member('anna').id;
  expect(placements.slice(-3).map((one) => [one.price, one.category, one.format, one.buyerId])).toEqual([
    [5400.5, 'Кулинария', '1/24', anna],
    [1250, 'Кулинария', '1/24', anna],
    [0, 'Кулинария', '1/24', anna],
  ]);
});

test('E2E-2141 whoever leads puts a contractor on the black list, and who buys from it next is warned, not stopped @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const anna = (await as(team, 'anna')).page;
  await expect(rowOf(anna, '@kitchen_ads')).toBeVisible();
  const { page } = await as(team, 'owner', '/contractors');
  await page.getByRole('button', { name: '@kitchen_ads' }).click();
  const card = page.getByRole('dialog', { name: '@kitchen_ads' });
  await card.getByRole('button', { name: 'Изменить' }).click();
  const form = page.getByRole('dialog', { name: 'Изменить @kitchen_ads' });
  await form.getByLabel('Список').selectOption('Чёрный список');
  await form.getByLabel('Причина').fill('Не вернул предоплату');
  await form.getByRole('button', { name: 'Сохранить' }).click();
  await expect(form).toBeHidden();
  await expect(card.getByText('Не вернул предоплату')).toBeVisible();

  await anna.keyboard.press('Control+Enter');
  const dialog = anna.getByRole('dialog', { name: 'Добавить размещение' });
  await dialog.getByLabel('Ник контрагента').fill('kitchen_ads');
  await expect(dialog.getByText('Чёрный список')).toBeVisible();
  await expect(dialog.getByText('Не вернул предоплату')).toBeVisible();
  await expect(dialog.getByLabel('Тематика'), 'as the last deal had it').toHaveValue('Кулинария');
  await dialog.getByRole('button', { name: 'Добавить размещение' }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(anna, '@kitchen_ads')).toHaveCount(2);
});

test('E2E-32 closing the dialog with something typed asks first @deep', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await page.keyboard.press('Control+Enter');
  const dialog = page.getByRole('dialog', { name: 'Добавить размещение' });
  await expect(dialog.getByLabel('Байер'), 'a buyer buys for themselves').toHaveValue(team.member('anna').id);
  await dialog.getByLabel('Цена, ₽').fill('100');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog', { name: 'Закрыть без сохранения?' });
  await question.getByRole('button', { name: 'Вернуться' }).click();
  await expect(dialog.getByLabel('Цена, ₽')).toHaveValue('100');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Закрыть' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('grid').getByRole('row')).toHaveCount(7);
});
