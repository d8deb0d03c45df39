import type { Locator, Page } from '@playwright/test';
import { type Problem, problemStatus, toProblemBody } from '@zakup/contracts/problems';
import { cell } from '../../../scripts/screens/steps.ts';
import { isDeep } from '../support/deep.ts';
import { judge } from './axe.ts';
import { expect, sceneOf, test } from './demo.ts';
import { frameProblems } from './page-frame.ts';

test.describe.configure({ mode: 'parallel' });

/** What a browser says of an answer that is no success, or of none. */
const refusals = /status of 4\d\d|ERR_|WebSocket|Failed to fetch dynamically imported module/u;

/** From now on the server says this to a call. */
const answer = async (page: Page, path: string, said: { readonly data: object } | Problem): Promise<void> => {
  const refused = 'code' in said;
  await page.unroute(path);
  await page.route(path, (route) =>
    route.fulfill({
      status: refused ? problemStatus[said.code] : 200,
      contentType: refused ? 'application/problem+json' : 'application/json',
      body: JSON.stringify(refused ? toProblemBody(said, 'r1') : { success: true, error: null, data: said.data }),
    }),
  );
};
const button = (page: Page, name: string | RegExp): Locator => page.getByRole('button', { name }).last();
const wrongFields = (within: Page | Locator): Locator => within.locator('[aria-invalid="true"]');

test('QUAL-21 axe finds nothing serious in the steps of an activation, nor where a code, a key or a password is wrong', async ({
  viewOf,
}) => {
  const { page, goTo, expectProblems } = await viewOf('nobody');
  expectProblems(refusals);
  await goTo(sceneOf('login'));
  await page.getByLabel('Код доступа').fill('NOSUCHCODE00');
  await page.getByLabel('Пароль', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await judge(page, 'a refused sign-in', 'page');

  await answer(page, '**/api/licenses/request-code', { data: {} });
  await answer(page, '**/api/licenses/activate-step1', { code: 'VALIDATION_FAILED', message: 'Код не подошёл' });
  await answer(page, '**/api/licenses/activate-step2', { data: { ceoLoginCode: 'K7QMX4ARTN9E' } });
  await button(page, 'Активировать ключ').click();
  // The sign-in behind it still has the fields that were refused.
  const activation = page.getByRole('dialog');
  await page.getByLabel('Лицензионный ключ').fill('LIC');
  await page.keyboard.press('Enter');
  await expect(wrongFields(activation)).toHaveCount(1);
  await judge(page, 'a wrong key');
  await page.getByLabel('Лицензионный ключ').fill('LICENSE-AAAA-BBBB-CCCC-7Q4K');
  await page.keyboard.press('Enter');
  await page.getByLabel('Цифра 1 из 6').waitFor();
  await judge(page, 'the code');
  await page.keyboard.type('409118');
  await expect(wrongFields(activation)).toHaveCount(6);
  await judge(page, 'a wrong code');
  await answer(page, '**/api/licenses/activate-step1', { data: { ownerName: 'Виктор' } });
  await page.keyboard.type('409118');
  await page.getByLabel('Пароль ещё раз').waitFor();
  await judge(page, 'the password');
  await page.keyboard.type('1');
  await page.keyboard.press('Enter');
  await expect(wrongFields(activation)).toHaveCount(1);
  await judge(page, 'a password that is too short');
  for (const label of ['Пароль ещё раз', 'Пароль'])
    await page.getByLabel(label, { exact: true }).last().fill('seven-roads');
  await page.keyboard.press('Enter');
  await page.getByText('K7QMX4ARTN9E').waitFor();
  await judge(page, 'the login code');
});

/** Errors of fields of text, choices, sums and days, and of a list that one chooses from. */
const ofAllErrors: ReadonlySet<string> = new Set(['add-placement', 'merge-contractor']);

test('QUAL-22 axe finds nothing serious in forms with errors, in the end of a licence, and where things are put back', async ({
  viewOf,
}) => {
  test.setTimeout(300_000);
  const { page, goTo } = await viewOf('owner', { colorScheme: 'dark' });
  for (const [scene, send] of [
    ['add-placement', 'Добавить размещение'],
    ['creative', 'Добавить'],
    ['add-contractor', 'Добавить'],
    ['campaign', 'Создать'],
    ['add-employee', 'Добавить'],
    ['merge-contractor', 'Объединить…'],
  ] as const) {
    if (!isDeep && !ofAllErrors.has(scene)) continue;
    await goTo(sceneOf(scene));
    await page.getByRole('dialog').last().getByRole('button', { name: send, exact: true }).click();
    await expect(wrongFields(page).and(page.locator(':focus'))).toHaveCount(1);
    await judge(page, `${scene} with errors`);
  }

  await goTo(sceneOf('licence'));
  await button(page, 'Закрыть лицензию').click();
  const closing = page.getByRole('dialog', { name: 'Закрыть лицензию?' });
  await closing.getByRole('button', { name: 'Закрыть лицензию' }).click();
  await expect(wrongFields(page)).toHaveCount(1);
  await judge(page, 'the end of a licence');

  await goTo(sceneOf('dashboard'));
  const price = await cell(page, 'Цена');
  await price.click({ position: { x: 3, y: 3 } });
  await page.keyboard.press('F2');
  await page.keyboard.type('1234');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Все изменения сохранены')).toBeVisible();
  await (await cell(page, 'Дата')).click();
  await page.keyboard.press('Space');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Вернуть/u })
    .first()
    .click();
  await judge(page, 'putting a value back');
  const question = page.getByRole('dialog', { name: /^Вернуть/u });
  await button(page, /^Вернуть/u).click();
  await expect(question).toBeHidden();
  await judge(page, 'what was put back', 'page');
  await page.keyboard.press('Escape');
  await expect(price).not.toContainText('1 234');
  await (await cell(page, 'Дата')).click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
  await page.locator('.z-toast').getByRole('button', { name: 'Вернуть' }).focus();
  await judge(page, 'the way back from a deletion', 'page');
  await page.keyboard.press('Enter');
});

