import type { CreativeWire, PlacementWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { crowding } from '../support/crowding.ts';
import { mostSeen } from '../support/most-seen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-61 on a phone: a card is changed, paid, deleted, which leads to the next one, and brought back, and one is added', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const { page } = await as(team, 'anna', '/dashboard', { viewport: { width: 390, height: 844 } });
  const card = page.getByRole('article', { name: /^@marina_pr/u });
  await card.scrollIntoViewIfNeeded();
  await card.getByRole('button', { name: 'Изменить' }).click();
  const dialog = page.getByRole('dialog', { name: 'Размещение @marina_pr' });
  await dialog.getByLabel('Цена, ₽').fill('3200');
  await dialog.getByLabel('Приход').fill('64');
  await dialog.getByRole('button', { name: 'Сохранить' }).click();
  await expect(card).toContainText('3 200 ₽');
  await expect(card).toContainText('50,00 ₽');
  await card.getByRole('button', { name: 'Оплачено', exact: true }).click();
  await expect(card.getByRole('button', { name: 'Не оплачено' })).toBeVisible();
  const stored = async (): Promise<PlacementWire> =>
    (await team.done<{ placement: PlacementWire }>('GET', `/placements/${placements['marina_pr']?.id}`)).placement;
  await expect.poll(async () => (await stored()).paymentStatus).toBe('paid');
  expect(await stored()).toMatchObject({ price: 3200, leads: 64 });

  await card.getByRole('button', { name: 'Удалить' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('article').filter({ has: page.locator(':focus') })).toBeVisible();
  await page.getByRole('button', { name: 'Вернуть' }).click();
  await expect(card).toBeVisible();

  await page.getByRole('button', { name: 'Добавить', exact: true }).click();
  const adding = page.getByRole('dialog', { name: 'Добавить размещение' });
  await adding.getByLabel('Ник контрагента').fill('from_phone');
  await adding.getByLabel('Тематика').fill('юмор');
  await page.getByRole('option', { name: 'Юмор' }).click();
  const most = await mostSeen(page, 'cards', `document.querySelectorAll('article[aria-label^="@from_phone"]').length`);
  await adding.getByRole('button', { name: 'Добавить размещение' }).click();
  await expect(page.getByRole('article', { name: /^@from_phone/u })).toBeVisible();
  await expect(page.getByText('Размещение добавлено')).toBeVisible();
  await expect(page.getByRole('article', { name: /^@from_phone/u })).toBeVisible();
  expect(await most(), 'its card stood once at any moment').toBe(1);

  await page.getByRole('button', { name: 'Ещё', exact: true }).click();
  await page.getByRole('dialog', { name: 'Меню' }).getByRole('link', { name: 'Профиль' }).click();
  await expect(page.getByRole('heading', { name: 'Профиль' })).toBeVisible();
});

