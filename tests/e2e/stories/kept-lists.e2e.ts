import type { Page } from '@playwright/test';
import type { CampaignWire, ChannelWire, CreativeWire } from '@zakup/contracts/wire-entities';
import { editCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

/** The server alone is out of reach: the page itself can always be loaded. */
const lineOf = async (page: Page) => {
  let reachable = true;
  await page.routeWebSocket(/.*/u, (socket) => {
    if (reachable) socket.connectToServer();
    else void socket.close({ code: 1012 });
  });
  await page.route('**/api/**', (route) => (reachable ? route.fallback() : route.abort('connectionrefused')));
  return {
    cut: () => {
      reachable = false;
    },
    mend: () => {
      reachable = true;
    },
  };
};

test('E2E-1060 a channel, a campaign in it and a creative made offline outlive a reload and are made once each @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'owner', '/settings?tab=channels');
  expectProblems(/Failed to load resource|WebSocket connection/u);
  const line = await lineOf(page);
  await page.reload();
  await expect(page.getByRole('list', { name: 'Каналы' })).toBeVisible();
  await settled(page);
  line.cut();

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Добавить канал' }).click();
  await dialog.getByLabel('Название').fill('Дача');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const channelRow = page.getByRole('list', { name: 'Каналы' }).getByRole('listitem').filter({ hasText: 'Дача' });
  await expect(channelRow).toContainText('не сохранено: новое');
  await expect(page.getByText('Все изменения сохранены')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Кампании' }).click();
  await page.getByRole('button', { name: 'Создать кампанию' }).click();
  await dialog.getByLabel('Название').fill('Рассада');
  await dialog.getByLabel('Канал').selectOption('Дача');
  await dialog.getByLabel('Общий бюджет, ₽').fill('5400000');
  await dialog.getByRole('button', { name: 'Создать' }).click();
  await expect(dialog).toHaveCount(0);
  const campaignRow = page.getByRole('region', { name: 'Дача' }).getByRole('listitem');
  await expect(campaignRow).toContainText('Рассада');
  await expect(campaignRow).toContainText('новое');

  await page.getByRole('link', { name: 'Креативы' }).first().click();
  await page.getByRole('button', { name: 'Добавить креатив' }).first().click();
  await dialog.getByLabel('Название').fill('Теплица');
  await dialog.getByRole('button', { name: 'Добавить' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('row').filter({ hasText: 'Теплица' })).toContainText('новое');

  await page.reload();
  await expect(page.getByText(/Не отправлено: 3/u).first()).toBeVisible();
  line.mend();
  await page.getByRole('button', { name: 'Повторить сейчас' }).click();
  await settled(page);
  await expect(page.getByRole('row').filter({ hasText: 'Теплица' })).toHaveCount(1);
  await expect(page.getByText(/: новое/u)).toHaveCount(0);

  const { channels } = await team.done<{ channels: readonly ChannelWire[] }>('GET', '/channels');
  const made = channels.filter(({ name }) => name === 'Дача');
  expect(made, 'one channel').toHaveLength(1);
  const { campaigns } = await team.done<{ campaigns: readonly CampaignWire[] }>('GET', '/campaigns');
  expect(campaigns.filter(({ name }) => name === 'Рассада')).toMatchObject([
    { channelId: made[0]?.id, totalBudget: 5_400_000 },
  ]);
  const { creatives } = await team.done<{ creatives: readonly CreativeWire[] }>('GET', '/creatives');
  expect(creatives.filter(({ name }) => name === 'Теплица')).toHaveLength(1);
});

test('E2E-1061 a change of a campaign that is refused later says why, and its form opens with what was typed @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const { campaign } = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'owner', '/settings?tab=campaigns');
  expectProblems(/Failed to load resource|WebSocket connection|status of/u);
  const line = await lineOf(page);
  await page.reload();
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: /^Изменить: Ноябрь/u }).click();
  line.cut();
  await dialog.getByLabel('Название').fill('Другое имя');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await expect(dialog).toHaveCount(0);
  const row = page.getByRole('listitem').filter({ hasText: 'Другое имя' });
  await expect(row).toContainText('не сохранено: изменение');
  // By the time the line is back the server refuses it.
  await page.route(`**/api/campaigns/${campaign.id}`, (route) =>
    route.fulfill({
      status: 422,
      contentType: 'application/problem+json',
      body: JSON.stringify({ success: false, code: 'VALIDATION_FAILED', error: 'Такое имя занято', instance: 'r' }),
    }),
  );
  line.mend();
  await expect(page.getByText('отклонено: изменение')).toBeVisible();
  await expect(page.getByText('Такое имя занято')).toBeVisible();
  await page.unroute(`**/api/campaigns/${campaign.id}`);
  await page.getByRole('button', { name: /^Изменить: Ноябрь/u }).click();
  await expect(dialog.getByLabel('Название')).toHaveValue('Другое имя');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await expect(dialog).toHaveCount(0);
  await settled(page);
  await expect(page.getByText('Другое имя').first()).toBeVisible();
  await expect(page.getByText(/отклонено/u)).toHaveCount(0);
});

