import { codeShown } from '@zakup/credentials/testing/authenticator';
import type { CampaignWire, ChannelWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { adminAccount } from '@zakup/credentials/device-book';
import type { CommandService, Reply } from './command-service.ts';

export const ownerPassword = 'owner-password';
export const personPassword = 'person-password';

export const must = (reply: Reply): Reply => {
  if (reply.status !== 200) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  return reply;
};

/** Whom the password alone lets in: a second factor that was switched on before is forgotten. */
export const givenAdmin = async ({ call, credentials }: CommandService): Promise<string> => {
  await credentials.removeSecondFactor(adminAccount('admin'));
  return must(await call('POST', '/admin/login', { login: 'admin', password: 'admin-password' })).body.data.token;
};

export interface GivenLicence {
  readonly admin: string;
  readonly id: string;
  readonly key: string;
  readonly ownerCode: string;
  readonly ownerId: string;
  /** The owner's access token. */
  readonly owner: string;
}

/** The ticket that a right code gives to a browser. */
export const ticketOf = (reply: Reply): string => (reply.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';

export const issuedLicence = async (service: CommandService, more: object = {}) => {
  const admin = await givenAdmin(service);
  const body = {
    ownerName: 'Анна',
    ownerEmail: 'anna@example.com',
    ownerTelegram: '@anna',
    teamName: 'Команда',
    ...more,
  };
  const { license, activationCode } = must(await service.call('POST', '/admin/licenses', body, { token: admin })).body
    .data;
  return { admin, id: license.id, key: license.licenseKey, activationCode };
};

/** A licence that its owner has activated, and the owner signed in. */
export const givenLicence = async (service: CommandService, more: object = {}): Promise<GivenLicence> => {
  const { admin, id, key, activationCode } = await issuedLicence(service, more);
  const first = must(
    await service.call('POST', '/licenses/activate-step1', { licenseKey: key, twoFactorCode: activationCode }),
  );
  const step2 = { licenseKey: key, password: ownerPassword, passwordConfirm: ownerPassword };
  const headers = { Cookie: ticketOf(first) };
  const ownerCode = must(await service.call('POST', '/licenses/activate-step2', step2, { headers })).body.data
    .ceoLoginCode;
  const { token, user } = must(
    await service.call('POST', '/auth/ceo-login', { loginCode: ownerCode, password: ownerPassword }),
  ).body.data;
  return { admin, id, key, ownerCode, ownerId: user.id, owner: token };
};

export interface GivenPerson {
  readonly id: string;
  readonly authCode: string;
  readonly token: string;
}

let people = 0;

/** A person of the licence, signed in. */
export const givenPerson = async (
  service: CommandService,
  licence: GivenLicence,
  role: string,
  more: object = {},
): Promise<GivenPerson> => {
  people += 1;
  const body = {
    name: `Сотрудник ${people}`,
    email: `p${people}@example.com`,
    role,
    password: personPassword,
    ...more,
  };
  const { user, authCode } = must(await service.call('POST', '/employees/create', body, { token: licence.owner })).body
    .data;
  const { token } = must(await service.call('POST', '/auth/employee-login', { authCode, password: personPassword }))
    .body.data;
  return { id: user.id, authCode, token };
};

export const givenChannel = async ({ call }: CommandService, token: string): Promise<ChannelWire> =>
  must(await call('POST', '/channels', { name: 'Канал' }, { token })).body.data.channel;

export const givenCampaign = async (
  service: CommandService,
  token: string,
  more: object = {},
): Promise<CampaignWire> => {
  const channelId = (await givenChannel(service, token)).id;
  const body = { name: 'Весна', channelId, totalBudget: 1000, status: 'ACTIVE', ...more };
  return must(await service.call('POST', '/campaigns', body, { token })).body.data.campaign;
};

/** A campaign with a buyer, and what it takes to add a placement to it. */
export const givenBuying = async (service: CommandService, more: object = {}) => {
  const licence = await givenLicence(service, more);
  const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
  const campaign = await givenCampaign(service, licence.owner);
  const body = { campaignId: campaign.id, contractor: 'nick', buyerId: buyer.id, category: 'Мемы', price: 100 };
  return { licence, buyer, campaign, body };
};

export const givenPlacement = async ({ call }: CommandService, token: string, body: object): Promise<PlacementWire> =>
  must(await call('POST', '/placements', body, { token })).body.data.placement;

export interface GivenSecondFactor {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** What the authenticator shows so many steps of 30 seconds from now. */
  readonly code: (steps?: number) => string;
}

/** A person's second factor, on; the code of the present step was not used. */
export const givenSecondFactor = async (
  { call, clock }: Pick<CommandService, 'call' | 'clock'>,
  {
    token,
    password = personPassword,
    under = '/auth/second-factor',
  }: { readonly token: string; readonly password?: string; readonly under?: string },
): Promise<GivenSecondFactor> => {
  const begun = must(await call('POST', `${under}/begin`, { currentPassword: password }, { token }));
  const { secret } = begun.body.data;
  const code = (steps = 0): string => codeShown(secret, clock() + steps * 30_000);
  const confirmed = must(await call('POST', `${under}/confirm`, { code: code(-1) }, { token }));
  return { secret, recoveryCodes: confirmed.body.data.recoveryCodes, code };
};