test('QUAL-23 axe finds nothing serious in marks of what was refused or contested, nor where they wait for the person', async ({
  viewOf,
}) => {
  test.setTimeout(300_000);
  const { page, goTo, expectProblems } = await viewOf('owner');
  expectProblems(refusals);
  await goTo(sceneOf('dashboard'));
  const change = async (column: string, typed: string): Promise<void> => {
    await (await cell(page, column)).click({ position: { x: 3, y: 3 } });
    await page.keyboard.press('F2');
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
  };
  const placements = '**/api/placements/*';
  await answer(page, placements, { code: 'VALIDATION_FAILED', message: 'Цена слишком велика' });
  await change('Цена', '7777');
  await expect(page.locator('[data-note]')).toContainText('Цена слишком велика');
  await judge(page, 'a refused change', 'page');

  await answer(page, placements, {
    code: 'CONFLICT',
    message: 'Данные уже изменены',
    revision: 3,
    conflicts: [
      {
        field: 'leads',
        base: 1,
        theirs: 2,
        mine: 3,
        by: { userId: 'x', name: 'Анна Соколова' },
        at: '2026-11-21T21:00:00.000Z',
      },
    ],
  });
  await change('Приход', '3');
  await button(page, 'Взять новое').waitFor();
  await judge(page, 'a contested change', 'page');
  await page.locator('.z-bell').click();
  await page.getByRole('list', { name: 'Ваши изменения' }).waitFor();
  await judge(page, 'what waits for the person');
});

test('QUAL-27 axe finds nothing serious while the line is lost, nor in the question before one leaves something unsent @deep', async ({
  viewOf,
}) => {
  test.setTimeout(300_000);
  const { page, goTo, expectProblems } = await viewOf('owner', { colorScheme: 'dark' });
  expectProblems(refusals);
  await goTo(sceneOf('dashboard'));
  const loaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('user-menu-items'))`;
  await expect.poll(() => page.evaluate(loaded), 'the menu comes behind the first load').toBe(true);
  await page.context().setOffline(true);
  await (await cell(page, 'Цена')).click({ position: { x: 3, y: 3 } });
  await page.keyboard.press('F2');
  await page.keyboard.type('8888');
  await page.keyboard.press('Enter');
  await page.getByText('Нет связи, изменения будут отправлены.').waitFor();
  await judge(page, 'a lost line', 'page');
  await button(page, /^Меню: /u).click();
  await page.getByRole('menuitem', { name: 'Выйти' }).click();
  await page.getByRole('alertdialog', { name: /^Не отправлено/u }).waitFor();
  await judge(page, 'the question before one leaves');
});

test('QUAL-24 axe finds nothing serious where a part or the whole does not come, and where a password must be changed', async ({
  viewOf,
}) => {
  const { page, goTo, expectProblems } = await viewOf('owner');
  expectProblems(refusals);
  await goTo(sceneOf('profile'));
  await page.route(/\/creatives-page-[^/]*\.js$/u, (route) => route.abort('connectionrefused'));
  await page.getByRole('link', { name: 'Креативы' }).first().click();
  await page.getByRole('heading', { name: 'Ошибка загрузки компонента' }).waitFor();
  expect.soft(await frameProblems(page)).toEqual([]);
  await judge(page, 'a screen that did not come', 'page');

  await page.route(/\/shell-[^/]*\.js$/u, (route) => route.abort('connectionrefused'));
  await page.reload();
  await page.getByText('Технические детали').click();
  expect.soft(await frameProblems(page)).toEqual([]);
  await judge(page, 'the page of an error', 'page');

  await page.unrouteAll();
  await answer(page, '**/api/auth/session', { code: 'PASSWORD_CHANGE_REQUIRED', message: 'Смените пароль' });
  await page.reload();
  await page.getByRole('heading', { name: 'Смените пароль' }).waitFor();
  expect.soft(await frameProblems(page)).toEqual([]);
  await judge(page, 'the change of a password', 'page');
  await button(page, 'Сменить пароль').click();
  await expect(wrongFields(page)).toHaveCount(1);
  await judge(page, 'the change of a password with an error', 'page');
});

test('QUAL-25 axe finds nothing serious in what the administrator does to a licence @deep', async ({ viewOf }) => {
  const { page, goTo } = await viewOf('admin');
  await goTo(sceneOf('issue-licence'));
  await button(page, 'Выдать').click();
  await expect(wrongFields(page).first()).toBeFocused();
  await judge(page, 'a new licence with errors');
  await goTo(sceneOf('admin'));
  for (const [opener, field] of [
    [/^Продлить: /u, 'Действует до'],
    [/^Приостановить: /u, 'Причина'],
  ] as const) {
    await page.getByRole('button', { name: opener }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(field).fill('');
    await page.keyboard.press('Enter');
    await expect(wrongFields(page)).toHaveCount(1);
    await judge(page, `${field} with an error`);
    await dialog.getByRole('button', { name: 'Отмена' }).click();
    await expect(dialog).toHaveCount(0);
  }
  await page
    .getByRole('button', { name: /^Код: /u })
    .first()
    .click();
  await page.getByTestId('fresh-code').waitFor();
  await judge(page, 'a fresh code');
});
