import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandApp } from '../app.ts';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { givenAdmin, givenLicence, issuedLicence, ownerPassword, ticketOf } from '../testing/given.ts';

const minute = 60_000;

describe('activation', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  const step1 = (licenseKey: string, twoFactorCode: string) =>
    service.call('POST', '/licenses/activate-step1', { licenseKey, twoFactorCode });
  const step2 = (licenseKey: string, cookie: string | null, password = ownerPassword) =>
    service.call(
      'POST',
      '/licenses/activate-step2',
      { licenseKey, password, passwordConfirm: password },
      { headers: cookie === null ? {} : { Cookie: cookie } },
    );
  const wrongCode = (code: string): string => (code === '000000' ? '000001' : '000000');

  test('CM-100 the dialog goes from key and code to a login code that signs the owner in with all flags', async () => {
    const { key, activationCode } = await issuedLicence(service);
    const first = await step1(key, activationCode);
    expect(first.body.data).toEqual({ ownerName: 'Анна', ownerTelegram: '@anna' });
    expect(first.headers.getSetCookie()[0]).toMatch(
      /^zakup_activation=.+; Path=\/api\/licenses; .*HttpOnly; SameSite=Strict/u,
    );
    const second = await step2(key, ticketOf(first));
    expect(second.status).toBe(200);
    expect(second.body.data.ceoLoginCode).toMatch(/^[A-Z2-9]{12}$/u);
    expect(second.body).toMatchObject({ success: true, position: expect.any(Number), commandId: expect.any(String) });

    const { data } = (await service.call('POST', '/licenses/activate', { licenseKey: key, password: ownerPassword }))
      .body;
    expect(data.user).toMatchObject({ name: 'Анна', email: '@anna', role: 'CEO', isOwner: true, isActive: true });
    expect(Object.values(data.user.permissions ?? {})).toEqual(Array.from({ length: 8 }, () => true));
    expect(data.license).toMatchObject({
      licenseKey: key,
      ceoLoginCode: second.body.data.ceoLoginCode,
      activated: true,
    });
    const owner = { loginCode: second.body.data.ceoLoginCode.toLowerCase(), password: ownerPassword };
    expect((await service.call('POST', '/auth/ceo-login', owner)).status).toBe(200);
  });

  test('CM-101 a wrong code, an unknown key and a badly formed code are one answer', async () => {
    const { key, activationCode } = await issuedLicence(service);
    for (const [licenseKey, code] of [
      [key, wrongCode(activationCode)],
      ['LICENSE-AAAA-BBBB-CCCC-DDDD', activationCode],
      [key, '12345'],
      [key, 'abcdef'],
    ] as const) {
      const { status, body } = await step1(licenseKey, code);
      expect([status, body.code, body.error]).toEqual([422, 'VALIDATION_FAILED', 'Неверный код активации']);
    }
    const malformed = await step1('LICENSE-1', activationCode);
    expect([malformed.status, malformed.body.error]).toEqual([422, 'Неверный формат лицензионного ключа']);
  });

  test('CM-102 a code is over after ten minutes', async () => {
    const { key, activationCode } = await issuedLicence(service);
    service.advance(10 * minute);
    expect((await step1(key, activationCode)).status).toBe(422);
  });

  test('CM-103 five wrong tries spend the code for everybody, and make the guesser wait', async () => {
    const { id, key, activationCode } = await issuedLicence(service);
    for (let tries = 0; tries < 5; tries += 1) expect((await step1(key, wrongCode(activationCode))).status).toBe(422);
    expect((await step1(key, activationCode)).status).toBe(429);
    expect(await service.credentials.checkActivationCode(id, activationCode, 0)).toEqual({ kind: 'spent' });
  });

  test('CM-104 step 2 needs the ticket of this very licence, once', async () => {
    const one = await issuedLicence(service);
    const other = await issuedLicence(service);
    const ticket = ticketOf(await step1(one.key, one.activationCode));
    for (const cookie of [null, 'zakup_activation=made-up', 'zakup_activation=', 'other=1']) {
      const refused = await step2(one.key, cookie);
      expect([refused.status, refused.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    }
    expect((await step2(other.key, ticket)).status).toBe(401);
    expect((await step2(one.key, `theme=dark; ${ticket}; x=y`)).status).toBe(200);
    expect((await step2(one.key, ticket, 'another-password')).status).toBe(401);
    expect((await step1(one.key, one.activationCode)).status).toBe(422);
  });

  test('CM-105 a ticket lasts ten minutes', async () => {
    const { key, activationCode } = await issuedLicence(service);
    const ticket = ticketOf(await step1(key, activationCode));
    service.advance(10 * minute);
    expect((await step2(key, ticket)).status).toBe(401);
  });

  test('CM-106 a code asked for after step 1 does not close the way for its ticket', async () => {
    const { key, activationCode } = await issuedLicence(service);
    const ticket = ticketOf(await step1(key, activationCode));
    service.advance(2 * minute);
    await service.call('POST', '/licenses/request-code', { licenseKey: key });
    expect((await step2(key, ticket)).status).toBe(200);
  });

  test('CM-107 passwords are checked in the words of the form', async () => {
    const { key } = await issuedLicence(service);
    const send = (body: object) => service.call('POST', '/licenses/activate-step2', { licenseKey: key, ...body });
    const short = await send({ password: '1234567', passwordConfirm: '1234567' });
    expect([short.status, short.body.error]).toEqual([422, 'Пароль должен содержать минимум 8 символов']);
    const differ = await send({ password: 'long-password', passwordConfirm: 'long-passwort' });
    expect([differ.status, differ.body.error]).toEqual([422, 'Пароли не совпадают']);
  });

  test('CM-108 request-code answers alike for every key; only the admin reads what it made, and not again within a minute', async () => {
    const { id, key, admin } = await issuedLicence(service);
    const activated = await givenLicence(service);
    const answers = await Promise.all(
      [key, activated.key, 'LICENSE-AAAA-BBBB-CCCC-DDDD'].map((licenseKey) =>
        service.call('POST', '/licenses/request-code', { licenseKey }),
      ),
    );
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { success: true, error: null, data: {} }]);
    const pending = async () =>
      (await service.call('POST', `/admin/licenses/${id}/resume`, {}, { token: admin })).body.data.license.pendingCode;
    await expect.poll(async () => (await pending())?.code).toMatch(/^\d{6}$/u);
    const code = (await pending())?.code ?? '';
    await service.call('POST', '/licenses/request-code', { licenseKey: key });
    expect((await pending())?.code).toBe(code);
    expect((await step1(key, code)).status).toBe(200);
  });

  test('SIG-81 request-code does the same for every key before it answers, byte for byte, and makes the code afterwards', async () => {
    const done: string[] = [];
    let beforeAnswer: readonly string[] = [];
    const counted = <Store extends object>(store: Store): Store =>
      new Proxy(store, {
        get: (target, name, receiver) => {
          if (typeof name === 'string') done.push(name);
          return Reflect.get(target, name, receiver) as unknown;
        },
      });
    const own = await commandService((deps) => {
      const app = express();
      app.use((_request, response, next) => {
        done.length = 0;
        response.once('finish', () => {
          beforeAnswer = [...done];
        });
        next();
      });
      const { credentials, eventStore, cache } = deps;
      const stores = { credentials: counted(credentials), eventStore: counted(eventStore), cache: counted(cache) };
      app.use('/api', commandApp({ ...deps, ...stores }));
      return app;
    });
    const fresh = await issuedLicence(own);
    const activated = await givenLicence(own);
    const suspended = await issuedLicence(own);
    await own.call('POST', `/admin/licenses/${suspended.id}/suspend`, { reason: 'долг' }, { token: fresh.admin });
    const ask = async (licenseKey: string) => {
      const reply = await fetch(`${own.address}/api/licenses/request-code`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ licenseKey }),
      });
      const { date: _, ...headers } = Object.fromEntries(reply.headers);
      return { status: reply.status, headers, body: await reply.text(), work: beforeAnswer };
    };
    const unknown = await ask('LICENSE-AAAA-BBBB-CCCC-DDDD');
    expect([unknown.status, unknown.work]).toEqual([200, ['codes', 'load', 'load', 'load', 'pendingActivationCode']]);
    for (const key of [activated.key, suspended.key, 'LICENSE-AAAA-BBBB-CCCC-DDDE', fresh.key])
      expect(await ask(key)).toEqual(unknown);
    await expect.poll(() => own.credentials.pendingActivationCode(fresh.id, own.now())).not.toBeNull();
    for (const { id } of [activated, suspended])
      expect(await own.credentials.pendingActivationCode(id, own.now())).toBeNull();
    await own.close();
  });

  test("CM-109 the admin's code for an activated licence: new password, same login code, the owner's sessions end", async () => {
    const { id, key, owner, ownerCode } = await givenLicence(service);
    const admin = await givenAdmin(service);
    const made = await service.call('POST', `/admin/licenses/${id}/code`, undefined, { token: admin });
    const ticket = ticketOf(await step1(key, made.body.data.activationCode));
    const again = await step2(key, ticket, 'new-owner-password');
    expect(again.body.data).toEqual({ ceoLoginCode: ownerCode });
    expect((await service.call('POST', '/channels', { name: 'Канал' }, { token: owner })).status).toBe(401);
    const login = (password: string) => service.call('POST', '/auth/ceo-login', { loginCode: ownerCode, password });
    expect((await login(ownerPassword)).status).toBe(401);
    expect((await login('new-owner-password')).status).toBe(200);
  });

  test('CM-110 signing in by key: unknown key, not activated and wrong password are one answer', async () => {
    const issued = await issuedLicence(service);
    const { key } = await givenLicence(service);
    for (const [licenseKey, password] of [
      [issued.key, ownerPassword],
      ['LICENSE-AAAA-BBBB-CCCC-DDDD', ownerPassword],
      [key, 'wrong-password'],
    ]) {
      const { status, body } = await service.call('POST', '/licenses/activate', { licenseKey, password });
      expect([status, body.code, body.error]).toEqual([401, 'UNAUTHENTICATED', 'Ошибка активации лицензии']);
    }
  });

  test('CM-111 a suspended licence is not activated, and its password not set', async () => {
    const { id, key, admin, activationCode } = await issuedLicence(service);
    const ticket = ticketOf(await step1(key, activationCode));
    await service.call('POST', `/admin/licenses/${id}/suspend`, { reason: 'долг' }, { token: admin });
    const refused = await step2(key, ticket);
    expect([refused.status, refused.body.code]).toEqual([403, 'LICENSE_INACTIVE']);
    await service.call('POST', `/admin/licenses/${id}/resume`, {}, { token: admin });
    expect((await step2(key, ticket)).status).toBe(200);
  });

  test('CM-112 step 2 sent twice at once activates once, with one owner and one login code', async () => {
    const { key, activationCode, id } = await issuedLicence(service);
    const ticket = ticketOf(await step1(key, activationCode));
    const replies = await Promise.all([step2(key, ticket), step2(key, ticket)]);
    const codes = replies.filter(({ status }) => status === 200).map(({ body }) => body.data.ceoLoginCode);
    expect(new Set(codes).size).toBe(1);
    const events = await service.eventStore.readLicence(id);
    expect(events.filter(({ type }) => type === 'EmployeeCreated')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'LicenceActivated')).toHaveLength(1);
  });

  test('CM-113 no secret of an activation is ever an event', async () => {
    const { id, key, activationCode } = await issuedLicence(service);
    await step2(key, ticketOf(await step1(key, activationCode)), 'a-very-own-password');
    const text = JSON.stringify(await service.eventStore.readLicence(id));
    expect(text).not.toContain(activationCode);
    expect(text).not.toContain('a-very-own-password');
    expect(text).not.toContain('argon2');
  });
});
