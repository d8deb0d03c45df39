import { codeShown } from '@zakup/credentials/testing/authenticator';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import {
  type GivenLicence,
  type GivenPerson,
  givenLicence,
  givenPerson,
  givenSecondFactor,
  ownerPassword,
  personPassword,
} from '../testing/given.ts';

const minute = 60_000;

describe('a second factor for everybody of a licence', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, token?: string): Promise<Reply> =>
    service.call(method, path, body, token === undefined ? {} : { token });
  const said = ({ status, body }: Reply) => [status, body.error, body.errors?.[0]?.pointer];
  const settings = (token: string, body: object): Promise<Reply> => call('PUT', '/license/settings', body, token);
  const signIn = ({ authCode }: Pick<GivenPerson, 'authCode'>, password = personPassword): Promise<Reply> =>
    call('POST', '/auth/employee-login', { authCode, password });
  const works = async (token: string): Promise<boolean> =>
    (await call('POST', '/contractors/none/notes', { note: 'x' }, token)).status === 404;
  const begin = (token: string): Promise<Reply> => call('POST', '/auth/second-factor/set-up', {}, token);
  const confirm = (token: string, code: string): Promise<Reply> =>
    call('POST', '/auth/second-factor/set-up/confirm', { code }, token);
  const finish = (token: string, code: string): Promise<Reply> => call('POST', '/auth/second-factor', { code }, token);
  const shown = (secret: string): string => codeShown(secret, service.clock());
  /** A licence with a colleague and an owner who has a second factor. */
  const given = async (demanded: boolean) => {
    const licence: GivenLicence = await givenLicence(service, { maxConcurrentSessions: 100 });
    const owner = await givenSecondFactor(service, { token: licence.owner, password: ownerPassword });
    const somebody = await givenPerson(service, licence, 'MEDIA_BUYER');
    if (demanded) expect((await settings(licence.owner, { secondFactorForAll: true })).status).toBe(200);
    return { licence, owner, somebody };
  };

  test('SIG-1574 the owner alone switches it, and not before they have one; it is off unless it is switched on', async () => {
    const licence = await givenLicence(service);
    const lead = await givenPerson(service, licence, 'CEO');
    const change = (token: string, secondFactorForAll: boolean) => settings(token, { secondFactorForAll });
    const first = messages.secondFactorForAllOwnFirst;
    expect(said(await change(licence.owner, true))).toEqual([422, first, '/secondFactorForAll']);
    await givenSecondFactor(service, { token: licence.owner, password: ownerPassword });
    expect(said(await change(lead.token, true))).toEqual([403, messages.secondFactorForAllByOwner, undefined]);
    expect((await settings(lead.token, { secondFactorForAll: false, leadValue: 110 })).status).toBe(200);
    const done = await change(licence.owner, true);
    expect([done.status, done.body.data.license.settings.secondFactorForAll]).toEqual([200, true]);
    const back = await change(licence.owner, false);
    expect([back.status, back.body.data.license.settings.secondFactorForAll]).toEqual([200, false]);
    expect((await signIn(lead)).body.data.user.id).toBe(lead.id);
  });

  test('SIG-1575 sessions of who has none end with it, those of who has one go on; other licences notice nothing', async () => {
    const { licence, somebody } = await given(false);
    const guarded = await givenPerson(service, licence, 'ANALYTIC');
    await givenSecondFactor(service, guarded);
    const other = await given(false);
    const { refreshToken } = (await signIn(somebody)).body.data;
    expect((await settings(licence.owner, { secondFactorForAll: true })).status).toBe(200);
    expect([await works(somebody.token), await works(guarded.token), await works(licence.owner)]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await call('POST', '/auth/refresh', { refreshToken })).status).toBe(401);
    expect(await works(other.somebody.token)).toBe(true);
    expect((await signIn(other.somebody)).body.data.user.id).toBe(other.somebody.id);
    const entries = await service.eventStore.read(`access-${licence.id}~${somebody.id}`);
    const last = entries.at(-1);
    expect([last?.type, last?.metadata.actorId]).toEqual(['SessionsEnded', licence.ownerId]);
  });

  test('SIG-1576 whoever signs in without one sets it up first: key, a first code, recovery codes, and then the same token opens the session', async () => {
    const { licence, somebody } = await given(true);
    const step = (await signIn(somebody)).body.data;
    const expiresAt = new Date(service.clock() + 30 * minute).toISOString();
    expect(step).toEqual({ secondFactorSetUpRequired: true, token: expect.any(String) as string, expiresAt });
    expect((await finish(step.token, '123456')).status).toBe(422);
    const { secret, url } = (await begin(step.token)).body.data;
    expect(new URL(url).searchParams.get('secret')).toBe(secret);
    expect(said(await confirm(step.token, '000000'))).toEqual([422, messages.secondFactorWrong, '/code']);
    const { recoveryCodes } = (await confirm(step.token, shown(secret))).body.data;
    expect(recoveryCodes).toHaveLength(10);
    const done = await finish(step.token, shown(secret));
    expect([done.body.data.user.id, await works(done.body.data.token)]).toEqual([somebody.id, true]);
    expect((await finish(step.token, shown(secret))).status).toBe(401);
    expect((await signIn(somebody)).body.data.secondFactorRequired).toBe(true);
    const entries = await service.eventStore.read(`access-${licence.id}~${somebody.id}`);
    expect(entries.map(({ type }) => type)).toContain('SecondFactorEnabled');
  });

  test('SIG-1577 all doors lead there, a one-time password too, after which the password is changed', async () => {
    const { licence, somebody } = await given(true);
    const admin = licence.admin;
    await call('POST', `/admin/licenses/${licence.id}/second-factor/reset`, {}, admin);
    const byCode = { loginCode: licence.ownerCode, password: ownerPassword };
    const byKey = { licenseKey: licence.key, password: ownerPassword };
    const doors = [await call('POST', '/auth/ceo-login', byCode), await call('POST', '/licenses/activate', byKey)];
    for (const { body } of doors) expect(body.data.secondFactorSetUpRequired).toBe(true);
    const { token } = doors[0]?.body.data ?? { token: '' };
    const { secret } = (await begin(token)).body.data;
    await confirm(token, shown(secret));
    const owner = (await finish(token, shown(secret))).body.data;
    expect((await settings(owner.token, { codeOnlyLogin: true })).status).toBe(200);
    const alone = await call('POST', '/auth/login-code', { authCode: somebody.authCode });
    expect(alone.body.data.secondFactorSetUpRequired).toBe(true);
    const once = await call('POST', `/users/${somebody.id}/temporary-password`, {}, owner.token);
    const step = (await signIn(somebody, once.body.data.temporaryPassword)).body.data;
    const key = (await begin(step.token)).body.data;
    expect((await confirm(alone.body.data.token, shown(key.secret))).status).toBe(401);
    await confirm(step.token, shown(key.secret));
    const opened = (await finish(step.token, shown(key.secret))).body.data;
    expect([opened.passwordChangeRequired, await works(opened.token)]).toEqual([true, false]);
  });

  test('ATK-1573 the token permits the set-up alone, and nothing else permits it; it is over after half an hour or with a new password', async () => {
    const { licence, somebody } = await given(true);
    const { token } = (await signIn(somebody)).body.data;
    for (const [method, path, body] of [
      ['POST', '/contractors/none/notes', { note: 'x' }],
      ['POST', '/auth/password', { currentPassword: personPassword, newPassword: 'another-password' }],
      ['POST', '/auth/second-factor/begin', { currentPassword: personPassword }],
      ['POST', '/auth/second-factor/confirm', { code: '123456' }],
      ['POST', '/admin/licenses', {}],
    ] as const)
      expect([path, (await call(method, path, body, token)).status]).toEqual([path, 401]);
    expect((await call('POST', '/auth/refresh', { refreshToken: token })).status).toBe(401);
    for (const made of [licence.owner, `${token}x`, licence.admin])
      expect([(await begin(made)).status, (await confirm(made, '123456')).status]).toEqual([401, 401]);
    service.advance(29 * minute);
    expect((await begin(token)).status).toBe(200);
    service.advance(minute);
    expect([(await begin(token)).status, (await confirm(token, '123456')).status]).toEqual([401, 401]);
    const fresh = (await signIn(somebody)).body.data.token;
    const { secret } = (await begin(fresh)).body.data;
    await service.credentials.setPassword(
      { userId: somebody.id, licenceId: licence.id, temporary: false, validUntil: null },
      'quite another one',
    );
    expect((await confirm(fresh, shown(secret))).status).toBe(401);
    expect(await service.credentials.secondFactorOf(somebody.id)).toBeNull();
  });

  test('ATK-1574 whoever has the password alone puts no key in the place of one that is there, and a second waiting sign-in asks for its code', async () => {
    const { somebody } = await given(true);
    const [mine, theirs] = [(await signIn(somebody)).body.data.token, (await signIn(somebody)).body.data.token];
    const { secret } = (await begin(mine)).body.data;
    const { recoveryCodes } = (await confirm(mine, shown(secret))).body.data;
    expect(said(await begin(theirs))).toEqual([401, messages.secondFactorOn, undefined]);
    expect((await confirm(theirs, shown(secret))).status).toBe(422);
    expect((await finish(theirs, shown(secret))).status).toBe(422);
    expect((await begin(mine)).status).toBe(401);
    expect((await finish(theirs, recoveryCodes[0] ?? '')).status).toBe(200);
  });

  test('ATK-1575 a session that came about beside the switch ends when its token is renewed; nobody switches their own off while it is needed', async () => {
    const { licence, somebody } = await given(true);
    const opened = await service.credentials.openSession(
      {
        id: 'beside',
        userId: somebody.id,
        licenceId: licence.id,
        via: 'employee',
        createdAt: service.clock(),
        expiresAt: service.clock() + 60 * minute,
        userAgent: '',
        passwordChangeOnly: false,
      },
      { maxConcurrentSessions: 100, endOldest: false },
    );
    expect(opened.kind).toBe('opened');
    const refreshToken = opened.kind === 'opened' ? opened.refreshToken : '';
    expect((await call('POST', '/auth/refresh', { refreshToken })).status).toBe(401);
    expect(await service.credentials.session('beside', service.clock())).toBeNull();
    const step = (await signIn(somebody)).body.data.token;
    const { secret } = (await begin(step)).body.data;
    const { recoveryCodes } = (await confirm(step, shown(secret))).body.data;
    const { token } = (await finish(step, shown(secret))).body.data;
    const off = { currentPassword: personPassword, code: recoveryCodes[0] };
    const refused = await call('POST', '/auth/second-factor/off', off, token);
    expect(said(refused)).toEqual([422, messages.secondFactorForAllOn, '/code']);
    expect((await settings(licence.owner, { secondFactorForAll: false })).status).toBe(200);
    const again = { currentPassword: personPassword, code: recoveryCodes[1] };
    expect((await call('POST', '/auth/second-factor/off', again, token)).status).toBe(200);
  });
});
