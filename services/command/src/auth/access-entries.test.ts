import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
import { EventStoreUnavailable, type RecordedEvent } from '@zakup/event-store/event-store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandApp } from '../app.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import {
  type GivenLicence,
  givenLicence,
  type GivenPerson,
  givenPerson,
  issuedLicence,
  ownerPassword,
  personPassword,
} from '../testing/given.ts';

const minute = 60_000;

describe('what the audit is told of sign-ins', () => {
  let service: CommandService;
  let licence: GivenLicence;
  let person: GivenPerson;
  beforeAll(async () => {
    service = await commandService((deps) => {
      const { log, metrics } = deps;
      const front = httpFront({
        config: { trustProxy: 1, publicHttps: true, metrics: 'open' },
        readiness: readiness({}),
        log,
        metrics,
      });
      front.open([commandApp(deps)]);
      return front.app;
    });
    licence = await givenLicence(service, { maxConcurrentSessions: 3 });
    person = await givenPerson(service, licence, 'CBDO');
  });
  afterAll(() => service.close());

  const told = (personId: string, licenceId = licence.id): Promise<readonly RecordedEvent[]> =>
    service.eventStore.read(`access-${licenceId}~${personId}`);
  const newest = async (personId: string, count = 1) =>
    (await told(personId)).slice(-count).map(({ type, data, metadata }) => [type, data, metadata.actorId]);
  const send = (path: string, body: object, from = '203.0.113.77', more: { token?: string; cookie?: string } = {}) =>
    service.call('POST', path, body, {
      ...(more.token !== undefined && { token: more.token }),
      headers: { 'X-Forwarded-For': from, ...(more.cookie !== undefined && { Cookie: more.cookie }) },
    });
  const signIn = (from?: string, more: object = {}, cookie?: string) =>
    send('/auth/employee-login', { authCode: person.authCode, password: personPassword, ...more }, from, {
      ...(cookie !== undefined && { cookie }),
    });
  const cookieOf = (reply: Reply): string => (reply.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const sessionIn = ({ body }: Reply): string =>
    (JSON.parse(atob(body.data.token.split('.')[1] ?? '')) as { readonly sid: string }).sid;

  test('ACE-1 each of the four sign-ins is in the log before it is answered, with its door, network and device', async () => {
    const first = await signIn();
    const data = { sessionId: sessionIn(first), door: 'employee', network: '203.0.113.0/24', knownDevice: false };
    expect(await newest(person.id)).toEqual([['SignedIn', data, person.id]]);
    const again = await signIn('2001:db8:1:2::3', {}, cookieOf(first));
    expect(await newest(person.id)).toEqual([
      ['SignedIn', { ...data, sessionId: sessionIn(again), network: '2001:db8:1::/48', knownDevice: true }, person.id],
    ]);
    await service.call('PUT', '/license/settings', { codeOnlyLogin: true }, { token: licence.owner });
    await service.call('DELETE', '/auth/sessions', undefined, { token: again.body.data.token });
    expect((await send('/auth/login-code', { authCode: person.authCode })).status).toBe(200);
    expect((await newest(person.id))[0]?.[1]).toMatchObject({ door: 'code' });
    await service.call('PUT', '/license/settings', { codeOnlyLogin: false }, { token: licence.owner });
    await send('/auth/ceo-login', { loginCode: licence.ownerCode, password: ownerPassword });
    expect((await newest(licence.ownerId))[0]?.[1]).toMatchObject({ door: 'owner' });
    await send('/licenses/activate', { licenseKey: licence.key, password: ownerPassword });
    expect((await newest(licence.ownerId))[0]?.[1]).toMatchObject({ door: 'licence' });
  });

  test('ACE-2 sessions that end are told by whom and why: oneself, room for another, a spent token that came back', async () => {
    const team = await givenLicence(service, { maxConcurrentSessions: 2 });
    const own = await givenPerson(service, team, 'CBDO');
    const login = (more: object = {}) => {
      service.advance(1);
      return send('/auth/employee-login', { authCode: own.authCode, password: personPassword, ...more });
    };
    const end = (path: string, { body }: Reply) =>
      service.call('DELETE', `/auth/sessions${path}`, undefined, { token: body.data.token });
    const ended = async (count: number) =>
      (await told(own.id, team.id))
        .slice(-count)
        .map(({ type, data, metadata }) => [type, data['reason'], data['sessionIds'], metadata.actorId]);
    const first = await service.sessionOf(own.id);
    const second = await login();
    const third = await login({ endOldest: true });
    expect(await ended(2)).toEqual([
      ['SessionsEnded', 'replaced', [first], own.id],
      ['SignedIn', undefined, undefined, own.id],
    ]);
    await end(`/${sessionIn(second)}`, third);
    expect(await ended(1)).toEqual([['SessionsEnded', 'revoked', [sessionIn(second)], own.id]]);
    const fourth = await login();
    await end('', third);
    expect(await ended(1)).toEqual([['SessionsEnded', 'revoked', [sessionIn(fourth)], own.id]]);
    const { refreshToken } = third.body.data;
    await send('/auth/refresh', { refreshToken });
    service.advance(10_000);
    expect((await send('/auth/refresh', { refreshToken })).status).toBe(401);
    expect(await ended(1)).toEqual([['SessionsEnded', 'reused', [sessionIn(third)], 'system']]);
    const fifth = await login();
    const before = (await told(own.id, team.id)).length;
    await end('', fifth);
    expect(await told(own.id, team.id)).toHaveLength(before);
    await service.call('POST', '/auth/logout', {}, { token: fifth.body.data.token });
    const [out] = (await told(own.id, team.id)).slice(before);
    expect([out?.type, out?.data, out?.metadata.actorId]).toEqual([
      'SignedOut',
      { sessionId: sessionIn(fifth) },
      own.id,
    ]);
  });

  test('ACE-3 refused tries are told together a moment later, each with its reason; the answer does not wait', async () => {
    const own = await givenLicence(service, { maxConcurrentSessions: 1 });
    const buyer = await givenPerson(service, own, 'MEDIA_BUYER');
    const wrong = { password: 'wrong-password' };
    await send('/auth/employee-login', { authCode: buyer.authCode, ...wrong }, '10.1.1.1');
    await send('/auth/ceo-login', { loginCode: buyer.authCode, ...wrong }, '10.1.2.1');
    await send('/auth/login-code', { authCode: buyer.authCode }, '10.1.3.1');
    await send('/auth/employee-login', { authCode: buyer.authCode, password: personPassword }, '10.1.4.1');
    const change = { currentPassword: 'wrong-password', newPassword: 'brand-new-password' };
    await send('/auth/password', change, '10.1.5.1', { token: buyer.token });
    await service.call('POST', `/admin/licenses/${own.id}/suspend`, { reason: 'долг' }, { token: own.admin });
    await send('/auth/employee-login', { authCode: buyer.authCode, password: personPassword }, '10.1.6.1');
    for (let index = 0; index < 6; index += 1)
      await send('/auth/employee-login', { authCode: buyer.authCode, ...wrong }, '10.1.7.1');
    const before = (await told(buyer.id, own.id)).length;
    service.advance(10_000);
    await expect.poll(async () => (await told(buyer.id, own.id)).length).toBe(before + 1);
    const [event] = (await told(buyer.id, own.id)).slice(-1);
    expect([event?.type, event?.metadata.actorId]).toEqual(['SignInRefused', 'system']);
    expect(event?.data).toEqual({
      since: expect.any(String),
      until: expect.any(String),
      count: 12,
      reasons: {
        wrong_secret: 7,
        wrong_door: 1,
        switched_off: 1,
        seats_taken: 1,
        licence_inactive: 1,
        too_many_tries: 1,
      },
      doors: ['employee', 'owner', 'code', 'password'],
      networks: ['10.1.1.0/24', '10.1.2.0/24', '10.1.3.0/24', '10.1.4.0/24', '10.1.5.0/24'],
      moreNetworks: true,
    });
  });

  test('ACE-4 wrong activation codes are told to the owner’s stream, who may still be to come', async () => {
    const issued = await issuedLicence(service);
    const wrong = issued.activationCode === '000000' ? '000001' : '000000';
    const code = (twoFactorCode: string) =>
      send('/licenses/activate-step1', { licenseKey: issued.key, twoFactorCode }, '10.2.0.1');
    await code(wrong);
    const first = await code(issued.activationCode);
    const password = { licenseKey: issued.key, password: ownerPassword, passwordConfirm: ownerPassword };
    await send('/licenses/activate-step2', password, '10.2.0.1', { cookie: cookieOf(first) });
    const signedIn = await send('/licenses/activate', { licenseKey: issued.key, password: ownerPassword }, '10.2.0.1');
    service.advance(10_000);
    await expect.poll(async () => (await told(signedIn.body.data.user.id, issued.id)).length).toBe(2);
    expect((await told(signedIn.body.data.user.id, issued.id)).map(({ type, data }) => [type, data['doors']])).toEqual([
      ['SignedIn', undefined],
      ['SignInRefused', ['activation']],
    ]);
  });

  test('ACE-5 whoever nobody knows leaves nothing in any log of events', async () => {
    const before = await service.eventStore.head();
    await send('/auth/employee-login', { authCode: 'UNKNOWN22222', password: 'x' }, '10.3.0.1');
    await send('/auth/ceo-login', { loginCode: 'UNKNOWN22222', password: 'x' }, '10.3.0.1');
    await send('/admin/login', { login: 'admin', password: 'wrong-password' }, '10.3.0.1');
    await send('/licenses/activate', { licenseKey: 'LICENSE-AAAA-BBBB-CCCC-DDDD', password: 'x' }, '10.3.0.1');
    service.advance(60 * minute);
    expect(await service.eventStore.head()).toBe(before);
  });

  test('ACE-6 a new password is told by its own event, not as a sign-in; nothing that opens a door is in any entry', async () => {
    const team = await givenLicence(service);
    const own = await givenPerson(service, team, 'MEDIA_BUYER');
    await send('/auth/employee-login', { authCode: own.authCode, password: 'wrong-password' });
    service.advance(10_000);
    await expect.poll(async () => (await told(own.id, team.id)).length).toBe(2);
    const change = { currentPassword: personPassword, newPassword: 'brand-new-password' };
    const changed = await send('/auth/password', change, '10.4.0.1', { token: own.token });
    expect(changed.status).toBe(200);
    expect(await told(own.id, team.id)).toHaveLength(2);
    const all = JSON.stringify(
      (await service.eventStore.readLicence(team.id)).filter(({ stream }) => stream.startsWith('access-')),
    );
    const { token, refreshToken } = changed.body.data;
    for (const secret of [personPassword, ownerPassword, team.key, team.ownerCode, own.authCode, token, refreshToken])
      expect(all).not.toContain(secret);
    expect(all).not.toContain('203.0.113.77');
  });

  test('ACE-7 a log that takes no entry keeps nobody out', async () => {
    const { eventStore } = service;
    const append = eventStore.append.bind(eventStore);
    Object.assign(eventStore, { append: () => Promise.reject(new EventStoreUnavailable('away')) });
    const before = (await told(licence.ownerId)).length;
    const signedIn = await send('/auth/ceo-login', { loginCode: licence.ownerCode, password: ownerPassword });
    expect([signedIn.status, signedIn.body.code]).toEqual([409, 'SESSION_LIMIT']);
    const body = { loginCode: licence.ownerCode, password: ownerPassword, endOldest: true };
    expect((await send('/auth/ceo-login', body)).status).toBe(200);
    Object.assign(eventStore, { append });
    service.advance(5000);
    await expect.poll(async () => (await told(licence.ownerId)).length).toBeGreaterThan(before);
  });
});
