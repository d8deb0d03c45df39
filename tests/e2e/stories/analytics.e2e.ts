import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { CampaignWire, ChannelWire } from '@zakup/contracts/wire-entities';
import { metric } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenCampaign, givenTeam } from '../support/team.ts';

test('E2E-54 analytics: chips, search, active first, and the choice kept in the address and the browser @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, channel } = await givenCampaign(team);
  const { channel: garden } = await team.done<{ channel: ChannelWire }>('POST', '/channels', { name: 'Дача' });
  for (const [name, status] of [
    ['Архив | Лето', 'COMPLETED'],
    ['Бесплатный курс', 'ACTIVE'],
  ] as const) {
    const made = await team.done<{ campaign: CampaignWire }>('POST', '/campaigns', {
      name,
      channelId: channel.id,
      totalBudget: 1000,
      status: 'ACTIVE',
    });
    if (status === 'COMPLETED') await team.done('POST', `/campaigns/${made.campaign.id}/complete`);
  }
  const { page } = await as(team, 'anna', '/analytics');
  const rail = page.getByRole('complementary', { name: 'Выбор кампании' });
  const chip = rail.getByRole('button', { name: 'Кухня за 15 минут' });
  await expect(page.getByRole('heading', { name: 'Выберите кампанию' })).toBeVisible();

  await rail.getByRole('button', { name: 'Дача' }).click();
  await expect(rail.getByText('Нет доступных кампаний')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`channel=${garden.id}`, 'u'));
  await rail.getByRole('button', { name: 'Дача' }).click();
  await expect(rail.getByRole('button', { name: 'Дача' })).toHaveAttribute('aria-pressed', 'false');

  await chip.click();
  await expect(rail.getByRole('heading')).toHaveText([/^Активные 2/u, /^Завершённые 1/u]);
  await rail.getByLabel('Найти кампанию').fill('никакая');
  await expect(rail.getByText('Кампании не найдены')).toBeVisible();
  await rail.getByLabel('Найти кампанию').fill('ноя');
  await rail.getByRole('button', { name: /Ноябрь - Подписчики/u }).click();
  await expect(page).toHaveURL(new RegExp(`channel=${channel.id}&campaign=${campaign.id}`, 'u'));
  await expect(metric(page, 'Бюджет').first()).toContainText('420 000 ₽');

  await page.getByRole('link', { name: 'Дашборд' }).first().click();
  await page.goto(`${address}/analytics`);
  await expect(page.getByRole('heading', { name: 'Ноябрь - Подписчики' })).toBeVisible();
  await expect(chip).toHaveAttribute('aria-pressed', 'true');
});

test('E2E-55 the report: every block, charts as picture, table, CSV and PNG', async ({ address, as }) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, channel } = await givenCampaign(team);
  const { page } = await as(team, 'owner', `/analytics?channel=${channel.id}&campaign=${campaign.id}`);
  await expect(metric(page, 'Приход')).toContainText('220');
  await expect(metric(page, 'Средний CPL')).toContainText('98,18 ₽');
  await expect(metric(page, 'Размещения')).toContainText('5');
  await expect(metric(page, 'Байеры')).toContainText('2');
  await expect(metric(page, 'Использовано')).toContainText('5,1');
  await expect(metric(page, 'Конверсия')).toContainText('4 400');
  await expect(page.getByText('Лидов на размещение')).toBeVisible();

  const buyers = page.getByRole('table', { name: 'Анализ байеров' }).getByRole('row');
  await expect(buyers.nth(1)).toContainText('Илья Кравцов');
  await expect(buyers.nth(1)).toContainText('1 104,00 ₽');
  await expect(buyers.nth(2)).toContainText('840,05 ₽');
  await expect(page.getByRole('table', { name: 'Анализ креативов' }).getByRole('row').nth(1)).toContainText(
    'Рецепт за 15 минут',
  );

  const files = page.getByRole('button', { name: 'Расход и приход по дням: таблица и файлы' });
  const chart = page.getByRole('region', { name: 'Расход и приход по дням' });
  await expect(chart.locator('svg.recharts-surface').first()).toBeVisible();
  await test.step('as a picture', async () => {
    await files.click();
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Сохранить картинку (PNG)' }).click(),
    ]);
    const bytes = await readFile(await png.path());
    expect([...bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(bytes.length, 'a picture of something').toBeGreaterThan(2_000);
  });
  await test.step('as a table, and the same in a file', async () => {
    await files.click();
    await page.getByRole('menuitem', { name: 'Показать таблицей' }).click();
    const table = page.getByRole('table', { name: 'Расход и приход по дням' });
    await expect(table).toContainText('5 400,50 ₽');
    await files.click();
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Сохранить таблицу (CSV)' }).click(),
    ]);
    const text = await readFile(await csv.path(), 'utf8');
    expect(text).toContain('Дата');
    expect(text).toMatch(/5400[.,]5/u);
  });
});

