import { codeShown } from '@zakup/credentials/testing/authenticator';
import type { Page } from '@playwright/test';
import { adminLogin, adminPassword, startZakup, temporaryDataDir } from '../../support/zakup-process.ts';
import { expect, test as story } from '../support/story.ts';

const step = 30_000;
const reachable = { PUBLIC_URL: 'http://zakup.example.org' };

/** A server of its own: the admin is one for all who use it. `wanted`: what other machines' reaching it means for the admin. */
const test = story.extend<{ readonly wanted: string }>({
  wanted: ['asked', { option: true }],
  address: async ({ wanted }, use) => {
    const folder = await temporaryDataDir();
    const zakup = await startZakup({ dataDir: folder.path, env: { ...reachable, ADMIN_SECOND_FACTOR: wanted } });
    await use(zakup.address);
    await zakup.stop();
    await folder.remove();
  },
});

const enter = async (page: Page): Promise<void> => {
  await page.getByLabel('Логин', { exact: true }).fill(adminLogin);
  await page.getByLabel('Пароль', { exact: true }).fill(adminPassword);
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
};
const leave = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Выйти', exact: true }).click();
  await expect(page).toHaveURL(/\/admin$/u);
};
const keyOn = async (page: Page): Promise<string> => {
  await expect(page.getByRole('img', { name: 'Ключ второго фактора для камеры' })).toBeVisible();
  return ((await page.getByTestId('second-factor-key').textContent()) ?? '').replaceAll(' ', '');
};
const codesOn = async (page: Page): Promise<readonly string[]> => {
  const list = page.getByRole('list', { name: 'Резервные коды' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  return list.allTextContents();
};

test('E2E-1479 where other machines reach the server the admin is asked to switch the second factor on, signs in with it, and switches it off @deep', async ({
  newcomer,
}) => {
  const { page, expectProblems } = await newcomer('/admin');
  expectProblems(/status of 422/u);
  await enter(page);
  const banner = page.getByRole('region', { name: 'Второй фактор не включён' });
  const dialog = page.getByRole('dialog', { name: 'Второй фактор администратора' });

  let key = '';
  let codes: readonly string[] = [];
  await test.step('the banner leads to the key, and a first code to ten recovery codes', async () => {
    await banner.getByRole('button', { name: 'Включить второй фактор' }).click();
    await dialog.getByRole('button', { name: 'Включить второй фактор' }).click();
    await dialog.getByLabel('Пароль для входа').fill(adminPassword);
    await dialog.getByRole('button', { name: 'Продолжить' }).click();
    key = await keyOn(page);
    await dialog.getByLabel('Код из приложения').fill(codeShown(key, Date.now()));
    await dialog.getByRole('button', { name: 'Включить', exact: true }).click();
    codes = await codesOn(page);
    await dialog.getByRole('button', { name: 'Коды сохранены' }).click();
    await expect(dialog.getByText('Осталось резервных кодов: 10.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Закрыть' }).click();
    await expect(banner).toHaveCount(0);
  });

  await test.step('a wrong code is said, a right one opens', async () => {
    await leave(page);
    await enter(page);
    const code = page.getByLabel('Код из приложения');
    await code.fill('12345x');
    await page.getByRole('button', { name: 'Войти', exact: true }).click();
    await expect(page.getByRole('alert')).toHaveText(/Код не подошёл/u);
    await code.fill(codeShown(key, Date.now() + step));
    await page.getByRole('button', { name: 'Войти', exact: true }).click();
    await expect(page).toHaveURL(/\/admin\/dashboard$/u);
  });

  await test.step('a recovery code opens, once', async () => {
    const show = async (code = ''): Promise<void> => {
      await page.getByLabel('Резервный код').fill(code);
      await page.getByRole('button', { name: 'Войти', exact: true }).click();
    };
    await leave(page);
    await enter(page);
    await page.getByRole('button', { name: 'Ввести резервный код' }).click();
    await show(codes[0]?.toLowerCase());
    await expect(page).toHaveURL(/\/admin\/dashboard$/u);
    await leave(page);
    await enter(page);
    await page.getByRole('button', { name: 'Ввести резервный код' }).click();
    await show(codes[0]);
    await expect(page.getByRole('alert')).toHaveText(/Код не подошёл/u);
    await show(codes[1]);
    await expect(page).toHaveURL(/\/admin\/dashboard$/u);
  });

  await test.step('switched off with password and code it is asked for again, and the password is enough', async () => {
    await page.getByRole('button', { name: 'Второй фактор', exact: true }).click();
    await dialog.getByRole('button', { name: 'Выключить', exact: true }).click();
    await dialog.getByLabel('Пароль для входа').fill(adminPassword);
    await dialog.getByLabel('Код из приложения').fill(codes[2] ?? '');
    await dialog.getByRole('button', { name: 'Выключить', exact: true }).click();
    await expect(dialog.getByRole('button', { name: 'Включить второй фактор' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Закрыть' }).click();
    await expect(banner).toBeVisible();
    await leave(page);
    await enter(page);
    await expect(page).toHaveURL(/\/admin\/dashboard$/u);
  });
});

test.describe('where it is required', () => {
  test.use({ wanted: 'required' });

  test('E2E-1483 a right password opens nothing but its set-up, after which the admin is signed in', async ({
    newcomer,
  }) => {
    const { page } = await newcomer('/admin');
    await enter(page);
    await page.getByRole('button', { name: 'Включить второй фактор' }).click();
    const key = await keyOn(page);
    await page.getByLabel('Код из приложения').fill(codeShown(key, Date.now()));
    await page.getByRole('button', { name: 'Включить', exact: true }).click();
    await codesOn(page);
    await page.getByRole('button', { name: 'Коды сохранены' }).click();
    await expect(page).toHaveURL(/\/admin\/dashboard$/u);
    await expect(page.getByRole('region', { name: 'Второй фактор не включён' })).toHaveCount(0);
    await leave(page);
    await enter(page);
    await expect(page.getByLabel('Код из приложения')).toBeFocused();
  });
});
