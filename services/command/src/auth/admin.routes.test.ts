import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenAdmin, givenLicence, issuedLicence } from '../testing/given.ts';

const day = 24 * 60 * 60_000;
const owner = { ownerName: 'Анна', ownerEmail: 'anna@example.com', ownerTelegram: '@anna' };

describe('the admin realm', () => {
  let service: CommandService;
  let admin: string;
  beforeAll(async () => {
    service = await commandService();
    admin = await givenAdmin(service);
  });
  afterAll(() => service.close());

  const call = (path: string, body?: unknown, token = admin) => service.call('POST', `/admin${path}`, body, { token });

  test('CM-160 issuing answers the whole licence, a code and where it stands in the log', async () => {
    const { status, body } = await call('/licenses', {
      ...owner,
      expiresAt: '2027-05-01',
      maxConcurrentSessions: 3,
      features: ['placements'],
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      success: true,
      error: null,
      revision: 0,
      position: expect.any(Number),
      commandId: expect.any(String),
    });
    expect(body.data.activationCode).toMatch(/^\d{6}$/u);
    expect(body.data.license).toMatchObject({
      revision: 0,
      teamName: 'Анна',
      expiresAt: '2027-05-01T20:59:59.999Z',
      maxConcurrentSessions: 3,
      features: ['placements'],
      status: 'active',
      activated: false,
      pendingCode: null,
    });
    expect(body.data.license.licenseKey).toMatch(/^LICENSE(-[A-Z2-9]{4}){4}$/u);
  });

  test('CM-161 what is issued is checked', async () => {
    for (const [more, pointer] of [
      [{ ownerName: ' ' }, '/ownerName'],
      [{ ownerEmail: 'anna' }, '/ownerEmail'],
      [{ ownerTelegram: 5 }, '/ownerTelegram'],
      [{ expiresAt: 'завтра' }, '/expiresAt'],
      [{ expiresAt: '2027-13-40' }, '/expiresAt'],
      [{ expiresAt: '2027-01-01T00:00:00' }, '/expiresAt'],
      [{ maxConcurrentSessions: 0 }, '/maxConcurrentSessions'],
      [{ maxConcurrentSessions: 1.5 }, '/maxConcurrentSessions'],
      [{ features: ['everything'] }, '/features/0'],
      [{ features: 'placements' }, '/features'],
    ] as const) {
      const { status, body } = await call('/licenses', { ...owner, ...more });
      expect([status, body.code, body.errors?.[0]?.pointer]).toEqual([422, 'VALIDATION_FAILED', pointer]);
    }
  });

  test('CM-162 tokens of one realm are 401 in the other', async () => {
    const licence = await givenLicence(service);
    const asTenant = await service.call('POST', '/channels', { name: 'x' }, { token: admin });
    expect([asTenant.status, asTenant.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    const asAdmin = await call('/licenses', owner, licence.owner);
    expect([asAdmin.status, asAdmin.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    expect((await service.call('POST', '/admin/licenses', owner)).status).toBe(401);
    expect((await service.call('POST', '/auth/logout', {}, { token: admin })).status).toBe(401);
  });

  test('CM-163 a wrong login or password is 401, and five of them wait', async () => {
    const login = (name: string, password: string) => service.call('POST', '/admin/login', { login: name, password });
    const wrong = await login('admin', 'wrong-password');
    expect([wrong.status, wrong.body.error]).toEqual([401, 'Неверный логин или пароль']);
    expect((await login('root', 'admin-password')).body.error).toBe(wrong.body.error);
    for (let tries = 1; tries < 5; tries += 1) await login('admin', 'wrong-password');
    expect((await login('admin', 'admin-password')).status).toBe(429);
    service.advance(15 * 60_000 + 1);
    admin = await givenAdmin(service);
  });

  test('CM-164 a new admin password ends earlier tokens; a token lasts 12 hours', async () => {
    await service.credentials.setAdmin('admin', 'admin-password');
    expect((await call('/licenses', owner)).status).toBe(401);
    admin = await givenAdmin(service);
    service.advance(day / 2);
    expect((await call('/licenses', owner)).status).toBe(401);
    admin = await givenAdmin(service);
  });

  test('CM-1457 signing out ends the admin’s own session at once and no other; without a use it ends after half an hour', async () => {
    const other = await givenAdmin(service);
    const out = await call('/logout', undefined, other);
    expect([out.status, out.body]).toEqual([200, { success: true, error: null, data: {} }]);
    for (const path of ['/logout', '/licenses']) {
      const { status, body } = await call(path, {}, other);
      expect([status, body.code, body.error]).toEqual([401, 'UNAUTHENTICATED', 'Session expired. Please login again.']);
    }
    expect((await call('/rebuild')).status).toBe(200);
    service.advance(29 * 60_000);
    expect((await call('/rebuild')).status).toBe(200);
    service.advance(30 * 60_000);
    const idle = await call('/rebuild');
    expect([idle.status, idle.body.code, idle.body.error]).toEqual([
      401,
      'UNAUTHENTICATED',
      'Сеанс закончился: полчаса без действий. Войдите снова.',
    ]);
    expect((await call('/logout')).status).toBe(401);
    expect((await service.call('POST', '/admin/logout')).status).toBe(401);
    admin = await givenAdmin(service);
  });

  test('CM-165 renewing, suspending and resuming answer the licence; unknown ids are 404 whatever the body', async () => {
    const { id } = await issuedLicence(service);
    const renewed = await call(`/licenses/${id}/renew`, { expiresAt: '2030-01-01T00:00:00Z' });
    expect(renewed.body).toMatchObject({
      revision: 1,
      data: { license: { expiresAt: '2030-01-01T00:00:00.000Z', revision: 1 } },
    });
    expect((await call(`/licenses/${id}/renew`, { expiresAt: '2030-01-01T00:00:00Z' })).body.revision).toBe(1);
    expect((await call(`/licenses/${id}/suspend`, { reason: 'долг' })).body.data.license.status).toBe('suspended');
    expect((await call(`/licenses/${id}/suspend`, {})).status).toBe(422);
    expect((await call(`/licenses/${id}/resume`)).body.data.license.status).toBe('active');
    for (const action of ['code', 'renew', 'suspend', 'resume'])
      for (const unknown of ['nobody', `${id}~${id}`, '..%2F..', '%00', 'x'.repeat(300)]) {
        const { status, body } = await call(`/licenses/${unknown}/${action}`, {});
        expect([status, body.code]).toEqual([404, 'NOT_FOUND']);
      }
  });

  test('CM-166 an expired licence reads but changes nothing until it is renewed', async () => {
    const licence = await givenLicence(service, { expiresAt: new Date(Date.parse('2026-11-25')).toISOString() });
    service.advance(14 * day);
    const login = () =>
      service.call('POST', '/auth/ceo-login', { loginCode: licence.ownerCode, password: 'owner-password' });
    const { token, license } = (await login()).body.data;
    expect(license.status).toBe('expired');
    const refused = await service.call('POST', '/channels', { name: 'x' }, { token });
    expect([refused.status, refused.body.code]).toEqual([403, 'LICENSE_INACTIVE']);
    admin = await givenAdmin(service);
    await call(`/licenses/${licence.id}/renew`, { expiresAt: '2030-01-01' });
    expect((await service.call('POST', '/channels', { name: 'x' }, { token })).status).toBe(200);
  });
});
