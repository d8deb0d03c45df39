import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
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

describe('what a browser keeps of signing in, where people come by https', () => {
  let service: CommandService;
  let licence: GivenLicence;
  let person: GivenPerson;
  beforeAll(async () => {
    service = await commandService((deps) => {
      const { log, metrics } = deps;
      const config = { trustProxy: 0, publicHttps: true, metrics: 'open' } as const;
      const front = httpFront({ config, readiness: readiness({}), log, metrics });
      front.open([commandApp({ ...deps, publicHttps: true })]);
      return front.app;
    });
    licence = await givenLicence(service, { maxConcurrentSessions: 50 });
    person = await givenPerson(service, licence, 'MEDIA_BUYER');
  });
  afterAll(() => service.close());

  const post = (path: string, body: object, more: { readonly token?: string; readonly cookie?: string } = {}) =>
    service.call('POST', path, body, {
      ...(more.token !== undefined && { token: more.token }),
      ...(more.cookie !== undefined && { headers: { Cookie: more.cookie } }),
    });
  const signIn = (cookie?: string): Promise<Reply> =>
    post(
      '/auth/employee-login',
      { authCode: person.authCode, password: personPassword, endOldest: true },
      cookie === undefined ? {} : { cookie },
    );
  const pairOf = (cookie: string | undefined): string => (cookie ?? '').split(';')[0] ?? '';
  const deviceOf = (reply: Reply): string => pairOf(reply.headers.getSetCookie()[0]);
  const knownIn = async (reply: Reply): Promise<unknown> => {
    expect(reply.status).toBe(200);
    const told = await service.eventStore.read(`access-${licence.id}~${person.id}`);
    return told.at(-1)?.data['knownDevice'];
  };

  test('SIG-1450 no answer with a token or a secret is kept, nor a refusal of one', async () => {
    const { key, activationCode } = await issuedLicence(service);
    const first = await post('/licenses/activate-step1', { licenseKey: key, twoFactorCode: activationCode });
    const owner = { licenseKey: key, password: ownerPassword };
    const signedIn = await signIn();
    const { token, refreshToken } = signedIn.body.data;
    const change = { currentPassword: personPassword, newPassword: 'another-password' };
    const changed = await post('/auth/password', change, { token });
    const colleague = { name: 'Пётр', email: 'petr@example.org', role: 'MEDIA_BUYER' };
    const other = await givenPerson(service, licence, 'MEDIA_BUYER');
    const back = { currentPassword: 'another-password', newPassword: personPassword };
    const replies: readonly (readonly [string, number, Reply])[] = [
      ['activate-step1', 200, first],
      [
        'activate-step2',
        200,
        await post(
          '/licenses/activate-step2',
          { ...owner, passwordConfirm: ownerPassword },
          { cookie: deviceOf(first) },
        ),
      ],
      ['activate', 200, await post('/licenses/activate', owner)],
      ['request-code', 200, await post('/licenses/request-code', { licenseKey: key })],
      ['employee-login', 200, signedIn],
      ['ceo-login', 200, await post('/auth/ceo-login', { loginCode: licence.ownerCode, password: ownerPassword })],
      ['login-code', 403, await post('/auth/login-code', { authCode: person.authCode })],
      ['refresh', 401, await post('/auth/refresh', { refreshToken: `${refreshToken}x` })],
      ['refresh', 200, await post('/auth/refresh', { refreshToken: changed.body.data.refreshToken })],
      ['password', 200, changed],
      ['password', 200, await post('/auth/password', back, { token: changed.body.data.token })],
      ['employees/create', 200, await post('/employees/create', colleague, { token: licence.owner })],
      ['reissue-code', 200, await post(`/users/${other.id}/reissue-code`, {}, { token: licence.owner })],
      ['admin/login', 200, await post('/admin/login', { login: 'admin', password: 'admin-password' })],
      ['admin/login', 401, await post('/admin/login', { login: 'admin', password: 'wrong-password' })],
      ['admin/code', 200, await post(`/admin/licenses/${licence.id}/code`, {}, { token: licence.admin })],
      ['missing fields', 422, await post('/auth/ceo-login', {})],
      ['nothing', 404, await post('/auth/nothing', {})],
    ];
    expect(replies.map(([name, , { status, headers }]) => [name, status, headers.get('Cache-Control')])).toEqual(
      replies.map(([name, status]) => [name, status, 'no-store']),
    );
  });

  test('SIG-1451 over https the cookies are this host’s alone: no other host of the domain can set one', async () => {
    const guarded = (name: string, age: number): RegExp =>
      new RegExp(
        `^__Host-${name}=[\\w-]{43}; Max-Age=${age}; Path=/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$`,
        'u',
      );
    expect((await signIn()).headers.getSetCookie()).toEqual([
      expect.stringMatching(guarded('zakup_device', 180 * 24 * 60 * 60)),
    ]);
    const { key, activationCode } = await issuedLicence(service);
    const first = await post('/licenses/activate-step1', { licenseKey: key, twoFactorCode: activationCode });
    expect(first.headers.getSetCookie()).toEqual([expect.stringMatching(guarded('zakup_activation', 600))]);
    const own = { licenseKey: key, password: ownerPassword, passwordConfirm: ownerPassword };
    const second = await post('/licenses/activate-step2', own, { cookie: deviceOf(first) });
    expect(second.status).toBe(200);
    expect(second.headers.getSetCookie()).toEqual([
      '__Host-zakup_activation=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; Secure; SameSite=Strict',
      expect.stringMatching(guarded('zakup_device', 180 * 24 * 60 * 60)),
    ]);
  });

  test('SIG-1452 a device that was known before its cookie was guarded still is, and its old cookie is cleared', async () => {
    const { token: old } = await service.credentials.rememberDevice(null, person.id, service.now());
    const moved = await signIn(`zakup_device=${old}`);
    expect(await knownIn(moved)).toBe(true);
    expect(moved.headers.getSetCookie().map(pairOf)).toEqual([`__Host-zakup_device=${old}`, 'zakup_device=']);
    expect(moved.headers.getSetCookie()[1]).toMatch(/Path=\/api; Expires=Thu, 01 Jan 1970/u);
    expect(await knownIn(await signIn(deviceOf(moved)))).toBe(true);
    const { key, activationCode } = await issuedLicence(service);
    const first = await post('/licenses/activate-step1', { licenseKey: key, twoFactorCode: activationCode });
    const own = { licenseKey: key, password: ownerPassword, passwordConfirm: ownerPassword };
    const second = await post('/licenses/activate-step2', own, { cookie: deviceOf(first).replace('__Host-', '') });
    expect([second.status, second.headers.getSetCookie().map(pairOf)]).toEqual([
      200,
      ['__Host-zakup_activation=', 'zakup_activation=', expect.stringMatching(/^__Host-zakup_device=.+/u)],
    ]);
  });

  test('SIG-1453 a token that somebody else planted under the old name does not become this browser’s', async () => {
    const { token: planted } = await service.credentials.rememberDevice(null, licence.ownerId, service.now());
    const signedIn = await signIn(`zakup_device=${planted}`);
    expect(await knownIn(signedIn)).toBe(false);
    expect(deviceOf(signedIn)).not.toContain(planted);
    expect(await service.credentials.knowsDevice(planted, person.id, service.now())).toBe(false);
    // The guarded name goes before the old one, whatever the order.
    const both = await signIn(`zakup_device=${planted}; ${deviceOf(signedIn)}`);
    expect([await knownIn(both), deviceOf(both)]).toEqual([true, deviceOf(signedIn)]);
  });
});
