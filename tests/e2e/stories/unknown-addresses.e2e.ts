import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-10 a section that is closed to a role says so, names the code and leads back', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'anna', '/settings');
  await expect(page.getByRole('heading', { name: 'Доступ запрещен' })).toBeVisible();
  await expect(page.getByText('ACCESS_DENIED')).toBeVisible();
  await expect(page.getByText('Раздел «Настройки» закрыт. Доступ даёт владелец')).toBeVisible();
  const sections = page.getByRole('navigation', { name: 'Разделы' });
  await expect(sections.getByRole('link', { name: 'Дашборд' }).first()).toBeVisible();
  await expect(sections.getByRole('link', { name: 'Настройки' })).toHaveCount(0);
  await page.getByRole('button', { name: 'На дашборд' }).click();
  await expect(page).toHaveURL(/\/dashboard$/u);
  await expect(page.getByRole('heading', { name: 'Ноябрь - Подписчики' })).toBeVisible();
});

test('E2E-26 an unknown address: the login for a stranger, a page that leads back for whoever is in @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const stranger = await newcomer('/no/such/place');
  await expect(stranger.page.getByRole('button', { name: 'Войти', exact: true })).toBeVisible();
  const team = await givenTeam(address, ['anna']);
  const { page } = await as(team, 'anna', '/no/such/place');
  await expect(page.getByRole('heading', { name: 'Страница не найдена' })).toBeVisible();
  await page.getByRole('button', { name: 'На дашборд' }).click();
  await expect(page).toHaveURL(/\/dashboard$/u);
});

test('E2E-27 /test-auth shows this browser’s own record and claims, and nothing to a stranger @deep', async ({
  address,
  as,
  newcomer,
}) => {
  const stranger = await newcomer('/test-auth');
  await expect(stranger.page.getByText('Записи нет')).toBeVisible();
  await expect(stranger.page.getByText('Токена нет')).toBeVisible();
  const team = await givenTeam(address, ['anna']);
  const { page } = await as(team, 'anna', '/test-auth');
  await expect(page.getByRole('heading', { name: 'Проверка входа' })).toBeVisible();
  await expect(page.getByText(`"userId": "${team.member('anna').id}"`)).toBeVisible();
  await expect(page.getByText('"role": "MEDIA_BUYER"')).toBeVisible();
});
