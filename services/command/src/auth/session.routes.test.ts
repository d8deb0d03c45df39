import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenLicence, givenPerson, personPassword } from '../testing/given.ts';

const hour = 60 * 60_000;

describe('own sessions and password', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const login = async (authCode: string, password = personPassword) =>
    service.call('POST', '/auth/employee-login', { authCode, password });
  const works = async (token: string): Promise<number> =>
    (await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token })).status;

  test('CM-140 logout ends this session, its refresh token too, and no other', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const second = (await login(person.authCode)).body.data;
    const out = await service.call(
      'POST',
      '/auth/logout',
      { refreshToken: second.refreshToken },
      { token: second.token },
    );
    expect([out.status, out.body]).toEqual([200, { success: true, error: null, data: {} }]);
    expect(await works(second.token)).toBe(401);
    expect((await service.call('POST', '/auth/refresh', { refreshToken: second.refreshToken })).status).toBe(401);
    expect(await works(person.token)).toBe(404);
    expect((await service.call('POST', '/auth/logout', undefined, { token: second.token })).status).toBe(401);
  });

  test('CM-141 a person ends one of their sessions or all others, never another person’s', async () => {
    const licence = await givenLicence(service);
    const [one, other] = [
      await givenPerson(service, licence, 'MEDIA_BUYER'),
      await givenPerson(service, licence, 'MEDIA_BUYER'),
    ];
    const [foreign] = await service.credentials.sessionsOf(other.id, 0);
    const refused = await service.call('DELETE', `/auth/sessions/${foreign?.id ?? ''}`, undefined, {
      token: one.token,
    });
    expect([refused.status, refused.body.code]).toEqual([404, 'NOT_FOUND']);
    expect(await works(other.token)).toBe(404);
    service.advance(1000);
    const tokens = [await login(one.authCode), await login(one.authCode)].map(({ body }) => body.data.token);
    const own = await service.credentials.sessionsOf(one.id, 0);
    const ended = await service.call('DELETE', `/auth/sessions/${own[0]?.id ?? ''}`, undefined, {
      token: tokens[0] ?? '',
    });
    expect(ended.body.data).toEqual({ ended: 1 });
    expect(await works(one.token)).toBe(401);
    const rest = await service.call('DELETE', '/auth/sessions', undefined, { token: tokens[0] ?? '' });
    expect(rest.body.data).toEqual({ ended: 1 });
    expect(await works(tokens[1] ?? '')).toBe(401);
    expect(await works(tokens[0] ?? '')).toBe(404);
  });

  test('CM-142 a temporary password opens only the change of password', async () => {
    const licence = await givenLicence(service);
    const created = await service.call(
      'POST',
      '/employees/create',
      { name: 'Олег', email: 'oleg@example.com', role: 'MEDIA_BUYER' },
      { token: licence.owner },
    );
    const { authCode, temporaryPassword } = created.body.data;
    const signedIn = (await login(authCode, temporaryPassword)).body.data;
    expect(signedIn.passwordChangeRequired).toBe(true);
    const change = await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token: signedIn.token });
    expect([change.status, change.body.code]).toEqual([403, 'PASSWORD_CHANGE_REQUIRED']);
    expect((await service.call('DELETE', '/auth/sessions', undefined, { token: signedIn.token })).status).toBe(403);
    const wrong = await service.call(
      'POST',
      '/auth/password',
      { currentPassword: 'wrong', newPassword: 'brand-new-password' },
      { token: signedIn.token },
    );
    expect([wrong.status, wrong.body.error]).toEqual([422, 'Неверный текущий пароль']);
    const done = await service.call(
      'POST',
      '/auth/password',
      { currentPassword: temporaryPassword, newPassword: 'brand-new-password' },
      { token: signedIn.token },
    );
    expect(done.status).toBe(200);
    expect(done.body.data.passwordChangeRequired).toBeUndefined();
    expect(await works(done.body.data.token)).toBe(404);
    expect((await login(authCode, temporaryPassword)).status).toBe(401);
    expect((await login(authCode, 'brand-new-password')).status).toBe(200);
  });

  test('CM-143 a temporary password is over after 72 hours', async () => {
    const licence = await givenLicence(service);
    const created = await service.call(
      'POST',
      '/employees/create',
      { name: 'Олег', email: 'oleg@example.com', role: 'MEDIA_BUYER' },
      { token: licence.owner },
    );
    service.advance(72 * hour);
    const { authCode, temporaryPassword } = created.body.data;
    expect((await login(authCode, temporaryPassword)).status).toBe(401);
  });

  test('CM-144 a changed password ends the other sessions and answers new tokens beside the one used', async () => {
    const licence = await givenLicence(service, { maxConcurrentSessions: 2 });
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const second = (await login(person.authCode)).body.data;
    const changed = await service.call(
      'POST',
      '/auth/password',
      { currentPassword: personPassword, newPassword: 'brand-new-password' },
      { token: second.token },
    );
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ position: expect.any(Number), commandId: expect.any(String) });
    expect(await works(person.token)).toBe(401);
    expect(await works(second.token)).toBe(404);
    expect(await works(changed.body.data.token)).toBe(404);
    const events = await service.eventStore.readLicence(licence.id);
    expect(events.at(-1)?.type).toBe('EmployeePasswordChanged');
    expect(JSON.stringify(events)).not.toContain('brand-new-password');
  });

  test('CM-172 the token that changed the password is over after 5 seconds by what is stored, and frees its seat', async () => {
    const licence = await givenLicence(service, { maxConcurrentSessions: 1 });
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const old = (
      await service.call('POST', '/auth/employee-login', {
        authCode: person.authCode,
        password: personPassword,
        endOldest: true,
      })
    ).body.data;
    const passwords = { currentPassword: personPassword, newPassword: 'brand-new-password' };
    const changed = await service.call('POST', '/auth/password', passwords, { token: old.token });
    expect(changed.status).toBe(200);
    service.advance(4999);
    expect(await works(old.token)).toBe(404);
    service.advance(1);
    expect(await works(old.token)).toBe(401);
    const refreshed = await service.call('POST', '/auth/refresh', { refreshToken: old.refreshToken });
    expect(refreshed.status).toBe(401);
    expect(await works(changed.body.data.token)).toBe(404);
    await service.call('POST', '/auth/logout', {}, { token: changed.body.data.token });
    expect((await login(person.authCode, 'brand-new-password')).status).toBe(200);
  });

  test('CM-173 the new password is another one than the present', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const same = { currentPassword: personPassword, newPassword: personPassword };
    const refused = await service.call('POST', '/auth/password', same, { token: person.token });
    expect([refused.status, refused.body.error]).toEqual([422, 'Новый пароль должен отличаться от прежнего']);
    expect(refused.body.errors?.map(({ pointer }) => pointer)).toEqual(['/newPassword']);
  });

  test('CM-145 guesses at the current password are counted', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const guess = () =>
      service.call(
        'POST',
        '/auth/password',
        { currentPassword: 'guess-guess', newPassword: 'brand-new-password' },
        { token: person.token },
      );
    for (let tries = 0; tries < 5; tries += 1) expect((await guess()).status).toBe(422);
    expect((await guess()).status).toBe(429);
    service.advance(hour);
  });

  test('CM-146 in a suspended licence an employee’s password stays as it is', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    await service.call('POST', `/admin/licenses/${licence.id}/suspend`, { reason: 'долг' }, { token: licence.admin });
    const refused = await service.call(
      'POST',
      '/auth/password',
      { currentPassword: personPassword, newPassword: 'brand-new-password' },
      { token: person.token },
    );
    expect([refused.status, refused.body.code]).toEqual([403, 'LICENSE_INACTIVE']);
    await service.call('POST', `/admin/licenses/${licence.id}/resume`, {}, { token: licence.admin });
    expect((await login(person.authCode)).status).toBe(200);
  });
});
