import { call } from '../../support/api.ts';
import { codeShown } from '@zakup/credentials/testing/authenticator';
import type { Page } from '@playwright/test';
import { expect, test } from '../support/story.ts';
import { givenTeam, ownerPassword, personPassword } from '../support/team.ts';

test('E2E-11 wrong turns at the door: empty fields, masks, a wrong password, each said in its words @deep', async ({
  address,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna']);
  const { code } = team.member('anna');
  const { page, expectProblems } = await newcomer('/');
  expectProblems(/status of 401/u);
  const alert = page.getByRole('alert');

  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(alert).toHaveText('Пожалуйста, заполните все поля');
  await expect(page.getByLabel('Код доступа')).toBeFocused();

  await page.keyboard.type(`${code.toLowerCase()}лишнее`);
  await expect(page.getByLabel('Код доступа')).toHaveValue(code);
  await page.keyboard.press('Enter');
  await expect(alert).toHaveText('Пожалуйста, заполните все поля');
  await expect(page.getByLabel('Пароль', { exact: true })).toBeFocused();

  await page.keyboard.type('не тот пароль');
  await page.keyboard.press('Enter');
  await expect(alert).toHaveText('Неверный код доступа, пароль или доступ деактивирован');
  await page.getByRole('button', { name: 'Показать пароль' }).click();
  await expect(page.getByLabel('Пароль', { exact: true })).toHaveAttribute('type', 'text');

  await page.getByRole('tab', { name: 'Сотрудник' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Владелец (CEO)' })).toHaveAttribute('aria-selected', 'true');
  await expect(alert).toBeHidden();
  await page.getByLabel('Код входа').fill('AAAABBBBCCCC');
  await page.getByLabel('Пароль', { exact: true }).fill('не тот пароль');
  await page.keyboard.press('Enter');
  await expect(alert).toHaveText('Неверный логин или пароль');
});

test('E2E-12 a buyer signs in by keys alone, and is offered the page they came for', async ({ address, newcomer }) => {
  const team = await givenTeam(address, ['anna']);
  const { page } = await newcomer('/analytics?channel=none');
  await expect(page.getByLabel('Код доступа')).toBeFocused();
  await page.keyboard.type(team.member('anna').code);
  await page.keyboard.press('Tab');
  await page.keyboard.type(personPassword);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/u);
  await expect(page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  await page.getByRole('link', { name: 'Вернуться к «Аналитика»' }).click();
  await expect(page).toHaveURL(/\/analytics/u);
  await page.goBack();
  await expect(page, 'signing in left no step back to the login').toHaveURL(/\/dashboard$/u);
});

test('E2E-13 an owner is not let in by an answer without a licence, nor by one that never came @deep', async ({
  address,
  newcomer,
}) => {
  const team = await givenTeam(address);
  const { code, password } = team.member('owner');
  const { page, expectProblems } = await newcomer('/');
  expectProblems(/ERR_INTERNET_DISCONNECTED/u);
  await page.getByRole('tab', { name: 'Владелец (CEO)' }).click();
  await page.getByLabel('Код входа').fill(code);
  await page.getByLabel('Пароль', { exact: true }).fill(password);

  await page.route('**/api/auth/ceo-login', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: object };
    await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, license: null } } });
  });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Отсутствуют данные лицензии в ответе сервера');
  await page.unroute('**/api/auth/ceo-login');

  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('Ошибка соединения с сервером');
  await page.context().setOffline(false);
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('E2E-14 all seats taken: the owner ends their own oldest session and is in', async ({ address, newcomer }) => {
  const team = await givenTeam(address, [], { maxConcurrentSessions: 1 });
  const { code, password } = team.member('owner');
  const { page, expectProblems } = await newcomer('/');
  expectProblems(/status of 409/u);
  await page.getByRole('tab', { name: 'Владелец (CEO)' }).click();
  await page.getByLabel('Код входа').fill(code);
  await page.getByLabel('Пароль', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Открыто слишком много сессий');
  await page.getByRole('button', { name: 'Завершить самую старую' }).click();
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('E2E-15 a one-time password opens nothing but its own change', async ({ address, newcomer }) => {
  const team = await givenTeam(address);
  const { authCode, temporaryPassword } = await team.done<{ authCode: string; temporaryPassword: string }>(
    'POST',
    '/employees/create',
    { name: 'Пётр Новый', email: 'petr@vkus.media', role: 'MEDIA_BUYER' },
  );
  const { page, expectProblems } = await newcomer('/');
  expectProblems(/status of (?:401|422)/u);
  await page.getByLabel('Код доступа').fill(authCode);
  await page.getByLabel('Пароль', { exact: true }).fill(temporaryPassword);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Смените пароль' })).toBeVisible();
  await page.goto(`${address}/analytics`);
  await expect(page.getByRole('heading', { name: 'Смените пароль' })).toBeVisible();

  await page.getByLabel('Временный пароль').fill(temporaryPassword);
  await page.getByLabel('Новый пароль', { exact: true }).fill('короткий'.slice(0, 5));
  await page.keyboard.press('Enter');
  await expect(page.getByText('Пароль должен содержать минимум 8 символов')).toBeVisible();
  await page.getByLabel('Новый пароль', { exact: true }).fill('свой пароль');
  await page.getByLabel('Новый пароль ещё раз').fill('другой пароль');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Пароли не совпадают')).toBeVisible();
  await page.getByLabel('Новый пароль ещё раз').fill('свой пароль');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/u);
  await expect(page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  const old = call(address, 'POST', '/auth/employee-login', { authCode, password: temporaryPassword });
  await expect(old, 'the one-time password is spent').rejects.toThrow('401');
});

test('E2E-63 by code alone: refused with who may allow it, and in once it is allowed', async ({
  address,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna']);
  const { page, expectProblems } = await newcomer('/');
  expectProblems(/status of 403/u);
  await page.getByRole('button', { name: 'Войти только по коду' }).click();
  await expect(page.getByLabel('Пароль', { exact: true })).toHaveCount(0);
  await page.getByLabel('Код доступа').fill(team.member('anna').code);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Вход только по коду выключен');
  await team.done('PUT', '/license/settings', { codeOnlyLogin: true });
  await page.getByLabel('Код доступа').press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('E2E-1571 «Второй фактор для всех»: refused while the owner has none, then whoever comes in sets theirs up at the door @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, ['anna']);
  const anna = await as(team, 'anna');
  anna.expectProblems(/status of 401|WebSocket/u);
  await expect(anna.page.getByText('На связи')).toBeVisible();
  const { page, expectProblems } = await as(team, 'owner', '/settings?tab=parameters');
  const demand = page.getByRole('checkbox', { name: /^Второй фактор для всех/u });
  const save = page.getByRole('button', { name: 'Сохранить' });

  /** Shows the key on the screen to an authenticator, and its code to the screen. */
  const showCode = async (on: Page): Promise<void> => {
    const key = (await on.getByTestId('second-factor-key').textContent()) ?? '';
    await on.getByLabel('Код из приложения').fill(codeShown(key.replaceAll(' ', ''), Date.now()));
    await on.getByRole('button', { name: 'Включить', exact: true }).click();
    await expect(on.getByRole('list', { name: 'Резервные коды' }).getByRole('listitem')).toHaveCount(10);
    await on.getByRole('button', { name: 'Коды сохранены' }).click();
  };

  await test.step('refused at the switch while the owner has none', async () => {
    expectProblems(/status of 422/u);
    await demand.check();
    await save.click();
    await expect(page.getByText('Сначала включите второй фактор у себя, в разделе «Профиль»')).toBeVisible();
  });

  await test.step('saved once they have one: Anna’s session is over, the owner’s goes on', async () => {
    await page.goto(`${address}/profile`);
    await page.getByRole('button', { name: 'Включить второй фактор' }).click();
    await page.getByLabel('Пароль для входа').fill(ownerPassword);
    await page.keyboard.press('Enter');
    await showCode(page);
    await expect(page.getByText('Осталось резервных кодов: 10.')).toBeVisible();
    await page.goto(`${address}/settings?tab=parameters`);
    await demand.check();
    await save.click();
    await expect(page.getByRole('tabpanel', { name: 'Параметры' }).getByText('Параметры сохранены')).toBeVisible();
    await expect(anna.page).toHaveURL(/\/login$/u);
  });

  await test.step('Anna sets hers up before anything else, and is in', async () => {
    await anna.page.getByLabel('Код доступа').fill(team.member('anna').code);
    await anna.page.getByLabel('Пароль', { exact: true }).fill(personPassword);
    await anna.page.keyboard.press('Enter');
    await anna.page.getByRole('button', { name: 'Настроить второй фактор' }).click();
    await showCode(anna.page);
    await expect(anna.page).toHaveURL(/\/dashboard$/u);
  });

  await test.step('from then on her password is not enough, and she cannot switch it off', async () => {
    await anna.page.goto(`${address}/profile`);
    await expect(anna.page.getByText('Осталось резервных кодов: 10.')).toBeVisible();
    await expect(anna.page.getByRole('button', { name: 'Выключить', exact: true })).toHaveCount(0);
    const other = await newcomer('/login');
    await other.page.getByLabel('Код доступа').fill(team.member('anna').code);
    await other.page.getByLabel('Пароль', { exact: true }).fill(personPassword);
    await other.page.keyboard.press('Enter');
    await expect(other.page.getByLabel('Код из приложения')).toBeFocused();
  });
});

test('E2E-1505 «Пароли, заданные другим»: the owner switches it on and gives somebody new a password, who sets their own before anything else @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const team = await givenTeam(address, []);
  const { page } = await as(team, 'owner', '/settings?tab=parameters');
  await page.getByRole('checkbox', { name: /^Пароли, заданные другим, меняют при первом входе/u }).check();
  await page.getByRole('button', { name: 'Сохранить' }).click();
  await expect(page.getByRole('tabpanel', { name: 'Параметры' }).getByText('Параметры сохранены')).toBeVisible();
  const member = { name: 'Роман Гусев', email: 'gusev@vkus.media', role: 'MEDIA_BUYER', password: personPassword };
  const { authCode } = await team.done<{ authCode: string }>('POST', '/employees/create', member);

  const roman = await newcomer('/login');
  const comeIn = async (password: string): Promise<void> => {
    await roman.page.getByLabel('Код доступа').fill(authCode);
    await roman.page.getByLabel('Пароль', { exact: true }).fill(password);
    await roman.page.keyboard.press('Enter');
  };
  await comeIn(personPassword);
  await expect(roman.page.getByRole('heading', { name: 'Смените пароль' })).toBeVisible();
  await roman.page.goto(`${address}/campaigns`);
  await expect(roman.page.getByRole('heading', { name: 'Смените пароль' }), 'no way around').toBeVisible();
  await roman.page.getByLabel('Временный пароль').fill(personPassword);
  await roman.page.getByLabel('Новый пароль', { exact: true }).fill('семь вёрст');
  await roman.page.getByLabel('Новый пароль ещё раз').fill('семь вёрст');
  await roman.page.keyboard.press('Enter');
  await expect(roman.page).toHaveURL(/\/dashboard$/u);

  await page.goto(`${address}/journal`);
  const switched = page
    .getByRole('grid', { name: 'Журнал' })
    .getByRole('row')
    .filter({ hasText: 'Пароли, заданные другим' });
  await expect(switched).toContainText('да');
});
