import { randomUUID } from 'node:crypto';
import type {
  AdminLicenseWire,
  CampaignWire,
  ChannelWire,
  CreativeWire,
  PersonWire,
  PlacementWire,
} from '@zakup/contracts/wire-entities';
import { call } from '../../support/api.ts';
import { adminLogin, adminPassword } from '../../support/zakup-process.ts';

export const ownerPassword = 'owner-password';
export const personPassword = 'person-password';
const dayMs = 86_400_000;

/** `YYYY-MM-DD` of today in UTC+3, so many days later. */
export const dayFromToday = (days: number): string =>
  new Date(Date.now() + 3 * 3_600_000 + days * dayMs).toISOString().slice(0, 10);

export interface TokenPair {
  readonly token: string;
  readonly refreshToken: string;
}

/** Somebody of the licence, with what they sign in by. */
export interface Member {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly password: string;
  readonly isOwner: boolean;
}

export interface IssuedLicence {
  readonly id: string;
  readonly licenseKey: string;
  readonly activationCode: string;
}

/** A token of the admin's realm. */
export const adminToken = async (address: string): Promise<string> =>
  (await call<{ token: string }>(address, 'POST', '/admin/login', { login: adminLogin, password: adminPassword })).data
    .token;

/** A licence nobody has activated yet. `more`: as the admin issues it. */
export const issuedLicence = async (address: string, more: object = {}): Promise<IssuedLicence> => {
  const wanted = {
    ownerName: 'Виктор Лапин',
    ownerEmail: 'lapin@vkus.media',
    ownerTelegram: '@v_lapin',
    teamName: 'Вкусная среда',
    maxConcurrentSessions: 50,
    ...more,
  };
  const { data } = await call<{ license: AdminLicenseWire; activationCode: string }>(
    address,
    'POST',
    '/admin/licenses',
    wanted,
    { token: await adminToken(address) },
  );
  const { id, licenseKey } = data.license;
  return { id, licenseKey, activationCode: data.activationCode };
};

/** Signs in through the API, as this person's browser would. */
export const signIn = async (address: string, { code, password, isOwner }: Member): Promise<TokenPair> => {
  const { data } = isOwner
    ? await call<TokenPair>(address, 'POST', '/auth/ceo-login', { loginCode: code, password })
    : await call<TokenPair>(address, 'POST', '/auth/employee-login', { authCode: code, password });
  return { token: data.token, refreshToken: data.refreshToken };
};

