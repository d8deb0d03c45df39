import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { type GivenLicence, givenLicence, givenPerson, personPassword } from '../testing/given.ts';

describe('people', () => {
  let service: CommandService;
  let licence: GivenLicence;
  beforeAll(async () => {
    service = await commandService();
    licence = await givenLicence(service, { maxConcurrentSessions: 100 });
  });
  afterAll(() => service.close());

  const send = (method: string, path: string, body?: object, token = licence.owner) =>
    service.call(method, path, body, { token });
  let count = 0;
  const create = (more: object, token = licence.owner) => {
    count += 1;
    return send(
      'POST',
      '/employees/create',
      { name: 'Олег', email: `o${count}@example.com`, role: 'MEDIA_BUYER', ...more },
      token,
    );
  };

  test('CM-80 a created person is answered with code and, without a given password, a temporary one', async () => {
    const { status, body } = await create({ salaryType: 'percentage', salaryRate: 12.5, performanceThreshold: '90,5' });
    expect(status).toBe(200);
    expect(body.data.user).toMatchObject({
      role: 'MEDIA_BUYER',
      permissions: null,
      isActive: true,
      isOwner: false,
      licenseId: licence.id,
      revision: 0,
      salaryRate: 12.5,
      performanceThreshold: 90.5,
    });
    expect(body.data.authCode).toBe(body.data.user.authCode);
    expect(body.data.temporaryPassword).toEqual(expect.any(String));
    expect((await create({ password: personPassword })).body.data.temporaryPassword).toBeUndefined();
    const text = JSON.stringify(await service.eventStore.readLicence(licence.id));
    expect(text).not.toContain(body.data.temporaryPassword);
    expect(text).not.toContain(personPassword);
  });

  test('CM-81 the form is checked in its order and words', async () => {
    const all = await send('POST', '/employees/create', { name: 'О', email: 'x', role: 'BOSS', authCode: 'abc' });
    expect(all.body.errors?.map(({ detail }) => detail)).toEqual([
      'Name must be at least 2 characters long',
      'Valid email is required',
      'Auth code must be at least 4 characters long',
      'Valid role is required',
    ]);
    expect((await create({ password: '1234567' })).body.error).toBe('Пароль должен содержать минимум 8 символов');
    expect((await create({ salaryRate: 100.01 })).status).toBe(422);
    expect((await create({ salaryType: 'hourly' })).status).toBe(422);
    expect((await create({ permissions: [true] })).status).toBe(422);
    expect((await create({ email: `x@${'.a'.repeat(200_000)}@` })).status).toBe(422);
  });

  test('CM-82 nobody creates, edits or deactivates above their own rank, nor grants what they lack', async () => {
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    const cbdo = await givenPerson(service, licence, 'CBDO');
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
    const refusals = [
      await create({ role: 'CEO' }, lead.token),
      await create({ role: 'CBDO' }, lead.token),
      await create({ permissions: { dashboard: true, capabilities: true } }, lead.token),
      await create({ permissions: '{"capabilities":true}' }, lead.token),
      await send('PUT', `/users/${cbdo.id}`, { name: 'Другой' }, lead.token),
      await send('PUT', `/users/${licence.ownerId}`, { name: 'Другой' }, cbdo.token),
      await send('PUT', `/users/${buyer.id}`, { role: 'CBDO' }, lead.token),
      await send('PUT', `/users/${buyer.id}`, { permissions: { campaigns: true } }, lead.token),
      await send('PUT', `/users/${lead.id}`, { role: 'CEO' }, lead.token),
      await send(
        'PUT',
        `/users/${lead.id}`,
        { permissions: { dashboard: true, settings: true, capabilities: true } },
        lead.token,
      ),
      await send('DELETE', `/users/${cbdo.id}`, undefined, lead.token),
      await send('DELETE', `/users/${lead.id}`, undefined, lead.token),
      await send('DELETE', `/users/${licence.ownerId}`, undefined, cbdo.token),
      await send('POST', `/users/${cbdo.id}/reissue-code`, undefined, lead.token),
      await send('POST', `/users/${cbdo.id}/temporary-password`, undefined, lead.token),
      await send('POST', `/users/${licence.ownerId}/temporary-password`),
      await send('DELETE', `/users/${licence.ownerId}`),
      await create({}, buyer.token),
    ];
    expect(refusals.map(({ status, body }) => [status, body.code])).toEqual(refusals.map(() => [403, 'ACCESS_DENIED']));
    expect((await create({ role: 'TEAM_LEAD' }, lead.token)).status).toBe(200);
    expect((await send('PUT', `/users/${buyer.id}`, { role: 'ANALYTIC' }, lead.token)).status).toBe(200);
  });

  test('CM-83 who came to more rights than another cannot be brought back by that other', async () => {
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    const { user } = (await create({ permissions: { dashboard: true, capabilities: true } })).body.data;
    await send('PUT', `/users/${user.id}`, { isActive: false });
    expect((await send('PUT', `/users/${user.id}`, { isActive: true }, lead.token)).status).toBe(403);
    expect((await send('PUT', `/users/${user.id}`, { isActive: true })).status).toBe(200);
  });

  test('CM-84 the owner stays CEO and active; another CEO can be demoted and leave', async () => {
    const ceo = await givenPerson(service, licence, 'CEO');
    const demoted = await send('PUT', `/users/${licence.ownerId}`, { role: 'CBDO' });
    expect([demoted.status, demoted.body.code]).toEqual([409, 'CONFLICT']);
    expect((await send('PUT', `/users/${licence.ownerId}`, { isActive: false })).status).toBe(403);
    expect((await send('DELETE', `/users/${licence.ownerId}`, undefined, ceo.token)).status).toBe(403);
    expect((await send('PUT', `/users/${ceo.id}`, { role: 'CBDO' })).body.data.user.role).toBe('CBDO');
    const other = await givenPerson(service, licence, 'CEO');
    expect((await send('DELETE', `/users/${other.id}`)).status).toBe(200);
  });

  test('CM-85 who is deactivated loses sessions and password at once, by either door', async () => {
    for (const leave of ['DELETE', 'PUT']) {
      const person = await givenPerson(service, licence, 'MEDIA_BUYER');
      await send(leave, `/users/${person.id}`, leave === 'PUT' ? { isActive: false } : undefined);
      const note = await send('POST', '/contractors/none/notes', { note: 'x' }, person.token);
      expect(note.status).toBe(401);
      const login = await service.call('POST', '/auth/employee-login', {
        authCode: person.authCode,
        password: personPassword,
      });
      expect([login.status, login.body.error]).toEqual([401, 'Неверный код доступа, пароль или доступ деактивирован']);
      const back = (await send('PUT', `/users/${person.id}`, { isActive: true })).body.data.user;
      const again = await service.call('POST', '/auth/employee-login', {
        authCode: back.authCode,
        password: personPassword,
      });
      expect(again.status).toBe(401);
      const issued = await send('POST', `/users/${person.id}/temporary-password`);
      const password = issued.body.data.temporaryPassword;
      expect((await service.call('POST', '/auth/employee-login', { authCode: back.authCode, password })).status).toBe(
        200,
      );
    }
  });

  test('CM-88 a deactivation sent again after the person is back leaves them alone', async () => {
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const leave = () =>
      service.call('DELETE', `/users/${person.id}`, undefined, {
        token: licence.owner,
        key: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
      });
    const first = await leave();
    const back = (await send('PUT', `/users/${person.id}`, { isActive: true })).body.data.user;
    const issued = (await send('POST', `/users/${person.id}/temporary-password`)).body.data;
    expect((await leave()).body).toEqual(first.body);
    const given = { authCode: back.authCode, password: issued.temporaryPassword };
    expect((await service.call('POST', '/auth/employee-login', given)).status).toBe(200);
  });

  test('CM-174 a creation sent again sets the password that was not set, and never overwrites one', async () => {
    const attempt = (key: string, more: object) =>
      service.call(
        'POST',
        '/employees/create',
        { name: 'Олег', email: `${key.slice(0, 8)}@example.com`, role: 'MEDIA_BUYER', ...more },
        { token: licence.owner, key },
      );
    const login = async (authCode: string, password: string) =>
      (await service.call('POST', '/auth/employee-login', { authCode, password })).status;
    // Without its password a person is as after a process that ended between the append and the password.
    const given = { password: 'given-password' };
    const key = '1f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const created = (await attempt(key, given)).body;
    await service.credentials.removePassword(created.data.user.id);
    expect((await attempt(key, given)).body).toEqual(created);
    expect(await login(created.data.authCode, given.password)).toBe(200);
    const record = { userId: created.data.user.id, licenceId: licence.id, temporary: false, validUntil: null };
    await service.credentials.setPassword(record, 'own-password');
    await attempt(key, given);
    expect(await login(created.data.authCode, 'own-password')).toBe(200);

    const other = '2f9619ff-8b86-4d01-b42d-00cf4fc964ff';
    const first = (await attempt(other, {})).body.data;
    expect((await attempt(other, {})).body.data.temporaryPassword).toBeUndefined();
    await service.credentials.removePassword(first.user.id);
    const fresh = (await attempt(other, {})).body.data.temporaryPassword;
    expect(await login(first.authCode, first.temporaryPassword)).toBe(401);
    expect(await login(first.authCode, fresh)).toBe(200);

    await send('DELETE', `/users/${first.user.id}`);
    expect((await attempt(other, {})).body.data.temporaryPassword).toBeUndefined();
    await send('PUT', `/users/${first.user.id}`, { isActive: true });
    expect((await attempt(other, {})).body.data.temporaryPassword).toBeUndefined();
  });

  test('CM-175 a password left over by a deactivation that was cut off does not come back with the person', async () => {
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    await send('DELETE', `/users/${person.id}`);
    const record = { userId: person.id, licenceId: licence.id, temporary: false, validUntil: null };
    await service.credentials.setPassword(record, personPassword);
    const back = (await send('PUT', `/users/${person.id}`, { isActive: true })).body.data.user;
    const login = { authCode: back.authCode, password: personPassword };
    expect((await service.call('POST', '/auth/employee-login', login)).status).toBe(401);
  });

  test('CM-86 a new temporary password ends the person’s sessions and their old password', async () => {
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const issued = await send('POST', `/users/${person.id}/temporary-password`);
    expect(issued.body.data.user.id).toBe(person.id);
    expect((await send('POST', '/contractors/none/notes', { note: 'x' }, person.token)).status).toBe(401);
    const login = (password: string) =>
      service.call('POST', '/auth/employee-login', { authCode: person.authCode, password });
    expect((await login(personPassword)).status).toBe(401);
    expect((await login(issued.body.data.temporaryPassword)).body.data.passwordChangeRequired).toBe(true);
  });

  test('CM-87 read-only members are ignored; null empties terms', async () => {
    const { user } = (await create({ salaryType: 'budget', salaryRate: 5, performanceThreshold: 10 })).body.data;
    const put = await send('PUT', `/users/${user.id}`, {
      authCode: 'MINE',
      isOwner: true,
      licenseId: 'x',
      password: 'changed-password',
      salaryType: null,
      salaryRate: null,
      performanceThreshold: null,
    });
    expect(put.body.data.user).toMatchObject({
      authCode: user.authCode,
      isOwner: false,
      licenseId: licence.id,
      salaryType: null,
      salaryRate: null,
      performanceThreshold: null,
    });
  });
});
