import { codeShown } from '@zakup/credentials/testing/authenticator';
import type { CampaignWire } from '@zakup/contracts/wire-entities';
import type { Locator } from '@playwright/test';
import { call } from '../../support/api.ts';
import { givenOpenCampaign, givenPlacement } from '../support/bought.ts';
import { crowding } from '../support/crowding.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam, personPassword, signIn } from '../support/team.ts';

const channelName = 'Кухня на каждый день';
const words = 'Новые подписчики, октябрь 2026';

const isCut = (text: Locator): Promise<boolean> =>
  text.evaluate(
    ({ scrollWidth, clientWidth, scrollHeight, clientHeight }) =>
      scrollWidth > clientWidth || scrollHeight > clientHeight,
  );

test('E2E-1640 at 1280, 1440 and 1920 px a campaign that is named after its channel is told by its own words, whole, in the heading and in the sidebar', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const name = `${channelName} | ${words}`;
  const participants = [{ userId: team.member('anna').id, budget: 1_000_000 }];
  const { channel, campaign } = await givenOpenCampaign(team, { participants, channelName, name });
  await team.done<{ campaign: CampaignWire }>('POST', '/campaigns', {
    name: `${channelName} | Книга рецептов, ноябрь 2026`,
    channelId: channel.id,
    totalBudget: 1000,
    status: 'ACTIVE',
  });
  await givenPlacement(team, campaign, { contractor: '@marina_pr', buyer: 'anna', price: 3_000 });
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`);
  const heading = page.getByRole('heading', { level: 1, name: `${channelName} - ${words}` });
  const side = page.getByRole('navigation', { name: 'Активные кампании' });
  for (const width of [1280, 1440, 1920])
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await expect(heading.getByText(words, { exact: true })).toBeVisible();
      await expect(side.getByRole('link')).toHaveText([
        `${words}${channelName}`,
        `Книга рецептов, ноябрь 2026${channelName}`,
      ]);
      for (const text of [
        heading.getByText(words, { exact: true }),
        side.getByText(words, { exact: true }),
        side.getByText('Книга рецептов, ноябрь 2026', { exact: true }),
      ])
        await expect.poll(() => isCut(text)).toBe(false);
      await expect.poll(() => crowding(page)).toEqual([]);
    });
});

test('E2E-1641 the tabs stand still whichever is chosen', async ({ address, as }) => {
  const team = await givenTeam(address, []);
  const { page } = await as(team, 'owner', '/settings');
  for (const path of ['/settings', '/journal']) {
    await page.goto(`${address}${path}`);
    const tabs = page.getByRole('tab');
    await expect(tabs.first()).toBeVisible();
    const places = (): Promise<readonly number[]> =>
      tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().left));
    const first = await places();
    for (const tab of await tabs.all()) {
      await tab.click();
      await expect(tab).toHaveAttribute('aria-selected', 'true');
      expect(await places(), path).toEqual(first);
    }
  }
});

test('E2E-1642 what was asked and typed in a person’s card stays when the window becomes narrow and wide again', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  const { token } = await signIn(address, team.member('anna'));
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
  await page.getByRole('button', { name: 'Анна Соколова', exact: true }).click();
  await page.getByLabel('Имя', { exact: true }).fill('Анна Белова');
  await page.getByRole('button', { name: 'Снять второй фактор' }).click();
  const asked = page.getByRole('alertdialog', { name: 'Снять второй фактор: Анна Соколова?' });
  await expect(asked).toBeVisible();
  for (const width of [390, 1440, 1024]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(page.getByRole('dialog', { name: 'Сотрудник' })).toHaveCount(width < 1100 ? 1 : 0);
    await expect(asked).toBeVisible();
    // Nothing lies over it.
    await asked.getByRole('button', { name: 'Отмена' }).click({ trial: true });
  }
  await asked.getByRole('button', { name: 'Отмена' }).click();
  await expect(asked).toHaveCount(0);
  await expect(page.getByLabel('Имя', { exact: true })).toHaveValue('Анна Белова');
});

test('E2E-3326 a tablet’s search begins the bar, a participant’s scheme is read whole, and what a day cost and brought stands at its day @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { channel, campaign } = await givenCampaign(team);
  const report = `/analytics?channel=${channel.id}&campaign=${campaign.id}`;
  const { page } = await as(team, 'owner', report, { viewport: { width: 768, height: 1024 } });

  await test.step('the bar', async () => {
    const menu = await page.getByRole('button', { name: 'Меню', exact: true }).boundingBox();
    const search = await page.locator('.z-palette-button').boundingBox();
    expect((search?.x ?? 0) - ((menu?.x ?? 0) + (menu?.width ?? 0))).toBeLessThanOrEqual(16);
  });

  await test.step('the days', async () => {
    const bars = page.locator('.recharts-bar').filter({ has: page.locator('.recharts-bar-rectangle') });
    await expect(bars).toHaveCount(2);
    const places = (index: number): Promise<readonly string[]> =>
      bars
        .nth(index)
        .locator('.recharts-bar-rectangle path')
        .evaluateAll((days) =>
          days.map((day) => {
            const { left, width } = day.getBoundingClientRect();
            return `${Math.round(left)} ${Math.round(width)}`;
          }),
        );
    const [cost, brought] = [await places(0), await places(1)];
    expect(brought.length).toBeGreaterThan(2);
    expect(cost).toEqual(expect.arrayContaining([...brought]));
  });

  await test.step('the scheme', async () => {
    const terms = { userId: team.member('anna').id, budget: 1_000, salaryType: 'percentage', salaryRate: 10 };
    await team.done('PUT', `/campaigns/${campaign.id}`, { participants: [terms] });
    await page.goto(`${address}/settings?tab=campaigns`);
    await page.getByRole('button', { name: /^Изменить: /u }).click();
    await expect(page.getByLabel('Схема: Анна Соколова')).toHaveValue('percentage');
    // 40 px: the arrow, and what is around the text.
    const lacking = await page.evaluate<number>(`(() => {
      const field = document.querySelector('.z-participants select');
      const text = document.createElement('canvas').getContext('2d');
      text.font = getComputedStyle(field).font;
      return text.measureText(field.selectedOptions[0].text).width + 40 - field.clientWidth;
    })()`);
    expect(lacking).toBeLessThanOrEqual(0);
  });
});