const activated = async (
  address: string,
  { licenseKey, activationCode }: IssuedLicence,
): Promise<{ readonly owner: Member; readonly token: string }> => {
  const step1 = await fetch(`${address}/api/licenses/activate-step1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ licenseKey, twoFactorCode: activationCode }),
  });
  const cookie = step1.headers.get('set-cookie')?.split(';')[0] ?? '';
  const words = { licenseKey, password: ownerPassword, passwordConfirm: ownerPassword };
  const { data } = await call<{ ceoLoginCode: string }>(address, 'POST', '/licenses/activate-step2', words, {
    headers: { Cookie: cookie },
  });
  const login = { loginCode: data.ceoLoginCode, password: ownerPassword };
  const signedIn = await call<{ token: string; user: PersonWire }>(address, 'POST', '/auth/ceo-login', login);
  const { id, name } = signedIn.data.user;
  return {
    owner: { id, name, code: data.ceoLoginCode, password: ownerPassword, isOwner: true },
    token: signedIn.data.token,
  };
};

const people = {
  anna: { name: 'Анна Соколова', email: 'anna@vkus.media', role: 'MEDIA_BUYER' },
  ilya: { name: 'Илья Кравцов', email: 'ilya@vkus.media', role: 'MEDIA_BUYER' },
  maria: { name: 'Мария Белова', email: 'maria@vkus.media', role: 'TEAM_LEAD' },
  olga: { name: 'Ольга Цифрова', email: 'olga@vkus.media', role: 'ANALYTIC' },
} as const;
export type PersonName = keyof typeof people;
export type Who = PersonName | 'owner';

/** A licence with its owner and whoever was asked for; changes are made as the owner. */
export interface Team {
  readonly address: string;
  readonly licence: IssuedLicence;
  readonly members: Readonly<Partial<Record<Who, Member>>>;
  /** The member of this name; throws when nobody is. */
  readonly member: (who: Who) => Member;
  /** `data` of a call made as the owner; throws when it is refused. */
  readonly done: <Data>(method: string, path: string, body?: unknown) => Promise<Data>;
}

/** A licence activated by its owner and people of these names, each with a password of their own. */
export const givenTeam = async (
  address: string,
  names: readonly PersonName[] = [],
  more: object = {},
): Promise<Team> => {
  const licence = await issuedLicence(address, more);
  const { owner, token } = await activated(address, licence);
  const done = async <Data>(method: string, path: string, body?: unknown): Promise<Data> =>
    (await call<Data>(address, method, path, body, { token, key: randomUUID() })).data;
  const made = await Promise.all(
    names.map(async (who) => {
      const { user, authCode } = await done<{ user: PersonWire; authCode: string }>('POST', '/employees/create', {
        ...people[who],
        password: personPassword,
      });
      const member: Member = {
        id: user.id,
        name: user.name,
        code: authCode,
        password: personPassword,
        isOwner: false,
      };
      return [who, member] as const;
    }),
  );
  const members: Partial<Record<Who, Member>> = { owner, ...Object.fromEntries(made) };
  return {
    address,
    licence,
    members,
    done,
    member: (who) => {
      const member = members[who];
      if (member === undefined) throw new Error(`Nobody of this team is ${who}`);
      return member;
    },
  };
};

/** A campaign of the team with five placements of two buyers, whose sums the stories know. */
export interface Campaign {
  readonly channel: ChannelWire;
  /** «Ноябрь | Подписчики», 420 000 ₽. */
  readonly campaign: CampaignWire;
  readonly creatives: { readonly recipe: CreativeWire; readonly breakfast: CreativeWire };
  /** By nick without `@`. */
  readonly placements: Readonly<Record<string, PlacementWire>>;
}

/** `leads` are set after it was added; `day` counts from today. */
interface Bought {
  readonly nick: string;
  readonly buyer: 'anna' | 'ilya';
  readonly price: number;
  readonly leads: number;
  readonly day: number;
  readonly creative: 'recipe' | 'breakfast' | null;
  readonly paid?: true;
}

/**
 * Spent 21 600,50 of which 5 400,50 paid, 220 leads, average CPL 98,18. Anna: 8 400,50 spent, earns 10 % of it, 840,05; Ilya: 13 200
 * spent, earns 12 % of what cost at most 100 a lead, what has no leads yet among it, 1 104,00.
 */
const bought: readonly Bought[] = [
  { nick: 'kitchen_ads', buyer: 'anna', price: 5400.5, leads: 50, day: -10, creative: 'recipe', paid: true },
  { nick: 'marina_pr', buyer: 'anna', price: 3000, leads: 60, day: -5, creative: 'recipe' },
  { nick: 'food_daily', buyer: 'ilya', price: 8000, leads: 100, day: -3, creative: 'breakfast' },
  { nick: 'slow_ads', buyer: 'ilya', price: 4000, leads: 10, day: -1, creative: null },
  { nick: 'new_place', buyer: 'ilya', price: 1200, leads: 0, day: 0, creative: 'breakfast' },
];

interface BatchAnswer {
  readonly results: readonly { readonly ok: boolean; readonly placement: PlacementWire }[];
}

/** Needs Anna and Ilya in the team. */
export const givenCampaign = async (team: Team): Promise<Campaign> => {
  const { done, member } = team;
  const [anna, ilya] = [member('anna').id, member('ilya').id];
  const creativeOf = async (name: string, abbreviation: string, type: string): Promise<CreativeWire> =>
    (await done<{ creative: CreativeWire }>('POST', '/creatives', { name, abbreviation, type })).creative;
  const { channel } = await done<{ channel: ChannelWire }>('POST', '/channels', { name: 'Кухня за 15 минут' });
  const { campaign } = await done<{ campaign: CampaignWire }>('POST', '/campaigns/create-safe', {
    name: 'Ноябрь | Подписчики',
    channelId: channel.id,
    totalBudget: 420_000,
    status: 'ACTIVE',
    startDate: dayFromToday(-20),
    endDate: dayFromToday(20),
    participants: [
      { userId: anna, budget: 165_000, salaryType: 'budget', salaryRate: 10 },
      { userId: ilya, budget: 110_000, salaryType: 'performance', salaryRate: 12, cplThreshold: 100 },
    ],
  });
  const creatives = {
    recipe: await creativeOf('Рецепт за 15 минут', 'Р15', 'TEXT_WITH_VIDEO'),
    breakfast: await creativeOf('Завтраки недели', 'ЗН', 'TEXT_WITH_IMAGE'),
  };
  const adds = bought.map(({ nick, buyer, price, day, creative, paid }) => ({
    op: 'add',
    campaignId: campaign.id,
    contractor: `@${nick}`,
    buyerId: buyer === 'anna' ? anna : ilya,
    category: 'Кулинария',
    date: dayFromToday(day),
    price,
    creativeId: creative === null ? null : creatives[creative].id,
    paymentStatus: paid ? 'paid' : 'unpaid',
  }));
  const added = await done<BatchAnswer>('POST', '/placements/batch', { atomic: true, items: adds });
  const changes = bought.flatMap(({ leads }, index) =>
    leads === 0 ? [] : [{ op: 'change', placementId: added.results[index]?.placement.id, leads }],
  );
  await done('POST', '/placements/batch', { atomic: true, items: changes });
  const placements = Object.fromEntries(
    bought.flatMap(({ nick }, index) => {
      const placement = added.results[index]?.placement;
      return placement === undefined ? [] : [[nick, placement] as const];
    }),
  );
  return { channel, campaign, creatives, placements };
};
