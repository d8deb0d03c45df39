import type { Page } from '@playwright/test';
import type { CampaignWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { givenOpenCampaign } from '../support/bought.ts';
import { cellOf, editCell, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenTeam, type Team } from '../support/team.ts';

/** Enough for a load of many messages whose progress is told. */
const count = 6_000;
const perBatch = 1000;
const price = 1000;

interface Listed {
  readonly placements: readonly PlacementWire[];
  readonly total: number;
}

const listed = (team: Team, { id }: CampaignWire): Promise<Listed> =>
  team.done<Listed>('GET', `/campaigns/${id}/placements?pageSize=1`);

/** A campaign of 6,000 placements that can be read; the first in the table is of @first_row. */
const givenLongCampaign = async (team: Team): Promise<CampaignWire> => {
  const buyerId = team.member('anna').id;
  const { campaign } = await givenOpenCampaign(team, { participants: [{ userId: buyerId, budget: 165_000 }] });
  for (let from = 0; from < count; from += perBatch) {
    const items = Array.from({ length: perBatch }, (_, index) => ({
      op: 'add',
      campaignId: campaign.id,
      contractor: from + index === 0 ? '@first_row' : `@seller_${(from + index) % 40}`,
      buyerId,
      category: 'Кулинария',
      date: dayFromToday(from + index === 0 ? -30 : -20 + from / perBatch),
      price,
      creativeId: 'NO_CREATIVE',
    }));
    await team.done('POST', '/placements/batch', { atomic: true, items });
  }
  await expect.poll(async () => (await listed(team, campaign)).total, { timeout: 300_000 }).toBe(count);
  return campaign;
};

/** The line of a page, on which all of a campaign's load but its first message waits until it is let through. */
const heldLoad = async (page: Page) => {
  let isHeld = true;
  const waiting: (() => void)[] = [];
  let passed = 0;
  await page.routeWebSocket(/.*/u, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const isOfLoad = typeof message === 'string' && message.startsWith('42["changes",{"scope":"campaign:');
      if (isOfLoad) passed += 1;
      if (isHeld && isOfLoad && passed > 1) waiting.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  return {
    count: () => waiting.length,
    letThrough: () => {
      isHeld = false;
      for (const send of waiting.splice(0)) send();
    },
  };
};

test('E2E-2270 of a long campaign the first rows stand and are edited while the rest is held back, and all is exact in the end @deep', async ({
  address,
  as,
}) => {
  test.setTimeout(900_000);
  const team = await givenTeam(address, ['anna']);
  const campaign = await givenLongCampaign(team);
  const { page } = await as(team, 'owner', '/settings?tab=channels', { viewport: { width: 1280, height: 800 } });
  const load = await heldLoad(page);
  await page.goto(`${address}/dashboard?campaign=${campaign.id}`);

  await expect(rowOf(page, '@first_row')).toBeVisible({ timeout: 60_000 });
  await expect.poll(load.count, { timeout: 60_000 }).toBeGreaterThan(0);
  const pager = page.getByRole('navigation', { name: 'Страницы размещений' });
  await expect(pager).toContainText('1–50 из 6 000');
  await expect(page.getByText(/^Загружено [\d\s]+ из 6\s000$/u)).toBeVisible();
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('aria-rowcount', String(count + 2));
  await expect(grid).toContainText('6 000 000 ₽');

  await editCell(page, '@first_row', 'Цена', '777');
  await expect(await cellOf(page, '@first_row', 'Цена')).toContainText('777 ₽');
  await expect(grid).toContainText('5 999 777 ₽');
  await expect.poll(async () => (await listed(team, campaign)).placements[0]?.price).toBe(777);
  expect(load.count(), 'what is held back is still held').toBeGreaterThan(0);
  const top = await rowOf(page, '@first_row').boundingBox();

  load.letThrough();
  await expect(page.getByText(/^Загружено/u)).toHaveCount(0, { timeout: 60_000 });
  expect(await rowOf(page, '@first_row').boundingBox()).toEqual(top);
  await expect(await cellOf(page, '@first_row', 'Цена')).toContainText('777 ₽');
  await expect(pager).toContainText('1–50 из 6 000');
  await expect(grid).toHaveAttribute('aria-rowcount', String(count + 2));
  await expect(grid).toContainText('6 000 размещений');
  await expect(grid).toContainText('5 999 777 ₽');
  await pager.getByRole('button', { name: 'все' }).click();
  await expect(grid).toHaveAttribute('aria-rowcount', String(count + 2));
  await expect(page.getByText('Все изменения сохранены')).toBeVisible();
});