test('E2E-148 the report shows tens of millions whole on a screen of 1440 px, what the own rate gives among them', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, channel, placements } = await givenCampaign(team);
  for (const { id } of Object.values(placements))
    await team.done('PATCH', `/placements/${id}`, { price: 9_582_250, leads: 102_340 });
  for (const who of ['anna', 'ilya'] as const)
    await team.done('PUT', `/users/${team.member(who).id}`, { salaryType: 'percentage', salaryRate: 7.5 });
  const { page } = await as(team, 'owner', `/analytics?channel=${channel.id}&campaign=${campaign.id}`);
  await page.setViewportSize({ width: 1440, height: 900 });
  for (const label of ['Анализ байеров', 'Анализ креативов']) {
    const table = page.getByRole('table', { name: label });
    await expect(table).toContainText(/\d\s\d{3}\s\d{3}\s₽/u);
    const beyond = await table.evaluate((one) => one.clientWidth - (one.parentElement?.clientWidth ?? 0));
    expect(beyond, `${label} is within its card`).toBeLessThanOrEqual(0);
  }
  await expect(page.getByText('по ставке')).toHaveCount(2);
});

/** Chooses a file from a chart's menu. Answers its name and its bytes. */
const fileOf = async (page: Page, title: string, item: string): Promise<readonly [name: string, bytes: Buffer]> => {
  await expect(page.getByRole('menuitem'), 'the menu before is gone').toHaveCount(0);
  await page.getByRole('button', { name: `${title}: таблица и файлы` }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: item }).click()]);
  return [file.suggestedFilename(), await readFile(await file.path())];
};

/** Width, height and how many pixels are not of the colour in the corner, as the page's browser reads a PNG. */
const drawnIn = (page: Page, png: Buffer): Promise<{ width: number; height: number; drawn: number }> =>
  page.evaluate<{ width: number; height: number; drawn: number }>(`(async () => {
    const bytes = Uint8Array.from(atob('${png.toString('base64')}'), (sign) => sign.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    const drawn = pixels.filter((pixel) => pixel !== pixels[0]).length;
    return { width: image.width, height: image.height, drawn };
  })()`);

test('E2E-130 each of the five charts as PNG and as CSV, the files with what was bought @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { campaign, channel } = await givenCampaign(team);
  const { page } = await as(team, 'owner', `/analytics?channel=${channel.id}&campaign=${campaign.id}`);
  const day = dayFromToday;
  const charts: readonly (readonly [
    title: string,
    name: string,
    tableFirst: boolean,
    header: string,
    lines: RegExp[],
  ])[] = [
    [
      'Расход и приход по дням',
      'по-дням',
      false,
      'Дата;Расход;Приход;CPL',
      [
        new RegExp(`^${day(-10)};5400,5;50;108,01$`, 'u'),
        new RegExp(`^${day(-5)};3000;60;50$`, 'u'),
        new RegExp(`^${day(-3)};8000;100;80$`, 'u'),
        new RegExp(`^${day(-1)};4000;10;400$`, 'u'),
        new RegExp(`^${day(0)};1200;0;$`, 'u'),
      ],
    ],
    [
      'Бюджет и прогноз',
      'бюджет',
      false,
      'Дата;Потрачено;Прогноз;План',
      // 41 days, of which 21 are over, today among them: the forecast is 21 600,50 ÷ 21 × 41, to whole roubles.
      Array.from({ length: 41 }, (_, index) => {
        const date = day(index - 20);
        if (index === 40) return new RegExp(`^${date};;42172;420000$`, 'u');
        if (index === 20) return new RegExp(`^${date};21600,5;21600,5;215121,95$`, 'u');
        return new RegExp(index < 20 ? `^${date};[\\d,]+;;[\\d,]+$` : `^${date};;[\\d,]+;[\\d,]+$`, 'u');
      }),
    ],
    [
      'Анализ байеров',
      'байеры',
      true,
      'Байер;Расход;Приход;CPL;Размещения;ROI, %;Заработок',
      [/^Илья Кравцов;13200;110;120;3;-16,67;1104$/u, /^Анна Соколова;8400,5;110;76,37;2;30,94;840,05$/u],
    ],
    [
      'Анализ креативов',
      'креативы',
      true,
      'Креатив;Приход;CPL;Расход;Размещения;ROI, %',
      [/^Рецепт за 15 минут;110;76,37;8400,5;2;30,94$/u, /^Завтраки недели;100;92;9200;2;8,7$/u],
    ],
    [
      'Цена и CPL',
      'контрагенты',
      false,
      'Контрагент;Средняя цена;CPL;Размещения',
      [
        /^'@marina_pr;3000;50;1$/u,
        /^'@food_daily;8000;80;1$/u,
        /^'@kitchen_ads;5400,5;108,01;1$/u,
        /^'@slow_ads;4000;400;1$/u,
      ],
    ],
  ];
  for (const [title, name, tableFirst, header, lines] of charts)
    await test.step(title, async () => {
      const card = page.getByRole('region', { name: title, exact: true });
      if (tableFirst) {
        await expect(card.getByRole('table', { name: title })).toBeVisible();
        await page.getByRole('button', { name: `${title}: таблица и файлы` }).click();
        await page.getByRole('menuitem', { name: 'Показать картинкой' }).click();
      }
      const chart = card.locator('svg.recharts-surface').first();
      await expect(chart).toBeVisible();
      const box = await chart.boundingBox();
      const [pngName, png] = await fileOf(page, title, 'Сохранить картинку (PNG)');
      expect(pngName).toBe(`Ноябрь-Подписчики-${name}.png`);
      const { width, height, drawn } = await drawnIn(page, png);
      expect([width, height], 'twice its size on the screen').toEqual([
        Math.ceil((box?.width ?? 0) * 2),
        Math.ceil((box?.height ?? 0) * 2),
      ]);
      expect(drawn, 'pixels of a picture of something').toBeGreaterThan(width * height * 0.005);

      const [csvName, csv] = await fileOf(page, title, 'Сохранить таблицу (CSV)');
      expect(csvName).toBe(`Ноябрь-Подписчики-${name}.csv`);
      const [first, ...rest] = csv.toString('utf8').split('\r\n');
      expect(first).toBe(`\u{feff}${header}`);
      expect(rest.pop()).toBe('');
      expect(rest).toHaveLength(lines.length);
      for (const [index, line] of lines.entries()) expect(rest[index]).toMatch(line);
    });
});

