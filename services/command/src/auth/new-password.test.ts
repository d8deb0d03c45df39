import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { givenLicence, givenPerson, issuedLicence, ownerPassword, personPassword, ticketOf } from '../testing/given.ts';

describe('a password that somebody sets', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const said = ({ status, body }: Reply) => [status, body.code, body.error, body.errors];
  const refusal = (field: string, detail: string) => [
    422,
    'VALIDATION_FAILED',
    detail,
    [{ pointer: `/${field}`, detail }],
  ];
  const signIn = (authCode: string, password: string): Promise<Reply> =>
    service.call('POST', '/auth/employee-login', { authCode, password });

  test('PW-1496 activation refuses what is common, the owner’s words and the team’s; the same ticket sets another', async () => {
    const more = {
      ownerName: 'Виктор Лапин',
      ownerEmail: 'boss77@vkus.media',
      ownerTelegram: '@vlapin',
      teamName: 'Вкус Медиа',
    };
    const { key, activationCode } = await issuedLicence(service, more);
    const first = await service.call('POST', '/licenses/activate-step1', {
      licenseKey: key,
      twoFactorCode: activationCode,
    });
    const headers = { Cookie: ticketOf(first) };
    const set = (password: string): Promise<Reply> => {
      const body = { licenseKey: key, password, passwordConfirm: password };
      return service.call('POST', '/licenses/activate-step2', body, { headers });
    };
    expect(said(await set('Password1'))).toEqual(refusal('password', messages.passwordCommon));
    for (const password of ['Виктор12', 'boss77!!', 'vlapin123', 'вкусмедиа'])
      expect(said(await set(password))).toEqual(refusal('password', messages.passwordOwnWord));
    expect((await set('вкус к жизни')).status).toBe(200);
    const stranger = { licenseKey: key, password: '12345678', passwordConfirm: '12345678' };
    expect((await service.call('POST', '/licenses/activate-step2', stranger)).status).toBe(401);
  });

  test('PW-1497 an owner who sets a new one by key and code may not take the name they have by now', async () => {
    const licence = await givenLicence(service);
    const renamed = { name: 'Анжелика Орлова' };
    expect((await service.call('PUT', `/users/${licence.ownerId}`, renamed, { token: licence.owner })).status).toBe(
      200,
    );
    const code = await service.call('POST', `/admin/licenses/${licence.id}/code`, {}, { token: licence.admin });
    const proven = await service.call('POST', '/licenses/activate-step1', {
      licenseKey: licence.key,
      twoFactorCode: code.body.data.activationCode,
    });
    const body = { licenseKey: licence.key, password: 'Анжелика7', passwordConfirm: 'Анжелика7' };
    const refused = await service.call('POST', '/licenses/activate-step2', body, {
      headers: { Cookie: ticketOf(proven) },
    });
    expect(said(refused)).toEqual(refusal('password', messages.passwordOwnWord));
    const owner = { loginCode: licence.ownerCode, password: ownerPassword };
    expect((await service.call('POST', '/auth/ceo-login', owner)).status).toBe(200);
  });

  test('PW-1498 a colleague is made with no such password, and e-mail and key stay free', async () => {
    const licence = await givenLicence(service, { teamName: 'Закупщики' });
    const key = '0b5c8c8a-6a0e-4a57-9b3e-6f0f5f1c9a11';
    const make = (password: string): Promise<Reply> => {
      const body = { name: 'Ольга Белова', email: 'obelova@example.com', role: 'MEDIA_BUYER', password };
      return service.call('POST', '/employees/create', body, { token: licence.owner, key });
    };
    expect(said(await make('qwertyuiop'))).toEqual(refusal('password', messages.passwordCommon));
    for (const password of ['белова99', 'OBELOVA1', '«закупщики»'])
      expect(said(await make(password))).toEqual(refusal('password', messages.passwordOwnWord));
    const made = await make('сорок чашек чая');
    expect(made.status).toBe(200);
    expect((await signIn(made.body.data.authCode, 'сорок чашек чая')).status).toBe(200);
  });

  test('PW-1499 nobody changes their own to one, also not the first of a temporary one; nothing ends by trying', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER', { name: 'Ольга Белова' });
    const change = (token: string, currentPassword: string, newPassword: string): Promise<Reply> =>
      service.call('POST', '/auth/password', { currentPassword, newPassword }, { token });
    const common = refusal('newPassword', messages.passwordCommon);
    expect(said(await change(person.token, personPassword, 'password123'))).toEqual(common);
    const own = refusal('newPassword', messages.passwordOwnWord);
    expect(said(await change(person.token, personPassword, 'Белова202'))).toEqual(own);
    expect((await signIn(person.authCode, personPassword)).status).toBe(200);

    const body = { name: 'Олег Ежов', email: 'ezhov@example.com', role: 'MEDIA_BUYER' };
    const { data } = (await service.call('POST', '/employees/create', body, { token: licence.owner })).body;
    const { token } = (await signIn(data.authCode, data.temporaryPassword)).body.data;
    expect(said(await change(token, data.temporaryPassword, '12345678'))).toEqual(common);
    expect((await change(token, data.temporaryPassword, 'семь вёрст')).status).toBe(200);
  });

  test('PW-1500 a password that was set before goes on opening the door, and gives way to a better one', async () => {
    const licence = await givenLicence(service);
    const { id, authCode } = await givenPerson(service, licence, 'MEDIA_BUYER');
    const record = { userId: id, licenceId: licence.id, temporary: false, validUntil: null, typedWith: authCode };
    await service.credentials.setPassword(record, 'password123');
    const { token } = (await signIn(authCode, 'password123')).body.data;
    const passwords = { currentPassword: 'password123', newPassword: 'семь вёрст' };
    expect((await service.call('POST', '/auth/password', passwords, { token })).status).toBe(200);
  });
});
