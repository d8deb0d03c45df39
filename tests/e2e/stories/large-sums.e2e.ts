import type { CreativeWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { givenOpenCampaign, givenPlacement } from '../support/bought.ts';
import { crowding } from '../support/crowding.ts';
import { isDeep } from '../support/deep.ts';
import { cutFigures, needlesslyShort, shortened } from '../support/figures.ts';
import { expect, test } from '../support/story.ts';
import { givenTeam } from '../support/team.ts';

/** What buyers of three budgets have spent: one over it, one far over. */
const shares = [
  { budget: 100_000_000, price: 93_650_750.25 },
  { budget: 50_000_000, price: 52_500_000.5 },
  { budget: 9_500_000, price: 987_654_321 },
] as const;

test('E2E-1080 budgets of hundreds of millions, overruns among them: on the dashboard at 1280, 1366 and 1440 px no figure lies on another or is cut; what has no room is shortened and told whole @deep', async ({
  address,
  as,
}) => {
  test.setTimeout(300_000);
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const buyers = ['anna', 'ilya', 'maria'] as const;
  const { campaign } = await givenOpenCampaign(team, {
    participants: buyers.map((buyer, index) => ({
      userId: team.member(buyer).id,
      budget: shares[index]?.budget ?? 0,
      salaryType: index % 2 === 0 ? 'budget' : 'performance',
      salaryRate: 12.5,
      cplThreshold: 10_000,
    })),
  });
  for (const [index, buyer] of buyers.entries()) {
    const { creative } = await team.done<{ creative: CreativeWire }>('POST', '/creatives', {
      name: `Рецепт за ${index} минут`,
      abbreviation: `Р${index}`,
      type: 'TEXT_ONLY',
    });
    await givenPlacement(team, campaign, {
      contractor: `@kitchen_ads_${index}`,
      buyer,
      day: -index,
      price: shares[index]?.price ?? 0,
      creativeId: creative.id,
      leads: 424_000,
    });
  }
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`, { reducedMotion: 'reduce' });
  for (const [width, height] of [
    [1280, 800],
    [1366, 768],
    [1440, 900],
  ] as const)
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height });
      await expect(page.getByText('@kitchen_ads_0').first()).toBeVisible();
      await expect.poll(() => crowding(page)).toEqual([]);
      const figures = await shortened(page);
      expect(figures.length).toBeGreaterThan(0);
      expect(figures.filter(({ beyond }) => beyond > 1)).toEqual([]);
      for (const { shown, whole, told } of figures) {
        expect(shown).toMatch(/\s(?:(?:тыс\.|млн|млрд)(?:\s₽)?|%\s▲)"|^"[\d,]+% до [\d\s]+₽"/u);
        expect(told).toBe(whole);
        expect(whole).toMatch(
          /^−?\d{1,3}(?:\s\d{3})+|\d+(?:,\d+)?\s%\sперерасход$|^[\d,]+% за результат до [\d\s]+₽$/u,
        );
      }
      const leads = page.getByRole('row', { name: /^Итого/u }).getByRole('button', { name: /^1\s272\s000/u });
      await expect(leads).toBeVisible();
    });
});

/** Of four to eleven digits, with kopecks and without. */
const prices = [
  5_400, 98_765.43, 987_654.32, 1_272_000, 9_876_543.21, 98_765_432, 987_654_321, 999_999_999.99,
] as const;

/** A campaign with a placement of each price, half of them of one lead. */
const givenPrices = async (address: string) => {
  const team = await givenTeam(address, ['anna']);
  const { campaign } = await givenOpenCampaign(team, {
    participants: [{ userId: team.member('anna').id, budget: 1_000_000_000 }],
  });
  for (const [index, price] of prices.entries())
    await givenPlacement(team, campaign, {
      contractor: `@kitchen_${index}`,
      buyer: 'anna',
      day: -index,
      price,
      leads: index % 2 === 0 ? 1 : 10 ** index,
    });
  return { team, campaign };
};

/** Between the narrowest and the widest a row has more room than in the one and less than in the other. */
const desktops = [
  [1280, 800],
  ...(isDeep
    ? ([
        [1366, 768],
        [1440, 900],
      ] as const)
    : []),
  [1920, 1080],
] as const;

test(`E2E-1300 prices, leads and costs per lead of up to eleven digits: at ${desktops.map(([width]) => width).join(', ')} px a row shows whole what has room in its column, and shortens the rest`, async ({
  address,
  as,
}) => {
  test.setTimeout(180_000);
  const { team, campaign } = await givenPrices(address);
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`, { reducedMotion: 'reduce' });
  const rows = page.getByRole('grid').locator('.z-grid-row');
  for (const [width, height] of desktops)
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height });
      await expect(rows).toHaveCount(prices.length);
      await expect.poll(async () => [...(await crowding(page)), ...(await cutFigures(page))]).toEqual([]);
      await expect.poll(() => needlesslyShort(page)).toEqual([]);
      const dearest = rows.filter({ hasText: '@kitchen_7' }).locator('.z-grid-price');
      if (width < 1920) await expect(dearest.getByTitle(/^999\s999\s999,99\s₽$/u)).toContainText(/1\sмлрд\s₽/u);
      else await expect(dearest).toHaveText(/^999\s999\s999,99\s₽$/u);
      await expect(rows.filter({ hasText: '@kitchen_3' }).locator('.z-grid-price')).toHaveText(/^1\s272\s000\s₽$/u);
    });
});

