import { randomUUID } from 'node:crypto';
import { licenseSchema } from '@zakup/contracts/wire-entities';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { partialWrites } from '../compensation/partial-writes.ts';
import { runProcesses } from '../processes/run-processes.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { givenAdmin, type GivenLicence, givenLicence, givenPerson, ownerPassword } from '../testing/given.ts';
import { testClock } from '../testing/test-clock.ts';

const day = 24 * 60 * 60_000;
/** What the service's clock shows at first. */
const begin = '2026-11-21T09:00:00.000Z';
const inDays = (days: number): string => new Date(Date.parse(begin) + days * day).toISOString();

const codeOf = ({ status, body }: Reply): readonly unknown[] => [status, body.code];

describe('the life of a licence over HTTP', () => {
  let service: CommandService;
  let clock: ReturnType<typeof testClock>;
  beforeAll(async () => {
    service = await commandService();
    clock = testClock(begin);
  });
  afterAll(() => service.close());

  const pass = (milliseconds: number): void => {
    service.advance(milliseconds);
    clock.advance(milliseconds);
  };
  const admin = async (path: string, body?: unknown) =>
    service.call('POST', `/admin/licenses${path}`, body, { token: await givenAdmin(service) });
  const ownerOf = async ({ ownerCode }: GivenLicence): Promise<string> =>
    (await service.call('POST', '/auth/ceo-login', { loginCode: ownerCode, password: ownerPassword })).body.data.token;
  const ask = (token: string, key?: string) =>
    service.call('POST', '/license/renewal-request', undefined, { token, ...(key === undefined ? {} : { key }) });
  const addChannel = (token: string, key = randomUUID()) =>
    service.call('POST', '/channels', { name: 'Канал' }, { token, key });
  const recordedOf = async (id: string): Promise<readonly string[]> =>
    (await service.eventStore.read(`licence-${id}~${id}`)).map(({ type }) => type);

  test('CML-1 the owner asks for a renewal once, until it is given; the answer keeps the key masked', async () => {
    const licence = await givenLicence(service);
    const before = (await recordedOf(licence.id)).length;
    const key = randomUUID();
    const asked = await ask(licence.owner, key);
    expect(asked.status).toBe(200);
    expect(asked.body).toMatchObject({ revision: before, commandId: key, position: expect.any(Number) });
    const { license } = asked.body.data;
    expect(licenseSchema.strict().parse(license)).toEqual(license);
    expect(license.renewalRequestedAt).toMatch(/^2026-11-2/u);
    expect([license.licenseKey.includes('••••'), license.ceoLoginCode]).toEqual([true, null]);
    for (const again of [await ask(licence.owner, key), await ask(licence.owner)])
      expect([again.status, again.body.revision, again.body.position]).toEqual([200, before, asked.body.position]);
    expect((await recordedOf(licence.id)).length).toBe(before + 1);
    const renewed = await admin(`/${licence.id}/renew`, { expiresAt: '2030-01-01' });
    expect(renewed.body.data.license.renewalRequestedAt).toBeNull();
    expect((await ask(licence.owner)).body.revision).toBe(before + 2);
  });

  test('CML-2 nobody but the owner asks, who may whatever the licence stands at', async () => {
    const licence = await givenLicence(service);
    const [deputy, buyer] = [
      await givenPerson(service, licence, 'CEO'),
      await givenPerson(service, licence, 'MEDIA_BUYER'),
    ];
    for (const { token } of [deputy, buyer]) expect(codeOf(await ask(token))).toEqual([403, 'ACCESS_DENIED']);
    expect((await service.call('POST', '/license/renewal-request')).status).toBe(401);
    const odd = await service.call('POST', '/license/renewal-request?soon=1', {}, { token: licence.owner });
    expect(codeOf(odd)).toEqual([422, 'VALIDATION_FAILED']);
    await admin(`/${licence.id}/suspend`, { reason: 'долг' });
    expect(codeOf(await ask(deputy.token))).toEqual([403, 'LICENSE_INACTIVE']);
    expect((await ask(licence.owner)).body.data.license.status).toBe('suspended');
  });

  test('CML-3 nothing is refused before the grace period is over, and everything from that instant on, recorded or not', async () => {
    const licence = await givenLicence(service, { expiresAt: inDays(3) });
    const key = randomUUID();
    const first = await addChannel(licence.owner, key);
    pass(3 * day - 1);
    expect((await admin(`/${licence.id}/resume`)).body.data.license).toMatchObject({
      status: 'active',
      isActive: true,
      gracePeriodUsed: false,
      gracePeriodExpiresAt: null,
    });
    pass(1);
    expect((await admin(`/${licence.id}/resume`)).body.data.license).toMatchObject({
      status: 'grace_period',
      isActive: true,
      gracePeriodUsed: true,
      gracePeriodExpiresAt: inDays(10),
    });
    pass(7 * day - 1);
    const late = await ownerOf(licence);
    expect((await addChannel(late)).status).toBe(200);
    pass(1);
    expect(codeOf(await addChannel(late))).toEqual([403, 'LICENSE_INACTIVE']);
    const settings = await service.call('PUT', '/license/settings', { leadValue: 5 }, { token: late });
    expect([settings.status, settings.body.error]).toEqual([
      403,
      'Срок лицензии истек: доступны только просмотр и экспорт',
    ]);
    expect((await addChannel(late, key)).body).toEqual(first.body);
    expect((await ask(late)).status).toBe(200);
    expect(await recordedOf(licence.id)).not.toContain('LicenceExpired');
    await admin(`/${licence.id}/renew`, { expiresAt: inDays(100) });
    expect((await addChannel(late)).status).toBe(200);
  });

  test('CML-4 followed by the processes it stands at the same, and shows what they recorded', async () => {
    const start = clock.now();
    const licence = await givenLicence(service, { expiresAt: new Date(start + 40 * day).toISOString() });
    const processes = runProcesses({
      eventStore: service.commandLog,
      partialWrites,
      readStore: service.readStore,
      now: clock.now,
      wait: clock.wait,
      signal: new AbortController().signal,
      log: { info: () => undefined, warn: () => undefined },
    });
    await processes.caughtUp;
    const until = async (days: number): Promise<readonly string[]> => {
      pass(start + days * day - clock.now());
      await clock.asleep();
      return (await recordedOf(licence.id)).slice(2);
    };
    const told = 'LicenceExpiryNoticed';
    expect(await until(39)).toEqual([told, told, told]);
    expect((await addChannel(await ownerOf(licence))).status).toBe(200);
    expect(await until(40)).toEqual([told, told, told, 'LicenceGraceStarted']);
    expect((await addChannel(await ownerOf(licence))).status).toBe(200);
    const ended = await until(47);
    expect(ended.slice(3)).toEqual(['LicenceGraceStarted', 'LicenceExpired']);
    expect(codeOf(await addChannel(await ownerOf(licence)))).toEqual([403, 'LICENSE_INACTIVE']);
    const { license } = (await admin(`/${licence.id}/renew`, { expiresAt: inDays(400) })).body.data;
    expect(license).toMatchObject({ status: 'active', gracePeriodUsed: false, gracePeriodExpiresAt: null });
    expect((await addChannel(await ownerOf(licence))).status).toBe(200);
    await processes.stop();
  });

  test('CML-5 a suspension says why and since when to the admin, and a resumption gives back what was', async () => {
    const licence = await givenLicence(service);
    const suspended = await admin(`/${licence.id}/suspend`, { reason: ' долг ' });
    const { license } = suspended.body.data;
    expect(license).toMatchObject({ status: 'suspended', isActive: false, suspension: { reason: 'долг' } });
    expect((await admin(`/${licence.id}/suspend`, { reason: 'долг' })).body.revision).toBe(suspended.body.revision);
    const other = await admin(`/${licence.id}/suspend`, { reason: 'жалоба' });
    expect(other.body).toMatchObject({
      revision: suspended.body.revision + 1,
      data: { license: { suspension: { reason: 'жалоба' } } },
    });
    expect(codeOf(await addChannel(licence.owner))).toEqual([403, 'LICENSE_INACTIVE']);
    const resumed = await admin(`/${licence.id}/resume`);
    const { revision: _, updatedAt: __, status: ___, isActive: ____, ...rest } = license;
    expect(resumed.body.data.license).toMatchObject({ ...rest, status: 'active', isActive: true, suspension: null });
    expect((await admin(`/${licence.id}/resume`)).body.revision).toBe(resumed.body.revision);
    expect((await addChannel(licence.owner)).status).toBe(200);
  });

  test('CML-6 what the admin sends is checked in the order of refusals', async () => {
    const { id } = await givenLicence(service);
    for (const [action, body, pointer, text] of [
      ['renew', {}, '/expiresAt', 'Некорректная дата'],
      ['renew', { expiresAt: null }, '/expiresAt', 'Некорректная дата'],
      ['renew', { expiresAt: '2030-02-31T00:00:00' }, '/expiresAt', 'Некорректная дата'],
      ['suspend', {}, '/reason', 'Некорректный текст'],
      ['suspend', { reason: ' ' }, '/reason', 'Некорректный текст'],
      ['suspend', { reason: 'x'.repeat(501) }, '/reason', 'Некорректный текст'],
      ['code?soon=1', {}, '/soon', 'Неизвестный параметр запроса'],
      ['renew?expiresAt=2030-01-01', {}, '/expiresAt', 'Неизвестный параметр запроса'],
    ] as const) {
      const reply = await admin(`/${id}/${action}`, body);
      expect([action, ...codeOf(reply), reply.body.error, reply.body.errors?.[0]?.pointer]).toEqual([
        action,
        422,
        'VALIDATION_FAILED',
        text,
        pointer,
      ]);
    }
    expect(codeOf(await admin('/nobody/renew?soon=1', {}))).toEqual([404, 'NOT_FOUND']);
    const token = await givenAdmin(service);
    const raw = await service.call('POST', `/admin/licenses/${id}/suspend`, undefined, { token, raw: '{' });
    expect(codeOf(raw)).toEqual([400, 'MALFORMED']);
    for (const path of ['', `/${id}/code`, `/${id}/renew`, `/${id}/suspend`, `/${id}/resume`])
      expect(codeOf(await service.call('POST', `/admin/licenses${path}`, {}))).toEqual([401, 'UNAUTHENTICATED']);
  });

  test('CML-7 a code of the admin replaces the one before, and is not pending for the admin to read', async () => {
    const licence = await givenLicence(service);
    const [first, second] = [await admin(`/${licence.id}/code`), await admin(`/${licence.id}/code`)];
    const [one, two] = [first.body.data.activationCode, second.body.data.activationCode];
    expect([one, two]).toEqual([expect.stringMatching(/^\d{6}$/u), expect.stringMatching(/^\d{6}$/u)]);
    const step = (twoFactorCode: string) =>
      service.call('POST', '/licenses/activate-step1', { licenseKey: licence.key, twoFactorCode });
    expect((await step(two)).status).toBe(200);
    expect((await admin(`/${licence.id}/resume`)).body.data.license.pendingCode).toBeNull();
  });

  const close = (token: string, body?: unknown, key?: string) =>
    service.call('POST', '/license/close', body, { token, ...(key === undefined ? {} : { key }) });
  const keep = (token: string) => service.call('POST', '/license/close/cancel', undefined, { token });

  test('CML-50 the owner gives the licence up: seven days on, told to everybody, and taken back as if nothing was said', async () => {
    const licence = await givenLicence(service);
    const [deputy, buyer] = [
      await givenPerson(service, licence, 'CEO'),
      await givenPerson(service, licence, 'MEDIA_BUYER'),
    ];
    for (const { token } of [deputy, buyer])
      for (const refused of [await close(token), await keep(token)])
        expect(codeOf(refused)).toEqual([403, 'ACCESS_DENIED']);
    for (const reason of ['x'.repeat(501), 7, {}])
      expect(codeOf(await close(licence.owner, { reason }))).toEqual([422, 'VALIDATION_FAILED']);
    const key = randomUUID();
    const closesAt = new Date(service.now() + 7 * day).toISOString();
    const closing = await close(licence.owner, { reason: ' Переезжаем ' }, key);
    const { license } = closing.body.data;
    expect(licenseSchema.strict().parse(license)).toEqual(license);
    expect(license).toMatchObject({ closesAt, status: 'active', isActive: true });
    pass(1000);
    for (const again of [await close(licence.owner, { reason: ' Переезжаем ' }, key), await close(licence.owner)])
      expect([again.status, again.body.revision, again.body.data.license.closesAt]).toEqual([
        200,
        closing.body.revision,
        closesAt,
      ]);
    expect((await addChannel(buyer.token)).status).toBe(403);
    expect((await addChannel(deputy.token)).status).toBe(200);
    const kept = await keep(licence.owner);
    expect(kept.body.data.license).toMatchObject({ closesAt: null, status: 'active' });
    expect((await keep(licence.owner)).body.revision).toBe(kept.body.revision);
    expect((await recordedOf(licence.id)).slice(-2)).toEqual(['LicenceClosingRequested', 'LicenceClosingTakenBack']);
  });

  test('CML-51 from the very instant on it is closed, recorded or not: its people are shut out, its owner reads', async () => {
    const licence = await givenLicence(service);
    const buyer = await givenPerson(service, licence, 'CBDO');
    const signIn = () =>
      service.call('POST', '/auth/employee-login', { authCode: buyer.authCode, password: 'person-password' });
    await close(licence.owner);
    pass(7 * day - 1);
    const late = (await signIn()).body.data.token;
    const owner = await ownerOf(licence);
    expect((await addChannel(late)).status).toBe(200);
    pass(1);
    const shut = [403, 'LICENSE_INACTIVE', 'Лицензия закрыта владельцем: вернуть её может администратор площадки'];
    for (const refused of [
      await signIn(),
      await addChannel(late),
      await addChannel(owner),
      await keep(owner),
      await service.call('POST', '/auth/password', { currentPassword: 'x', newPassword: 'y-y-y-y-y' }, { token: late }),
    ])
      expect([...codeOf(refused), refused.body.error]).toEqual(shut);
    const wrong = { authCode: buyer.authCode, password: 'wrong-password' };
    expect((await service.call('POST', '/auth/employee-login', wrong)).status).toBe(401);
    const again = await service.call('POST', '/auth/ceo-login', {
      loginCode: licence.ownerCode,
      password: ownerPassword,
    });
    expect(again.body.data.license).toMatchObject({ status: 'expired', isActive: false });
    expect(await recordedOf(licence.id)).not.toContain('LicenceClosed');
  });

  test('CML-52 the admin sees why, and takes it back by renewing or resuming, also when it is closed', async () => {
    for (const [path, body] of [
      ['/renew', { expiresAt: '2040-01-01' }],
      ['/resume', undefined],
    ] as const) {
      const licence = await givenLicence(service);
      await close(licence.owner, { reason: 'Переезжаем' });
      const suspended = await admin(`/${licence.id}/suspend`, { reason: 'долг' });
      expect(suspended.body.data.license).toMatchObject({ closing: { reason: 'Переезжаем' } });
      await admin(`/${licence.id}/resume`);
      pass(8 * day);
      const owner = await ownerOf(licence);
      expect(codeOf(await addChannel(owner))).toEqual([403, 'LICENSE_INACTIVE']);
      const back = await admin(`/${licence.id}${path}`, body);
      expect(back.body.data.license).toMatchObject({ closesAt: null, closing: null, status: 'active' });
      expect((await addChannel(owner)).status).toBe(200);
    }
  });

  test('CML-53 followed by the processes it is told of a day before and recorded as closed, once', async () => {
    const licence = await givenLicence(service);
    await close(licence.owner);
    const options = {
      eventStore: service.commandLog,
      partialWrites,
      readStore: service.readStore,
      now: clock.now,
      wait: clock.wait,
      signal: new AbortController().signal,
      log: { info: () => undefined, warn: () => undefined },
    };
    const copies = [runProcesses(options), runProcesses(options)];
    await Promise.all(copies.map(({ caughtUp }) => caughtUp));
    const told: string[][] = [];
    const before = (await recordedOf(licence.id)).length;
    for (const wait of [6 * day - 1, 1, day - 1, 1, 30 * day]) {
      pass(wait);
      await clock.asleep(2);
      told.push((await recordedOf(licence.id)).slice(before));
    }
    const [notice, end] = ['LicenceClosingNoticed', 'LicenceClosed'];
    expect(told).toEqual([[], [notice], [notice], [notice, end], [notice, end]]);
    for (const copy of copies) await copy.stop();
  });

  test('CML-8 every switch is set by its own name, the value of a lead in roubles', async () => {
    const licence = await givenLicence(service);
    const put = (body: object) => service.call('PUT', '/license/settings', body, { token: licence.owner });
    const wanted = {
      buyersEditAll: false,
      earningsVisible: false,
      codeOnlyLogin: true,
      countZeroLeads: false,
      leadValue: 250.5,
    };
    for (const [name, value] of Object.entries(wanted)) {
      const changed = await put({ [name]: value });
      expect(changed.body.data.license.settings).toMatchObject({ [name]: value });
    }
    const whole = await put({ ...wanted, leadValue: '250,50 ₽' });
    expect(whole.body.data.license.settings).toEqual({
      ...wanted,
      secondFactorForAll: false,
      changeGivenPasswords: false,
    });
    expect(whole.body.revision).toBe((await put({})).body.revision);
    for (const leadValue of [-1, 1.234, 1_000_000_001, 'x', [], true]) {
      const refused = await put({ leadValue });
      expect([leadValue, ...codeOf(refused), refused.body.error]).toEqual([
        leadValue,
        422,
        'VALIDATION_FAILED',
        'Некорректная цена лида',
      ]);
    }
  });
});
