import { randomUUID } from 'node:crypto';
import type { CallName } from '@zakup/contracts/calls/calls';
import {
  givenAdmin,
  givenLicence,
  givenPerson,
  givenSecondFactor,
  issuedLicence,
  ownerPassword,
  personPassword,
  ticketOf,
} from '@zakup/command/testing/given';
import { adminAccount } from '@zakup/credentials/device-book';
import { codeShown } from '@zakup/credentials/testing/authenticator';
import type { Actor, Team } from './team.ts';

/** What a request is made of. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the actor's own. */
  readonly token?: string;
}

/** A valid request of this person, about things that are made for it where it uses them up. */
type Example = (team: Team, actor: Actor) => Sent | Promise<Sent>;

const nothing: Example = () => ({});
const aCampaign: Example = ({ campaign }) => ({ params: { id: campaign.id } });

const newPlacement = async ({ done, placementBody }: Team): Promise<string> =>
  (await done('POST', '/placements', placementBody)).placement.id;
const newCampaign = async ({ done, campaign, fresh }: Team): Promise<string> =>
  (await done('POST', '/campaigns', { name: fresh('Кампания '), channelId: campaign.channelId, status: 'ACTIVE' }))
    .campaign.id;
const newChannel = async ({ done, fresh }: Team): Promise<string> =>
  (await done('POST', '/channels', { name: fresh('Канал ') })).channel.id;
const newCreative = async ({ done, fresh }: Team): Promise<string> =>
  (await done('POST', '/creatives', { name: fresh('Креатив ') })).creative.id;
const newContractor = async ({ done, fresh }: Team): Promise<string> =>
  (await done('POST', '/contractors', { adminUsername: fresh('@seller') })).contractor.id;
/** Of whoever asks; the owner's of one who may import nothing. */
const importBy = async (team: Team, token: string): Promise<string> =>
  (await team.done('POST', `/campaigns/${await newCampaign(team)}/import`, 'Ник;Тематика', { token })).import.id;
/** Of who asks, of the owner where an analyst does. */
const newImport = (team: Team, { token, person }: Actor): Promise<string> =>
  importBy(team, person.role === 'ANALYTIC' ? team.owner.token : token);
/** Of who asks; an analyst, who cannot import, has it from a time as a buyer. */
const ownImport = async (team: Team, { id, token, person }: Actor): Promise<string> => {
  if (person.role !== 'ANALYTIC') return importBy(team, token);
  await team.done('PUT', `/users/${id}`, { role: 'MEDIA_BUYER' });
  const own = await importBy(team, token);
  await team.done('PUT', `/users/${id}`, { role: 'ANALYTIC' });
  return own;
};
const employeeBody = ({ fresh }: Team) => ({
  name: 'Олег',
  email: `${fresh('employee')}@example.com`,
  role: 'MEDIA_BUYER',
  password: 'employee-password',
});
const newEmployee = async (team: Team): Promise<string> =>
  (await team.done('POST', '/employees/create', employeeBody(team))).user.id;
const somebodySignedIn = async (team: Team): Promise<{ readonly id: string }> => {
  const { authCode, user } = await team.done('POST', '/employees/create', employeeBody(team));
  await team.done('POST', '/auth/employee-login', { authCode, password: 'employee-password' });
  return user;
};
/** Somebody just hired. */
const somebodyNew = async (team: Team) => {
  const { authCode } = await team.done('POST', '/employees/create', employeeBody(team));
  const password = 'employee-password';
  const signIn = () => team.done('POST', '/auth/employee-login', { authCode, password });
  const { token, user } = await signIn();
  return { signIn, password, token, id: user.id };
};
/** Shows both secrets of somebody who has them. */
const proven: Example = async (team) => {
  const { token, password } = await somebodyNew(team);
  const { recoveryCodes } = await givenSecondFactor(team.api, { token, password });
  return { token, body: { currentPassword: password, code: recoveryCodes[0] } };
};
const adminPassword = 'admin-password';
/** The team's session of the admin, without a second factor: the one that sets it up is the only one to outlive that. */
const adminAlone = async ({ api, admin }: Team): Promise<string> => {
  await api.credentials.removeSecondFactor(adminAccount('admin'));
  return admin;
};
/** The one admin's second factor, switched on anew; whoever is `givenAdmin` later finds it forgotten. */
const adminSecondFactor = async (team: Team) => {
  const { api } = team;
  const token = await adminAlone(team);
  return {
    token,
    ...(await givenSecondFactor(api, { token, password: adminPassword, under: '/admin/second-factor' })),
  };
};
const provenAdmin: Example = async (team) => {
  const { token, recoveryCodes } = await adminSecondFactor(team);
  return { token, body: { currentPassword: adminPassword, code: recoveryCodes[0] } };
};
/** The token of somebody's first secret in a licence in which everybody must have a second factor. */
const waitingForSetUp = async (api: Team['api']): Promise<string> => {
  const licence = await givenLicence(api);
  const { authCode } = await givenPerson(api, licence, 'ANALYTIC');
  await givenSecondFactor(api, { token: licence.owner, password: ownerPassword });
  await api.call('PUT', '/license/settings', { secondFactorForAll: true }, { token: licence.owner });
  const signedIn = await api.call('POST', '/auth/employee-login', { authCode, password: personPassword });
  return signedIn.body.data.token;
};
const newLicence = async ({ api }: Team): Promise<string> => (await issuedLicence(api)).id;

