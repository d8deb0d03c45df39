import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenBuying, givenLicence, givenPerson, givenPlacement, personPassword } from '../testing/given.ts';

describe('values that one holder has', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const employee = (token: string, more: object) =>
    service.call('POST', '/employees/create', { name: 'Олег', role: 'MEDIA_BUYER', ...more }, { token });

  test('CM-50 fifty placements at once with one new nick in different spellings make one contractor', async () => {
    const { licence, buyer, body } = await givenBuying(service);
    const spellings = [
      'Nick',
      '@nick',
      ' NICK ',
      'https://t.me/nick',
      't.me/Nick/17',
      'http://telegram.me/nIck?x=1',
      '@@nick',
      'Ｎｉｃｋ',
    ];
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        service.call(
          'POST',
          '/placements',
          { ...body, contractor: spellings[index % spellings.length] },
          { token: index % 2 === 0 ? buyer.token : licence.owner },
        ),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
    expect(new Set(replies.map(({ body: reply }) => reply.data.placement.contractorId)).size).toBe(1);
    const events = await service.eventStore.readLicence(licence.id);
    const made = events.filter(({ type }) => type === 'ContractorCreated');
    expect(made).toHaveLength(1);
    expect(made[0]?.data).toMatchObject({ nick: 'nick', automatic: true, channelName: 'Весна', category: 'Мемы' });
  });

  test('CM-51 a nick belongs to one contractor of a licence, however it is spelled; another licence has its own', async () => {
    const [one, other] = [await givenLicence(service), await givenLicence(service)];
    const create = (token: string, adminUsername: string) =>
      service.call('POST', '/contractors', { adminUsername, channelName: 'К', category: 'Мемы' }, { token });
    const first = await create(one.owner, ' @Anna ');
    expect(first.body.data.contractor).toMatchObject({ adminUsername: '@Anna', automatic: false, revision: 0 });
    for (const spelling of ['anna', '@ANNA', 'https://t.me/anna']) {
      const taken = await create(one.owner, spelling);
      expect([taken.status, taken.body.code, taken.body.error]).toEqual([
        409,
        'DUPLICATE',
        'Контрагент с таким ником уже есть',
      ]);
    }
    expect((await create(other.owner, 'anna')).status).toBe(200);
    expect((await create(one.owner, 'аnna')).status).toBe(200);
  });

  test('CM-52 a renamed contractor takes the new nick and frees the old one', async () => {
    const { licence, body } = await givenBuying(service);
    const token = licence.owner;
    const add = async (contractor: string) =>
      (await givenPlacement(service, token, { ...body, contractor })).contractorId;
    const [one, two] = [await add('one'), await add('two')];
    const rename = (id: string, adminUsername: string) =>
      service.call('PUT', `/contractors/${id}`, { adminUsername }, { token });
    expect((await rename(one, '@TWO')).body.code).toBe('DUPLICATE');
    const respelled = await rename(one, '@ONE');
    expect(respelled.body.data.contractor).toMatchObject({ adminUsername: '@ONE', revision: 1 });
    expect((await rename(one, 'three')).body.data.contractor.adminUsername).toBe('@three');
    expect(await add('Three')).toBe(one);
    expect((await rename(two, 'one')).status).toBe(200);
    expect(await add('one')).toBe(two);
    const fresh = await add('two');
    expect([one, two]).not.toContain(fresh);
  });

  test('CM-53 two renames to one nick at once: one wins', async () => {
    const { licence, body } = await givenBuying(service);
    const ids = await Promise.all(
      ['a1', 'b1'].map(
        async (contractor) => (await givenPlacement(service, licence.owner, { ...body, contractor })).contractorId,
      ),
    );
    const replies = await Promise.all(
      ids.map((id) => service.call('PUT', `/contractors/${id}`, { adminUsername: 'same' }, { token: licence.owner })),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  });

  test('CM-54 an e-mail is one active person’s, whatever its case; ten at once make one person', async () => {
    const { owner } = await givenLicence(service);
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        employee(owner, { email: index % 2 === 0 ? 'Oleg@Example.com' : 'oleg@example.com' }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = replies.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.body.code, refused?.body.error]).toEqual([
      409,
      'DUPLICATE',
      'Сотрудник с таким e-mail уже есть',
    ]);
  });

  test('CM-55 a given code is upper case, four characters at least and nobody else’s in the licence', async () => {
    const one = await givenLicence(service);
    const made = await employee(one.owner, { email: 'a@example.com', authCode: ' code-7 ', password: personPassword });
    expect(made.body.data).toMatchObject({ authCode: 'CODE-7', user: { authCode: 'CODE-7' } });
    expect(
      (await service.call('POST', '/auth/employee-login', { authCode: 'code-7', password: personPassword })).status,
    ).toBe(200);
    const taken = await employee(one.owner, { email: 'b@example.com', authCode: 'CODE-7' });
    expect([taken.status, taken.body.error]).toEqual([409, 'Такой код доступа уже занят']);
    const short = await employee(one.owner, { email: 'b@example.com', authCode: 'abc' });
    expect([short.status, short.body.error]).toEqual([422, 'Auth code must be at least 4 characters long']);
  });

  test('CM-56 who leaves frees e-mail and code; who comes back gets a new code, or 409 when the e-mail is taken', async () => {
    const licence = await givenLicence(service);
    const token = licence.owner;
    const person = await givenPerson(service, licence, 'MEDIA_BUYER', { email: 'one@example.com' });
    const put = (id: string, body: object) => service.call('PUT', `/users/${id}`, body, { token });
    expect((await service.call('DELETE', `/users/${person.id}`, undefined, { token })).body.data).toEqual({});
    expect((await service.call('DELETE', `/users/${person.id}`, undefined, { token })).status).toBe(404);
    const heir = await employee(token, { email: 'ONE@example.com', authCode: person.authCode });
    expect(heir.status).toBe(200);
    const taken = await put(person.id, { isActive: true });
    expect([taken.status, taken.body.code]).toEqual([409, 'DUPLICATE']);
    const back = await put(person.id, { isActive: true, email: 'two@example.com' });
    expect(back.body.data.user).toMatchObject({ isActive: true, email: 'two@example.com' });
    expect(back.body.data.user.authCode).not.toBe(person.authCode);
    expect((await employee(token, { email: 'two@example.com' })).status).toBe(409);
    expect((await employee(token, { email: 'three@example.com', authCode: back.body.data.user.authCode })).status).toBe(
      409,
    );
  });

  test('CM-57 an inactive person’s changed e-mail holds nothing; leaving and moving at once frees the old one', async () => {
    const licence = await givenLicence(service);
    const token = licence.owner;
    const person = await givenPerson(service, licence, 'MEDIA_BUYER', { email: 'old@example.com' });
    const put = (body: object) => service.call('PUT', `/users/${person.id}`, body, { token });
    expect((await put({ isActive: false, email: 'new@example.com' })).status).toBe(200);
    expect((await put({ email: 'later@example.com' })).status).toBe(200);
    for (const email of ['old@example.com', 'new@example.com', 'later@example.com'])
      expect((await employee(token, { email })).status).toBe(200);
  });

  test('CM-58 an e-mail that the owner took is nobody else’s', async () => {
    const licence = await givenLicence(service);
    const put = await service.call(
      'PUT',
      `/users/${licence.ownerId}`,
      { email: 'boss@example.com' },
      { token: licence.owner },
    );
    expect(put.status).toBe(200);
    expect((await employee(licence.owner, { email: 'BOSS@example.com' })).status).toBe(409);
  });

  test('CM-59 a reissued code replaces the old one at the door', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const { authCode } = (
      await service.call('POST', `/users/${person.id}/reissue-code`, undefined, { token: licence.owner })
    ).body.data;
    const login = (code: string) =>
      service.call('POST', '/auth/employee-login', { authCode: code, password: personPassword });
    expect((await login(person.authCode)).status).toBe(401);
    expect((await login(authCode)).status).toBe(200);
    const owners = await service.call('POST', `/users/${licence.ownerId}/reissue-code`, undefined, {
      token: licence.owner,
    });
    expect(owners.status).toBe(403);
  });
});
