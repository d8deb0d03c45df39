import { metric } from '../support/screen.ts';
import { expect, namedEmail, test } from '../support/story.ts';
import { dayFromToday, givenTeam } from '../support/team.ts';

test('E2E-24 the licence window: facts, the key shown and hidden, a renewal asked for @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, [], { expiresAt: dayFromToday(12) });
  const { page } = await as(team, 'owner');
  await page.getByRole('button', { name: 'Лицензия' }).click();
  const dialog = page.getByRole('dialog', { name: 'Лицензия' });
  await expect(dialog).toContainText('Активна');
  await expect(dialog).toContainText('Виктор Лапин, @v_lapin');
  await expect(dialog).toContainText('lapin@vkus.media');
  await expect(dialog).toContainText('из 50');
  await expect(dialog.getByText(team.licence.licenseKey)).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Показать ключ' }).click();
  await expect(dialog.getByText(team.licence.licenseKey)).toBeVisible();
  await dialog.getByRole('button', { name: 'Скрыть ключ' }).click();
  await expect(dialog.getByText(team.licence.licenseKey)).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Продлить' }).click();
  await expect(dialog.getByText(/^Продление запрошено/u)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
});

test('E2E-25 the owner closes the licence, the team reads the date, and it is taken back @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const owner = await as(team, 'owner');
  const anna = await as(team, 'anna');
  await expect(anna.page.getByText('На связи')).toBeVisible();
  await owner.page.getByRole('button', { name: 'Лицензия' }).click();
  await owner.page.getByRole('button', { name: 'Закрыть лицензию' }).click();
  const dialog = owner.page.getByRole('dialog', { name: 'Закрыть лицензию?' });
  await dialog.getByRole('button', { name: 'Закрыть лицензию' }).click();
  await expect(dialog.getByText('Введите слово ЗАКРЫТЬ').last()).toBeVisible();
  await dialog.getByLabel('Введите слово ЗАКРЫТЬ').fill('закрыть');
  await dialog.getByLabel(/^Причина/u).fill('Переезжаем');
  await dialog.getByRole('button', { name: 'Закрыть лицензию' }).click();
  await expect(dialog).toBeHidden();
  await expect(
    anna.page.locator('.z-banners').getByText(/Владелец закрывает лицензию: доступ закончится/u),
  ).toBeVisible();
  await expect(anna.page.getByRole('button', { name: 'Оставить открытой' })).toHaveCount(0);
  await owner.page.keyboard.press('Escape');
  await owner.page.getByRole('button', { name: 'Оставить открытой' }).click();
  await expect(owner.page.getByRole('button', { name: 'Оставить открытой' })).toHaveCount(0);
  await expect(anna.page.getByText(/Владелец закрывает лицензию/u)).toHaveCount(0);
});

test('E2E-82 whom the operator named has the panel of the own licence: how it stands, seats, sessions; nobody else has @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna'], { ownerEmail: namedEmail, expiresAt: dayFromToday(12) });
  const { page } = await as(team, 'owner');
  await page.getByRole('link', { name: /^Админ-панель/u }).click();
  await expect(page).toHaveURL(/\/license-admin$/u);
  await expect(page.getByRole('heading', { name: 'Админ-панель', level: 1 })).toBeVisible();
  await expect(metric(page, 'Состояние')).toContainText('Активна');
  await expect(metric(page, 'Состояние')).toContainText(/осталось 1[23] дней/u);
  await expect(metric(page, 'Места')).toContainText(/\d+ из 50владелец отдельно/u);
  await expect(metric(page, 'Сотрудники')).toContainText('2');
  await expect(page.getByText(namedEmail)).toBeVisible();

  await test.step('another browser of the owner takes a seat, and gives it back', async () => {
    const seats = async (): Promise<number> =>
      Number(await metric(page, 'Места').locator('.z-metric-value').innerText());
    const before = await seats();
    const there = await as(team, 'owner', '/profile');
    there.expectProblems(/status of 401/u);
    await expect(there.page.getByRole('heading', { name: 'Профиль' })).toBeVisible();
    await page.reload();
    await expect.poll(seats).toBe(before + 1);
    await page.getByRole('button', { name: 'Завершить все остальные' }).click();
    await expect(there.page).toHaveURL(/\/login$/u);
    await expect(page.getByText('Эта сессия')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Завершить все остальные' })).toHaveCount(0);
  });

  await test.step('a renewal is asked for once', async () => {
    await page.getByRole('button', { name: 'Продлить' }).click();
    await expect(page.getByText(/^Продление запрошено/u)).toBeVisible();
  });

  await test.step('the owner of another licence is refused, and sees no link', async () => {
    const other = await givenTeam(address);
    const stranger = await as(other, 'owner', '/license-admin');
    await expect(stranger.page.getByRole('heading', { name: 'Доступ запрещен' })).toBeVisible();
    await expect(stranger.page.getByText('Раздел «Админ-панель»')).toBeVisible();
    await expect(stranger.page.getByRole('link', { name: /^Админ-панель/u })).toHaveCount(0);
  });
});