/** Nobody listens there. */
const webhookBody = { url: 'http://127.0.0.1:9/hook', events: ['*'] };
/** A licence has so many. */
const roomForWebhooks = async ({ done, licence, api }: Team): Promise<void> => {
  const all = await api.credentials.webhooks.ofLicence(licence.id);
  const [oldest, ...others] = all.toSorted((a, b) => a.version - b.version);
  if (oldest !== undefined && others.length > 10) await done('DELETE', `/webhooks/${oldest.id}`);
};
const newWebhook = async (team: Team): Promise<string> => {
  await roomForWebhooks(team);
  return (await team.done('POST', '/webhooks', webhookBody)).webhook.id;
};

const about =
  (made: (team: Team, actor: Actor) => Promise<string>, body?: unknown): Example =>
  async (team, actor) => ({ params: { id: await made(team, actor) }, ...(body !== undefined && { body }) });

const licenceBody = { ownerName: 'Анна', ownerEmail: 'anna@example.com', ownerTelegram: '@anna', teamName: 'Команда' };
const campaignBody = ({ campaign, fresh }: Team) => ({ name: fresh('Кампания '), channelId: campaign.channelId });

/** One valid request for every call: a call without one does not compile. */
export const examples: Readonly<Record<CallName, Example>> = {
  'POST /auth/employee-login': async (team) => {
    const body = employeeBody(team);
    const { authCode } = await team.done('POST', '/employees/create', body);
    return { body: { authCode, password: body.password } };
  },
  'POST /auth/ceo-login': ({ licence, owner }) => ({
    body: { loginCode: licence.ownerCode, password: owner.password },
  }),
  'POST /auth/login-code': async (team) => {
    await team.done('PUT', '/license/settings', { codeOnlyLogin: true });
    const { authCode } = await team.done('POST', '/employees/create', employeeBody(team));
    return { body: { authCode } };
  },
  'POST /auth/second-factor': async (team) => {
    const { token, password, signIn } = await somebodyNew(team);
    const { code } = await givenSecondFactor(team.api, { token, password });
    return { token: (await signIn()).token, body: { code: code() } };
  },
  'POST /auth/second-factor/set-up': async ({ api }) => ({ token: await waitingForSetUp(api) }),
  'POST /auth/second-factor/set-up/confirm': async ({ api }) => {
    const token = await waitingForSetUp(api);
    const { secret } = (await api.call('POST', '/auth/second-factor/set-up', {}, { token })).body.data;
    return { token, body: { code: codeShown(secret, api.clock()) } };
  },
  'POST /auth/refresh': async ({ owner }) => ({ body: { refreshToken: (await owner.signInAgain()).refreshToken } }),

  'POST /licenses/request-code': ({ licence }) => ({ body: { licenseKey: licence.key } }),
  'POST /licenses/activate-step1': async ({ api }) => {
    const { key, activationCode } = await issuedLicence(api);
    return { body: { licenseKey: key, twoFactorCode: activationCode } };
  },
  'POST /licenses/activate-step2': async ({ api }) => {
    const { key, activationCode } = await issuedLicence(api);
    const code = { licenseKey: key, twoFactorCode: activationCode };
    const ticket = ticketOf(await api.call('POST', '/licenses/activate-step1', code));
    const password = 'owner-password';
    return { body: { licenseKey: key, password, passwordConfirm: password }, headers: { Cookie: ticket } };
  },
  'POST /licenses/activate': ({ licence, owner }) => ({ body: { licenseKey: licence.key, password: owner.password } }),

  'GET /auth/session': nothing,
  'GET /auth/sessions': nothing,
  'DELETE /auth/sessions': async (team) => {
    const { authCode } = await team.done('POST', '/employees/create', employeeBody(team));
    const body = { authCode, password: 'employee-password' };
    return { token: (await team.done('POST', '/auth/employee-login', body)).token };
  },
  'DELETE /auth/sessions/{id}': async ({ api }, actor) => {
    const open = async () => (await api.credentials.sessionsOf(actor.id, api.clock())).map(({ id }) => id);
    const before = new Set(await open());
    await actor.signInAgain();
    return { params: { id: (await open()).find((id) => !before.has(id)) ?? '' } };
  },
  'GET /users/{id}/sessions': ({ actors }) => ({ params: { id: actors.MEDIA_BUYER.id } }),
  'DELETE /users/{id}/sessions': async (team) => ({ params: { id: (await somebodySignedIn(team)).id } }),
  'DELETE /users/{id}/sessions/{session}': async (team) => {
    const { id } = await somebodySignedIn(team);
    const [session] = await team.api.credentials.sessionsOf(id, team.api.clock());
    return { params: { id, session: session?.id ?? '' } };
  },
  'POST /auth/logout': async (_team, actor) => ({ token: (await actor.signInAgain()).token }),
  'POST /auth/password': async (team) => {
    const { authCode } = await team.done('POST', '/employees/create', employeeBody(team));
    const body = { authCode, password: 'employee-password' };
    const { token } = await team.done('POST', '/auth/employee-login', body);
    return { token, body: { currentPassword: body.password, newPassword: 'another-password' } };
  },
  'GET /auth/second-factor': nothing,
  'POST /auth/second-factor/begin': async (team) => {
    const { token, password } = await somebodyNew(team);
    return { token, body: { currentPassword: password } };
  },
  'POST /auth/second-factor/confirm': async (team) => {
    const { token, password } = await somebodyNew(team);
    const begun = await team.api.call('POST', '/auth/second-factor/begin', { currentPassword: password }, { token });
    return { token, body: { code: codeShown(begun.body.data.secret, team.api.clock()) } };
  },
  'POST /auth/second-factor/off': proven,
  'POST /auth/second-factor/recovery-codes': proven,

  'GET /campaigns/{id}/placements': ({ campaign }) => ({
    params: { id: campaign.id },
    query: { sortBy: 'price', sortOrder: 'desc', page: '1', pageSize: '20', paymentStatus: 'unpaid' },
  }),
  'GET /campaigns/{id}/export': ({ campaign }) => ({
    params: { id: campaign.id },
    query: { format: 'csv', sortBy: 'contractorId', paymentStatus: 'unpaid', placementFormat: '1/24' },
  }),
  'GET /placements/{id}': ({ placement }) => ({ params: { id: placement.id } }),
  'POST /placements': ({ placementBody }) => ({ body: placementBody }),
  'PATCH /placements/{id}': about(newPlacement, { baseRevision: 0, price: '250,50', leads: 3, status: 'PUBLISHED' }),
  'POST /placements/{id}/payment': about(newPlacement, { baseRevision: 0, paymentStatus: 'paid' }),
  'DELETE /placements/{id}': async (team) => ({
    params: { id: await newPlacement(team) },
    query: { baseRevision: '0' },
  }),
  'POST /placements/{id}/restore': async (team) => {
    const id = await newPlacement(team);
    await team.done('DELETE', `/placements/${id}`);
    return { params: { id } };
  },
  'POST /campaigns/{id}/import': async (team) => ({ params: { id: await newCampaign(team) }, body: 'Ник;Тематика' }),
  'GET /imports': nothing,
  'GET /imports/{id}': about(ownImport),
  'DELETE /imports/{id}': about(newImport),
  'POST /placements/batch': async (team) => {
    const [first, second] = [await newPlacement(team), await newPlacement(team)];
    return {
      body: {
        atomic: false,
        items: [
          { op: 'add', ...team.placementBody },
          { op: 'change', placementId: first, baseRevision: 0, leads: 5 },
          { op: 'payment', placementId: first },
          { op: 'delete', placementId: second },
          { op: 'restore', placementId: second },
          { op: 'delete', placementId: 'none' },
        ],
      },
    };
  },
  'POST /undo': async ({ contractor, done }, { token }) => {
    const commandId = randomUUID();
    await done('POST', `/contractors/${contractor.id}/notes`, { note: 'Передумаю' }, { token, key: commandId });
    return { body: { commandId } };
  },

  'GET /placements/{id}/history': ({ placement }) => ({ params: { id: placement.id } }),
  'GET /timeline': ({ campaign }) => ({ query: { campaign: campaign.id, around: '7' } }),
  'GET /audit': ({ campaign, actors }) => ({
    query: {
      campaign: campaign.id,
      person: actors.CEO.id,
      field: 'price',
      source: 'api',
      search: 'seller',
      limit: '5',
    },
  }),
  'GET /audit/{position}/moves': async ({ api, owner, placement }) => {
    const { body } = await api.call('GET', `/placements/${placement.id}/history`, undefined, owner);
    const [added] = (body.data as unknown as { entries: readonly { position: number }[] }).entries;
    return { params: { position: String(added?.position) } };
  },
  'GET /campaigns/{id}/events': aCampaign,

  'GET /campaigns': nothing,
  'POST /campaigns': (team) => ({ body: campaignBody(team) }),
  'POST /campaigns/create-safe': (team) => ({
    body: {
      ...campaignBody(team),
      totalBudget: 1000,
      startDate: '2026-11-01',
      endDate: null,
      participants: [{ userId: team.actors.MEDIA_BUYER.id, budget: 5, cplThreshold: 100 }],
    },
  }),
  'PUT /campaigns/{id}': about(newCampaign, { baseRevision: 0, name: 'Лето', budget: '2 000' }),
  'DELETE /campaigns/{id}': about(newCampaign),
  'POST /campaigns/{id}/complete': about(newCampaign),
  'POST /campaigns/{id}/reopen': async (team) => {
    const id = await newCampaign(team);
    await team.done('POST', `/campaigns/${id}/complete`);
    return { params: { id } };
  },
  'POST /campaigns/{id}/restore': async (team) => {
    const id = await newCampaign(team);
    await team.done('DELETE', `/campaigns/${id}`);
    return { params: { id } };
  },
  'GET /campaigns/{id}/analytics': aCampaign,
  'GET /campaigns/{id}/earnings': aCampaign,

  'GET /channels': nothing,
  'POST /channels': ({ fresh }) => ({ body: { name: fresh('Канал '), avatar: null } }),
  'PUT /channels/{id}': about(newChannel, { baseRevision: 0, name: 'Другой' }),
  'DELETE /channels/{id}': about(newChannel),

  'GET /creatives': () => ({ query: { includeInactive: 'true' } }),
  'GET /creatives/{id}/results': ({ creative }) => ({ params: { id: creative.id } }),
  'POST /creatives': ({ fresh }) => ({ body: { name: fresh('Креатив '), type: 'TEXT_WITH_IMAGE', notes: 'Новый' } }),
  'PUT /creatives/{id}': about(newCreative, { baseRevision: 0, abbreviation: 'КТ', isActive: true }),
  'DELETE /creatives/{id}': about(newCreative),

  'GET /contractors': () => ({ query: { includeInactive: 'false' } }),
  'GET /contractors/{id}': ({ placement, campaign }) => ({
    params: { id: placement.contractorId },
    query: { channelId: campaign.channelId },
  }),
  'POST /contractors': ({ fresh }) => ({ body: { adminUsername: fresh('t.me/Seller_'), category: 'Мемы' } }),
  'PUT /contractors/{id}': about(newContractor, { baseRevision: 0, channelName: 'Другой' }),
  'POST /contractors/{id}/merge': async (team) => ({
    params: { id: await newContractor(team) },
    body: { baseRevision: 0, intoId: await newContractor(team) },
  }),
  'POST /contractors/{id}/notes': ({ contractor }) => ({
    params: { id: contractor.id },
    body: { note: 'Торгуется' },
  }),
  'POST /views': ({ fresh }) => ({ body: { name: fresh('Вид '), query: 'payment=unpaid&sort=-date' } }),
  'PUT /views/{id}': async ({ done, fresh }, { token }) => {
    const { view } = await done('POST', '/views', { name: fresh('Вид '), query: 'sort=date' }, { token });
    return { params: { id: view.id }, body: { name: fresh('Иначе '), query: 'sort=date&group=week' } };
  },
  'DELETE /views/{id}': async ({ done, fresh }, { token }) => {
    const { view } = await done('POST', '/views', { name: fresh('Вид '), query: 'sort=date' }, { token });
    return { params: { id: view.id } };
  },
  'DELETE /contractors/{id}/notes/{noteId}': async ({ contractor, done }, { token }) => {
    const { note } = await done('POST', `/contractors/${contractor.id}/notes`, { note: 'Ошибка' }, { token });
    return { params: { id: contractor.id, noteId: note.id } };
  },

  'GET /users': () => ({ query: { includeInactive: 'true' } }),
  'GET /users/activity': nothing,
  'POST /employees/create': (team) => ({ body: employeeBody(team) }),
  'PUT /users/{id}': about(newEmployee, { baseRevision: 0, name: 'Олег Новый', permissions: '{"dashboard":true}' }),
  'DELETE /users/{id}': about(newEmployee),
  'POST /users/{id}/reissue-code': about(newEmployee),
  'POST /users/{id}/temporary-password': about(newEmployee),
  'GET /users/{id}/second-factor': ({ actors }) => ({ params: { id: actors.MEDIA_BUYER.id } }),
  'DELETE /users/{id}/second-factor': async (team) => {
    const { id, token, password } = await somebodyNew(team);
    await givenSecondFactor(team.api, { token, password });
    return { params: { id } };
  },

  'GET /reports/salary': ({ campaign, actors }) => ({
    query: {
      campaign: campaign.id,
      userId: actors.MEDIA_BUYER.id,
      from: '2026-01-01',
      to: '2100-12-31',
      pageSize: '5',
    },
  }),
  'GET /reports/salary/events': ({ campaign, actors }) => ({
    query: { userId: actors.ANALYTIC.id, campaign: campaign.id },
  }),
  'GET /reports/salary/lineage': ({ campaign, actors }) => ({
    query: { userId: actors.ANALYTIC.id, campaign: campaign.id, pageSize: '5' },
  }),
  'GET /reports/salary/lineage/export': ({ actors }) => ({
    query: { format: 'csv', userId: actors.ANALYTIC.id, from: '2026-01-01' },
  }),
  'GET /campaigns/{id}/lineage/export': ({ campaign }) => ({
    params: { id: campaign.id },
    query: { format: 'csv', figure: 'paid' },
  }),
  'GET /contractors/{id}/lineage/export': ({ placement }) => ({
    params: { id: placement.contractorId },
    query: { format: 'csv', figure: 'spent' },
  }),
  'GET /creatives/{id}/lineage/export': ({ creative }) => ({
    params: { id: creative.id },
    query: { format: 'csv', figure: 'spent', size: 'small' },
  }),
  'GET /license/lineage/export': () => ({ query: { format: 'xlsx', figure: 'channels' } }),
  'GET /campaigns/{id}/lineage': ({ campaign, actors }) => ({
    params: { id: campaign.id },
    query: { figure: 'spent', userId: actors.MEDIA_BUYER.id, page: '1', pageSize: '5' },
  }),
  'GET /contractors/{id}/lineage': ({ placement }) => ({
    params: { id: placement.contractorId },
    query: { figure: 'cpl' },
  }),
  'GET /creatives/{id}/lineage': ({ creative }) => ({
    params: { id: creative.id },
    query: { figure: 'cpl', size: 'small' },
  }),
  'GET /license/lineage': () => ({ query: { figure: 'budgets' } }),
  'GET /profile/statement': ({ campaign }) => ({ query: { campaign: campaign.id, from: '2026-01-01' } }),

  'GET /views': nothing,
  'GET /notifications': nothing,
  'POST /notifications/read': () => ({ body: { upTo: 1 } }),

  'GET /search': () => ({ query: { q: '@SELL', limit: '3' } }),

  'GET /keys': nothing,
  'POST /keys': ({ fresh }) => ({ body: { name: fresh('Ключ '), access: 'read', expiresAt: '2100-01-01' } }),
  'DELETE /keys/{id}': async ({ done, fresh }) => {
    const { key } = await done('POST', '/keys', { name: fresh('Ключ '), access: 'write' });
    return { params: { id: key.id } };
  },

  'GET /webhooks': nothing,
  'POST /webhooks': async (team) => {
    await roomForWebhooks(team);
    return { body: webhookBody };
  },
  'PUT /webhooks/{id}': about(newWebhook, { ...webhookBody, events: ['PlacementAdded'], status: 'paused' }),
  'DELETE /webhooks/{id}': about(newWebhook),
  'GET /webhooks/{id}/deliveries': about(newWebhook),
  'POST /webhooks/{id}/deliveries/{position}/resend': async (team) => {
    const { api, fresh, owner } = team;
    const { body } = await api.call('POST', '/channels', { name: fresh('Канал ') }, { token: owner.token });
    return { params: { id: await newWebhook(team), position: String(body.position) } };
  },
  'POST /webhooks/{id}/replay': about(newWebhook, { after: 0 }),
  'POST /webhooks/{id}/test': about(newWebhook),

  'GET /license': nothing,
  'GET /license/history-bundle': nothing,
  'GET /license/export': nothing,
  'PUT /license/settings': () => ({ body: { leadValue: 150, countZeroLeads: true } }),
  'POST /license/renewal-request': nothing,
  'POST /license/close': () => ({ body: { reason: 'Переезжаем' } }),
  'POST /license/close/cancel': nothing,

  'POST /admin/login': () => ({ body: { login: 'admin', password: adminPassword } }),
  'POST /admin/logout': async ({ api }) => ({ token: await givenAdmin(api) }),
  'POST /admin/second-factor': async (team) => {
    const { recoveryCodes } = await adminSecondFactor(team);
    const { body } = await team.api.call('POST', '/admin/login', { login: 'admin', password: adminPassword });
    return { token: body.data.token, body: { code: recoveryCodes[0] } };
  },
  'GET /admin/second-factor': nothing,
  'POST /admin/second-factor/begin': async ({ api }) => ({
    token: await givenAdmin(api),
    body: { currentPassword: adminPassword },
  }),
  'POST /admin/second-factor/confirm': async (team) => {
    const { api } = team;
    const token = await adminAlone(team);
    const { body } = await api.call(
      'POST',
      '/admin/second-factor/begin',
      { currentPassword: adminPassword },
      { token },
    );
    return { token, body: { code: codeShown(body.data.secret, api.clock()) } };
  },
  'POST /admin/second-factor/off': provenAdmin,
  'POST /admin/second-factor/recovery-codes': provenAdmin,
  'GET /admin/licenses': nothing,
  'POST /admin/licenses': () => ({ body: licenceBody }),
  'POST /admin/licenses/{id}/code': about(newLicence),
  'POST /admin/licenses/{id}/renew': about(newLicence, { expiresAt: '2031-01-01' }),
  'POST /admin/licenses/{id}/suspend': about(newLicence, { reason: 'Не оплачено' }),
  'POST /admin/licenses/{id}/resume': async (team) => {
    const id = await newLicence(team);
    await team.done('POST', `/admin/licenses/${id}/suspend`, { reason: 'Не оплачено' }, { token: team.admin });
    return { params: { id } };
  },
  'POST /admin/licenses/{id}/second-factor/reset': async ({ api }) => {
    const { id, owner } = await givenLicence(api);
    await givenSecondFactor(api, { token: owner, password: ownerPassword });
    return { params: { id } };
  },
  'POST /admin/rebuild': nothing,
  'POST /admin/backup': nothing,
  'GET /admin/sign-ins': nothing,
  'GET /admin/health': nothing,

  'GET /openapi.json': nothing,
  'GET /docs': nothing,
  'GET /docs/{file}': () => ({ params: { file: 'swagger-ui.css' } }),
};
