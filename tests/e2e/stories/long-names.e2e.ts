import type { CampaignWire, ChannelWire, ContractorWire, CreativeWire, PersonWire } from '@zakup/contracts/entities';
import type { Page } from '@playwright/test';
import { crowding } from '../support/crowding.ts';
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

interface Long {
  readonly channel: ChannelWire;
  readonly campaign: CampaignWire;
}

const givenLongNames = async (team: Team): Promise<Long> => {
  const { done } = team;
  const { user } = await done<{ user: PersonWire }>('POST', '/employees/create', {
    name: names.person,
    email: `${'w'.repeat(60)}@${'m'.repeat(60)}.media`,
    role: 'MEDIA_BUYER',
    password: 'person-password',
  });
  const { channel } = await done<{ channel: ChannelWire }>('POST', '/channels', { name: names.channel });
  const { campaign } = await done<{ campaign: CampaignWire }>('POST', '/campaigns', {
    name: names.campaign,
    channelId: channel.id,
    totalBudget: 420_000,
    status: 'ACTIVE',
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
    campaignId: campaign.id,
    contractor: nick,
    buyerId: user.id,
    category: 'Программирование',
    date: dayFromToday(day),
    price: 12_000.5,
    creativeId: creative.id,
  });
  await done('POST', '/placements/batch', { atomic: true, items: [added(-1), added(0)] });
  return { channel, campaign };
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

const screensOf = ({ channel, campaign }: Long): readonly Screen[] => [
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
  {
    path: '/dashboard',
    ready: async (page) => {
      await seen(nick)(page);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('w');
      await expect(page.getByRole('option').filter({ hasText: nick }).first()).toBeVisible();
    },
  },
];

for (const [width, height] of [
  [1440, 900],
  [390, 844],
  [320, 640],
] as const)
  test(`E2E-89 at ${width} px the longest names, in one word with emoji, leave no edge, lie on nothing, and can be read whole`, async ({
    address,
    as,
  }) => {
    test.setTimeout(300_000);
    const team = await givenTeam(address, [], { teamName: long('🏢', 'Ф'), ownerName: long('👑', 'Ъ') });
    const screens = screensOf(await givenLongNames(team));
    const { page } = await as(team, 'owner', '/profile', { viewport: { width, height }, reducedMotion: 'reduce' });
    for (const [index, { path, ready }] of screens.entries())
      await test.step(`${index} ${path}`, async () => {
        await page.goto(`${address}${path}`);
        // One screen that does not open does not keep the others from being looked at.
        const problem = await ready(page).then(
          () => null,
          (error: unknown) => String(error),
        );
        expect.soft(problem, `${index} ${path}`).toBeNull();
        expect.soft(await crowding(page), `${index} ${path}`).toEqual([]);
      });
  });
