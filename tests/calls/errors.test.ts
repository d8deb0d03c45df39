import { randomUUID } from 'node:crypto';
import type { Reply } from '@zakup/command/testing/command-service';
import {
  givenLicence,
  givenPerson,
  givenSecondFactor,
  issuedLicence,
  ownerPassword,
  personPassword,
} from '@zakup/command/testing/given';
import { codeShown } from '@zakup/credentials/testing/authenticator';
import { messages } from '@zakup/domain/messages';
import { rateLimited } from '@zakup/domain/sign-in-messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { textOf } from '../architecture/repository-files.ts';
import { givenTeam, type Team } from './team.ts';

type Text = keyof typeof messages;

/** Sends as the owner, or as whose token is given. */
type Ask = (method: string, path: string, body?: unknown, options?: Options) => Promise<Reply>;
interface Options {
  readonly token?: string;
  readonly key?: string;
  readonly raw?: string;
  readonly headers?: Record<string, string>;
}
type Request = (ask: Ask, team: Team) => Promise<Reply>;

/** Where a text is said that no request provokes: on the screen, on the socket, or only when something broke or a rule before it fails. */
type Elsewhere = 'screen' | 'socket' | 'guard';

const placing =
  (more: object): Request =>
  (ask, { placementBody }) =>
    ask('POST', '/placements', { ...placementBody, ...more });
const changing =
  (more: object): Request =>
  (ask, { placement }) =>
    ask('PATCH', `/placements/${placement.id}`, more);
const batching =
  (items: unknown): Request =>
  (ask) =>
    ask('POST', '/placements/batch', { items });
const planning =
  (more: object): Request =>
  (ask, { campaign }) =>
    ask('POST', '/campaigns', { name: 'К', channelId: campaign.channelId, ...more });
const hiring =
  (more: object): Request =>
  (ask, { fresh }) =>
    ask('POST', '/employees/create', {
      name: 'Олег',
      email: `${fresh('hired')}@example.com`,
      role: 'MEDIA_BUYER',
      password: 'employee-password',
      ...more,
    });
const judging =
  (verdict: object): Request =>
  (ask, { contractor }) =>
    ask('PUT', `/contractors/${contractor.id}`, { verdict });
const saving =
  (view: object): Request =>
  (ask) =>
    ask('POST', '/views', { name: 'Вид', query: 'sort=date', ...view });
const listing =
  (query: string): Request =>
  (ask, { campaign }) =>
    ask('GET', `/campaigns/${campaign.id}/placements?${query}`);
const importing =
  (query: string, raw: string): Request =>
  (ask, { campaign }) =>
    ask('POST', `/campaigns/${campaign.id}/import?${query}`, undefined, { raw });
const newCampaign = async ({ campaign, done, fresh }: Team): Promise<string> =>
  (await done('POST', '/campaigns', { name: fresh('Кампания '), channelId: campaign.channelId })).campaign.id;
const auditing =
  (query: string): Request =>
  (ask) =>
    ask('GET', `/audit?${query}`);
const asRole = (team: Team, role: keyof Team['actors']): Options => ({ token: team.actors[role].token });

const completedPlacement = async ({ done, campaign, placementBody }: Team): Promise<string> => {
  const made = await done('POST', '/campaigns', { name: 'Итог', channelId: campaign.channelId, status: 'ACTIVE' });
  const { placement } = await done('POST', '/placements', { ...placementBody, campaignId: made.campaign.id });
  await done('POST', `/campaigns/${made.campaign.id}/complete`);
  return placement.id;
};

const newKey = async ({ done, fresh }: Team, access: 'read' | 'write'): Promise<string> =>
  (await done('POST', '/keys', { name: fresh('Ключ '), access })).secret;

const commandOf = async ({ api, owner }: Team, method: string, path: string, body: object): Promise<string> => {
  const key = randomUUID();
  const reply = await api.call(method, path, body, { token: owner.token, key });
  expect(reply.status).toBe(200);
  return key;
};

