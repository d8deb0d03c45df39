import { httpFront } from '@zakup/service-kit/http-front';
import { readiness } from '@zakup/service-kit/health';
import { messages } from '@zakup/domain/messages';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandApp } from '../app.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import {
  type GivenLicence,
  type GivenPerson,
  givenAdmin,
  givenLicence,
  givenPerson,
  givenSecondFactor,
  issuedLicence,
  ownerPassword,
  personPassword,
} from '../testing/given.ts';

const network = '203.0.113.0/24';

describe('a second factor that was lost, and what the journal is told of second factors', () => {
  let service: CommandService;
  let licence: GivenLicence;
  beforeAll(async () => {
    service = await commandService((deps) => {
      const { log, metrics } = deps;
      const config = { trustProxy: 1, publicHttps: true, metrics: 'open' } as const;
      const front = httpFront({ config, readiness: readiness({}), log, metrics });
      front.open([commandApp(deps)]);
      return front.app;
    });
    licence = await givenLicence(service, { maxConcurrentSessions: 100 });
  });
  afterAll(() => service.close());

  const call = (method: string, path: string, body?: unknown, token?: string): Promise<Reply> =>
    service.call(method, path, body, {
      ...(token !== undefined && { token }),
      headers: { 'X-Forwarded-For': '203.0.113.77' },
    });
  const said = ({ status, body }: Reply) => [status, body.code ?? null, body.error];
  const signIn = ({ authCode }: Pick<GivenPerson, 'authCode'>): Promise<Reply> =>
    call('POST', '/auth/employee-login', { authCode, password: personPassword });
  const reset = (id: string, token: string): Promise<Reply> =>
    call('DELETE', `/users/${id}/second-factor`, undefined, token);
  const resetOfOwner = (id: string, token?: string): Promise<Reply> =>
    call('POST', `/admin/licenses/${id}/second-factor/reset`, {}, token);
  const works = async (token: string): Promise<boolean> =>
    (await call('POST', '/contractors/none/notes', { note: 'x' }, token)).status === 404;
  const withFactor = async (role = 'MEDIA_BUYER', more: object = {}) => {
    const somebody = await givenPerson(service, licence, role, more);
    return { ...somebody, ...(await givenSecondFactor(service, somebody)) };
  };
  const isAsked = async (somebody: Pick<GivenPerson, 'authCode'>): Promise<boolean> =>
    (await signIn(somebody)).body.data.secondFactorRequired;
  const told = async (personId: string, licenceId = licence.id) =>
    (await service.eventStore.read(`access-${licenceId}~${personId}`)).map(({ type, data, metadata }) => ({
      type,
      data,
      by: metadata.actorId,
    }));
  const ofFactors = async (personId: string) =>
    (await told(personId)).filter(({ type }) => /SecondFactor|Recovery/u.test(type));

  test('SIG-1570 who lost telephone and codes comes in by the password alone once a colleague took the factor away; their sessions and waiting sign-ins end', async () => {
    const somebody = await withFactor();
    const waiting = (await signIn(somebody)).body.data.token;
    const { refreshToken } = (
      await service.call(
        'POST',
        '/auth/second-factor',
        { code: somebody.code() },
        { token: (await signIn(somebody)).body.data.token },
      )
    ).body.data;
    expect(said(await reset(somebody.id, licence.owner))).toEqual([200, null, null]);
    expect(await works(somebody.token)).toBe(false);
    expect((await call('POST', '/auth/refresh', { refreshToken })).status).toBe(401);
    expect((await call('POST', '/auth/second-factor', { code: somebody.code(1) }, waiting)).status).toBe(401);
    const back = (await signIn(somebody)).body.data;
    expect([back.secondFactorRequired, await works(back.token)]).toEqual([undefined, true]);
    expect((await told(somebody.id)).filter(({ type }) => type === 'SecondFactorReset')).toEqual([
      { type: 'SecondFactorReset', data: { network }, by: licence.ownerId },
    ]);
    const anew = await givenSecondFactor(service, { token: back.token });
    expect(anew.secret).not.toBe(somebody.secret);
    expect(await isAsked(somebody)).toBe(true);
  });

  test('ATK-1570 nobody takes it from whom they could give no password: not of higher rank, with wider rights, of the owner, of another licence', async () => {
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
    const ceo = await givenPerson(service, licence, 'CEO');
    const other = await givenLicence(service, { maxConcurrentSessions: 100 });
    const [chief, wider, somebody] = [
      await withFactor('CBDO'),
      await withFactor('ANALYTIC', { permissions: { dashboard: true, capabilities: true } }),
      await withFactor(),
    ];
    const { owner, ownerId } = licence;
    await givenSecondFactor(service, { token: owner, password: ownerPassword });
    const refusals = [
      [await reset(somebody.id, buyer.token), [403, 'ACCESS_DENIED', messages.accessDenied]],
      [await reset(chief.id, lead.token), [403, 'ACCESS_DENIED', messages.rankTooHigh]],
      [await reset(wider.id, lead.token), [403, 'ACCESS_DENIED', messages.grantTooWide]],
      [await reset(ownerId, ceo.token), [403, 'ACCESS_DENIED', messages.rankTooHigh]],
      [await reset(somebody.id, other.owner), [404, 'NOT_FOUND', messages.employeeNotFound]],
      [await reset('nobody', owner), [404, 'NOT_FOUND', messages.employeeNotFound]],
      [await reset(somebody.id, (await signIn(somebody)).body.data.token), [401, 'UNAUTHENTICATED']],
      [await reset(somebody.id, licence.admin), [401, 'UNAUTHENTICATED']],
    ] as const;
    for (const [reply, expected] of refusals) expect(said(reply)).toEqual(expect.arrayContaining([...expected]));
    for (const one of [chief, wider, somebody]) expect(await isAsked(one)).toBe(true);
    expect(await works(somebody.token)).toBe(true);
    expect((await reset(somebody.id, lead.token)).status).toBe(200);
  });

  test('ATK-1571 nobody takes away their own without a code: an open browser is no proof', async () => {
    const lead = await withFactor('TEAM_LEAD');
    const other = await givenLicence(service);
    await givenSecondFactor(service, { token: other.owner, password: ownerPassword });
    const own = [403, 'ACCESS_DENIED', messages.secondFactorOwn];
    expect(said(await reset(lead.id, lead.token))).toEqual(own);
    expect(said(await reset(other.ownerId, other.owner))).toEqual(own);
    expect([await isAsked(lead), await works(lead.token)]).toEqual([true, true]);
  });

  test('ATK-1572 sent again, many at once, or where there is none it does nothing: no session ends and the journal has one entry', async () => {
    const somebody = await withFactor();
    const replies = await Promise.all(Array.from({ length: 5 }, () => reset(somebody.id, licence.owner)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const { token } = (await signIn(somebody)).body.data;
    const again = await reset(somebody.id, licence.owner);
    expect(said(again)).toEqual([404, 'NOT_FOUND', messages.secondFactorOfOthers]);
    expect(await works(token)).toBe(true);
    const entries = (await told(somebody.id)).filter(({ type }) => type === 'SecondFactorReset');
    expect(entries).toHaveLength(1);
  });

  test('SIG-1571 the admin takes away the owner’s, and nobody else may call it', async () => {
    const other = await givenLicence(service);
    const { code } = await givenSecondFactor(service, { token: other.owner, password: ownerPassword });
    expect((await resetOfOwner(other.id)).status).toBe(401);
    expect((await resetOfOwner(other.id, other.owner)).status).toBe(401);
    const signInOwner = () => call('POST', '/auth/ceo-login', { loginCode: other.ownerCode, password: ownerPassword });
    const waiting = (await signInOwner()).body.data;
    expect(waiting.secondFactorRequired).toBe(true);
    const admin = await givenAdmin(service);
    expect(said(await resetOfOwner(other.id, admin))).toEqual([200, null, null]);
    expect(await works(other.owner)).toBe(false);
    expect((await call('POST', '/auth/second-factor', { code: code() }, waiting.token)).status).toBe(401);
    expect((await signInOwner()).body.data.user.isOwner).toBe(true);
    const entries = (await told(other.ownerId, other.id)).filter(({ type }) => type === 'SecondFactorReset');
    expect(entries).toEqual([{ type: 'SecondFactorReset', data: { network }, by: 'admin' }]);
    const none = [404, 'NOT_FOUND', messages.secondFactorOfOwner];
    expect(said(await resetOfOwner(other.id, admin))).toEqual(none);
    expect(said(await resetOfOwner((await issuedLicence(service)).id, admin))).toEqual(none);
    expect((await resetOfOwner('none', admin)).body.error).toBe(messages.licenceNotFound);
  });

  test('ACE-1570 switched on and off, new recovery codes and each that is used are in the journal with person and network, and no secret', async () => {
    const somebody = await givenPerson(service, licence, 'ANALYTIC');
    const begin = await call('POST', '/auth/second-factor/begin', { currentPassword: personPassword }, somebody.token);
    expect(await ofFactors(somebody.id)).toEqual([]);
    const { secret } = begin.body.data;
    const factor = await givenSecondFactor(
      { clock: service.clock, call: (method, path, body, more) => call(method, path, body, more?.token) },
      somebody,
    );
    const { token } = (await signIn(somebody)).body.data;
    const [first = '', second = ''] = factor.recoveryCodes;
    const opened = await call('POST', '/auth/second-factor', { code: first }, token);
    expect(opened.status).toBe(200);
    const by = (code: string) => ({ currentPassword: personPassword, code });
    const renewed = await call('POST', '/auth/second-factor/recovery-codes', by(second), opened.body.data.token);
    const third = renewed.body.data.recoveryCodes[0] ?? '';
    expect((await call('POST', '/auth/second-factor/off', by(factor.code()), opened.body.data.token)).status).toBe(200);
    const entry = (type: string, more: object = {}) => ({ type, data: { network, ...more }, by: somebody.id });
    expect(await ofFactors(somebody.id)).toEqual([
      entry('SecondFactorEnabled'),
      entry('RecoveryCodeUsed', { left: 9 }),
      entry('RecoveryCodeUsed', { left: 8 }),
      entry('RecoveryCodesRenewed'),
      entry('SecondFactorDisabled'),
    ]);
    const written = JSON.stringify(await told(somebody.id));
    for (const one of [secret, factor.secret, first, second, third, factor.code()]) expect(written).not.toContain(one);
  });

  test('SIG-1572 switching it on ends the other sessions of the person, who had the password alone; this one goes on', async () => {
    const somebody = await givenPerson(service, licence, 'MEDIA_BUYER');
    const other = (await signIn(somebody)).body.data;
    const colleague = await givenPerson(service, licence, 'MEDIA_BUYER');
    const begun = await call('POST', '/auth/second-factor/begin', { currentPassword: personPassword }, somebody.token);
    expect((await call('POST', '/auth/second-factor/confirm', { code: '000000' }, somebody.token)).status).toBe(422);
    expect([begun.status, await works(other.token)]).toEqual([200, true]);
    await givenSecondFactor(service, somebody);
    expect(await works(other.token)).toBe(false);
    expect((await call('POST', '/auth/refresh', { refreshToken: other.refreshToken })).status).toBe(401);
    expect([await works(somebody.token), await works(colleague.token)]).toEqual([true, true]);
  });
});
