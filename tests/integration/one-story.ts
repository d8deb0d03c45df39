import type { SignedIn, Team } from '../support/api.ts';
import { activatedLicence, employee, team } from '../support/api.ts';
import { adminLogin, adminPassword } from '../support/zakup-process.ts';

/** An answer as it came, wanted or not. */
export interface Told {
  readonly said: string;
  readonly status: number;
  readonly body: unknown;
}

interface Ask {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token: string;
  readonly key?: string;
}

/** One call over real HTTP, whatever it is answered. */
export const ask = async (address: string, said: string, { method, path, body, token, key }: Ask): Promise<Told> => {
  const response = await fetch(`${address}/api${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { said, status: response.status, body: await response.json() };
};

export interface Cast {
  readonly admin: string;
  readonly crew: Team;
  readonly analyst: SignedIn;
  /** Of another licence. */
  readonly stranger: SignedIn;
  readonly strangersLicence: string;
}

/** What the story made, by the names that it gave. */
type Made = Readonly<Record<string, string>>;

interface Step {
  readonly who: 'owner' | 'anna' | 'analyst' | 'stranger' | 'admin';
  readonly method: string;
  readonly path: (made: Made) => string;
  readonly body?: (made: Made) => unknown;
  /** The key of an earlier step, by its number from 0. */
  readonly keyOf?: number;
  /** Keeps the id that the answer carries in this member of `data`, and the command's id under `<name>.command`. */
  readonly makes?: readonly [name: string, member: string];
}

const on =
  (text: string) =>
  (made: Made): string =>
    text.replaceAll(/\{([\w.]+)\}/gu, (_, name: string) => made[name] ?? `no-${name}`);
const post = (who: Step['who'], path: string, body?: Step['body'], makes?: Step['makes']): Step => ({
  who,
  method: 'POST',
  path: on(path),
  ...(body === undefined ? {} : { body }),
  ...(makes === undefined ? {} : { makes }),
});
const send = (method: string, who: Step['who'], path: string, body?: Step['body']): Step => ({
  ...post(who, path, body),
  method,
});
const placement = (made: Made, contractor: string, price: number, more: object = {}) => ({
  campaignId: made['campaign'],
  buyerId: made['anna'],
  category: 'Кулинария',
  contractor,
  price,
  date: '2026-11-19',
  ...more,
});

/**
 * Every kind of change that people make, and refusals among them. A command makes at most one entity of a kind, so that no order in any
 * answer hangs on random ids.
 */
const story: readonly Step[] = [
  post('owner', '/channels', () => ({ name: 'Дача' }), ['channel', 'channel']),
  send('PUT', 'owner', '/channels/{channel}', () => ({ name: 'Дача и сад', baseRevision: 0 })),
  post('owner', '/channels', () => ({ name: 'Лишний' }), ['spare', 'channel']),
  send('DELETE', 'owner', '/channels/{spare}'),
  post('owner', '/creatives', () => ({ name: 'Грядки', type: 'TEXT_ONLY', notes: 'Черновик' }), [
    'creative',
    'creative',
  ]),
  send('PUT', 'owner', '/creatives/{creative}', () => ({ notes: 'Готов', abbreviation: 'ГР' })),
  post('owner', '/creatives', () => ({ name: 'Старый' }), ['old', 'creative']),
  send('DELETE', 'owner', '/creatives/{old}'),
  post(
    'owner',
    '/campaigns',
    ({ channel, anna, ilya }) => ({
      name: 'Весна',
      channelId: channel,
      totalBudget: '250 000,50',
      status: 'ACTIVE',
      startDate: '2026-11-01',
      endDate: '2026-12-31',
      participants: [
        { userId: anna, budget: 100_000, salaryType: 'percentage', salaryRate: 7.5 },
        { userId: ilya, budget: 50_000 },
      ],
    }),
    ['campaign', 'campaign'],
  ),
  send('PUT', 'owner', '/campaigns/{campaign}', () => ({
    name: 'Весна и лето',
    totalBudget: 300_000,
    baseRevision: 0,
  })),
  post('owner', '/contractors', () => ({ adminUsername: '@garden_ads', channelName: 'Сад', category: 'Юмор' }), [
    'contractor',
    'contractor',
  ]),
  send('PUT', 'owner', '/contractors/{contractor}', () => ({ channelName: 'Сад и огород' })),
  post('anna', '/contractors/{contractor}/notes', () => ({ note: 'Отвечает утром' }), ['note', 'note']),
  post('anna', '/contractors/{contractor}/notes', () => ({ note: 'Скидка 10 %' }), ['kept', 'note']),
  send('DELETE', 'anna', '/contractors/{contractor}/notes/{note}'),
  post('anna', '/placements', (made) => placement(made, '@garden_ads', 1200.5), ['first', 'placement']),
  post(
    'anna',
    '/placements',
    (made) => placement(made, 'https://t.me/Flower_Bed', 800, { creativeId: made['creative'] }),
    ['second', 'placement'],
  ),
  post('anna', '/placements', (made) => placement(made, '@greenhouse', 450.25, { paymentStatus: 'paid' }), [
    'third',
    'placement',
  ]),
  {
    ...post('anna', '/placements', (made) => placement(made, '@greenhouse', 450.25, { paymentStatus: 'paid' })),
    keyOf: 17,
  },
  { ...post('anna', '/placements', (made) => placement(made, '@greenhouse', 1)), keyOf: 17 },
  post('anna', '/placements', (made) => placement(made, '', -1)),
  send('PATCH', 'anna', '/placements/{first}', () => ({ price: 1300, leads: 13, baseRevision: 0 })),
  send('PATCH', 'owner', '/placements/{first}', () => ({ price: 1400, baseRevision: 0 })),
  send('PATCH', 'anna', '/placements/{first}', () => ({ status: 'DONE', date: '2026-11-20', format: '1/48' })),
  send('PATCH', 'anna', '/placements/{second}', ({ ilya }) => ({ contractor: '@new_nick', leads: 4, buyerId: ilya })),
  post('anna', '/placements/{first}/payment', () => ({})),
  post('anna', '/placements/{third}/payment', () => ({ paymentStatus: 'unpaid' })),
  send('DELETE', 'anna', '/placements/{third}'),
  post('anna', '/placements/{third}/restore'),
  post(
    'owner',
    '/placements/batch',
    (made) => ({
      atomic: true,
      items: [
        { op: 'add', ...placement(made, '@batch_nick', 99.99) },
        { op: 'change', placementId: made['first'], leads: 20 },
        { op: 'payment', placementId: made['second'], paymentStatus: 'paid' },
        { op: 'delete', placementId: made['third'] },
      ],
    }),
    ['batch', ''],
  ),
  post('owner', '/placements/batch', (made) => ({
    atomic: true,
    items: [
      { op: 'change', placementId: made['first'], leads: 21 },
      { op: 'change', placementId: 'nobodys', leads: 1 },
    ],
  })),
  post('owner', '/undo', (made) => ({ commandId: made['batch.command'] }), ['undone', '']),
  post('owner', '/undo', (made) => ({ commandId: made['undone.command'] })),
  post('stranger', '/placements/{first}/payment', () => ({})),
  send('PATCH', 'stranger', '/placements/{first}', () => ({ price: 1 })),
  post('owner', '/employees/create', () => ({ name: 'Пётр Временный', email: 'petr@vkus.media', role: 'TEAM_LEAD' }), [
    'petr',
    'user',
  ]),
  send('PUT', 'owner', '/users/{petr}', () => ({ name: 'Пётр Постоянный', salaryType: 'budget', salaryRate: 5 })),
  post('owner', '/users/{petr}/reissue-code'),
  post('owner', '/users/{petr}/temporary-password'),
  send('DELETE', 'owner', '/users/{petr}'),
  post('anna', '/employees/create', () => ({ name: 'Нельзя', email: 'no@vkus.media', role: 'CEO' })),
  send('PUT', 'owner', '/license/settings', () => ({ countZeroLeads: true, leadValue: 150 })),
  post('owner', '/license/renewal-request'),
  post('owner', '/contractors', () => ({ adminUsername: '@twin_ads' }), ['twin', 'contractor']),
  post('owner', '/contractors/{twin}/merge', ({ contractor }) => ({ intoId: contractor })),
  post('owner', '/campaigns', ({ channel }) => ({ name: 'Черновик', channelId: channel }), ['draft', 'campaign']),
  send('DELETE', 'owner', '/campaigns/{draft}'),
  post('owner', '/campaigns/{draft}/restore'),
  post('owner', '/campaigns/{campaign}/complete'),
  send('PATCH', 'anna', '/placements/{first}', () => ({ price: 1 })),
  post('owner', '/campaigns/{campaign}/reopen'),
  post('stranger', '/channels', () => ({ name: 'Чужой канал' }), ['theirs', 'channel']),
  send('PUT', 'stranger', '/channels/{channel}', () => ({ name: 'Не моё' })),
  post('admin', '/admin/licenses/{strangers}/renew', () => ({ expiresAt: '2028-01-01' })),
  post('admin', '/admin/licenses/{strangers}/suspend', () => ({ reason: 'Не оплачено' })),
  post('admin', '/admin/licenses/{strangers}/resume'),
  send('DELETE', 'owner', '/auth/sessions'),
  send('DELETE', 'anna', '/auth/sessions'),
  send('DELETE', 'analyst', '/auth/sessions'),
];

/** Fixed, so that ids that are derived from it differ only as their owners' do. */
const keyOf = (step: number): string => `00000000-0000-4000-8000-${String(step).padStart(12, '0')}`;

/** Issues two licences and lets the people of one sign in. */
export const assembled = async (address: string): Promise<Cast> => {
  const admin = await ask(address, 'admin', {
    method: 'POST',
    path: '/admin/login',
    body: { login: adminLogin, password: adminPassword },
    token: '',
  });
  const crew = await team(address);
  const analyst = await employee(address, crew.owner, {
    name: 'Ольга Цифрова',
    email: 'olga@vkus.media',
    role: 'ANALYTIC',
  });
  const other = await activatedLicence(address);
  return {
    admin: (admin.body as { data: { token: string } }).data.token,
    crew,
    analyst,
    stranger: other.owner,
    strangersLicence: other.licenceId,
  };
};

/** Sends the story; every answer, and what it made. */
export const toldStory = async (
  address: string,
  { admin, crew, analyst, stranger, strangersLicence }: Cast,
): Promise<{ readonly answers: readonly Told[]; readonly made: Made; readonly position: number }> => {
  const [anna, ilya] = crew.buyers;
  const made: Record<string, string> = { anna: anna.userId, ilya: ilya.userId, strangers: strangersLicence };
  const tokens = {
    owner: crew.owner.token,
    anna: anna.token,
    analyst: analyst.token,
    stranger: stranger.token,
    admin,
  };
  const answers: Told[] = [];
  let position = 0;
  for (const [index, { who, method, path, body, keyOf: earlier, makes }] of story.entries()) {
    const told = await ask(address, `${index} ${who} ${method} ${path({})}`, {
      method,
      path: path(made),
      ...(body === undefined ? {} : { body: body(made) }),
      token: tokens[who],
      key: keyOf(earlier ?? index),
    });
    answers.push(told);
    const answer = told.body as { data?: Record<string, { id?: string }>; commandId?: string; position?: number };
    if (makes !== undefined && answer.data !== undefined) {
      const [name, member] = makes;
      made[name] = answer.data[member]?.id ?? '';
      made[`${name}.command`] = answer.commandId ?? '';
    }
    position = Math.max(position, answer.position ?? 0);
  }
  return { answers, made, position };
};

/** Every read there is of what the story made, for each kind of person. Left out: `/admin/health`, which tells of the edition itself. */
export const reads = async (address: string, cast: Cast, made: Made, position: number): Promise<readonly Told[]> => {
  const { crew, analyst, stranger, admin } = cast;
  const campaigns = [crew.campaign.id, made['campaign'], made['draft']];
  const paths = [
    '/users',
    '/users?includeInactive=true',
    '/channels',
    '/campaigns',
    '/creatives',
    '/creatives?includeInactive=true',
    '/contractors',
    '/contractors?includeInactive=true',
    '/license',
    '/license?reveal=true',
    '/auth/session',
    '/auth/sessions',
    '/notifications',
    '/search?q=garden',
    ...campaigns.flatMap((id) => [
      `/campaigns/${id}/placements?sortBy=createdAt`,
      `/campaigns/${id}/placements?sortBy=price&sortOrder=desc&pageSize=2`,
      `/campaigns/${id}/placements?search=garden`,
      `/campaigns/${id}/analytics`,
      `/campaigns/${id}/earnings`,
    ]),
    ...['first', 'second', 'third'].flatMap((name) => [
      `/placements/${made[name]}`,
      `/placements/${made[name]}/history`,
    ]),
    ...['contractor', 'twin'].map((name) => `/contractors/${made[name]}`),
  ];
  const people = { owner: crew.owner, anna: crew.buyers[0], analyst, stranger };
  const told: Told[] = [];
  for (const [who, { token }] of Object.entries(people)) {
    for (const [index, path] of paths.entries()) {
      const waiting = `${path}${path.includes('?') ? '&' : '?'}after=${position}`;
      told.push(await ask(address, `${who} reads ${index}`, { method: 'GET', path: waiting, token }));
    }
    for (const part of ['placements', 'analytics']) {
      const past = `/campaigns/${crew.campaign.id}/${part}?at=${position}`;
      told.push(await ask(address, `${who} reads ${part} of then`, { method: 'GET', path: past, token }));
    }
  }
  told.push(await ask(address, 'admin reads', { method: 'GET', path: '/admin/licenses', token: admin }));
  return told;
};
