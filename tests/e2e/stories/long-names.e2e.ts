import type { ContractorWire, CreativeWire, PersonWire } from '@zakup/contracts/wire-entities';
import type { Page } from '@playwright/test';
import { givenOpenCampaign, givenPlacement, type Opened } from '../support/bought.ts';
import { crowding } from '../support/crowding.ts';
import { deepWhen } from '../support/deep.ts';
import { cleared } from '../support/popups.ts';
import { cellOf, editCell, rowOf } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { dayFromToday, givenTeam, type Team } from '../support/team.ts';

/** As long as a name may be, in one word with an emoji in front of it. */
const long = (emoji: string, letter: string): string => emoji + letter.repeat(120 - emoji.length);
const names = {
  channel: long('🥘', 'Ш'),
  campaign: long('👨‍🍳', 'Щ'),
  creative: long('🍰', 'Ж'),
  person: long('😀', 'Ю'),
  contractorChannel: long('📣', 'М'),
} as const;
const nick = `@${'w'.repeat(63)}`;

const givenLongNames = async (team: Team): Promise<Opened> => {
  const { done } = team;
  const { user } = await done<{ user: PersonWire }>('POST', '/employees/create', {
    name: names.person,
    email: `${'w'.repeat(60)}@${'m'.repeat(60)}.media`,
    role: 'MEDIA_BUYER',
    password: 'person-password',
  });
  const opened = await givenOpenCampaign(team, {
    channelName: names.channel,
    name: names.campaign,
    totalBudget: 420_000,
    participants: [{ userId: user.id, budget: 100_000, salaryType: 'budget', salaryRate: 10 }],
  });
  const { creative } = await done<{ creative: CreativeWire }>('POST', '/creatives', {
    name: names.creative,
    abbreviation: 'Ы'.repeat(120),
    type: 'TEXT_ONLY',
  });
  const { contractor } = await done<{ contractor: ContractorWire }>('POST', '/contractors', {
    adminUsername: nick,
    channelName: names.contractorChannel,
    category: 'Программирование',
  });
  await done('POST', `/contractors/${contractor.id}/notes`, { note: 'Ц'.repeat(300) });
  const added = (day: number) => ({
    op: 'add',
    campaignId: opened.campaign.id,
    contractor: nick,
    buyerId: user.id,
    category: 'Программирование',
    date: dayFromToday(day),
    price: 12_000.5,
    creativeId: creative.id,
  });
  await done('POST', '/placements/batch', { atomic: true, items: [added(-1), added(0)] });
  return opened;
};

interface Screen {
  readonly path: string;
  readonly ready: (page: Page) => Promise<void>;
}

const seen =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  };
const contractorDialog = async (page: Page): Promise<void> => {
  await page.getByRole('main').getByRole('button', { name: nick }).first().click();
  await expect(page.getByRole('dialog', { name: nick })).toContainText('24 001 ₽');
};
const inDialog =
  (...buttons: readonly (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of buttons) await page.getByRole('button', { name }).filter({ visible: true }).first().click();
    await expect(page.getByRole('dialog').or(page.getByRole('alertdialog')).last()).toBeVisible();
  };

