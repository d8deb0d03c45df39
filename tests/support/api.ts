import { randomUUID } from 'node:crypto';
import type {
  CampaignWire,
  ChannelWire,
  CreativeWire,
  PersonWire,
  PlacementWire,
} from '@zakup/contracts/wire-entities';
import type { ProblemBody } from '@zakup/contracts/problems';
import { adminLogin, adminPassword } from './zakup-process.ts';

export interface Envelope<Data> {
  readonly success: true;
  readonly error: null;
  readonly data: Data;
  readonly position: number;
  readonly revision: number;
  readonly commandId: string;
}

/** An answer that a test did not want. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  readonly problem: ProblemBody;
  /** Seconds, as the header says. */
  readonly retryAfter: string | null;
  constructor(call: string, { status, headers }: Pick<Response, 'status' | 'headers'>, problem: ProblemBody) {
    super(`${call}: ${status} ${problem.code} ${problem.error}`);
    this.status = status;
    this.problem = problem;
    this.retryAfter = headers.get('retry-after');
  }
}

export interface CallOptions {
  readonly token?: string | undefined;
  /** Command id; made here when absent. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** One call over real HTTP; throws `Refused` for anything but a success. */
export const call = async <Data>(
  address: string,
  method: string,
  path: string,
  body?: unknown,
  { token, key, headers, signal }: CallOptions = {},
): Promise<Envelope<Data>> => {
  const response = await fetch(`${address}/api${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(method === 'GET' ? {} : { 'Idempotency-Key': key ?? randomUUID() }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Refused(`${method} ${path}`, response, answer as ProblemBody);
  return answer as Envelope<Data>;
};

export interface SignedIn {
  readonly userId: string;
  readonly token: string;
}

export interface Team {
  readonly licenceId: string;
  readonly licenseKey: string;
  readonly owner: SignedIn;
  readonly channel: ChannelWire;
  readonly campaign: CampaignWire;
  readonly creative: CreativeWire;
  /** Two media buyers with passwords of their own. */
  readonly buyers: readonly [SignedIn, SignedIn];
}

const ownerPassword = 'owner-password';

/** Issues and activates a licence as the admin, whose password is told, and the owner would. */
export const activatedLicence = async (
  address: string,
  password: string = adminPassword,
): Promise<{ readonly licenceId: string; readonly licenseKey: string; readonly owner: SignedIn }> => {
  const admin = await call<{ token: string }>(address, 'POST', '/admin/login', {
    login: adminLogin,
    password,
  });
  const issued = await call<{ license: { id: string; licenseKey: string }; activationCode: string }>(
    address,
    'POST',
    '/admin/licenses',
    { ownerName: 'Виктор Лапин', ownerEmail: 'lapin@vkus.media', ownerTelegram: '@v_lapin', teamName: 'Вкусная среда' },
    { token: admin.data.token },
  );
  const { licenseKey, id: licenceId } = issued.data.license;
  const step1 = await fetch(`${address}/api/licenses/activate-step1`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ licenseKey, twoFactorCode: issued.data.activationCode }),
  });
  const cookie = step1.headers.get('set-cookie')?.split(';')[0] ?? '';
  const chosen = { password: ownerPassword, passwordConfirm: ownerPassword };
  await call(address, 'POST', '/licenses/activate-step2', { licenseKey, ...chosen }, { headers: { Cookie: cookie } });
  const activated = await call<{ token: string; user: PersonWire }>(address, 'POST', '/licenses/activate', {
    licenseKey,
    password: ownerPassword,
  });
  return { licenceId, licenseKey, owner: { userId: activated.data.user.id, token: activated.data.token } };
};

/** A new employee who has signed in and changed the one-time password. */
export const employee = async (
  address: string,
  owner: SignedIn,
  person: { readonly name: string; readonly email: string; readonly role: string },
): Promise<SignedIn> => {
  const made = await call<{ user: PersonWire; authCode: string; temporaryPassword: string }>(
    address,
    'POST',
    '/employees/create',
    person,
    { token: owner.token },
  );
  const { authCode, temporaryPassword, user } = made.data;
  const first = await call<{ token: string }>(address, 'POST', '/auth/employee-login', {
    authCode,
    password: temporaryPassword,
  });
  const change = { currentPassword: temporaryPassword, newPassword: `password-${user.id}` };
  const changed = await call<{ token: string }>(address, 'POST', '/auth/password', change, { token: first.data.token });
  return { userId: user.id, token: changed.data.token };
};

/** A team ready to buy: channel, active campaign with a budget, creative, two buyers. */
export const team = async (address: string): Promise<Team> => {
  const licence = await activatedLicence(address);
  const { owner } = licence;
  const options = { token: owner.token };
  const { channel } = (
    await call<{ channel: ChannelWire }>(address, 'POST', '/channels', { name: 'Кухня за 15 минут' }, options)
  ).data;
  const anna = await employee(address, owner, { name: 'Анна Соколова', email: 'anna@vkus.media', role: 'MEDIA_BUYER' });
  const ilya = await employee(address, owner, { name: 'Илья Кравцов', email: 'ilya@vkus.media', role: 'MEDIA_BUYER' });
  const wanted = {
    name: 'Ноябрь | Подписчики',
    channelId: channel.id,
    totalBudget: 420_000,
    status: 'ACTIVE',
    participants: [
      { userId: anna.userId, budget: 165_000, salaryType: 'budget', salaryRate: 10 },
      { userId: ilya.userId, budget: 110_000, salaryType: 'performance', salaryRate: 12, cplThreshold: 100 },
    ],
  };
  const { campaign } = (
    await call<{ campaign: CampaignWire }>(address, 'POST', '/campaigns/create-safe', wanted, options)
  ).data;
  const { creative } = (
    await call<{ creative: CreativeWire }>(
      address,
      'POST',
      '/creatives',
      { name: 'Рецепт за 15 минут', abbreviation: 'Р15', type: 'TEXT_WITH_VIDEO' },
      options,
    )
  ).data;
  return { ...licence, channel, campaign, creative, buyers: [anna, ilya] };
};

export const addPlacement = (
  address: string,
  buyer: SignedIn,
  placement: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
): Promise<Envelope<{ placement: PlacementWire }>> =>
  call(
    address,
    'POST',
    '/placements',
    { buyerId: buyer.userId, category: 'Кулинария', ...placement },
    { token: buyer.token, ...options },
  );
