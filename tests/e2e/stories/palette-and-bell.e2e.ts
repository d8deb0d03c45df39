import { rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-59 «?» lists the keys; the palette opens by Ctrl+K, in the Russian layout too, finds a contractor, goes to a section and turns the light off', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Клавиши' })).toContainText('Ctrl J');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const palette = page.getByRole('dialog', { name: 'Поиск и команды' });
  const found = palette.getByRole('option');
  const open = async (): Promise<void> => {
    await page.keyboard.press('Control+k');
    await expect(palette.getByRole('combobox')).toBeFocused();
  };

  await open();
  await page.keyboard.type('kitchen');
  await expect(found.filter({ hasText: '@kitchen_ads' }).first()).toBeVisible();
  await expect(found.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: '@kitchen_ads' })).toBeVisible();
  await page.keyboard.press('Escape');

  await open();
  await page.keyboard.type('аналит');
  await expect(found.first()).toContainText('Аналитика');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/analytics/u);

  await open();
  await page.keyboard.type('тёмная');
  await expect(found.first()).toContainText('Тёмная тема');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Светлая тема' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Светлая тема' })).toBeVisible();

  const russian = { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true };
  await page.locator('body').dispatchEvent('keydown', russian);
  await expect(palette.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('ничего похожего');
  await expect(palette.getByText('Ничего не найдено')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(palette).toBeHidden();
});

test('E2E-80 who types on right after Ctrl K, the first time too, loses no key', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna']);
  const { page } = await as(team, 'anna');
  await expect(page.getByText('На связи')).toBeVisible();
  // Whatever would still have to be loaded does not come.
  await page.route('**/*.js', () => undefined);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('профи');
  await expect(page.getByRole('combobox', { name: 'Поиск и команды' })).toHaveValue('профи');
  await expect(page.getByRole('option')).toHaveText(['Профиль']);
});

test('E2E-60 the bell tells a buyer what another did with their placement, and is read @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  const panel = page.getByRole('region', { name: 'Уведомления' });
  const all = panel.getByRole('button', { name: 'Прочитать все' });
  await page.getByRole('button', { name: /^Уведомления: /u }).click();
  await all.click();
  await page.getByRole('button', { name: 'Уведомления', exact: true }).click();
  await expect(panel).toBeHidden();
  await team.done('PATCH', `/placements/${placements['marina_pr']?.id ?? ''}`, { price: 3300 });
  await page.getByRole('button', { name: 'Уведомления: 1 непрочитанное' }).click();
  await expect(panel.getByRole('listitem').first()).toContainText('Новое:');
  await expect(panel.getByRole('listitem').first()).toContainText('Виктор Лапин');
  await all.click();
  await expect(panel.getByText('Новое:')).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Уведомления', exact: true })).toBeVisible();
  await expect(page.getByTestId('bell-dot')).toHaveCount(0);
});
