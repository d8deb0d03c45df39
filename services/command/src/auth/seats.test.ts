import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { givenLicence, type GivenLicence, givenPerson, type GivenPerson, personPassword } from '../testing/given.ts';

/** AUTH-38, AUTH-39. */
describe('seats of a licence', () => {
  let service: CommandService;
  let licence: GivenLicence;
  let greedy: GivenPerson;
  beforeEach(async () => {
    service = await commandService();
    licence = await givenLicence(service, { maxConcurrentSessions: 5 });
    greedy = await givenPerson(service, licence, 'MEDIA_BUYER');
  });
  afterEach(() => service.close());

  const signIn = ({ authCode }: GivenPerson, more: object = {}): Promise<Reply> =>
    service.call('POST', '/auth/employee-login', { authCode, password: personPassword, ...more });
  const said = ({ status, body }: Reply) => [status, body.code];
  const idsOf = async ({ id }: { readonly id: string }): Promise<readonly string[]> =>
    (await service.credentials.sessionsOf(id, service.now())).map((one) => one.id);
  const end = (token: string, path: string): Promise<Reply> =>
    service.call('DELETE', `/users/${path}`, undefined, { token });

  test('SIG-1267 one employee takes three seats at most: the others still come in', async () => {
    expect([await signIn(greedy), await signIn(greedy)].map(({ status }) => status)).toEqual([200, 200]);
    const fourth = await signIn(greedy);
    expect(said(fourth)).toEqual([409, 'SESSION_LIMIT']);
    expect(fourth.body.sessions).toHaveLength(3);
    const colleague = await givenPerson(service, licence, 'MEDIA_BUYER');
    expect((await signIn(colleague)).status).toBe(200);
    const before = await idsOf(greedy);
    expect((await signIn(greedy, { endOldest: true })).status).toBe(200);
    const after = await idsOf(greedy);
    expect([after.length, after.includes(before[0] ?? '')]).toEqual([3, false]);
    expect(await idsOf(colleague)).toHaveLength(2);
  });

  test('SIG-1268 where seats are fewer than three, one person takes no more than there are', async () => {
    const small = await givenLicence(service, { maxConcurrentSessions: 2 });
    const person = await givenPerson(service, small, 'MEDIA_BUYER');
    expect((await signIn(person)).status).toBe(200);
    expect(said(await signIn(person))).toEqual([409, 'SESSION_LIMIT']);
  });

  test('SIG-1269 who has all their sessions changes the password, and keeps the one that did it', async () => {
    await signIn(greedy);
    const { token } = (await signIn(greedy)).body.data;
    const changed = await service.call(
      'POST',
      '/auth/password',
      { currentPassword: personPassword, newPassword: 'another-password' },
      { token },
    );
    expect(changed.status).toBe(200);
  });

  test('SIG-1270 the owner ends one session of anybody, or all, which the history tells; the one that asks goes on', async () => {
    await signIn(greedy);
    const [first = '', second = ''] = await idsOf(greedy);
    expect((await end(licence.owner, `${greedy.id}/sessions/${first}`)).body.data).toEqual({ ended: 1 });
    expect(await idsOf(greedy)).toEqual([second]);
    expect(said(await end(licence.owner, `${greedy.id}/sessions/${first}`))).toEqual([404, 'NOT_FOUND']);
    expect((await end(licence.owner, `${greedy.id}/sessions`)).body.data).toEqual({ ended: 1 });
    expect((await end(licence.owner, `${greedy.id}/sessions`)).body.data).toEqual({ ended: 0 });
    expect((await end(licence.owner, `${licence.ownerId}/sessions`)).body.data).toEqual({ ended: 0 });
    const events = await service.eventStore.read(`access-${licence.id}~${greedy.id}`);
    expect(
      events
        .filter(({ type }) => type === 'SessionsEnded')
        .map(({ data, metadata }) => [data['sessionIds'], data['reason'], metadata.actorId]),
    ).toEqual([
      [[first], 'revoked', licence.ownerId],
      [[second], 'revoked', licence.ownerId],
    ]);
  });

  test('SIG-1271 nobody else ends sessions of others, whatever their rank, and no owner those of another team', async () => {
    const deputy = await givenPerson(service, licence, 'CEO');
    for (const { token } of [deputy, greedy])
      expect(said(await end(token, `${greedy.id}/sessions`))).toEqual([403, 'ACCESS_DENIED']);
    const other = await givenLicence(service);
    expect(said(await end(other.owner, `${greedy.id}/sessions`))).toEqual([404, 'NOT_FOUND']);
    const [session = ''] = await idsOf(greedy);
    expect(said(await end(other.owner, `${other.ownerId}/sessions/${session}`))).toEqual([404, 'NOT_FOUND']);
    expect(await idsOf(greedy)).toEqual([session]);
  });
});
