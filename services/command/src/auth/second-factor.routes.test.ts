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

describe('the second factor', () => {
  let service: CommandService;
  let licence: GivenLicence;
  beforeAll(async () => {
    service = await commandService();
    licence = await givenLicence(service, { maxConcurrentSessions: 100 });
  });
  afterAll(() => service.close());

  /** As the clock moves on, the first token of the owner is over. */
  const ownerToken = async (): Promise<string> => {
    const body = { loginCode: licence.ownerCode, password: ownerPassword };
    return (await service.call('POST', '/auth/ceo-login', body)).body.data.token;
  };
  const person = async (): Promise<GivenPerson> =>
    givenPerson(service, { ...licence, owner: await ownerToken() }, 'MEDIA_BUYER');
  const withFactor = async () => {
    const somebody = await person();
    return { ...somebody, ...(await givenSecondFactor(service, somebody)) };
  };
  const signIn = ({ authCode }: Pick<GivenPerson, 'authCode'>, more: object = {}, headers = {}): Promise<Reply> =>
    service.call('POST', '/auth/employee-login', { authCode, password: personPassword, ...more }, { headers });
  const second = (token: string, code: string, more: object = {}, headers = {}): Promise<Reply> =>
    service.call('POST', '/auth/second-factor', { code, ...more }, { token, headers });
  const works = async (token: string): Promise<boolean> =>
    (await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token })).status === 404;
  const wrong = (somebody: { readonly secret: string }): string =>
    codeShown(somebody.secret, service.clock() + 24 * 60 * minute);
  const deviceOf = ({ headers }: Reply): string => headers.get('Set-Cookie')?.split(';')[0] ?? '';

  test('SIG-1470 who has none signs in as before; who has one gets a token that opens a session with a code alone', async () => {
    const before = await person();
    const plain = (await signIn(before)).body.data;
    expect([plain.secondFactorRequired, plain.user.id]).toEqual([undefined, before.id]);
    const somebody = await withFactor();
    const { body } = await signIn(somebody);
    const expiresAt = new Date(service.clock() + 5 * minute).toISOString();
    expect(body.data).toEqual({ secondFactorRequired: true, token: expect.any(String) as string, expiresAt });
    const done = await second(body.data.token, somebody.code());
    expect([done.status, done.body.data.user.id]).toEqual([200, somebody.id]);
    expect(await works(done.body.data.token)).toBe(true);
    const refreshed = await service.call('POST', '/auth/refresh', { refreshToken: done.body.data.refreshToken });
    expect(refreshed.status).toBe(200);
  });

  test('SIG-1471 all doors ask for it: the owner’s, the licence’s key and the code alone; a one-time password stays one', async () => {
    const other = await givenLicence(service, { maxConcurrentSessions: 100 });
    const owner = { token: other.owner, password: ownerPassword };
    const factor = await givenSecondFactor(service, owner);
    const byCode = { loginCode: other.ownerCode, password: ownerPassword };
    const byKey = { licenseKey: other.key, password: ownerPassword };
    const doors = [
      await service.call('POST', '/auth/ceo-login', byCode),
      await service.call('POST', '/licenses/activate', byKey),
    ];
    for (const [index, { body }] of doors.entries()) {
      expect(body.data.secondFactorRequired).toBe(true);
      expect((await second(body.data.token, factor.recoveryCodes[index] ?? '')).body.data.user.isOwner).toBe(true);
    }
    await service.call('PUT', '/license/settings', { codeOnlyLogin: true }, owner);
    const somebody = await givenPerson(service, other, 'ANALYTIC');
    const { code } = await givenSecondFactor(service, somebody);
    const alone = await service.call('POST', '/auth/login-code', { authCode: somebody.authCode });
    expect(alone.body.data.secondFactorRequired).toBe(true);
    const once = await service.call('POST', `/users/${somebody.id}/temporary-password`, {}, owner);
    const step = await signIn(somebody, { password: once.body.data.temporaryPassword });
    expect((await second(alone.body.data.token, code())).status).toBe(401);
    const done = await second(step.body.data.token, code());
    expect([done.status, done.body.data.passwordChangeRequired]).toEqual([200, true]);
  });

  test('ATK-1470 a code is right once, of its person alone, and a recovery code once; a spent token opens nothing', async () => {
    const [anna, boris] = [await withFactor(), await withFactor()];
    const { token } = (await signIn(anna)).body.data;
    const others = await second(token, boris.code());
    expect([others.status, others.body.error]).toEqual([422, messages.secondFactorWrong]);
    expect((await second(token, boris.recoveryCodes[0] ?? '')).status).toBe(422);
    const code = anna.code();
    expect((await second(token, code)).status).toBe(200);
    const spent = await second(token, anna.code(1));
    expect([spent.status, spent.body.error]).toEqual([401, messages.signInStepOver]);
    const again = (await signIn(anna)).body.data.token;
    expect((await second(again, code)).status).toBe(422);
    const recovery = anna.recoveryCodes[3] ?? '';
    expect((await second(again, recovery)).status).toBe(200);
    expect((await second((await signIn(anna)).body.data.token, recovery)).status).toBe(422);
  });

  test('ATK-1471 the token of the first secret opens nothing else, and nothing else opens a session in its place', async () => {
    const somebody = await withFactor();
    const { token } = (await signIn(somebody)).body.data;
    for (const [method, path, body] of [
      ['POST', '/contractors/none/notes', { note: 'x' }],
      ['POST', '/auth/logout', {}],
      ['POST', '/auth/password', { currentPassword: personPassword, newPassword: 'another-password' }],
      ['DELETE', '/auth/sessions', undefined],
      ['POST', '/auth/second-factor/begin', { currentPassword: personPassword }],
      ['POST', '/auth/second-factor/off', { currentPassword: personPassword, code: somebody.code() }],
      ['POST', '/admin/licenses', {}],
    ] as const)
      expect([path, (await service.call(method, path, body, { token })).status]).toEqual([path, 401]);
    expect((await service.call('POST', '/auth/refresh', { refreshToken: token })).status).toBe(401);
    for (const made of [somebody.token, `${token}x`, token.slice(1), 'null'])
      expect([made, (await second(made, somebody.code())).status]).toEqual([made, 401]);
    expect((await service.call('POST', '/auth/second-factor', { code: somebody.code() })).status).toBe(401);
  });

  test('ATK-1472 after five minutes, a new password or a deactivation the first secret has to be shown again', async () => {
    const somebody = await withFactor();
    const late = (await signIn(somebody)).body.data.token;
    service.advance(5 * minute);
    expect((await second(late, somebody.code())).body.error).toBe(messages.signInStepOver);
    const { token } = (await signIn(somebody)).body.data;
    const reset = await service.call(
      'POST',
      `/users/${somebody.id}/temporary-password`,
      {},
      { token: await ownerToken() },
    );
    expect(reset.status).toBe(200);
    expect((await second(token, somebody.code())).status).toBe(401);
    const once = reset.body.data.temporaryPassword;
    const last = (await signIn(somebody, { password: once })).body.data.token;
    const gone = await service.call('DELETE', `/users/${somebody.id}`, undefined, { token: await ownerToken() });
    expect(gone.status).toBe(200);
    expect((await second(last, somebody.code())).status).toBe(401);
  });

  test('ATK-1473 wrong codes are counted: five in a quarter of an hour, and right passwords between them forgive none', async () => {
    const somebody = await withFactor();
    for (let tries = 0; tries < 5; tries += 1) {
      const { token } = (await signIn(somebody)).body.data;
      expect((await second(token, wrong(somebody))).status).toBe(422);
    }
    const { token } = (await signIn(somebody)).body.data;
    const limited = await second(token, somebody.code());
    expect([limited.status, limited.body.code]).toEqual([429, 'RATE_LIMITED']);
    service.advance(15 * minute);
    const later = (await signIn(somebody)).body.data.token;
    expect((await second(later, somebody.code())).status).toBe(200);
  });

  test('ATK-1474 fifty codes at once are five guesses', async () => {
    const somebody = await withFactor();
    const { token } = (await signIn(somebody)).body.data;
    const replies = await Promise.all(Array.from({ length: 50 }, () => second(token, wrong(somebody))));
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(45);
  });

  test('SIG-1472 a device is known when the second secret was right as well, not before', async () => {
    const somebody = await withFactor();
    const first = await signIn(somebody);
    expect(first.headers.get('Set-Cookie')).toBeNull();
    const done = await second(first.body.data.token, somebody.code());
    const Cookie = deviceOf(done);
    expect(Cookie).toMatch(/^zakup_device=/u);
    const stranger = (await signIn(somebody)).body.data.token;
    for (let tries = 0; tries < 5; tries += 1) await second(stranger, wrong(somebody));
    expect((await second(stranger, somebody.code(1))).status).toBe(429);
    const own = (await signIn(somebody, {}, { Cookie })).body.data.token;
    expect((await second(own, somebody.code(1), {}, { Cookie })).status).toBe(200);
  });

  test('SIG-1473 where all seats are taken, the same token asks again with endOldest and needs no second code', async () => {
    const somebody = await withFactor();
    const opened = async (code: string) => {
      service.advance(1000);
      return second((await signIn(somebody)).body.data.token, code);
    };
    for (const code of somebody.recoveryCodes.slice(0, 2)) expect((await opened(code)).status).toBe(200);
    const { token } = (await signIn(somebody)).body.data;
    const code = somebody.code();
    const full = await second(token, code);
    expect([full.status, full.body.code, full.body.sessions?.length]).toEqual([409, 'SESSION_LIMIT', 3]);
    expect((await second(token, code, { endOldest: true })).status).toBe(200);
    expect(await works(somebody.token)).toBe(false);
    expect((await second(token, code, { endOldest: true })).status).toBe(401);
  });

  test('SIG-1474 to switch it off, or get new recovery codes, takes the password and a code; wrong ones change nothing', async () => {
    const somebody = await withFactor();
    const { token } = somebody;
    const ask = (call: string, currentPassword: string, code: string): Promise<Reply> =>
      service.call('POST', `/auth/second-factor/${call}`, { currentPassword, code }, { token });
    const said = async (reply: Promise<Reply>) => {
      const { status, body } = await reply;
      return [status, body.errors?.[0]?.pointer];
    };
    expect(await said(ask('off', 'wrong', somebody.code()))).toEqual([422, '/currentPassword']);
    expect(await said(ask('off', personPassword, wrong(somebody)))).toEqual([422, '/code']);
    const renewed = await ask('recovery-codes', personPassword, somebody.code());
    expect(renewed.body.data.recoveryCodes).toHaveLength(10);
    expect(await said(ask('off', personPassword, somebody.recoveryCodes[0] ?? ''))).toEqual([422, '/code']);
    expect(await said(ask('off', personPassword, renewed.body.data.recoveryCodes[0] ?? ''))).toEqual([200, undefined]);
    expect((await signIn(somebody)).body.data.user.id).toBe(somebody.id);
    expect(await said(ask('off', personPassword, '123456'))).toEqual([422, '/code']);
  });

  test('SIG-1475 whoever found an open browser switches nothing on: it takes the password, and that is guessed five times', async () => {
    const { token } = await person();
    const begin = (currentPassword: string): Promise<Reply> =>
      service.call('POST', '/auth/second-factor/begin', { currentPassword }, { token });
    const { secret, url } = (await begin(personPassword)).body.data;
    expect(new URL(url).searchParams.get('secret')).toBe(secret);
    expect(url).toMatch(/^otpauth:\/\/totp\/Zakup:/u);
    for (let tries = 0; tries < 5; tries += 1) expect((await begin('wrong')).status).toBe(422);
    expect((await begin(personPassword)).status).toBe(429);
  });
});
