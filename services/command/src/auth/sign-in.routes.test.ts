import { CredentialsUnavailable } from '@zakup/credentials/credentials';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenLicence, givenPerson, ownerPassword, personPassword } from '../testing/given.ts';

const hour = 60 * 60_000;

describe('signing in', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const employeeLogin = (authCode: string, password = personPassword, more: object = {}) =>
    service.call('POST', '/auth/employee-login', { authCode, password, ...more });
  const ceoLogin = (loginCode: string, password = ownerPassword, more: object = {}) =>
    service.call('POST', '/auth/ceo-login', { loginCode, password, ...more });
  const works = async (token: string): Promise<number> =>
    (await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token })).status;

  test('CM-120 each door takes its own people only, in its own words', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const signedIn = await employeeLogin(` ${person.authCode.toLowerCase()} `);
    expect(signedIn.status).toBe(200);
    expect(signedIn.body.data).toMatchObject({
      token: expect.any(String),
      refreshToken: expect.any(String),
      user: { id: person.id, role: 'MEDIA_BUYER', licenseId: licence.id },
      license: { id: licence.id, ceoLoginCode: null },
    });
    expect(signedIn.body.data.license.licenseKey).toMatch(/^LICENSE-••••-••••-••••-.{4}$/u);
    const cross = await ceoLogin(person.authCode, personPassword);
    expect([cross.status, cross.body.error]).toEqual([401, 'Неверный логин или пароль']);
    const owner = await employeeLogin(licence.ownerCode, ownerPassword);
    expect([owner.status, owner.body.error]).toEqual([401, 'Неверный код доступа, пароль или доступ деактивирован']);
    expect((await employeeLogin('NOSUCHCODE22')).body.error).toBe(owner.body.error);
  });

  test('CM-121 both fields are required, as texts', async () => {
    for (const body of [
      {},
      { authCode: 'A' },
      { authCode: '', password: 'x' },
      { authCode: ['A'], password: {} },
      [],
    ]) {
      const { status, body: answer } = await service.call('POST', '/auth/employee-login', body);
      expect([status, answer.code]).toEqual([422, 'VALIDATION_FAILED']);
    }
    const empty = await service.call('POST', '/auth/ceo-login', { loginCode: ' ', password: '' });
    expect(empty.body.error).toBe('Пожалуйста, заполните все поля');
    expect(empty.body.errors?.map(({ pointer }) => pointer)).toEqual(['/loginCode', '/password']);
  });

  test('CM-1417 what the credential store cannot keep is 503 with Retry-After at each door, in the form of every problem', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const doors = [
      ['/auth/employee-login', { authCode: person.authCode, password: personPassword }],
      ['/auth/ceo-login', { loginCode: licence.ownerCode, password: ownerPassword }],
      ['/admin/login', { login: 'admin', password: 'admin-password' }],
    ] as const;
    const answers = async () => {
      const replies = [];
      for (const [path, body] of doors) {
        const { status, body: answer, headers } = await service.call('POST', path, body);
        replies.push([path, status, answer.code, answer.success, headers.get('Retry-After')]);
      }
      return replies;
    };
    const beginTry = service.credentials.beginTry.bind(service.credentials);
    Object.assign(service.credentials, { beginTry: () => Promise.reject(new CredentialsUnavailable('full')) });
    expect(await answers()).toEqual(doors.map(([path]) => [path, 503, 'UNAVAILABLE', false, '2']));
    Object.assign(service.credentials, { beginTry });
    expect(await answers()).toEqual(doors.map(([path]) => [path, 200, undefined, true, null]));
  });

  test('CM-122 code-only sign-in is refused alike for unknown codes and closed licences, and open by the switch', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const byCode = (authCode: string) => service.call('POST', '/auth/login-code', { authCode });
    const closed = await byCode(person.authCode);
    expect([closed.status, closed.body.code]).toEqual([403, 'ACCESS_DENIED']);
    expect((await byCode('UNKNOWN22222')).body.error).toBe(closed.body.error);
    await service.call('PUT', '/license/settings', { codeOnlyLogin: true }, { token: licence.owner });
    expect((await byCode(person.authCode)).status).toBe(200);
    expect((await byCode(licence.ownerCode)).status).toBe(403);
  });

  test('CM-123 five failures make one account wait at one address for a quarter of an hour, nobody else', async () => {
    const licence = await givenLicence(service);
    const [one, other] = [
      await givenPerson(service, licence, 'MEDIA_BUYER'),
      await givenPerson(service, licence, 'MEDIA_BUYER'),
    ];
    for (let tries = 0; tries < 5; tries += 1)
      expect((await employeeLogin(one.authCode, 'guess-guess')).status).toBe(401);
    const waiting = await employeeLogin(one.authCode);
    expect([waiting.status, waiting.body.code]).toEqual([429, 'RATE_LIMITED']);
    expect(Number(waiting.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await employeeLogin(other.authCode)).status).toBe(200);
    service.advance(15 * 60_000 + 1);
    expect((await employeeLogin(one.authCode)).status).toBe(200);
  });

  test('CM-124 guesses sent all at once are counted one by one', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const replies = await Promise.all(Array.from({ length: 12 }, () => employeeLogin(person.authCode, 'guess-guess')));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(7);
    service.advance(hour);
  });

  test('CM-125 from the thirtieth failure of an address on, an account waits after its first', async () => {
    const licence = await givenLicence(service);
    const [one, other] = [
      await givenPerson(service, licence, 'MEDIA_BUYER'),
      await givenPerson(service, licence, 'MEDIA_BUYER'),
    ];
    for (let tries = 0; tries < 30; tries += 1) await employeeLogin(`SPRAY${tries}`);
    expect((await employeeLogin(one.authCode, 'guess-guess')).status).toBe(401);
    expect((await employeeLogin(one.authCode)).status).toBe(429);
    expect((await employeeLogin(other.authCode)).status).toBe(200);
    service.advance(hour);
  });

  test('CM-126 a refreshed pair replaces the old one; the old one works 5 s more and then ends the session', async () => {
    const licence = await givenLicence(service);
    const { token, refreshToken } = (await ceoLogin(licence.ownerCode)).body.data;
    const refresh = (given: unknown) => service.call('POST', '/auth/refresh', { refreshToken: given });
    service.advance(1000);
    const next = await refresh(refreshToken);
    expect(next.status).toBe(200);
    service.advance(4000);
    expect((await refresh(refreshToken)).body.data.refreshToken).toBe(next.body.data.refreshToken);
    service.advance(6000);
    const reused = await refresh(refreshToken);
    expect([reused.status, reused.body.error]).toEqual([401, 'Session expired. Please login again.']);
    expect((await refresh(next.body.data.refreshToken)).status).toBe(401);
    expect(await works(token)).toBe(401);
    expect((await refresh('made-up')).status).toBe(401);
    expect((await refresh(17)).status).toBe(422);
  });

  test('CM-127 an access token lasts 15 minutes, an owner session 24 hours, a licence session 7 days', async () => {
    const licence = await givenLicence(service);
    const owner = (await ceoLogin(licence.ownerCode)).body.data;
    const byKey = (
      await service.call('POST', '/licenses/activate', { licenseKey: licence.key, password: ownerPassword })
    ).body.data;
    expect(await works(owner.token)).toBe(404);
    service.advance(15 * 60_000);
    const expired = await service.call('POST', '/channels', { name: 'x' }, { token: owner.token });
    expect([expired.status, expired.body.error]).toEqual([401, 'Session expired. Please login again.']);
    service.advance(24 * hour - 15 * 60_000);
    expect((await service.call('POST', '/auth/refresh', { refreshToken: owner.refreshToken })).status).toBe(401);
    service.advance(5 * 24 * hour);
    const week = await service.call('POST', '/auth/refresh', { refreshToken: byKey.refreshToken });
    expect(week.status).toBe(200);
    service.advance(24 * hour);
    expect((await service.call('POST', '/auth/refresh', { refreshToken: week.body.data.refreshToken })).status).toBe(
      401,
    );
  });

  test('CM-128 above the seats: 409 with one’s own sessions; endOldest ends one’s own oldest and nobody else’s', async () => {
    const licence = await givenLicence(service, { maxConcurrentSessions: 2 });
    const one = await givenPerson(service, licence, 'MEDIA_BUYER');
    const other = await givenPerson(service, licence, 'MEDIA_BUYER');
    const full = await employeeLogin(one.authCode);
    expect([full.status, full.body.code, full.body.sessions?.length]).toEqual([409, 'SESSION_LIMIT', 1]);
    service.advance(1000);
    const again = await employeeLogin(one.authCode, personPassword, { endOldest: true });
    expect(again.status).toBe(200);
    expect(await works(one.token)).toBe(401);
    expect(await works(other.token)).toBe(404);
    expect(await works(licence.owner)).toBe(404);
    await service.call('POST', '/auth/logout', {}, { token: again.body.data.token });
    const third = await givenPerson(service, licence, 'MEDIA_BUYER');
    const nothingOfOnesOwn = await employeeLogin(one.authCode, personPassword, { endOldest: true });
    expect([nothingOfOnesOwn.status, nothingOfOnesOwn.body.sessions]).toEqual([409, []]);
    expect(await works(third.token)).toBe(404);
  });

  test('CM-129 a suspended licence refuses employees after the right password only; its owner comes in and changes nothing', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    await service.call('POST', `/admin/licenses/${licence.id}/suspend`, { reason: 'долг' }, { token: licence.admin });
    expect((await employeeLogin(person.authCode, 'wrong-password')).status).toBe(401);
    const refused = await employeeLogin(person.authCode);
    expect([refused.status, refused.body.code]).toEqual([403, 'LICENSE_INACTIVE']);
    const owner = await ceoLogin(licence.ownerCode);
    expect(owner.body.data.license.status).toBe('suspended');
    for (const token of [person.token, owner.body.data.token]) {
      const change = await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token });
      expect([change.status, change.body.code]).toEqual([403, 'LICENSE_INACTIVE']);
    }
  });

  test('CM-130 wrong forms of the bearer header are 401', async () => {
    const { owner } = await givenLicence(service);
    for (const header of [
      '',
      'Bearer',
      'Bearer ',
      'Bearer a.b',
      `Basic ${owner}`,
      `Bearer ${owner}x`,
      `Bearer ${owner} ${owner}`,
      'Bearer a.b.c',
    ]) {
      const { status } = await service.call('POST', '/channels', { name: 'x' }, { headers: { Authorization: header } });
      expect(status).toBe(401);
    }
    const none = await service.call('POST', '/channels', { name: 'x' });
    expect(none.body.error).toBe('No authentication token found');
    const [head, payload, signature] = owner.split('.');
    const forged = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
    for (const token of [`${forged}.${payload}.`, `${forged}.${payload}.${signature}`, `${head}.${payload}.AAAA`])
      expect(await works(token)).toBe(401);
  });
});