test('E2E-133 on a phone: the cards are put in order and filtered, both are kept, and nothing tells of keys or columns @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner', '/dashboard', { viewport: { width: 390, height: 844 } });
  const nicks = async (): Promise<readonly string[]> =>
    (await page.getByRole('article').all()).reduce<Promise<string[]>>(
      async (before, card) => [
        ...(await before),
        ((await card.getAttribute('aria-label')) ?? '').replace(/^@/u, '').split(',')[0] ?? '',
      ],
      Promise.resolve([]),
    );
  const open = async (): Promise<void> => page.getByRole('button', { name: /^Фильтр/u }).click();
  const dialog = page.getByRole('dialog', { name: 'Порядок и фильтр' });
  const show = async (): Promise<void> => dialog.getByRole('button', { name: 'Показать' }).click();
  await expect
    .poll(nicks, 'the newest first')
    .toEqual(['new_place', 'slow_ads', 'food_daily', 'marina_pr', 'kitchen_ads']);

  await test.step('the dearest first, kept over a reload', async () => {
    await open();
    await dialog.getByLabel('Порядок').selectOption('Сначала дорогие');
    await show();
    const dearest = ['food_daily', 'kitchen_ads', 'slow_ads', 'marina_pr', 'new_place'];
    await expect.poll(nicks).toEqual(dearest);
    await page.reload();
    await expect.poll(nicks).toEqual(dearest);
  });

  await test.step('of one buyer only, in the same order', async () => {
    await open();
    await dialog.getByRole('button', { name: 'Байер' }).click();
    await dialog.getByRole('checkbox', { name: 'Илья Кравцов' }).check();
    await show();
    await expect.poll(nicks).toEqual(['food_daily', 'slow_ads', 'new_place']);
    await expect(page.locator('.z-filter-chips')).toContainText('показано 3 из 5');
    await page.getByRole('button', { name: 'Сбросить фильтры' }).click();
    await expect(page.getByRole('article')).toHaveCount(5);
  });

  await expect(page.getByRole('button', { name: 'Столбцы' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Ещё: скачать, печать' }).click();
  await expect(page.getByRole('menuitem', { name: 'Скачать XLSX' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: /Клавиши/u })).toHaveCount(0);
});

/** A text, as the page runs it: how far the figures of a card are apart, and how far the letters of the last one from its end. */
const placesIn = (nick: string): string => `(() => {
  const figures = document.querySelector('article[aria-label^="@${nick}"] .z-card-figures');
  const cells = [...figures.querySelectorAll('dd')];
  const boxOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const ends = cells.map(boxOf);
  const texts = document.createTreeWalker(cells.at(-1), NodeFilter.SHOW_TEXT);
  let last = cells.at(-1);
  while (texts.nextNode() !== null) last = texts.currentNode;
  return {
    apart: ends.slice(1).map(({ left }, index) => left - ends[index].right),
    tail: figures.getBoundingClientRect().right - boxOf(last).right,
  };
})()`;

test('E2E-1195 on a phone a price of seven digits stands apart from the leads of its card, and what stands for its CPL ends where the card does @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  for (const [nick, leads] of [
    ['marina_pr', 0],
    ['kitchen_ads', 1_234],
  ] as const)
    await team.done('PATCH', `/placements/${placements[nick]?.id}`, { price: 1_234_567.5, leads });
  const { page } = await as(team, 'anna', '/dashboard', { viewport: { width: 390, height: 844 } });
  for (const nick of ['marina_pr', 'kitchen_ads']) {
    const card = page.getByRole('article', { name: new RegExp(`^@${nick}`, 'u') });
    await card.scrollIntoViewIfNeeded();
    await expect(card).toContainText(/1\s234\s567,50\s₽/u);
    const places = await page.evaluate<{ readonly apart: readonly number[]; readonly tail: number }>(placesIn(nick));
    expect(Math.min(...places.apart), nick).toBeGreaterThanOrEqual(15);
    // The sign behind a price, or nothing behind a dash.
    expect(places.tail, nick).toBeLessThanOrEqual(nick === 'marina_pr' ? 1 : 18);
  }
});

test('E2E-1526 on a phone a creative is known by its name, in two lines where one is too short, and what is searched with stands in its field’s middle', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { done } = team;
  await givenCampaign(team);
  const name = 'Список покупок на две недели';
  await done('POST', '/creatives', { name, abbreviation: 'КНД-10', type: 'TEXT_WITH_VIDEO' });
  const { page } = await as(team, 'owner', '/creatives', { viewport: { width: 390, height: 844 } });
  const shown = page.locator('.z-creative-name b').filter({ hasText: name });
  await expect(shown).toBeVisible();
  const hidden = (): Promise<number> =>
    page.evaluate<number>(`Math.max(...[...document.querySelectorAll('.z-creative-name b')].map((name) =>
      Math.max(name.scrollWidth - name.clientWidth, name.scrollHeight - name.clientHeight)))`);
  await expect.poll(hidden).toBeLessThanOrEqual(0);

  await page.goto(`${address}/analytics`);
  await expect(page.getByRole('searchbox', { name: 'Найти кампанию' })).toBeVisible();
  const aside = (): Promise<number> =>
    page.evaluate<number>(`(() => {
      const middle = (element) => { const { top, height } = element.getBoundingClientRect(); return top + height / 2; };
      const place = document.querySelector('.z-rail-search');
      return Math.abs(middle(place.querySelector('svg')) - middle(place.querySelector('input')));
    })()`);
  await expect.poll(aside).toBeLessThanOrEqual(1);
});