/** Words within the picture that lie on each other. */
const wordsOnWords = (page: Page, title: string): Promise<readonly string[]> =>
  page.getByRole('region', { name: title, exact: true }).evaluate((card) => {
    const words = [...card.querySelectorAll('svg text')]
      .filter((text) => text.textContent.trim() !== '')
      .map((text) => ({ text: text.textContent, box: text.getBoundingClientRect() }));
    return words.flatMap((one, index) =>
      words.slice(index + 1).flatMap((other) => {
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        return wide > 1 && high > 4 ? [`${one.text} lies on ${other.text}`] : [];
      }),
    );
  });

test('E2E-1193 with a campaign of many months and sums of seven digits no word of a picture of the report lies on another, on a wide screen and on a phone @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { channel } = await givenCampaign(team);
  const { campaign } = await team.done<{ campaign: CampaignWire }>('POST', '/campaigns', {
    name: 'Год | Подписчики',
    channelId: channel.id,
    totalBudget: 1_000_000,
    status: 'ACTIVE',
    startDate: dayFromToday(-240),
    endDate: dayFromToday(40),
    participants: [{ userId: team.member('anna').id, budget: 1_000_000, salaryType: 'budget', salaryRate: 10 }],
  });
  const bought = (day: number, price: number, leads: number, contractor: string) => ({
    op: 'add',
    campaignId: campaign.id,
    contractor,
    buyerId: team.member('anna').id,
    category: 'Кулинария',
    date: dayFromToday(day),
    price,
    leads,
  });
  await team.done('POST', '/placements/batch', {
    atomic: true,
    items: [
      ...Array.from({ length: 20 }, (_, index) => bought(-240 + index * 10, 9_000, 90, `@cheap_one_${index}`)),
      // A lead far above what is drawn, day after day.
      ...Array.from({ length: 12 }, (_, index) =>
        bought(-index, 1_234_567.5 + index * 30_000, 900 + index, `@dear_contractor_with_a_long_name_${index}`),
      ),
    ],
  });
  const { page } = await as(team, 'owner', `/analytics?channel=${channel.id}&campaign=${campaign.id}`);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    for (const title of ['Расход и приход по дням', 'Бюджет и прогноз', 'Цена и CPL']) {
      const card = page.getByRole('region', { name: title, exact: true });
      await expect(card.locator('.recharts-surface text').first()).toBeAttached();
      await expect.poll(() => wordsOnWords(page, title), `${title}, ${width} px`).toEqual([]);
    }
  }
});