/** Figures of cards that are shortened though their place has room for them whole, a line for each. */
const needlesslyShortOnCards = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.z-card-figures .z-fitted-short')].flatMap((figure) => {
    const place = figure.closest('.z-fits');
    const [shown] = figure.children;
    const range = document.createRange();
    figure.classList.remove('z-fitted-short');
    shown.classList.remove('z-visually-hidden');
    range.selectNodeContents(place);
    const needs = range.getBoundingClientRect().width;
    figure.classList.add('z-fitted-short');
    shown.classList.add('z-visually-hidden');
    return needs <= place.clientWidth - 1 ? [figure.textContent + ' has ' + place.clientWidth + ' px and needs ' + needs] : [];
  })`);

test('E2E-1524 the same on a phone: on the cards at 390 and 320 px a cost per lead too is whole where it has room, and shortened where it has none @deep', async ({
  address,
  as,
}) => {
  test.setTimeout(180_000);
  const { team, campaign } = await givenPrices(address);
  const { page } = await as(team, 'owner', `/dashboard?campaign=${campaign.id}`, { reducedMotion: 'reduce' });
  const card = (index: number) => page.getByRole('article', { name: new RegExp(`^@kitchen_${index},`, 'u') });
  const cplOf = (index: number) => card(index).locator('.z-row-cpl');
  for (const [width, height] of [
    [390, 844],
    [320, 640],
  ] as const)
    await test.step(`${width} px`, async () => {
      await page.setViewportSize({ width, height });
      for (const index of prices.keys()) {
        await card(index).scrollIntoViewIfNeeded();
        await expect(cplOf(index)).toBeVisible();
        await expect
          .poll(async () => [
            ...(await crowding(page)),
            ...(await cutFigures(page)),
            ...(await needlesslyShortOnCards(page)),
            ...(await shortened(page)).filter(({ beyond }) => beyond > 1),
          ])
          .toEqual([]);
      }
    });
  await page.setViewportSize({ width: 390, height: 844 });
  await card(2).scrollIntoViewIfNeeded();
  await expect(cplOf(2).locator('.z-fitted')).not.toHaveClass(/z-fitted-short/u);
  await card(6).scrollIntoViewIfNeeded();
  await expect(cplOf(6).locator('.z-fitted')).toHaveClass(/z-fitted-short/u);
  await expect(cplOf(6).getByTitle(/^987\s654\s321,00\s₽$/u)).toHaveCount(1);
});