test('E2E-1660 on a phone the top bar has room for the name of a campaign, and the theme is changed in the menu of the person @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page } = await as(team, 'owner', '/dashboard', {
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  const name = page.locator('.z-phone-title b');
  await expect(name).toBeVisible();
  await expect.poll(() => name.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  await expect(page.getByRole('button', { name: 'Светлая тема' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Меню: /u }).click();
  await page.getByRole('menuitem', { name: 'Светлая тема' }).click();
  await expect(page.locator('html')).not.toHaveClass(/bp6-dark/u);
});

test('E2E-1661 on a phone a row of the report, of a contractor, of a creative and of a statement is read whole without a push to the side @deep', async ({
  address,
  as,
}) => {
  test.setTimeout(180_000);
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements, campaign } = await givenCampaign(team);
  const { creative } = await team.done<{ creative: CreativeWire }>('POST', '/creatives', {
    name: 'Рецепт за пятнадцать минут с длинным видео',
    abbreviation: 'Р15',
    type: 'TEXT_WITH_VIDEO',
  });
  for (const { id } of Object.values(placements))
    await team.done('PATCH', `/placements/${id}`, { price: 987_654_321.5, leads: 1_272_000, creativeId: creative.id });
  const phone = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' } as const;
  const hidden = (page: Page, name: string): Promise<readonly string[]> =>
    page.getByRole('table', { name }).evaluate((table) => {
      const edge = table.parentElement?.getBoundingClientRect().right ?? 0;
      return [...table.querySelectorAll('th, td')]
        .filter((cell) => cell.checkVisibility() && cell.getBoundingClientRect().right > edge + 1)
        .map((cell) => cell.textContent ?? '');
    });
  const tableIs = async (page: Page, name: string): Promise<void> => {
    await expect(page.getByRole('table', { name }).locator('tbody tr').first()).toBeVisible();
    for (const [width, height] of [
      [390, 844],
      [320, 640],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => hidden(page, name), `${name}, ${width} px`).toEqual([]);
      await expect.poll(() => crowding(page), `${name}, ${width} px`).toEqual([]);
    }
  };
  const { page } = await as(team, 'owner', `/analytics?channel=${campaign.channelId}&campaign=${campaign.id}`, phone);
  await tableIs(page, 'Анализ байеров');
  await tableIs(page, 'Анализ креативов');
  await page.goto(`${address}/creatives/${creative.id}`);
  await tableIs(page, 'По кампаниям');
  await tableIs(page, 'Последние размещения');
  await page.goto(`${address}/contractors`);
  await page.getByRole('main').getByRole('button', { name: '@marina_pr' }).click();
  await tableIs(page, 'По кампаниям');
  await page.getByRole('tab', { name: /История/u }).click();
  await tableIs(page, 'История сотрудничества');
  const { page: own } = await as(team, 'anna', '/profile', phone);
  await tableIs(own, 'Заработок по кампаниям');
});

test('E2E-1662 on a phone a card without leads says so on the line of its dash', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  await team.done('PATCH', `/placements/${placements['marina_pr']?.id}`, { leads: 0 });
  const { page } = await as(team, 'anna', '/dashboard', { viewport: { width: 390, height: 844 } });
  const card = page.getByRole('article', { name: /^@marina_pr/u });
  await card.scrollIntoViewIfNeeded();
  const words = await card.getByText('лидов пока нет').boundingBox();
  const dash = await card.getByRole('button', { name: /^—/u }).boundingBox();
  const middle = (box: typeof words): number => (box?.y ?? 0) + (box?.height ?? 0) / 2;
  expect(Math.abs(middle(words) - middle(dash))).toBeLessThan(6);
});

test('E2E-3327 on a phone the bars at the bottom stand as high in the past as now, with nothing between them and the page @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign } = await givenCampaign(team);
  const { page } = await as(team, 'anna', `/dashboard?campaign=${campaign.id}`, {
    viewport: { width: 390, height: 844 },
  });
  /** From where to where each of them reaches, in pixels from the top. */
  const places = (): Promise<readonly string[]> =>
    page.locator('main, .z-status, .z-tabs').evaluateAll((bars) =>
      bars.map((bar) => {
        const { top, bottom } = bar.getBoundingClientRect();
        return bar.matches('main')
          ? `the page ends at ${Math.round(bottom)}`
          : `${Math.round(top)} to ${Math.round(bottom)}`;
      }),
    );
  await expect(page.getByRole('article').first()).toBeVisible();
  const now = await places();
  await page.goto(`${address}/dashboard?campaign=${campaign.id}&at=${new Date().toISOString()}`);
  await expect(page.getByText(/^Как было/u).first()).toBeVisible();
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect.poll(places).toEqual(now);
});
