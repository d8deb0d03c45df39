import type { CampaignWire, ChannelWire, ContractorWire, CreativeWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { crowding } from '../support/crowding.ts';
import { isDeep } from '../support/deep.ts';
import { cutFigures, shortened } from '../support/figures.ts';
import { cleared } from '../support/popups.ts';
import { goToCell } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenTeam, type Team } from '../support/team.ts';

const names = {
  channel: 'Кухня за пятнадцать минут для занятых людей и тех, кто с ними живёт и ест',
  campaign: 'Ноябрь | Подписчики из больших кулинарных каналов и из каналов о доме, семье и отдыхе',
  second: 'Декабрь | Подписчики из больших кулинарных каналов и из каналов о подарках',
  creative: 'Рецепт за пятнадцать минут с длинным видео и подписью в три строки под ним',
} as const;
/** 64 characters, as many as a nick may have. */
const nick = `@kitchen_${'advertising_'.repeat(4)}channel`;

/** As much as a price may be, and what comes close to it. */
const prices = [999_999_999, 987_654_321, 123_456_789.5, 52_500_000.5, 999_999_999, 234_567_890] as const;

interface Large {
  readonly channel: ChannelWire;
  readonly campaign: CampaignWire;
  readonly creative: CreativeWire;
}

const givenLargeSums = async (team: Team): Promise<Large> => {
  const { done } = team;
  const buyers = (['anna', 'ilya', 'maria'] as const).map((who) => team.member(who).id);
  const { channel } = await done<{ channel: ChannelWire }>('POST', '/channels', { name: names.channel });
  const campaignOf = async (name: string): Promise<CampaignWire> =>
    (
      await done<{ campaign: CampaignWire }>('POST', '/campaigns', {
        name,
        channelId: channel.id,
        totalBudget: 1_000_000_000,
        status: 'ACTIVE',
        startDate: dayFromToday(-20),
        endDate: dayFromToday(20),
        participants: buyers.map((userId, index) => ({
          userId,
          budget: [500_000_000, 123_456_789, 100_000_000.5][index],
          salaryType: index === 1 ? 'performance' : 'budget',
          salaryRate: 12.5,
          ...(index === 1 && { cplThreshold: 10_000 }),
        })),
      })
    ).campaign;
  const [campaign, second] = [await campaignOf(names.campaign), await campaignOf(names.second)];
  const creativeOf = async (name: string): Promise<CreativeWire> =>
    (
      await done<{ creative: CreativeWire }>('POST', '/creatives', {
        name,
        abbreviation: 'Р15М',
        type: 'TEXT_WITH_VIDEO',
        notes: 'Видео снято в октябре, подпись из трёх строк, ссылка в конце',
      })
    ).creative;
  const [creative, other] = [await creativeOf(names.creative), await creativeOf(`${names.creative} без звука`)];
  const contractors = await Promise.all(
    [nick, '@kitchen_ads'].map(
      async (adminUsername, index) =>
        (
          await done<{ contractor: ContractorWire }>('POST', '/contractors', {
            adminUsername,
            channelName: names.channel,
            category: 'Кулинария',
            subscribers: [4_500_000, 90_000][index],
          })
        ).contractor,
    ),
  );
  const added = await done<{ readonly results: readonly { readonly placement: { readonly id: string } }[] }>(
    'POST',
    '/placements/batch',
    {
      atomic: true,
      items: prices.map((price, index) => ({
        op: 'add',
        campaignId: (index === 4 ? second : campaign).id,
        contractor: contractors[index === 1 ? 1 : 0]?.adminUsername,
        buyerId: buyers[index % 3],
        category: 'Кулинария',
        date: dayFromToday(-index),
        price,
        creativeId: (index === 2 ? other : creative).id,
      })),
    },
  );
  await done('POST', '/placements/batch', {
    atomic: true,
    items: added.results.map(({ placement }, index) => ({
      op: 'change',
      placementId: placement.id,
      // The first costs what its price is: a CPL of nine digits.
      leads: [1, 1_272_000, 424_000, 12_345_678, 1_000_000, 0][index],
    })),
  });
  await done('PUT', `/users/${team.member('ilya').id}`, {
    salaryType: 'performance',
    salaryRate: 12.5,
    cplThreshold: 100_000,
  });
  await done('PUT', `/users/${team.member('anna').id}`, { salaryType: 'budget', salaryRate: 15 });
  await done('PUT', `/users/${team.member('maria').id}`, {
    salaryType: 'performance',
    salaryRate: 12.5,
    cplThreshold: 100_000,
  });
  return { channel, campaign, creative };
};