const screensOf = ({ channel, campaign }: Opened): readonly Screen[] => [
  { path: '/dashboard', ready: seen(nick) },
  {
    path: '/dashboard',
    ready: async (page) => {
      await page.getByRole('heading', { level: 1 }).getByRole('button').click();
      await expect(page.getByRole('menuitem').first()).toBeVisible();
    },
  },
  { path: '/dashboard', ready: inDialog(/^Добавить/u) },
  { path: '/dashboard', ready: inDialog(/^История/u) },
  { path: '/dashboard', ready: inDialog(/^Удалить/u) },
  {
    path: '/dashboard',
    ready: async (page) => {
      await seen(nick)(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('w');
      await expect(page.getByRole('option').filter({ hasText: nick }).first()).toBeVisible();
    },
  },
  { path: `/analytics?channel=${channel.id}&campaign=${campaign.id}`, ready: seen(names.creative) },
  { path: '/creatives', ready: seen(names.creative) },
  { path: '/contractors', ready: seen(nick) },
  { path: '/contractors', ready: contractorDialog },
  {
    path: '/contractors',
    ready: async (page) => {
      await contractorDialog(page);
      await page.getByRole('tab', { name: /История/u }).click();
      await expect(page.getByRole('table', { name: 'История сотрудничества' })).toBeVisible();
    },
  },
  {
    path: '/contractors',
    ready: async (page) => {
      await contractorDialog(page);
      await page.getByRole('button', { name: 'Объединить с…' }).click();
      await expect(page.getByRole('dialog', { name: /^Объединить/u })).toBeVisible();
    },
  },
  { path: '/journal', ready: seen(nick) },
  {
    path: '/journal',
    ready: async (page) => {
      await page.locator('.z-journal-row').filter({ hasText: names.creative }).first().click();
      await expect(page.getByLabel('Событие', { exact: true })).toBeVisible();
    },
  },
  { path: '/journal?tab=salary', ready: seen(names.person) },
  { path: '/settings', ready: seen(names.channel) },
  { path: '/settings', ready: inDialog(/^Удалить: /u) },
  { path: '/settings?tab=campaigns', ready: seen(names.campaign) },
  { path: '/settings?tab=campaigns', ready: inDialog(/^Изменить: /u) },
  { path: '/settings?tab=employees', ready: seen(names.person) },
  {
    path: '/settings?tab=employees',
    ready: async (page) => {
      await page.getByRole('tabpanel').getByRole('button', { name: names.person }).first().click();
      await expect(page.getByText('Права').first()).toBeVisible();
    },
  },
];

/** The narrowest phone has less room than any other. */
const sizes = [
  [1440, 900],
  [390, 844],
  [320, 640],
] as const;

for (const [width, height] of sizes)
  test(`E2E-89 at ${width} px the longest names, in one word with emoji, leave no edge, lie on nothing, and can be read whole${deepWhen(width !== 320)}`, async ({
    address,
    as,
  }) => {
    test.setTimeout(300_000);
    const team = await givenTeam(address, [], { teamName: long('🏢', 'Ф'), ownerName: long('👑', 'Ъ') });
    const screens = screensOf(await givenLongNames(team));
    const { page } = await as(team, 'owner', '/profile', { viewport: { width, height }, reducedMotion: 'reduce' });
    let at = '';
    for (const [index, { path, ready }] of screens.entries())
      await test.step(`${index} ${path}`, async () => {
        // A page is loaded once for all that opens over it.
        if (path !== at || !(await cleared(page))) await page.goto(`${address}${path}`);
        at = path;
        // One screen that does not open does not keep the others from being looked at.
        const problem = await ready(page).then(
          () => null,
          (error: unknown) => String(error),
        );
        expect.soft(problem, `${index} ${path}`).toBeNull();
        expect.soft(await crowding(page), `${index} ${path}`).toEqual([]);
      });
  });

test('E2E-1304 nicks of 32 and 64 characters in rows that are chosen, unsent and contested: cut with dots, told whole, nothing lies on another', async ({
  address,
  as,
}) => {
  test.setTimeout(180_000);
  const team = await givenTeam(address, ['anna']);
  const { campaign } = await givenOpenCampaign(team, {
    participants: [{ userId: team.member('anna').id, budget: 1_000_000_000 }],
  });
  const nicks = [`@a${'w'.repeat(30)}`, `@b${'w'.repeat(62)}`, `@c${'w'.repeat(30)}`, `@d${'w'.repeat(62)}`] as const;
  const ids = new Map<string, string>();
  for (const [index, contractor] of nicks.entries()) {
    const bought = {
      contractor,
      buyer: 'anna',
      category: 'Программирование',
      day: -index,
      price: 1_272_000.5,
    } as const;
    ids.set(contractor, (await givenPlacement(team, campaign, bought)).id);
  }
  const { page, expectProblems } = await as(team, 'anna', `/dashboard?campaign=${campaign.id}`, {
    reducedMotion: 'reduce',
  });
  expectProblems(/status of 409/u);
  const asked: { go: () => void }[] = [];
  await page.route('**/api/placements/*', (route) => void asked.push({ go: () => void route.continue() }));
  const [chosen, alsoChosen, unsent, contested] = nicks;

  await editCell(page, contested, 'Цена', '1999999,5');
  await expect.poll(() => asked.length).toBe(1);
  await team.done('PATCH', `/placements/${ids.get(contested)}`, { price: 1_888_888.5 });
  asked[0]?.go();
  await expect(page.getByRole('button', { name: 'Взять новое' })).toBeVisible();
  await editCell(page, unsent, 'Цена', '987654321');
  await expect(rowOf(page, unsent)).toHaveAttribute('data-mark', 'unsent');

  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const one of [chosen, alsoChosen, unsent, contested])
      await test.step(`${one.slice(0, 2)} of ${one.length} at ${width} px`, async () => {
        const row = rowOf(page, one);
        await (await cellOf(page, one, 'Дата')).click({ position: { x: 3, y: 3 } });
        const name = row.getByRole('button', { name: one, exact: true });
        await name.hover();
        await expect(name).toHaveAttribute('title', one);
        await row.hover({ position: { x: 10, y: 5 } });
        await expect(row.getByRole('button', { name: `Изменить ник ${one}` })).toBeVisible();
        await expect.poll(() => crowding(page)).toEqual([]);
        const [text, edit] = await Promise.all([
          name.boundingBox(),
          row.getByRole('button', { name: `Изменить ник ${one}` }).boundingBox(),
        ]);
        expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual((edit?.x ?? 0) + 0.5);
      });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('article')).toHaveCount(nicks.length);
  await expect.poll(() => crowding(page)).toEqual([]);
});

test('E2E-1309 a nick that is cut is shown whole to who comes to it by keys, in a row of the dashboard and in the list of contractors, until the focus goes on or Escape is pressed @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna']);
  await givenLongNames(team);
  const { page } = await as(team, 'owner');
  const tip = page.locator('.z-cut-tip');
  await page.setViewportSize({ width: 1280, height: 800 });
  const inside = async (): Promise<void> => {
    await expect(tip).toHaveAttribute('data-text', new RegExp(nick, 'u'));
    await expect(tip).toBeInViewport({ ratio: 1 });
  };

  await test.step('a row of the dashboard', async () => {
    await (await cellOf(page, nick, 'Дата')).first().click({ position: { x: 3, y: 3 } });
    await expect(tip).toHaveCount(0);
    await page.keyboard.press('ArrowRight');
    await inside();
    await page.keyboard.press('Escape');
    await expect(tip).toHaveCount(0);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    await inside();
    await page.keyboard.press('ArrowRight');
    await expect(tip).toHaveCount(0);
  });

  await test.step('the list of contractors', async () => {
    await page.goto(`${address}/contractors`);
    const name = page.getByRole('table').getByRole('button', { name: nick, exact: true }).first();
    await expect(name).toBeVisible();
    await page.keyboard.press('Tab');
    await name.focus();
    await inside();
    await page.keyboard.press('Shift+Tab');
    await expect(name).not.toBeFocused();
    await expect(tip).toHaveCount(0);
  });
});