test('E2E-1062 while a change waits, the mark of a used budget in the sidebar is whole', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  expectProblems(/Failed to load resource|WebSocket connection/u);
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  await page.route('**/api/**', (route) => route.abort('connectionrefused'));
  await editCell(page, '@marina_pr', 'Цена', '3900123');
  const marked = page.locator('.z-side-campaigns .z-figure-place[data-kind="waiting"]');
  await expect(marked).toBeVisible();
  await expect(marked).toHaveCSS('overflow', 'visible');
});

test('E2E-1200 a tab closed between «Добавить» and the answer leaves its channel to the next one, which makes it, once @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const { page } = await as(team, 'owner', '/settings?tab=channels');
  await settled(page);
  // It gets as far as the browser, and no further.
  await page.route('**/api/channels', (route) => (route.request().method() === 'POST' ? undefined : route.fallback()));
  await page.getByRole('button', { name: 'Добавить канал' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Название').fill('Дача');
  const asked = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/channels'),
  );
  await page.keyboard.press('Enter');
  await asked;
  await expect(page.getByText('Отправляется: 1')).toBeVisible();
  const next = await page.context().newPage();
  await page.close();
  await next.goto(`${address}/settings?tab=channels`);
  await expect(next.getByRole('list', { name: 'Каналы' }).getByText('Дача', { exact: true })).toHaveCount(1);
  await settled(next);
  await expect(next.getByText(/: новое/u)).toHaveCount(0);
  const { channels } = await team.done<{ channels: readonly ChannelWire[] }>('GET', '/channels');
  expect(channels.filter(({ name }) => name === 'Дача')).toHaveLength(1);
});

test('E2E-1201 a refusal that comes back to a form leaves the keyboard on the button that was pressed @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const { page, expectProblems } = await as(team, 'owner', '/settings?tab=channels');
  expectProblems(/Failed to load resource/u);
  await settled(page);
  const answers: (() => Promise<void>)[] = [];
  await page.route('**/api/channels', (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    answers.push(() =>
      route.fulfill({
        status: 403,
        contentType: 'application/problem+json',
        json: { success: false, code: 'ACCESS_DENIED', error: 'Доступ запрещен', status: 403, title: '', instance: '' },
      }),
    );
    return undefined;
  });
  await page.getByRole('button', { name: 'Добавить канал' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Название').fill('Дача');
  const save = dialog.getByRole('button', { name: 'Добавить' });
  await save.focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Сохранение…' })).toBeDisabled();
  await expect.poll(() => answers.length).toBe(1);
  await answers[0]?.();
  await expect(dialog.getByRole('alert')).toContainText('Доступ запрещен');
  await expect(save).toBeFocused();
  await expect(page.getByText('Ждут вас: 1').first()).toBeVisible();
});