type Look = (page: Page) => Promise<void>;

/** What is looked at of an address, one after another: each brings the next onto the screen. */
interface Screen {
  readonly path: string;
  readonly looks: Readonly<Record<string, Look>>;
}

const seen =
  (text: string): Look =>
  async (page) => {
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  };

const pressed =
  (button: string | RegExp, then: Look): Look =>
  async (page) => {
    await page.getByRole('main').getByRole('button', { name: button }).filter({ visible: true }).first().click();
    await then(page);
  };

const explained: Look = async (page) => {
  const dialog = page.getByRole('dialog', { name: 'Почему эта цифра?' });
  await expect(dialog.getByRole('table', { name: 'Засчитанные размещения', exact: true })).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Последние события' })).toBeVisible();
};

const moved =
  (figure: string): Look =>
  async (page) => {
    const rows = page.getByRole('grid', { name: 'Журнал' }).getByRole('row');
    await rows.filter({ hasText: 'Размещения' }).first().click();
    await expect(page.getByRole('listitem').filter({ hasText: figure }).first()).toBeVisible();
  };

const screensOf = ({ channel, campaign, creative }: Large): readonly Screen[] => {
  const at = new Date().toISOString();
  const report = `/analytics?channel=${channel.id}&campaign=${campaign.id}`;
  return [
    { path: report, looks: { 'the report': seen('Анализ креативов') } },
    { path: `${report}&at=${at}`, looks: { 'the report as it was': seen('Анализ креативов') } },
    { path: `/dashboard?campaign=${campaign.id}&at=${at}`, looks: { 'the dashboard as it was': seen(nick) } },
    { path: '/creatives', looks: { 'the list': seen(names.creative) } },
    { path: `/creatives/${creative.id}`, looks: { 'a creative': seen('Последние размещения') } },
    {
      path: '/contractors',
      looks: {
        'the list': seen(nick),
        'a contractor': pressed(nick, seen('По кампаниям')),
        'its history': async (page) => {
          await page.getByRole('tab', { name: /История/u }).click();
          await expect(page.getByRole('table', { name: 'История сотрудничества' })).toBeVisible();
        },
      },
    },
    { path: '/journal', looks: { 'the journal': seen(nick) } },
    { path: '/journal?field=leads', looks: { 'what leads moved': moved('Средний CPL') } },
    { path: '/journal?field=price', looks: { 'what prices moved': moved('Потрачено') } },
    {
      path: '/journal?tab=salary',
      looks: {
        'the salary report': seen('Итого'),
        'what counted for a person': pressed('Илья Кравцов', seen('Не засчитано: ')),
      },
    },
    { path: '/settings?tab=campaigns', looks: { campaigns: seen('1 000 000 000 ₽') } },
    { path: '/settings?tab=employees', looks: { people: seen('Илья Кравцов') } },
    {
      path: `/dashboard?campaign=${campaign.id}`,
      looks: { 'the dashboard': seen(nick), 'why it is spent': pressed(/^2,4|^2\s398/u, explained) },
    },
  ];
};

/** Everything that is wrong with what is on screen. */
const troubles = async (page: Page): Promise<readonly string[]> => {
  const told = (await shortened(page)).flatMap(({ shown, whole, told: title, beyond }) => [
    ...(beyond > 1 ? [`${shown} leaves its place by ${beyond} px`] : []),
    ...(title === whole ? [] : [`${shown} tells «${title}» for «${whole}»`]),
  ]);
  return [...(await crowding(page)), ...(await cutFigures(page)), ...told];
};

const sizes = [
  ...(isDeep
    ? ([
        [1440, 900],
        [1366, 768],
      ] as const)
    : []),
  [1280, 800],
  ...(isDeep ? ([[768, 1024]] as const) : []),
  [390, 844],
] as const;

