import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { type GivenLicence, givenLicence, givenPerson, ownerPassword, personPassword } from '../testing/given.ts';

const hour = 3_600_000;

describe('passwords that somebody else gave', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const settings = (token: string, body: object): Promise<Reply> =>
    service.call('PUT', '/license/settings', body, { token });
  const switched = async (changeGivenPasswords: boolean, licence?: GivenLicence): Promise<GivenLicence> => {
    const of = licence ?? (await givenLicence(service, { maxConcurrentSessions: 100 }));
    expect((await settings(of.owner, { changeGivenPasswords })).status).toBe(200);
    return of;
  };
  let people = 0;
  const make = async ({ owner }: GivenLicence): Promise<string> => {
    people += 1;
    const body = { name: 'Ольга', email: `given${people}@example.com`, role: 'MEDIA_BUYER', password: personPassword };
    const made = await service.call('POST', '/employees/create', body, { token: owner });
    expect([made.status, made.body.data.temporaryPassword]).toEqual([200, undefined]);
    return made.body.data.authCode;
  };
  const signIn = (authCode: string, password = personPassword): Promise<Reply> =>
    service.call('POST', '/auth/employee-login', { authCode, password });
  const mustChange = async (authCode: string): Promise<boolean> =>
    Object.hasOwn((await signIn(authCode)).body.data, 'passwordChangeRequired');

  test('PW-1503 off unless it is switched on: a given password opens the door for good', async () => {
    const licence = await givenLicence(service);
    const { settings: present } = (await settings(licence.owner, {})).body.data.license;
    expect(present.changeGivenPasswords).toBe(false);
    expect(await mustChange(await make(licence))).toBe(false);
  });

  test('PW-1504 on: it opens its change alone, however late, and the person’s own opens everything', async () => {
    const authCode = await make(await switched(true));
    service.advance(30 * 24 * hour);
    const { token, passwordChangeRequired } = (await signIn(authCode)).body.data;
    expect(passwordChangeRequired).toBe(true);
    const change = await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token });
    expect([change.status, change.body.code]).toEqual([403, 'PASSWORD_CHANGE_REQUIRED']);
    const passwords = { currentPassword: personPassword, newPassword: 'семь вёрст' };
    expect((await service.call('POST', '/auth/password', passwords, { token })).status).toBe(200);
    const own = (await signIn(authCode, 'семь вёрст')).body.data;
    expect(own.passwordChangeRequired).toBeUndefined();
    const note = await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token: own.token });
    expect(note.status).toBe(404);
    expect((await signIn(authCode)).status).toBe(401);
  });

  test('PW-1505 passwords that were given before stay as they were given, whatever is switched since', async () => {
    const licence = await givenLicence(service, { maxConcurrentSessions: 100 });
    const before = await make(licence);
    await switched(true, licence);
    const meanwhile = await make(licence);
    expect([await mustChange(before), await mustChange(meanwhile)]).toEqual([false, true]);
    await switched(false, licence);
    const after = await make(licence);
    expect([await mustChange(before), await mustChange(meanwhile), await mustChange(after)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('PW-1506 nobody’s own password counts as given: the owner’s of the activation, one that was changed', async () => {
    const licence = await switched(true);
    const owner = { loginCode: licence.ownerCode, password: ownerPassword };
    const back = await service.call('POST', '/auth/ceo-login', owner);
    expect([back.status, back.body.data.passwordChangeRequired]).toEqual([200, undefined]);
    const other = await givenLicence(service, { maxConcurrentSessions: 100 });
    const person = await givenPerson(service, other, 'MEDIA_BUYER');
    const passwords = { currentPassword: personPassword, newPassword: 'семь вёрст' };
    const changed = await service.call('POST', '/auth/password', passwords, { token: person.token });
    await switched(true, other);
    expect(changed.status).toBe(200);
    expect((await signIn(person.authCode, 'семь вёрст')).body.data.passwordChangeRequired).toBeUndefined();
  });

  test('PW-1507 who may change the parameters switches it, nobody else; the same command again gives no other password', async () => {
    const licence = await givenLicence(service, { maxConcurrentSessions: 100 });
    const lead = await givenPerson(service, licence, 'CBDO');
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
    expect((await settings(buyer.token, { changeGivenPasswords: true })).status).toBe(403);
    const wrong = await settings(licence.owner, { changeGivenPasswords: 'yes' });
    expect([wrong.status, wrong.body.errors?.[0]?.pointer]).toEqual([422, '/changeGivenPasswords']);
    expect((await settings(lead.token, { changeGivenPasswords: true })).status).toBe(200);
    const key = '7f6a2d0e-58f7-4a43-9d5c-2b8e1c0f4a77';
    const body = { name: 'Ольга', email: 'again@example.com', role: 'MEDIA_BUYER', password: personPassword };
    const send = (): Promise<Reply> => service.call('POST', '/employees/create', body, { token: licence.owner, key });
    const first = await send();
    await switched(false, licence);
    expect((await send()).body.position).toBe(first.body.position);
    expect(await mustChange(first.body.data.authCode)).toBe(true);
  });
});
