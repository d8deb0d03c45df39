import { expect, test } from '../support/story.ts';
import { issuedLicence, ownerPassword } from '../support/team.ts';

test('E2E-21 a licence activated in four steps, with every wrong turn on the way', async ({ address, newcomer }) => {
  const { licenseKey, activationCode } = await issuedLicence(address);
  const { page, expectProblems } = await newcomer();
  expectProblems(/status of (?:401|422)/u);
  await page.clock.install();
  await page.goto(address);
  await page.getByRole('button', { name: 'Активировать ключ' }).click();
  const dialog = page.getByRole('dialog', { name: 'Активация лицензии' });
  const key = dialog.getByLabel('Лицензионный ключ');
  const stepNow = dialog.getByRole('list', { name: 'Шаги' }).locator('[aria-current="step"]');

  await test.step('a key of a wrong form, then the right one in small letters', async () => {
    await expect(key).toBeFocused();
    await page.keyboard.type('license-12');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Неверный формат лицензионного ключа')).toBeVisible();
    await key.fill(`${licenseKey.toLowerCase()}-ещё`);
    await expect(key).toHaveValue(licenseKey);
    await page.keyboard.press('Enter');
    await expect(stepNow).toContainText('Код');
    await expect(dialog.getByText(licenseKey.slice(-4))).toBeVisible();
    await expect(dialog.getByText(licenseKey), 'the key is masked').toHaveCount(0);
  });

  await test.step('back to the key and forth again', async () => {
    await dialog.getByRole('button', { name: 'Назад' }).click();
    await expect(key).toHaveValue(licenseKey);
    await page.keyboard.press('Enter');
    await expect(stepNow).toContainText('Код');
  });

  await test.step('the code can be asked for again only after a minute', async () => {
    const again = dialog.getByRole('button', { name: /^Отправить снова/u });
    await expect(again).toBeDisabled();
    await page.clock.fastForward(61_000);
    await expect(again).toHaveText('Отправить снова');
    await expect(again).toBeEnabled();
  });

  await test.step('a wrong code is refused, the right one pasted whole', async () => {
    await dialog.getByLabel('Цифра 1 из 6').click();
    const wrong = activationCode === '111111' ? '222222' : '111111';
    await page.keyboard.type(wrong);
    await expect(dialog.getByRole('alert')).toContainText('Неверный код активации');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = `${activationCode.slice(0, 3)} ${activationCode.slice(3)}`;
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(copied)})`);
    await dialog.getByLabel('Цифра 1 из 6').focus();
    await page.keyboard.press('Control+v');
    await expect(stepNow).toContainText('Пароль');
    await expect(dialog.getByText('Код принят, Виктор Лапин.')).toBeVisible();
  });

  await test.step('a short password, two that differ, then one', async () => {
    const password = dialog.getByLabel('Пароль', { exact: true });
    const again = dialog.getByLabel('Пароль ещё раз');
    await password.fill('1234567');
    await again.fill('1234567');
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Пароль должен содержать минимум 8 символов')).toBeVisible();
    await password.fill(ownerPassword);
    await page.keyboard.press('Enter');
    await expect(dialog.getByText('Пароли не совпадают')).toBeVisible();
    await again.fill(ownerPassword);
    await page.keyboard.press('Enter');
    await expect(stepNow).toContainText('Готово');
    await expect(dialog.getByRole('button', { name: 'Войти в систему' }), 'Enter goes on').toBeFocused();
  });

  await test.step('the login code is shown and carried to the owner’s tab', async () => {
    const loginCode = /[A-Z2-9]{12}/u.exec(await dialog.innerText())?.[0] ?? '';
    expect(loginCode).toHaveLength(12);
    await dialog.getByRole('button', { name: 'Войти по коду' }).click();
    await expect(page.getByLabel('Код входа')).toHaveValue(loginCode);
    await page.getByLabel('Пароль', { exact: true }).fill(ownerPassword);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/dashboard$/u);
    await expect(page.getByRole('heading', { name: 'Нет активных кампаний' })).toBeVisible();
  });
});

test('E2E-22 an owner who lost the password sets a new one with the key and a fresh code of the admin @deep', async ({
  address,
  newcomer,
}) => {
  const teamName = 'Забывчивая команда';
  const { licenseKey, activationCode } = await issuedLicence(address, { teamName });
  const { page, expectProblems } = await newcomer('/');
  expectProblems(/status of 401/u);
  const through = async (code: string, password: string): Promise<string> => {
    await page.getByRole('button', { name: 'Активировать ключ' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Лицензионный ключ').fill(licenseKey);
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Цифра 1 из 6').click();
    await page.keyboard.type(code);
    await dialog.getByLabel('Пароль', { exact: true }).fill(password);
    await dialog.getByLabel('Пароль ещё раз').fill(password);
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('button', { name: 'Войти в систему' })).toBeVisible();
    return /[A-Z2-9]{12}/u.exec(await dialog.innerText())?.[0] ?? '';
  };
  const loginCode = await through(activationCode, 'первый пароль');
  await page.getByRole('button', { name: 'Войти по коду' }).click();

  const admin = await newcomer('/admin');
  await admin.page.getByLabel('Логин').fill('admin');
  await admin.page.getByLabel('Пароль', { exact: true }).fill('admin-password');
  await admin.page.keyboard.press('Enter');
  await admin.page.getByRole('button', { name: `Код: ${teamName}` }).click();
  const fresh = (await admin.page.getByTestId('fresh-code').innerText()).trim();

  const again = await through(fresh, 'второй пароль');
  expect(again, 'the login code stays').toBe(loginCode);
  await page.getByRole('button', { name: 'Войти по коду' }).click();
  await page.getByLabel('Пароль', { exact: true }).fill('первый пароль');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('Неверный логин или пароль');
  await page.getByLabel('Пароль', { exact: true }).fill('второй пароль');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('E2E-1504 a password that anybody would try first is refused where it is typed, and the way goes on with another @deep', async ({
  address,
  newcomer,
}) => {
  const { licenseKey, activationCode } = await issuedLicence(address, { teamName: 'Чайный дом' });
  const { page, expectProblems } = await newcomer('/');
  expectProblems(/status of (?:401|422)/u);
  await page.getByRole('button', { name: 'Активировать ключ' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Лицензионный ключ').fill(licenseKey);
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Цифра 1 из 6').click();
  await page.keyboard.type(activationCode);
  const password = dialog.getByLabel('Пароль', { exact: true });
  const set = async (text: string): Promise<void> => {
    await password.fill(text);
    await dialog.getByLabel('Пароль ещё раз').fill(text);
    await page.keyboard.press('Enter');
  };
  await set('12345678');
  await expect(password).toHaveAccessibleDescription(/Этот пароль есть среди самых частых: придумайте другой/u);
  await set('чайныйдом1');
  await expect(password).toHaveAccessibleDescription(/Пароль не должен состоять из имени, почты или названия команды/u);
  await set('дом, где пьют чай');
  await expect(dialog.getByRole('button', { name: 'Войти в систему' })).toBeVisible();
});