/** The screen in every size, from the widest on: what is drawn fits itself to each. */
const holdsInEverySize = async (page: Page, what: string): Promise<void> => {
  await expect(page.locator('.z-skeleton')).toHaveCount(0);
  for (const [width, height] of sizes) {
    await page.setViewportSize({ width, height });
    await expect.poll(() => troubles(page), `${what} at ${width} px`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
};

test(`E2E-1240 sums of nine and ten digits and long names: on no screen at ${sizes.map(([width]) => width).join(', ')} px a figure is cut, lies on another or is behind a scroll; what has no room is shortened and told whole`, async ({
  address,
  as,
}) => {
  test.setTimeout(300_000);
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const large = await givenLargeSums(team);
  const options = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const;
  const { page } = await as(team, 'owner', '/profile', options);
  for (const { path, looks } of screensOf(large)) {
    await page.goto(`${address}${path}`);
    for (const [what, look] of Object.entries(looks))
      await test.step(what, async () => {
        await look(page);
        await holdsInEverySize(page, what);
      });
  }
  await test.step('what a buyer earns', async () => {
    const { page: own } = await as(team, 'ilya', '/profile', options);
    await seen('Бонус по отчёту о зарплате')(own);
    await holdsInEverySize(own, 'what a buyer earns');
  });
});

const dashboardOf = async (page: Page): Promise<void> => {
  await expect(page.locator('.z-grid-row').first()).toBeVisible();
};

const fromMenu =
  (item: string): Look =>
  async (page) => {
    await page.getByRole('button', { name: /^Ещё: скачать/u }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

const dropped = async (page: Page, lines: readonly string[]): Promise<void> => {
  const files = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([${JSON.stringify(lines.join('\r\n'))}], 'ноябрь.csv', { type: 'text/csv' }));
    return transfer;
  })()`);
  await page.locator('.z-placements').dispatchEvent('drop', { dataTransfer: files });
  const dialog = page.getByRole('dialog', { name: 'Размещения из файла' });
  await expect(dialog.getByRole('button', { name: /^Импортировать/u })).toBeVisible();
};

/** What opens over the placements, or is said of them. */
const overPlacements = (): Readonly<Record<string, Look>> => ({
  'a selection in the status line': async (page) => {
    await goToCell(page, '@kitchen_ads', 'Цена');
    for (const key of ['Shift+ArrowUp', 'Shift+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key);
    await expect(page.locator('.z-selection-status')).toBeVisible();
  },
  'the history of a placement': async (page) => {
    await goToCell(page, '@kitchen_ads', 'Дата');
    await page.keyboard.press('Space');
    await expect(page.getByRole('dialog', { name: /История/u })).toContainText('987');
  },
  'the filter with bounds': async (page) => {
    await page.getByRole('button', { name: /^Фильтр/u }).click();
    const bound = page.getByLabel('Цена до, ₽');
    await bound.fill('999999999');
    await bound.press('Tab');
  },
  'the palette': async (page) => {
    await page.keyboard.press('Control+KeyK');
    await page.getByRole('combobox').first().fill('kitchen');
    await expect(page.getByRole('option', { name: /kitchen/u }).first()).toBeVisible();
  },
  'the bell': async (page) => {
    await page.locator('.z-bell').click();
    await expect(page.locator('.z-bell-panel')).toBeVisible();
  },
  'one’s own last actions': async (page) => {
    await fromMenu('Мои последние действия')(page);
    await expect(page.getByRole('dialog', { name: 'Мои последние действия' })).toBeVisible();
  },
  'the last week once more': async (page) => {
    await fromMenu('Повторить прошлую неделю…')(page);
    await expect(page.getByRole('dialog', { name: 'Повторить прошлую неделю' })).toContainText('₽');
  },
  'what a block brings': async (page) => {
    await goToCell(page, '@kitchen_ads', 'Дата');
    const line = `${dayFromToday(-1).split('-').toReversed().join('.')}\t${nick}\t999999999\t12345678\tКулинария`;
    const block = ['Дата\tКонтрагент\tЦена\tПриход\tТематика', ...Array.from({ length: 5 }, () => line)].join('\n');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(block)});
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })()`);
    await expect(page.getByRole('dialog', { name: /^Вставка/u })).toContainText('999');
  },
  'what a file brings': (page) =>
    dropped(page, [
      'Дата;Контрагент;Цена;Приход;Тематика',
      `${dayFromToday(-1).split('-').toReversed().join('.')};${nick};999999999;12345678;Кулинария`,
      `${dayFromToday(-1).split('-').toReversed().join('.')};@kitchen_ads;много;1;Кулинария`,
    ]),
});

/** As long as a key's name may be. */
const longKey =
  'Выгрузка расходов и лидов из больших кулинарных каналов в таблицу бухгалтерии, каждый понедельник в девять часов утра';