/** Every text that a person may be told, with the request that provokes it. A text without a row does not compile. */
const provoked: Readonly<Record<Text, Request | Elsewhere>> = {
  placementNotFound: (ask) => ask('PATCH', '/placements/none', { price: 1 }),
  placementExists: 'guard',
  noBackupDir: 'guard',
  campaignNotFound: placing({ campaignId: 'none' }),
  entryNotFound: (ask) => ask('GET', '/audit/0/moves'),
  creativeNotFound: placing({ creativeId: 'none' }),
  webhookNotFound: (ask) => ask('DELETE', '/webhooks/none'),
  webhookUrlInvalid: (ask) => ask('POST', '/webhooks', { url: 'ftp://example.org', events: ['*'] }),
  webhookAddressPrivate: 'guard',
  webhookNameUnknown: 'guard',
  webhookCertificate: 'guard',
  webhookNoConnection: 'guard',
  webhookNoAnswer: 'guard',
  webhookRedirects: 'guard',
  webhookEventsInvalid: (ask) => ask('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['Nothing'] }),
  webhookStatusInvalid: async (ask, team) => {
    const url = 'http://127.0.0.1:9/';
    const { webhook } = await team.done('POST', '/webhooks', { url, events: ['*'] });
    return ask('PUT', `/webhooks/${webhook.id}`, { url, events: ['*'], status: 'failing' });
  },
  tooManyWebhooks: 'guard',
  deliveryNotFound: async (ask, team) => {
    const { webhook } = await team.done('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] });
    return ask('POST', `/webhooks/${webhook.id}/deliveries/0/resend`);
  },
  tooManyWebhookTests: 'guard',
  keyNotFound: (ask) => ask('DELETE', '/keys/none'),
  keyDenied: async (ask, team) => ask('GET', '/keys', undefined, { token: await newKey(team, 'read') }),
  keyReadOnly: async (ask, team) => ask('POST', '/channels', { name: 'К' }, { token: await newKey(team, 'read') }),
  keyAccessInvalid: (ask) => ask('POST', '/keys', { name: 'К', access: 'all' }),
  keyExpiryInvalid: (ask) => ask('POST', '/keys', { name: 'К', access: 'read', expiresAt: '2000-01-01' }),
  tooManyKeysMade: 'guard',
  tooManyKeys: 'guard',
  campaignCompleted: async (ask, team) => ask('DELETE', `/placements/${await completedPlacement(team)}`),
  campaignNotChosen: placing({ campaignId: undefined }),
  nickRequired: placing({ contractor: ' @ ' }),
  chooseBuyer: placing({ buyerId: '' }),
  chooseTopic: placing({ category: 'Unknown' }),
  priceInvalid: placing({ price: '1.234' }),
  leadsInvalid: changing({ leads: -1 }),
  dateInvalid: placing({ date: '2026-02-30' }),
  formatInvalid: placing({ format: '1/25' }),
  paymentInvalid: placing({ paymentStatus: 'later' }),
  statusInvalid: changing({ status: 'LOST' }),
  commentTooLong: changing({ comment: 'x'.repeat(501) }),
  postUrlInvalid: changing({ postUrl: 'javascript:alert(1)' }),
  batchInvalid: batching([]),
  operationInvalid: batching([{ op: 'burn' }]),
  placementRequired: batching([{ op: 'delete' }]),
  creativeInvalid: placing({ creativeId: '' }),
  nameInvalid: (ask) => ask('POST', '/channels', { name: ' ' }),
  avatarInvalid: (ask) => ask('POST', '/channels', { name: 'К', avatar: 'javascript:alert(1)' }),
  budgetInvalid: planning({ totalBudget: -1 }),
  channelRequired: planning({ channelId: undefined }),
  participantsInvalid: planning({ participants: 'все' }),
  salaryTypeInvalid: hiring({ salaryType: 'gold' }),
  rateInvalid: hiring({ salaryRate: 101 }),
  thresholdInvalid: hiring({ performanceThreshold: -1 }),
  creativeTypeInvalid: (ask) => ask('POST', '/creatives', { name: 'К', type: 'SONG' }),
  textTooLong: (ask) => ask('POST', '/channels', { name: 'К', avatar: 'x'.repeat(501) }),
  textInvalid: (ask) => ask('PUT', '/license/settings', { buyersEditAll: 'yes' }),
  noteRequired: (ask, { contractor }) => ask('POST', `/contractors/${contractor.id}/notes`, { note: ' ' }),
  noteTooLong: (ask, { contractor }) => ask('POST', `/contractors/${contractor.id}/notes`, { note: 'x'.repeat(2001) }),
  viewNameInvalid: saving({ name: 'x'.repeat(61) }),
  viewNameTaken: async (ask, { done, fresh }) => {
    const name = fresh('Вид ');
    await done('POST', '/views', { name, query: 'sort=date' });
    return ask('POST', '/views', { name: name.toUpperCase(), query: 'sort=date' });
  },
  viewQueryInvalid: saving({ query: 'tab=users' }),
  tooManyViews: async (ask, team) => {
    const { done, fresh } = team;
    const as = { token: team.actors.TEAM_LEAD.token };
    for (let index = 0; index < 50; index += 1) await done('POST', '/views', { name: fresh('Вид '), query: '' }, as);
    return ask('POST', '/views', { name: fresh('Вид '), query: '' }, as);
  },
  verdictInvalid: judging({ list: 'grey', reason: 'Долго отвечает' }),
  verdictReasonRequired: judging({ list: 'black', reason: ' ' }),
  verdictReasonTooLong: judging({ list: 'black', reason: 'x'.repeat(201) }),
  fieldsRequired: (ask) => ask('POST', '/auth/ceo-login', { loginCode: '', password: '' }),
  userNameInvalid: hiring({ name: ' О ' }),
  emailInvalid: hiring({ email: 'нет' }),
  authCodeInvalid: hiring({ authCode: 'ABC' }),
  roleInvalid: hiring({ role: 'BOSS' }),
  permissionsInvalid: hiring({ permissions: 5 }),
  passwordTooShort: hiring({ password: '1234567' }),
  passwordsDiffer: (ask, { licence }) =>
    ask('POST', '/licenses/activate-step2', {
      licenseKey: licence.key,
      password: 'long-password',
      passwordConfirm: '1',
    }),
  passwordCommon: hiring({ password: 'Password1' }),
  passwordOwnWord: hiring({ name: 'Олег Ежиков', password: 'ежиков-1' }),
  licenceKeyInvalid: (ask) => ask('POST', '/licenses/request-code', { licenseKey: 'LICENSE-1' }),
  activationCodeInvalid: async (ask, { api }) =>
    ask('POST', '/licenses/activate-step1', { licenseKey: (await issuedLicence(api)).key, twoFactorCode: '000000' }),
  revisionInvalid: changing({ baseRevision: 10_000, price: 1 }),
  tooBusy: 'guard',
  payloadMismatch: async (ask, team) => {
    const key = await commandOf(team, 'POST', '/channels', { name: 'Первый' });
    return ask('POST', '/channels', { name: 'Второй' }, { key });
  },
  commandIdInvalid: (ask) => ask('POST', '/channels', { name: 'К' }, { key: '1' }),
  tooManyChanges: async (ask, { api, licence }) => {
    const { id, token } = await givenPerson(api, licence, 'CBDO');
    const session = await api.sessionOf(id);
    for (let taken = true; taken; ) taken = api.changes.take(session).kind === 'taken';
    return ask('POST', '/channels', {}, { token });
  },
  bodyInvalid: (ask) => ask('POST', '/channels', []),
  nickInvalid: placing({ contractor: 'два слова' }),
  nickTooLong: placing({ contractor: 'x'.repeat(65) }),
  mergeTargetRequired: (ask, { contractor }) => ask('POST', `/contractors/${contractor.id}/merge`, {}),
  mergeWithItself: (ask, { contractor }) =>
    ask('POST', `/contractors/${contractor.id}/merge`, { intoId: contractor.id }),
  mergeTargetInactive: async (ask, { contractor, done, fresh }) => {
    const other = (await done('POST', '/contractors', { adminUsername: fresh('idle') })).contractor.id;
    await done('PUT', `/contractors/${other}`, { isActive: false });
    return ask('POST', `/contractors/${contractor.id}/merge`, { intoId: other });
  },
  placementAdded: 'screen',
  confirmRemoveNote: 'screen',
  confirmRemovePlacement: 'screen',
  askNewNick: 'screen',
  channelNotFound: (ask) => ask('PUT', '/channels/none', { name: 'К' }),
  contractorNotFound: (ask) => ask('PUT', '/contractors/none', {}),
  contractorMerged: async (ask, { contractor, done, fresh }) => {
    const part = (await done('POST', '/contractors', { adminUsername: fresh('part') })).contractor.id;
    await done('POST', `/contractors/${part}/merge`, { intoId: contractor.id });
    return ask('PUT', `/contractors/${part}`, { channelName: 'К' });
  },
  viewNotFound: (ask) => ask('DELETE', '/views/none'),
  noteNotFound: (ask, { contractor }) => ask('DELETE', `/contractors/${contractor.id}/notes/none`),
  employeeNotFound: (ask) => ask('PUT', '/users/none', {}),
  licenceNotFound: (ask, { admin }) => ask('POST', '/admin/licenses/none/code', undefined, { token: admin }),
  sessionNotFound: (ask) => ask('DELETE', '/auth/sessions/none'),
  commandNotFound: (ask) => ask('POST', '/undo', { commandId: randomUUID() }),
  commandIdToUndo: (ask) => ask('POST', '/undo', { commandId: '1' }),
  undoReasonRequired: (ask, { actors }) =>
    ask('POST', '/undo', { commandId: randomUUID(), actorId: actors.MEDIA_BUYER.id }),
  peopleNotUndone: async (ask, team) => {
    const path = `/users/${team.actors.ANALYTIC.id}`;
    return ask('POST', '/undo', { commandId: await commandOf(team, 'PUT', path, { salaryRate: 7 }) });
  },
  licenceNotUndone: async (ask, team) =>
    ask('POST', '/undo', { commandId: await commandOf(team, 'PUT', '/license/settings', { leadValue: 77 }) }),
  notFound: 'socket',
  nickTaken: (ask, { contractor }) => ask('POST', '/contractors', { adminUsername: contractor.adminUsername }),
  emailTaken: async (ask, team) => {
    const email = `${team.fresh('taken')}@example.com`;
    await hiring({ email })(ask, team);
    return hiring({ email: email.toUpperCase() })(ask, team);
  },
  authCodeTaken: async (ask, team) => {
    const authCode = team.fresh('TAKEN-');
    await hiring({ authCode })(ask, team);
    return hiring({ authCode })(ask, team);
  },
  wrongLogin: (ask) => ask('POST', '/auth/ceo-login', { loginCode: 'NOBODY', password: 'x' }),
  wrongEmployeeLogin: (ask) => ask('POST', '/auth/employee-login', { authCode: 'NOBODY', password: 'x' }),
  loginFailed: 'screen',
  codeOnlyLoginByOwner: (ask, team) => ask('PUT', '/license/settings', { codeOnlyLogin: true }, asRole(team, 'CBDO')),
  codeOnlyLoginOff: (ask) => ask('POST', '/auth/login-code', { authCode: 'NOBODY' }),
  activationFailed: (ask, { licence }) =>
    ask('POST', '/licenses/activate', { licenseKey: licence.key, password: 'wrong' }),
  licenceDataMissing: 'screen',
  activationTicketMissing: (ask, { licence }) =>
    ask('POST', '/licenses/activate-step2', {
      licenseKey: licence.key,
      password: 'long-password',
      passwordConfirm: 'long-password',
    }),
  connectionFailed: 'screen',
  tokenMissing: (_ask, { api }) => api.call('GET', '/channels'),
  adminIdle: 'guard',
  sessionExpired: (ask) => ask('GET', '/channels', undefined, { token: 'a.b.c' }),
  sessionLimit: async (ask, { api }) => {
    const { ownerCode } = await givenLicence(api, { maxConcurrentSessions: 1 });
    return ask('POST', '/auth/ceo-login', { loginCode: ownerCode, password: ownerPassword });
  },
  passwordChangeRequired: async (ask, team) => {
    const { authCode, temporaryPassword } = (await hiring({ password: undefined })(ask, team)).body.data;
    const { token } = await team.done('POST', '/auth/employee-login', { authCode, password: temporaryPassword });
    return ask('GET', '/channels', undefined, { token });
  },
  signInStepOver: (ask) => ask('POST', '/auth/second-factor', { code: '123456' }),
  secondFactorWrong: async (ask, { api, licence }) => {
    const { token } = await givenPerson(api, licence, 'ANALYTIC');
    const { secret } = await givenSecondFactor(api, { token });
    const body = { currentPassword: personPassword, code: codeShown(secret, api.clock() + 3_600_000) };
    return ask('POST', '/auth/second-factor/off', body, { token });
  },
  secondFactorMissing: 'screen',
  secondFactorActivated: 'screen',
  // Where the server is set up so: ADS-1471.
  adminSecondFactorRequired: 'guard',
  secondFactorOn: async (ask, { api, licence }) => {
    const { token } = await givenPerson(api, licence, 'ANALYTIC');
    await givenSecondFactor(api, { token });
    return ask('POST', '/auth/second-factor/begin', { currentPassword: personPassword }, { token });
  },
  secondFactorOff: (ask) => ask('POST', '/auth/second-factor/off', { currentPassword: ownerPassword, code: '123456' }),
  secondFactorOfOthers: (ask, { actors }) => ask('DELETE', `/users/${actors.MEDIA_BUYER.id}/second-factor`),
  secondFactorOfOwner: (ask, { licence, admin }) =>
    ask('POST', `/admin/licenses/${licence.id}/second-factor/reset`, {}, { token: admin }),
  secondFactorOwn: (ask, { owner }) => ask('DELETE', `/users/${owner.id}/second-factor`),
  secondFactorForAllByOwner: (ask, team) =>
    ask('PUT', '/license/settings', { secondFactorForAll: true }, asRole(team, 'CBDO')),
  secondFactorForAllOwnFirst: (ask) => ask('PUT', '/license/settings', { secondFactorForAll: true }),
  secondFactorForAllOn: async (ask, { api }) => {
    const { owner: token } = await givenLicence(api);
    const { recoveryCodes } = await givenSecondFactor(api, { token, password: ownerPassword });
    await ask('PUT', '/license/settings', { secondFactorForAll: true }, { token });
    const body = { currentPassword: ownerPassword, code: recoveryCodes[0] };
    return ask('POST', '/auth/second-factor/off', body, { token });
  },
  secondFactorNotBegun: (ask) => ask('POST', '/auth/second-factor/confirm', { code: '123456' }),
  currentPasswordWrong: (ask) =>
    ask('POST', '/auth/password', { currentPassword: 'wrong', newPassword: 'another-password' }),
  passwordUnchanged: (ask) =>
    ask('POST', '/auth/password', { currentPassword: ownerPassword, newPassword: ownerPassword }),
  accessDenied: (ask, team) => ask('POST', '/channels', { name: 'К' }, asRole(team, 'MEDIA_BUYER')),
  featureClosed: async (ask, { api }) => {
    const { owner } = await givenLicence(api, { features: ['placements'] });
    return ask('POST', '/creatives', { name: 'К' }, { token: owner });
  },
  onlyOwnPlacements: async (ask, team) => {
    const other = await givenPerson(team.api, team.licence, 'MEDIA_BUYER');
    await team.done('PUT', '/license/settings', { buyersEditAll: false });
    const reply = await ask('PATCH', `/placements/${team.placement.id}`, { price: 1 }, { token: other.token });
    await team.done('PUT', '/license/settings', { buyersEditAll: true });
    return reply;
  },
  rankTooHigh: (ask, team) => ask('PUT', `/users/${team.owner.id}`, { name: 'Я' }, asRole(team, 'TEAM_LEAD')),
  grantTooWide: (ask, team) =>
    ask(
      'PUT',
      `/users/${team.actors.ANALYTIC.id}`,
      { permissions: { dashboard: true, capabilities: true } },
      asRole(team, 'TEAM_LEAD'),
    ),
  cannotRemoveSelf: (ask, team) =>
    ask('DELETE', `/users/${team.actors.TEAM_LEAD.id}`, undefined, asRole(team, 'TEAM_LEAD')),
  cannotRemoveLastOwner: async (ask, team) => {
    const other = await givenPerson(team.api, team.licence, 'CEO');
    return ask('DELETE', `/users/${team.owner.id}`, undefined, { token: other.token });
  },
  licenceInactive: async (ask, { api, admin, done }) => {
    const { id, owner } = await givenLicence(api);
    await done('POST', `/admin/licenses/${id}/renew`, { expiresAt: '2026-01-01' }, { token: admin });
    return ask('POST', '/channels', { name: 'К' }, { token: owner });
  },
  licenceSuspended: async (ask, { api, admin, done }) => {
    const { id, owner } = await givenLicence(api);
    await done('POST', `/admin/licenses/${id}/suspend`, { reason: 'Нет' }, { token: admin });
    return ask('POST', '/channels', { name: 'К' }, { token: owner });
  },
  licenceClosed: async (ask, { api }) => {
    const { id, owner } = await givenLicence(api);
    await ask('POST', '/license/close', undefined, { token: owner });
    const at = new Date(api.now()).toISOString();
    const by = {
      licenceId: id,
      actorId: 'system',
      source: 'system',
      commandId: randomUUID(),
      requestHash: '',
    } as const;
    const event = { id: randomUUID(), type: 'LicenceClosed', data: {}, metadata: { ...by, at, schemaVersion: 1 } };
    await api.eventStore.append([{ stream: `licence-${id}~${id}`, expectedRevision: 'any', events: [event] }]);
    return ask('POST', '/license/close/cancel', undefined, { token: owner });
  },
  conflict: async (ask, { done, placementBody }) => {
    const { placement } = await done('POST', '/placements', placementBody);
    await done('PATCH', `/placements/${placement.id}`, { price: 1 });
    return ask('PATCH', `/placements/${placement.id}`, { baseRevision: placement.revision, price: 2 });
  },
  requestMalformed: 'guard',
  jsonMalformed: (ask) => ask('POST', '/channels', undefined, { raw: '{' }),
  contentTypeWrong: (ask) =>
    ask('POST', '/channels', undefined, { raw: '{}', headers: { 'Content-Type': 'text/plain' } }),
  tooLarge: (ask) => ask('POST', '/channels', undefined, { raw: `{"a":[${'0,'.repeat(20_001)}0]}` }),
  pathUnknown: (ask) => ask('GET', '/nothing'),
  unavailable: 'guard',
  internal: 'guard',
  positionInvalid: (ask) => ask('GET', '/channels?after=-1'),
  positionAhead: (ask) => ask('GET', '/channels?after=9007199254740991'),
  atInvalid: listing('at=2026-02-30T12:00:00Z'),
  atInFuture: listing('at=9007199254740991'),
  atBeforeLicence: listing('at=0'),
  atWithAfter: listing('at=1&after=1'),
  atUnfoldable: 'guard',
  notCaughtUp: 'guard',
  unknownParameter: (ask) => ask('GET', '/channels?x=1'),
  pageInvalid: listing('page=0'),
  pageSizeInvalid: listing('pageSize=501'),
  sortInvalid: listing('sortBy=password'),
  sortOrderInvalid: listing('sortOrder=up'),
  valueInvalid: listing('buyerId='),
  momentInvalid: auditing('from=yesterday'),
  periodInverted: auditing('from=2026-02-01&to=2026-01-01'),
  cursorInvalid: auditing(`cursor=${'0'.repeat(16)}-${'0'.repeat(32)}`),
  limitInvalid: auditing('limit=201'),
  entityInvalid: auditing('entity=session:1'),
  flagInvalid: (ask) => ask('GET', '/creatives?includeInactive=1'),
  protocolUnknown: 'socket',
  messageUnknown: 'socket',
  messageInvalid: 'socket',
  notSubscribed: 'socket',
  tooManyReads: 'guard',
  tooManyReports: 'guard',
  tooManyAtOnce: 'guard',
  tooManyDownloads: 'guard',
  tooManyFiles: 'guard',
  tooManySockets: 'socket',
  tooManyMessages: 'socket',
  stopping: 'socket',
  loggedOut: 'socket',
  sessionRevoked: 'socket',
  contractorCreateFailed: 'screen',
  contractorLoading: 'screen',
  campaignsNotFound: 'screen',
  campaignsNone: 'screen',
  chooseCampaign: 'screen',
  unknownError: 'screen',
  noteAddOffline: 'screen',
  noteRemoveOffline: 'screen',
  alreadyExists: 'guard',
  valueTaken: 'guard',
  channelHasCampaigns: (ask, { campaign }) => ask('DELETE', `/channels/${campaign.channelId}`),
  channelDeleted: async (ask, { done }) => {
    const { channel } = await done('POST', '/channels', { name: 'Временный' });
    const { campaign } = await done('POST', '/campaigns', { name: 'Временная', channelId: channel.id });
    await done('DELETE', `/campaigns/${campaign.id}`);
    await done('DELETE', `/channels/${channel.id}`);
    return ask('POST', `/campaigns/${campaign.id}/restore`);
  },
  campaignNotBackToDraft: (ask, { campaign }) => ask('PUT', `/campaigns/${campaign.id}`, { status: 'DRAFT' }),
  viewNotYours: async (ask, team) => {
    const { view } = await team.done('POST', '/views', { name: team.fresh('Вид '), query: '', shared: true });
    return ask('DELETE', `/views/${view.id}`, undefined, asRole(team, 'MEDIA_BUYER'));
  },
  noteNotYours: async (ask, team) => {
    const { note } = await team.done('POST', `/contractors/${team.contractor.id}/notes`, { note: 'Моя' });
    const path = `/contractors/${team.contractor.id}/notes/${note.id}`;
    return ask('DELETE', path, undefined, asRole(team, 'MEDIA_BUYER'));
  },
  selfNotDeletable: (ask, { owner }) => ask('PUT', `/users/${owner.id}`, { isActive: false }),
  ownerStaysCeo: (ask, { owner }) => ask('PUT', `/users/${owner.id}`, { role: 'CBDO' }),
  lastCeoStays: 'guard',
  sessionsInvalid: (ask, { admin }) =>
    ask(
      'POST',
      '/admin/licenses',
      { ownerName: 'Ада', ownerEmail: 'a@b.cc', ownerTelegram: '@a', maxConcurrentSessions: 0 },
      { token: admin },
    ),
  importMappingInvalid: importing('dryRun=true&mapping=x', 'a'),
  importNameInvalid: importing(`dryRun=true&name=${'x'.repeat(201)}`, 'a'),
  importNotFound: (ask) => ask('GET', '/imports/none'),
  importRunning: async (ask, team) => {
    const path = `/campaigns/${await newCampaign(team)}/import`;
    await ask('POST', path, undefined, { raw: 'a' });
    return ask('POST', path, undefined, { raw: 'a' });
  },
  importIsRunning: async (ask, team) => {
    const begun = await ask('POST', `/campaigns/${await newCampaign(team)}/import`, undefined, { raw: 'a' });
    return ask('POST', '/undo', { commandId: begun.body.commandId });
  },
  importUndoRunning: 'guard',
  undoChoiceInvalid: (ask) => ask('POST', '/undo', { commandId: randomUUID(), onConflict: 'x' }),
  fileUnsupported: importing('dryRun=true', ' '),
  importTooManyRows: importing('dryRun=true', `a\n${'b\n'.repeat(20_001)}`),
  dateOrderUnclear: importing('', 'Дата\n01/02/2026\n'),
  importerIsNoBuyer: importing('dryRun=true&mapping={"onUnknownBuyer":"me"}', 'a'),
  nameAmbiguous: 'guard',
  buyerUnknown: 'guard',
  placementRemoved: 'guard',
  placementIdTwice: 'guard',
  leadValueInvalid: (ask) => ask('PUT', '/license/settings', { leadValue: -1 }),
};

const texts = Object.keys(provoked) as readonly Text[];
const byCalls = texts.flatMap((text) => {
  const how = provoked[text];
  return typeof how === 'string' ? [] : [[messages[text], how] as const];
});

describe('every text that a call can answer', () => {
  let team: Team;
  let ask: Ask;
  beforeAll(async () => {
    team = await givenTeam();
    ask = (method, path, body, options = {}) =>
      team.api.call(method, path, body, { token: team.owner.token, ...options });
  });
  afterAll(() => team.api.close());

  test.each(byCalls)('ERRC-1 %s', async (text, request) => {
    const { status, body, headers } = await request(ask, team);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(status).toBeGreaterThanOrEqual(400);
    expect(body).toMatchObject({ success: false, error: expect.stringContaining(text) as string });
  });

  test('ERRC-3 what only a screen says is listed with the rules', () => {
    const section = /^Only a screen says: (.+)$/mu.exec(textOf('docs/spec.md'))?.[1] ?? '';
    const onScreen = texts.filter((text) => provoked[text] === 'screen').map((text) => `'${messages[text]}'`);
    expect(section.replace(/\.$/u, '').split('; ').toSorted()).toEqual(onScreen.toSorted());
  });

  test('ERRC-2 after too many wrong passwords: how long to wait', async () => {
    const wrong = () => ask('POST', '/auth/ceo-login', { loginCode: 'GUESSED', password: 'x' });
    for (let tries = 0; tries < 5; tries += 1) expect((await wrong()).status).toBe(401);
    const limited = await wrong();
    expect([limited.status, limited.body.error]).toEqual([429, rateLimited(900)]);
  });
});
