import { codeShown } from '@zakup/credentials/testing/authenticator';
import { call } from '../../support/api.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, personPassword, signIn } from '../support/team.ts';

test('E2E-48 a person is added, gets role and rights, a new code and a one-time password, and is switched off', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const anna = await as(team, 'anna');
  anna.expectProblems(/status of 401/u);
  await expect(anna.page.getByText('На связи')).toBeVisible();
  const { page } = await as(team, 'owner', '/settings?tab=employees');
  const banner = page.getByText(/Показан один раз/u);

  await test.step('added: wrong first, then code and password, once', async () => {
    await page.getByRole('button', { name: 'Добавить сотрудника' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Имя').fill('П');
    await dialog.getByLabel('Почта').fill('anna@vkus');
    await dialog.getByRole('button', { name: 'Добавить' }).click();
    await expect(dialog.getByText('Name must be at least 2 characters long')).toBeVisible();
    await expect(dialog.getByText('Valid email is required')).toBeVisible();
    await dialog.getByLabel('Имя').fill('Пётр Новый');
    await dialog.getByLabel('Почта').fill('petr@vkus.media');
    await dialog.getByRole('button', { name: 'Добавить' }).click();
    await expect(banner).toBeVisible();
    await expect(page.getByTestId('issued-auth-code')).toHaveText(/^[A-Z2-9]{12}$/u);
    await page.getByRole('button', { name: 'Убрать с экрана' }).click();
    await expect(banner).toBeHidden();
  });

  const panel = page.getByRole('complementary', { name: 'Сотрудник: Анна Соколова' });
  await test.step('a right given to Anna opens the section in her open browser', async () => {
    const sections = anna.page.getByRole('navigation', { name: 'Разделы' });
    await expect(sections.getByRole('link', { name: 'Креативы' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Анна Соколова', exact: true }).click();
    await panel.getByRole('checkbox', { name: 'Креативы' }).check();
    await panel.getByRole('button', { name: 'Сохранить' }).click();
    await expect(panel.getByText('Сотрудник сохранён')).toBeVisible();
    await expect(panel.getByText('по роли, изменено: 1')).toBeVisible();
    await expect(sections.getByRole('link', { name: 'Креативы' }).first()).toBeVisible();
  });

  await test.step('a new code puts the old one out of use', async () => {
    await panel.getByRole('button', { name: 'Новый код' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Выдать' }).click();
    const code = page.getByTestId('issued-auth-code');
    await expect(code).toBeVisible();
    expect(await code.innerText()).not.toBe(team.member('anna').code);
    const old = { authCode: team.member('anna').code, password: personPassword };
    await expect(call(address, 'POST', '/auth/employee-login', old)).rejects.toThrow('401');
  });

  await test.step('a one-time password ends her sessions and lets her in to change it', async () => {
    const code = await page.getByTestId('issued-auth-code').innerText();
    await panel.getByRole('button', { name: 'Новый временный пароль' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Выдать' }).click();
    const password = await page.getByTestId('issued-password').innerText();
    await expect(anna.page).toHaveURL(/\/login$/u);
    const again = await newcomer('/');
    again.expectProblems(/status of 401/u);
    await again.page.getByLabel('Код доступа').fill(code);
    await again.page.getByLabel('Пароль', { exact: true }).fill(password);
    await again.page.keyboard.press('Enter');
    await expect(again.page.getByRole('heading', { name: 'Смените пароль' })).toBeVisible();
  });

  await test.step('switched off and on again', async () => {
    await panel.getByRole('button', { name: 'Отключить' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Отключить' }).click();
    await page.getByRole('button', { name: /^Отключённые 1/u }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Анна Соколова' })).toContainText('отключён');
    await panel.getByRole('button', { name: 'Включить' }).click();
    await expect(page.getByTestId('issued-auth-code')).toBeVisible();
    await page.getByRole('button', { name: /^Все /u }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Анна Соколова' })).toContainText(/сейчас|назад/u);
  });
});

test('E2E-1169 somebody new has not signed in yet, and is told as here once they have @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna']);
  const member = { name: 'Роман Гусев', email: 'gusev@vkus.media', role: 'MEDIA_BUYER', password: personPassword };
  const { authCode } = await team.done<{ authCode: string }>('POST', '/employees/create', member);
  const { page } = await as(team, 'owner', '/settings?tab=employees');
  const row = page.getByRole('row').filter({ hasText: 'Роман Гусев' });
  await expect(row).toContainText('ещё не входили');
  await expect(row).not.toContainText('сейчас');

  const roman = await newcomer('/');
  await roman.page.getByLabel('Код доступа').fill(authCode);
  await roman.page.getByLabel('Пароль', { exact: true }).fill(personPassword);
  await roman.page.keyboard.press('Enter');
  await expect(roman.page.getByText('На связи')).toBeVisible();

  await page.getByRole('tab', { name: 'Каналы' }).click();
  await page.getByRole('tab', { name: 'Сотрудники' }).click();
  await expect(row.getByRole('button', { name: 'сейчас', exact: true })).toHaveAttribute('title', /Последний вход: /u);
  await expect(row).not.toContainText('ещё не входили');
});

test('E2E-1170 the list keeps when people were here whole beside an open card and on a phone, with the longest names @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const name = 'Александр-Константин Римский-Корсаков '.repeat(4).slice(0, 119);
  const email = `${'w'.repeat(60)}@${'m'.repeat(60)}.media`;
  await team.done('POST', '/employees/create', { name, email, role: 'MEDIA_BUYER', password: personPassword });
  const { page } = await as(team, 'owner', '/settings?tab=employees');
  const table = page.getByRole('table');
  /** Pixels by which the table is wider than what is seen of it. */
  const beyond = () => table.evaluate(({ parentElement: list }) => (list ? list.scrollWidth - list.clientWidth : null));
  await expect(table.getByText('ещё не входили')).toHaveCount(2);
  for (const width of [1440, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(beyond, `${width} px`).toBe(0);
  }
  await page.getByRole('button', { name: 'Анна Соколова', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Сотрудник: Анна Соколова' })).toBeVisible();
  for (const width of [1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(beyond, `${width} px with a card`).toBe(0);
  }
  await page.getByRole('button', { name: 'Закрыть карточку' }).click();
  for (const width of [1024, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(beyond, `${width} px`).toBe(0);
  }
  await expect(table.getByRole('row').filter({ hasText: 'Анна Соколова' })).toContainText('Медиа-байер');
});

test('E2E-1570 who lost telephone and recovery codes: the owner takes the second factor away, the password opens, the bell and the journal tell it @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna']);
  const anna = team.member('anna');
  const { token } = await signIn(address, anna);
  const begun = await call<{ secret: string }>(
    address,
    'POST',
    '/auth/second-factor/begin',
    { currentPassword: personPassword },
    { token },
  );
  const code = codeShown(begun.data.secret, Date.now());
  await call(address, 'POST', '/auth/second-factor/confirm', { code }, { token });
  const { page } = await as(team, 'owner', '/settings?tab=employees');
  const card = page
    .getByRole('complementary', { name: 'Сотрудник: Анна Соколова' })
    .getByRole('region', { name: 'Второй фактор' });

  await test.step('the card says that it is on; a question says what taking it away means', async () => {
    await page.getByRole('button', { name: 'Анна Соколова', exact: true }).click();
    await expect(card.getByText(/^Включён /u)).toBeVisible();
    await card.getByRole('button', { name: 'Снять второй фактор' }).click();
    const asked = page.getByRole('alertdialog');
    await expect(asked).toContainText('войти можно будет одним паролем');
    await asked.getByRole('button', { name: 'Снять', exact: true }).click();
    await expect(card.getByText('Второй фактор снят. Войти можно одним паролем', { exact: false })).toBeVisible();
    await expect(card.getByRole('button', { name: 'Снять второй фактор' })).toHaveCount(0);
  });

  await test.step('Anna comes in by her password alone, and her bell tells who did it', async () => {
    const back = await newcomer('/login');
    await back.page.getByLabel('Код доступа').fill(anna.code);
    await back.page.getByLabel('Пароль', { exact: true }).fill(personPassword);
    await back.page.keyboard.press('Enter');
    await expect(back.page).toHaveURL(/\/dashboard$/u);
    await back.page.getByRole('button', { name: /^Уведомления/u }).click();
    await back.page.getByRole('button', { name: /Ваш второй фактор снят/u }).click();
    await expect(back.page.getByRole('button', { name: 'Включить второй фактор' })).toBeVisible();
  });

  await test.step('the journal has it with the owner as who did it', async () => {
    await page.goto(`${address}/journal`);
    const entry = page.getByRole('grid', { name: 'Журнал' }).getByRole('row').filter({ hasText: 'Второй фактор снят' });
    await expect(entry).toContainText('Анна Соколова');
    await expect(entry).toContainText('Виктор');
  });
});

test('E2E-1540 the owner is told when a colleague gives another one a temporary password, and is led to the card @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'maria']);
  const { page } = await as(team, 'owner', '/settings?tab=channels');
  await expect(page.getByText('На связи')).toBeVisible();
  const { token } = await signIn(address, team.member('maria'));
  await call(address, 'POST', `/users/${team.member('anna').id}/temporary-password`, {}, { token });
  await page.getByRole('button', { name: 'Уведомления: 1 непрочитанное' }).click();
  const panel = page.getByRole('region', { name: 'Уведомления' });
  await panel.getByRole('button', { name: /Мария Белова выдала временный пароль: Анна Соколова/u }).click();
  await expect(page.getByRole('complementary', { name: 'Сотрудник: Анна Соколова' })).toBeVisible();
  await page.getByRole('button', { name: 'Уведомления', exact: true }).click();
  await expect(panel.getByText('Мария Белова выдала временный пароль: Анна Соколова')).toBeVisible();
  await expect(panel.getByText('Новое:')).toHaveCount(0);
});
