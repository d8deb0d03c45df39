import { call } from '../../support/api.ts';
import { adminLogin, adminPassword } from '../../support/zakup-process.ts';
import { toldAt, answeredAt } from '../support/told-at.ts';
import { crowding } from '../support/crowding.ts';
import { expect, test } from '../support/story.ts';
import { givenTeam, issuedLicence } from '../support/team.ts';

test('E2E-23 the admin issues, renews and suspends, and an employee’s open browser is told at once', async ({
  address,
  as,
  newcomer,
}) => {
  const teamName = 'Приостановленная команда';
  const team = await givenTeam(address, ['anna'], { teamName });
  const anna = await as(team, 'anna');
  anna.expectProblems(/status of (?:401|403)/u);
  await expect(anna.page.getByText('На связи')).toBeVisible();
  const owner = await as(team, 'owner');
  await expect(owner.page.getByText('На связи')).toBeVisible();

  const { page, expectProblems } = await newcomer('/admin/dashboard');
  expectProblems(/status of 401/u);
  await test.step('a wrong password, then the right one', async () => {
    await expect(page).toHaveURL(/\/admin$/u);
    await page.getByLabel('Логин').fill(adminLogin);
    await page.getByLabel('Пароль', { exact: true }).fill('не тот пароль');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('Неверный логин или пароль');
    await page.getByLabel('Пароль', { exact: true }).fill(adminPassword);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/admin\/dashboard$/u);
  });

  const rowOf = (name: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name }) });
  await test.step('a licence is issued: key and code are shown once', async () => {
    await page.getByRole('button', { name: 'Выдать лицензию' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Выдать' }).click();
    await expect(dialog.getByText('Введите название команды')).toBeVisible();
    await dialog.getByLabel('Команда').fill('Новая команда');
    await dialog.getByLabel('Владелец', { exact: true }).fill('Нина Новая');
    await dialog.getByLabel('Telegram владельца').fill('@nina_new');
    await dialog.getByLabel('Почта владельца').fill('nina@new.media');
    await dialog.getByRole('button', { name: 'Выдать' }).click();
    await expect(page.getByTestId('issued-key')).toHaveText(/^LICENSE(?:-[A-Z0-9]{4}){4}$/u);
    await expect(page.getByTestId('issued-code')).toHaveText(/^\d{6}$/u);
    await page.getByRole('button', { name: 'Готово' }).click();
    await expect(rowOf('Новая команда')).toContainText('Не активирована');
  });

  await test.step('a licence is found and renewed', async () => {
    await page.getByLabel('Найти лицензию').fill(teamName.toLowerCase());
    await expect(rowOf('Новая команда')).toHaveCount(0);
    await page.getByRole('button', { name: `Продлить: ${teamName}` }).click();
    await page.getByLabel('Действует до').fill('2029-03-01');
    await page.getByRole('dialog').getByRole('button', { name: 'Продлить' }).click();
    await expect(rowOf(teamName)).toContainText('1 марта 2029');
  });

  await test.step('suspended: the employee is thrown out, the owner may only look', async () => {
    await page.getByRole('button', { name: `Приостановить: ${teamName}` }).click();
    await page.getByLabel('Причина').fill('Не оплачено');
    const told = await Promise.all([anna, owner].map((one) => toldAt(one.page, 'Лицензия приостановлена')));
    const suspended = answeredAt(page, /\/suspend$/u);
    await page.getByRole('dialog').getByRole('button', { name: 'Приостановить' }).click();
    for (const seenAt of told)
      expect((await seenAt()) - (await suspended), 'milliseconds from the server’s answer to the screen').toBeLessThan(
        1_000,
      );
    await expect(rowOf(teamName)).toContainText('Приостановлена');
    await expect(anna.page.getByText(/Лицензия приостановлена/u).first()).toBeVisible();
    await expect(
      owner.page.locator('.z-banners').getByText(/Лицензия приостановлена: только просмотр и выгрузка/u),
    ).toBeVisible();
  });

  await test.step('resumed: the owner works again', async () => {
    await page.getByRole('button', { name: `Возобновить: ${teamName}` }).click();
    await expect(rowOf(teamName)).toContainText('Активна');
    await expect(owner.page.getByText(/Лицензия приостановлена/u)).toHaveCount(0);
  });

  await test.step('health: every part works, nothing lags, the signing key is named', async () => {
    const health = page.getByRole('list', { name: 'Здоровье' });
    await expect(health).toContainText('Приём изменений');
    await expect(health).not.toContainText('не отвечает');
    await expect(health).toContainText('не отстаёт');
    await expect(page.getByRole('button', { name: 'Собрать заново' })).toBeVisible();
    await page.getByRole('button', { name: 'Выйти' }).click();
    await expect(page).toHaveURL(/\/admin$/u);
  });
});

test('E2E-1531 licences of long names: at 1280, 1366, 1440, 1024, 768 and 390 px nothing is cut untold, and at a desk every button of a row is inside', async ({
  address,
  newcomer,
}) => {
  const teamName = 'Рекламное агентство «Северный ветер, сыновья и все, кто с ними закупает рекламу»';
  const ownerName = 'Константин Константинопольский-Задунайский';
  const { licenseKey } = await issuedLicence(address, { teamName, ownerName });
  await call(address, 'POST', '/licenses/request-code', { licenseKey });
  const { page } = await newcomer('/admin');
  await page.getByLabel('Логин').fill(adminLogin);
  await page.getByLabel('Пароль', { exact: true }).fill(adminPassword);
  await page.keyboard.press('Enter');
  await page.getByLabel('Найти лицензию').fill(teamName);
  const row = page.getByRole('row').filter({ hasText: ownerName });
  await expect(row).toContainText('код');
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [1280, 800],
    [1024, 768],
    [768, 1024],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => crowding(page), `${width} px`).toEqual([]);
    const last = await row.getByRole('button').last().boundingBox();
    const table = page.locator('.z-table-scroll').filter({ has: row });
    const beyond = await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    if (width <= 1024) expect(beyond, 'licences pushed sideways').toBe(0);
    if (width > 390) expect((last?.x ?? width) + (last?.width ?? 0), `${width} px`).toBeLessThanOrEqual(width);
  }
});

test('E2E-1558 the administration shows who came in and who was refused, when and from which network @deep', async ({
  newcomer,
}) => {
  const { page, expectProblems } = await newcomer('/admin');
  expectProblems(/status of 401/u);
  await page.getByLabel('Логин').fill(adminLogin);
  await page.getByLabel('Пароль', { exact: true }).fill('не тот пароль');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Неверный логин или пароль');
  await page.getByLabel('Пароль', { exact: true }).fill(adminPassword);
  await page.keyboard.press('Enter');
  const entries = page.getByRole('list', { name: 'Последние входы' }).getByRole('listitem');
  await expect(entries.filter({ hasText: 'вход' }).first()).toContainText('сеть 127.0.0.0/24');
  await expect(entries.filter({ hasText: 'отказ' }).first()).toContainText('сеть 127.0.0.0/24');
});
