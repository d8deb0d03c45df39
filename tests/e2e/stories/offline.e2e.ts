import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { cellOf, editCell, goToCell, metric, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-40 offline: the change is kept through a reload, told as unsent, and sent once when the line is back', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  expectProblems(/Failed to load resource|WebSocket connection/u);

  // The server alone is out of reach: the page itself can still be reloaded.
  let reachable = false;
  await page.routeWebSocket(/.*/u, (socket) => {
    if (reachable) socket.connectToServer();
    else void socket.close({ code: 1012 });
  });
  await page.route('**/api/**', (route) => (reachable ? route.continue() : route.abort('connectionrefused')));
  await editCell(page, '@marina_pr', 'Цена', '3900');
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 900 ₽');
  await expect(page.getByText(/(?:Не отправлено|Отправляется): 1/u)).toBeVisible();

  await page.reload();
  await expect(page.getByText('Нет связи, изменения будут отправлены.')).toBeVisible();
  await expect(page.getByText(/Не отправлено: 1/u).first()).toBeVisible();

  reachable = true;
  await page.getByRole('button', { name: 'Повторить сейчас' }).click();
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 900 ₽');
  await settled(page);
  await expect(metric(page, 'Потрачено')).toContainText('22 500,50 ₽');
  const id = placements['marina_pr']?.id ?? '';
  const { placement } = await team.done<{ placement: PlacementWire }>('GET', `/placements/${id}`);
  expect(placement.price).toBe(3900);
  const { entries } = await team.done<{ entries: readonly { changes: readonly { to: unknown }[] }[] }>(
    'GET',
    `/placements/${id}/history`,
  );
  expect(
    entries.filter(({ changes }) => changes.some(({ to }) => to === 3900)),
    'sent once',
  ).toHaveLength(1);
});

test('E2E-41 what the server refuses stands at its cell with the reason, and can be put away @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  expectProblems(/status of (?:409|422|423)/u);

  // The change is held on its way until the campaign is completed.
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/placements/*', async (route) => {
    await held;
    await route.continue();
  });
  await editCell(page, '@marina_pr', 'Цена', '3900');
  await team.done('POST', `/campaigns/${campaign.id}/complete`);
  await expect(page.getByText('Размещения только для чтения: кампания завершена.')).toBeVisible();
  release();
  await goToCell(page, '@marina_pr', 'Цена');
  await expect(page.getByText('Отклонено: Цена: 3 900 ₽. Кампания завершена')).toBeVisible();
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
  await page.getByRole('button', { name: 'Убрать', exact: true }).click();
  await expect(page.getByText(/Отклонено/u)).toHaveCount(0);
  await settled(page);
});
