import { expect, test } from '../support/story.ts';
import { givenTeam, personPassword, signIn } from '../support/team.ts';

test('E2E-132 one’s own password: a wrong old one is refused, the new one is hidden until shown, all other sessions end', async ({
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
