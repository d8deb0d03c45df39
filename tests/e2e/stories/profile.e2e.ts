import { codeShown } from '@zakup/credentials/testing/authenticator';
import { expect, test } from '../support/story.ts';
import { givenTeam, personPassword, signIn } from '../support/team.ts';

test('E2E-132 one’s own password: a wrong old one is refused, the new one is hidden until shown, all other sessions end @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna']);
  const anna = team.member('anna');
  const elsewhere = await as(team, 'anna');
  const { page, expectProblems } = await as(team, 'anna', '/profile');
  const current = page.getByLabel('Текущий пароль');
  const fresh = page.getByLabel('Новый пароль', { exact: true });
  const again = page.getByLabel('Новый пароль ещё раз');
  const change = page.getByRole('button', { name: 'Сменить пароль' });
  const sessions = page.getByRole('button', { name: /^Завершить/u });
  await expect(sessions.first()).toBeVisible();

  await test.step('what is typed is hidden until it is to be seen', async () => {
    for (const field of [current, fresh, again]) await expect(field).toHaveAttribute('type', 'password');
    await fresh.fill('новый пароль');
    const shown = page.getByRole('button', { name: 'Показать пароль' }).nth(1);
    await shown.click();
    await expect(fresh).toHaveAttribute('type', 'text');
    await expect(again).toHaveAttribute('type', 'password');
    await page.getByRole('button', { name: 'Скрыть пароль' }).click();
    await expect(fresh).toHaveAttribute('type', 'password');
  });

  await test.step('mistakes are said at their field, and change nothing', async () => {
    await again.fill('другой пароль');
    await current.fill('не тот пароль');
    await change.click();
    await expect(again).toHaveAccessibleDescription(/Пароли не совпадают/u);
    await again.fill('новый пароль');
    expectProblems(/status of 422/u);
    await change.click();
    await expect(current).toHaveAccessibleDescription(/Неверный текущий пароль/u);
    await expect(current).toBeFocused();
    for (const text of ['12345678', 'password123'])
      await test.step(text, async () => {
        await current.fill(personPassword);
        await fresh.fill(text);
        await again.fill(text);
        await change.click();
        await expect(fresh).toHaveAccessibleDescription(/Этот пароль есть среди самых частых/u);
        await expect(fresh).toBeFocused();
      });
    await fresh.fill('новый пароль');
    await again.fill('новый пароль');
    await expect(elsewhere.page.getByRole('button', { name: /^Меню: /u })).toBeVisible();
  });

  await test.step('changed: this session goes on, the other one is over', async () => {
    elsewhere.expectProblems(/status of 401|WebSocket/u);
    await current.fill(personPassword);
    await change.click();
    await expect(page.getByRole('main').getByText('Пароль изменён, остальные сессии завершены')).toBeVisible();
    for (const field of [current, fresh, again]) await expect(field).toHaveValue('');
    await expect(elsewhere.page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible();
  });

  await test.step('the old one lets nobody in any more, the new one does', async () => {
    await expect(signIn(address, anna)).rejects.toThrow();
    const other = await newcomer('/login');
    await other.page.getByLabel('Код доступа').fill(anna.code);
    await other.page.getByLabel('Пароль', { exact: true }).fill('новый пароль');
    await other.page.keyboard.press('Enter');
    await expect(other.page).toHaveURL(/\/dashboard$/u);
  });
});

test('E2E-1470 a second factor: switched on with a key and a first code, asked for at the door, switched off with both secrets', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna']);
  const anna = team.member('anna');
  const { page } = await as(team, 'anna', '/profile');
  const codes: string[] = [];

  await test.step('the password opens the key, as a picture and as text; a first code switches it on', async () => {
    await page.getByRole('button', { name: 'Включить второй фактор' }).click();
    await page.getByLabel('Пароль для входа').fill(personPassword);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('img', { name: 'Ключ второго фактора для камеры' })).toBeVisible();
    const shown = await page.getByTestId('second-factor-key').textContent();
    await page.getByLabel('Код из приложения').fill(codeShown((shown ?? '').replaceAll(' ', ''), Date.now()));
    await page.keyboard.press('Enter');
    const list = page.getByRole('list', { name: 'Резервные коды' }).getByRole('listitem');
    await expect(list).toHaveCount(10);
    codes.push(...(await list.allTextContents()));
    await page.getByRole('button', { name: 'Коды сохранены' }).click();
    await expect(page.getByText('Осталось резервных кодов: 10.')).toBeVisible();
  });

  const other = await newcomer('/login');
  const enter = async (): Promise<void> => {
    await other.page.getByLabel('Код доступа').fill(anna.code);
    await other.page.getByLabel('Пароль', { exact: true }).fill(personPassword);
    await other.page.keyboard.press('Enter');
  };

  await test.step('at the door the password is not enough: a wrong code is said, a recovery code opens', async () => {
    other.expectProblems(/status of 422/u);
    await enter();
    const code = other.page.getByLabel('Код из приложения');
    await expect(code).toBeFocused();
    await other.page.keyboard.press('Enter');
    await expect(other.page.getByRole('alert')).toHaveText('Введите код');
    await code.fill('12345x');
    await other.page.keyboard.press('Enter');
    await expect(other.page.getByRole('alert')).toHaveText(/Код не подошёл/u);
    await other.page.getByRole('button', { name: 'Назад', exact: true }).click();
    await enter();
    await other.page.getByRole('button', { name: 'Ввести резервный код' }).click();
    await other.page.getByLabel('Резервный код').fill((codes[0] ?? '').toLowerCase());
    await other.page.keyboard.press('Enter');
    await expect(other.page).toHaveURL(/\/dashboard$/u);
  });

  await test.step('switched off with password and code, the password is enough again', async () => {
    await page.reload();
    await expect(page.getByText('Осталось резервных кодов: 9.')).toBeVisible();
    await page.getByRole('button', { name: 'Выключить', exact: true }).click();
    await page.getByLabel('Пароль для входа').fill(personPassword);
    await page.getByLabel('Код из приложения').fill(codes[1] ?? '');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Включить второй фактор' })).toBeVisible();
    const third = await newcomer('/login');
    await third.page.getByLabel('Код доступа').fill(anna.code);
    await third.page.getByLabel('Пароль', { exact: true }).fill(personPassword);
    await third.page.keyboard.press('Enter');
    await expect(third.page).toHaveURL(/\/dashboard$/u);
  });
});