/** Keys and webhooks with the longest names and addresses. */
const givenKeysAndWebhooks = async ({ done }: Team, { id }: CampaignWire): Promise<void> => {
  await done('POST', '/keys', { name: longKey, access: 'read' });
  await done('POST', '/keys', {
    name: 'Отчёты',
    access: 'write',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const path = `${'kitchen-advertising-'.repeat(6)}events`;
  const url = `https://${path.slice(0, 60)}.invalid/${path}?team=kitchen`;
  const events = ['PlacementAdded', 'PlacementPriceChanged', 'PlacementLeadsRecorded', 'PlacementContractorChanged'];
  await done('POST', '/webhooks', { url, events, campaignId: id });
  await done('POST', '/webhooks', { url: 'https://zakup.invalid/events', events: ['*'] });
};

const desktops = sizes.filter(([width]) => width === 1280 || width === 1366);

test(`E2E-3143 sums of nine digits in what opens over the placements, in lines of groups and in the settings: at ${desktops.map(([width]) => width).join(', ')} px none is cut or lies on another @deep`, async ({
  address,
  as,
}) => {
  test.setTimeout(300_000);
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const { campaign } = await givenLargeSums(team);
  await givenKeysAndWebhooks(team, campaign);
  const { page } = await as(team, 'owner', '/profile', {
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  });
  const dashboard = `/dashboard?campaign=${campaign.id}`;
  const holds = async (what: string): Promise<void> => {
    for (const [width, height] of desktops) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => troubles(page), `${what} at ${width} px`).toEqual([]);
    }
  };
  for (const [tab, text] of [
    ['licence', 'Сессии'],
    ['parameters', 'Цена лида'],
    ['keys', longKey],
    ['webhooks', 'kitchen-advertising'],
    ['export', 'Все данные команды'],
  ] as const)
    await test.step(`the tab ${tab} of the settings`, async () => {
      await page.goto(`${address}/settings?tab=${tab}`);
      await seen(text)(page);
      await holds(tab);
    });
  await page.goto(`${address}${dashboard}`);
  for (const [what, look] of Object.entries(overPlacements()))
    await test.step(what, async () => {
      await dashboardOf(page);
      await look(page);
      await holds(what);
      expect(await cleared(page)).toBe(true);
    });
  for (const grouping of ['buyer', 'creative', 'week'])
    await test.step(`lines of groups by ${grouping}`, async () => {
      await page.goto(`${address}${dashboard}&group=${grouping}`);
      await dashboardOf(page);
      await holds(`groups by ${grouping}`);
    });
});

test('E2E-3324 leads of eight digits beside prices of nine: neither the cells that are edited at 1280 and 1366 px nor the list in which leads are entered on a phone cut a figure or lay one on another @deep', async ({
  address,
  as,
}) => {
  test.setTimeout(300_000);
  const team = await givenTeam(address, ['anna', 'ilya', 'maria']);
  const { campaign } = await givenLargeSums(team);
  const path = `/dashboard?campaign=${campaign.id}`;
  const holds = async (page: Page, what: string): Promise<void> => {
    await expect.poll(() => troubles(page), what).toEqual([]);
  };
  await test.step('the cells', async () => {
    const { page } = await as(team, 'owner', path, { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await dashboardOf(page);
    for (const width of [1280, 1366]) {
      await page.setViewportSize({ width, height: 800 });
      for (const [column, typed, result] of [
        ['Цена', '=999999998,99+0,5', '999 999 999,49'],
        ['Приход', '=12345678+1', '12 345 679'],
      ] as const) {
        await goToCell(page, '@kitchen_ads', column);
        await page.keyboard.press('F2');
        await page.keyboard.type(typed);
        await expect(page.locator('[data-floating]')).toContainText(new RegExp(result.replaceAll(' ', '\\s'), 'u'));
        await holds(page, `${column} at ${width} px`);
        await page.keyboard.press('Escape');
      }
    }
  });
  await test.step('the list', async () => {
    const { page } = await as(team, 'anna', path, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await team.done('POST', '/placements', {
      campaignId: campaign.id,
      contractor: nick,
      buyerId: team.member('anna').id,
      category: 'Кулинария',
      date: dayFromToday(-3),
      price: 999_999_999.99,
    });
    const list = page.getByRole('dialog', { name: 'Внести приход' });
    await page.getByRole('button', { name: /^Внести приход/u }).tap();
    await expect(list.getByRole('textbox')).toHaveCount(2);
    await holds(page, 'nothing entered');
    await page.keyboard.insertText('=12345678+1');
    await holds(page, 'a sum that is typed');
    await page.keyboard.press('Enter');
    await expect(list).toContainText('Внесено 1 из 2');
    await holds(page, 'one entered');
    await page.keyboard.insertText('много');
    await page.keyboard.press('Enter');
    await expect(list.getByRole('alert')).toBeVisible();
    await holds(page, 'what is no number');
  });
});
