import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { accessTokens } from '@zakup/credentials/access-token';
import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
import { jsonLog } from '@zakup/service-kit/log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandApp } from '../app.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import {
  givenAdmin,
  givenBuying,
  givenChannel,
  givenLicence,
  type GivenLicence,
  givenPerson,
  givenPlacement,
  issuedLicence,
  ownerPassword,
  personPassword,
  ticketOf,
} from '../testing/given.ts';

const minute = 60_000;
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (part: string | undefined): Record<string, unknown> =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('what an attacker tries first', () => {
  let service: CommandService;
  let licence: GivenLicence;
  const lines: string[] = [];
  beforeAll(async () => {
    service = await commandService((deps) => {
      const log = jsonLog({ level: 'trace', destination: { write: (line) => lines.push(line) } });
      const front = httpFront({
        config: { trustProxy: 1, publicHttps: true, metrics: 'open' },
        readiness: readiness({}),
        log,
        metrics: deps.metrics,
      });
      front.open([commandApp({ ...deps, log })]);
      return front.app;
    });
    licence = await givenLicence(service, { maxConcurrentSessions: 100 });
  });
  afterAll(() => service.close());

  const works = async (token: string): Promise<number> =>
    (await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token })).status;
  const login = (authCode: unknown, password: unknown = personPassword, from = '10.0.0.1') =>
    service.call('POST', '/auth/employee-login', { authCode, password }, { headers: { 'X-Forwarded-For': from } });

  test('SIG-40 a requested code: not again within a minute, then a fresh one that replaces it', async () => {
    const { id, key } = await issuedLicence(service);
    const request = () => service.call('POST', '/licenses/request-code', { licenseKey: key });
    const pending = async () => (await service.credentials.pendingActivationCode(id, service.now()))?.code ?? '';
    const step1 = (twoFactorCode: string) =>
      service.call('POST', '/licenses/activate-step1', { licenseKey: key, twoFactorCode });
    await request();
    await expect.poll(pending).not.toBe('');
    const first = await pending();
    service.advance(minute - 1);
    await request();
    expect(await pending()).toBe(first);
    service.advance(1);
    const told = async () => (await service.eventStore.read(`activation-${id}~${id}`)).length;
    const before = await told();
    await request();
    await expect.poll(told).toBe(before + 1);
    const second = await pending();
    // The same six digits come again once in a million times.
    expect((await step1(first)).status).toBe(first === second ? 200 : 422);
    expect((await step1(second)).status).toBe(200);
  });

  test('SIG-41 of two browsers that both had the code, one activates and the other has no ticket any more', async () => {
    const { key, activationCode } = await issuedLicence(service);
    const step1 = () =>
      service.call('POST', '/licenses/activate-step1', { licenseKey: key, twoFactorCode: activationCode });
    const [mine, theirs] = [ticketOf(await step1()), ticketOf(await step1())];
    expect(mine).not.toBe(theirs);
    const step2 = (Cookie: string, password: string) =>
      service.call(
        'POST',
        '/licenses/activate-step2',
        { licenseKey: key, password, passwordConfirm: password },
        { headers: { Cookie } },
      );
    expect((await step2(mine, 'my-own-password')).status).toBe(200);
    const late = await step2(theirs, 'their-own-password');
    expect([late.status, late.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    const signIn = (password: string) => service.call('POST', '/licenses/activate', { licenseKey: key, password });
    expect((await signIn('their-own-password')).status).toBe(401);
    expect((await signIn('my-own-password')).status).toBe(200);
  });

  test('SIG-42 the ticket’s cookie goes to the dialog’s calls alone, never to scripts, other sites or plain http', async () => {
    const { key, activationCode } = await issuedLicence(service);
    const reply = await service.call(
      'POST',
      '/licenses/activate-step1',
      { licenseKey: key, twoFactorCode: activationCode },
      { headers: { 'X-Forwarded-Proto': 'https' } },
    );
    expect(reply.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^zakup_activation=[\w-]{43}; Max-Age=600; Path=\/api\/licenses; Expires=.+; HttpOnly; Secure; SameSite=Strict$/u,
      ),
    ]);
  });

  test('SIG-43 the second activation by the admin’s code ends every owner session and voids the code that was asked for', async () => {
    const own = await givenLicence(service);
    const byKey = await service.call('POST', '/licenses/activate', { licenseKey: own.key, password: ownerPassword });
    const made = await service.call('POST', `/admin/licenses/${own.id}/code`, undefined, { token: own.admin });
    // Who is activated cannot ask for a code; only the admin makes one.
    await service.call('POST', '/licenses/request-code', { licenseKey: own.key });
    expect(await service.credentials.pendingActivationCode(own.id, service.now())).toBeNull();
    const first = await service.call('POST', '/licenses/activate-step1', {
      licenseKey: own.key,
      twoFactorCode: made.body.data.activationCode,
    });
    const passwords = { licenseKey: own.key, password: 'found-again-1', passwordConfirm: 'found-again-1' };
    const headers = { Cookie: ticketOf(first) };
    const done = await service.call('POST', '/licenses/activate-step2', passwords, { headers });
    expect(done.body.data.ceoLoginCode).toBe(own.ownerCode);
    for (const token of [own.owner, byKey.body.data.token]) expect(await works(token)).toBe(401);
    const refreshed = await service.call('POST', '/auth/refresh', { refreshToken: byKey.body.data.refreshToken });
    expect(refreshed.status).toBe(401);
    expect((await service.call('POST', '/licenses/activate-step2', passwords, { headers })).status).toBe(401);
  });

  test('SIG-60 forged access tokens: none, other algorithms, keys, issuers, audiences, claims', async () => {
    const { owner } = licence;
    const [, body] = owner.split('.');
    const claims = decoded(body);
    const hmac = (head: object, payload: object, secret: string | Buffer): string => {
      const signed = `${encoded(head)}.${encoded(payload)}`;
      return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    };
    const hs256 = { alg: 'HS256', typ: 'JWT' };
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const rs256 = `${encoded({ alg: 'RS256', typ: 'JWT', jwk: publicKey.export({ format: 'jwk' }) })}.${encoded(claims)}`;
    const foreign = accessTokens({ secret: 'f'.repeat(64), clock: service.now });
    const issued = foreign.issue({
      userId: licence.ownerId,
      sessionId: String(claims['sid']),
      licenceId: licence.id,
      role: 'CEO',
      passwordChangeOnly: false,
    });
    const forged = [
      ...['none', 'None', 'NONE', 'nOnE', ''].map((alg) => `${encoded({ alg, typ: 'JWT' })}.${encoded(claims)}.`),
      ...['', 'secret', 'zakup', 'null', pem, Buffer.alloc(32)].map((secret) => hmac(hs256, claims, secret)),
      hmac({ ...hs256, kid: '../../../../dev/null' }, claims, ''),
      hmac({ ...hs256, jku: 'https://example.org/keys.json' }, claims, 'x'),
      `${rs256}.${sign('sha256', Buffer.from(rs256), privateKey).toString('base64url')}`,
      issued,
      ...[
        { iss: 'other' },
        { aud: 'zakup-admin' },
        { aud: ['zakup', 'zakup-admin'] },
        { role: 'CEO', sub: 'root' },
      ].map((more) => hmac(hs256, { ...claims, ...more }, 'guess')),
      ...[{ exp: 4_000_000_000 }, { role: 'ROOT' }, { licenseId: 'other' }].map((more) =>
        [owner.split('.')[0], encoded({ ...claims, ...more }), owner.split('.')[2]].join('.'),
      ),
      `${owner}.`,
      `.${owner}`,
      owner.toUpperCase(),
      owner.slice(0, -2),
    ];
    for (const token of forged) expect([token, await works(token)]).toEqual([token, 401]);
    expect(await works(owner)).toBe(404);
  });

  test('SIG-61 no other secret is an access token: refresh tokens, tickets, devices, codes, the admin’s; nor one after logout', async () => {
    const person = await givenPerson(service, licence, 'CBDO');
    const signedIn = await login(person.authCode);
    const { token, refreshToken } = signedIn.body.data;
    const device = /zakup_device=([^;]+)/u.exec(signedIn.headers.getSetCookie().join(';'))?.[1] ?? '';
    for (const other of [refreshToken, device, person.authCode, licence.key, licence.admin, `${refreshToken}.a.b`])
      expect(await works(other)).toBe(401);
    for (const other of [token, device, licence.key, person.authCode])
      expect([401, 422]).toContain((await service.call('POST', '/auth/refresh', { refreshToken: other })).status);
    await service.call('POST', '/auth/logout', {}, { token });
    expect(await works(token)).toBe(401);
  });

  test('SIG-63 a code counts as what it says, not as what it looks like; over-long and odd ones are refused in words', async () => {
    const person = await givenPerson(service, licence, 'MEDIA_BUYER', { authCode: 'ABCE2345HKMX' });
    let from = 0;
    const tried = (code: unknown) => login(code, personPassword, `10.63.0.${(from += 1)}`);
    const cyrillic: Readonly<Record<string, string>> = {
      A: 'А',
      B: 'В',
      C: 'С',
      E: 'Е',
      H: 'Н',
      K: 'К',
      M: 'М',
      X: 'Х',
    };
    const odd = [
      Array.from(person.authCode, (letter) => cyrillic[letter] ?? letter).join(''),
      Array.from(person.authCode, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join(''),
      `${person.authCode.slice(0, 6)}\u200B${person.authCode.slice(6)}`,
      `${person.authCode}\u0000`,
      `\u202E${person.authCode}`,
      `${person.authCode}\u0301`,
      `${person.authCode}${person.authCode}`,
      'constructor',
      '__proto__',
      '../../etc',
      '~',
      '💥'.repeat(60),
      'ﬀ'.repeat(256),
    ];
    for (const code of odd) expect([code, (await tried(code)).status]).toEqual([code, 401]);
    for (const code of ['A'.repeat(257), 'A'.repeat(100_000), { $gt: '' }, ['A'], 12, null, true])
      expect((await tried(code)).status).toBe(422);
    expect((await tried(` ${person.authCode.toLowerCase()}\n`)).status).toBe(200);
    for (const twoFactorCode of ['１２３４５６', '٠١٢٣٤٥', '12345６', '1234567', '', ' ', '000000\n1', 123456]) {
      const wrong = await service.call('POST', '/licenses/activate-step1', { licenseKey: licence.key, twoFactorCode });
      expect([wrong.status, wrong.body.error]).toEqual([422, 'Неверный код активации']);
    }
    for (const licenseKey of [
      'ＬICENSE-AAAA-BBBB-CCCC-DDDD',
      'LICENSE-AAAA-BBBB-CCCC-DDDÐ',
      'LICENSE-ſſſſ-BBBB-CCCC',
      7,
    ])
      expect((await service.call('POST', '/licenses/request-code', { licenseKey })).status).toBe(422);
  });

  test('SIG-64 a permissions object in any form gives nobody what its author has not, nor oneself more', async () => {
    const lead = await givenPerson(service, licence, 'TEAM_LEAD');
    const buyer = await givenPerson(service, licence, 'MEDIA_BUYER');
    const put = (id: string, permissions: unknown) =>
      service.call('PUT', `/users/${id}`, { permissions }, { token: lead.token });
    const wide = [
      { capabilities: true },
      '{"capabilities":true}',
      '{"capabilities":true,"capabilities":false,"campaigns":true}',
      { campaigns: true, dashboard: true },
    ];
    for (const id of [buyer.id, lead.id])
      for (const permissions of wide) {
        const refused = await put(id, permissions);
        expect([id === lead.id, permissions, refused.status]).toEqual([id === lead.id, permissions, 403]);
      }
    const odd = [
      '{"__proto__":{"capabilities":true,"settings":true}}',
      '{"constructor":{"prototype":{"settings":true}}}',
      '{"admin":true,"isOwner":true,"role":"CEO"}',
      '{"settings":"true"}',
      '{"settings":1}',
      '[["settings",true]]',
      '"settings"',
      'true',
      '{not json',
    ];
    for (const permissions of odd) {
      const answered = await put(buyer.id, permissions);
      expect([permissions, [200, 422].includes(answered.status)]).toEqual([permissions, true]);
      const attempt = await service.call('POST', '/channels', { name: 'x' }, { token: buyer.token });
      expect([permissions, attempt.status]).toEqual([permissions, 403]);
    }
    const members = { isOwner: true, licenseId: 'other', id: licence.ownerId, authCode: 'OWNERSCODE22', role: 'CEO' };
    expect((await service.call('PUT', `/users/${lead.id}`, members, { token: lead.token })).status).toBe(403);
    const polluted = '{"name":"Имя","__proto__":{"role":"CEO"},"constructor":{"prototype":{"role":"CEO"}}}';
    const quiet = await service.call('PUT', `/users/${buyer.id}`, undefined, { token: lead.token, raw: polluted });
    expect([quiet.status, quiet.body.data.user.role]).toEqual([200, 'MEDIA_BUYER']);
    for (const name of ['role', 'settings', 'capabilities', 'isOwner']) expect(name in {}).toBe(false);
  });

  test('SIG-65 ids of another licence, wherever a body or a path takes one, are answered as ids that are not there', async () => {
    const mine = await givenBuying(service, { maxConcurrentSessions: 100 });
    const theirs = await givenBuying(service, { maxConcurrentSessions: 100 });
    const { owner } = mine.licence;
    const own = await givenPlacement(service, owner, mine.body);
    const foreign = await givenPlacement(service, theirs.licence.owner, theirs.body);
    const made = async (token: string) => ({
      channelId: (await givenChannel(service, token)).id,
      creativeId: (await service.call('POST', '/creatives', { name: 'Баннер' }, { token })).body.data.creative.id,
    });
    const [here, there] = [await made(owner), await made(theirs.licence.owner)];
    const undoable = await service.call('POST', '/channels', { name: 'Ещё' }, { token: theirs.licence.owner });
    const [session] = await service.credentials.sessionsOf(theirs.licence.ownerId, service.now());
    const asked: readonly (readonly [string, string, (id: string) => object | undefined, string])[] = [
      ['POST', '/placements', (campaignId) => ({ ...mine.body, campaignId }), theirs.campaign.id],
      ['POST', '/placements', (buyerId) => ({ ...mine.body, buyerId }), theirs.buyer.id],
      ['POST', '/placements', (creativeId) => ({ ...mine.body, creativeId }), there.creativeId],
      ['PATCH', `/placements/${own.id}`, (buyerId) => ({ buyerId }), theirs.buyer.id],
      ['PATCH', `/placements/${own.id}`, (creativeId) => ({ creativeId }), there.creativeId],
      ['POST', '/placements/batch', (placementId) => ({ items: [{ op: 'payment', placementId }] }), foreign.id],
      ['POST', '/campaigns', (channelId) => ({ name: 'К', channelId, totalBudget: 1 }), there.channelId],
      ['PUT', `/campaigns/${mine.campaign.id}`, (channelId) => ({ channelId }), there.channelId],
      [
        'PUT',
        `/campaigns/${mine.campaign.id}`,
        (userId) => ({ participants: [{ userId, budget: 1 }] }),
        theirs.buyer.id,
      ],
      ['POST', `/contractors/${own.contractorId}/merge`, (intoId) => ({ intoId }), foreign.contractorId],
      ['POST', '/undo', (commandId) => ({ commandId, reason: 'так' }), undoable.body.commandId],
      ['PATCH', '/placements/{id}', () => ({ price: 1 }), foreign.id],
      ['DELETE', '/placements/{id}', () => undefined, foreign.id],
      ['POST', '/placements/{id}/payment', () => ({}), foreign.id],
      ['PUT', '/users/{id}', () => ({ name: 'Имя' }), theirs.buyer.id],
      ['DELETE', '/users/{id}', () => undefined, theirs.buyer.id],
      ['POST', '/users/{id}/reissue-code', () => ({}), theirs.buyer.id],
      ['POST', '/users/{id}/temporary-password', () => ({}), theirs.buyer.id],
      ['PUT', '/channels/{id}', () => ({ name: 'Имя' }), there.channelId],
      ['PUT', '/campaigns/{id}', () => ({ name: 'Имя' }), theirs.campaign.id],
      ['POST', '/campaigns/{id}/complete', () => ({}), theirs.campaign.id],
      ['PUT', '/creatives/{id}', () => ({ name: 'Имя' }), there.creativeId],
      ['PUT', '/contractors/{id}', () => ({ channelName: 'Имя' }), foreign.contractorId],
      ['POST', '/contractors/{id}/notes', () => ({ note: 'x' }), foreign.contractorId],
      ['DELETE', '/auth/sessions/{id}', () => undefined, session?.id ?? ''],
    ];
    expect(Object.values({ ...here, ...there })).not.toContain('');
    const before = JSON.stringify(await service.eventStore.readLicence(theirs.licence.id));
    const answerOf = ({ status, body }: Reply) => [
      status,
      body.code,
      body.error,
      body.errors?.map((one) => one.pointer),
    ];
    for (const [method, path, body, id] of asked) {
      // As an id of the same form that nobody ever had.
      const none = id.replace(/[0-9a-f]{4}$/u, (end) =>
        (0xffff - Number.parseInt(end, 16)).toString(16).padStart(4, '0'),
      );
      expect(none).not.toBe(id);
      const [toForeign, toNone] = [
        await service.call(method, path.replace('{id}', id), body(id), { token: owner }),
        await service.call(method, path.replace('{id}', none), body(none), { token: owner }),
      ];
      expect([path, toForeign.status]).not.toEqual([path, 200]);
      expect([method, path, answerOf(toForeign)]).toEqual([method, path, answerOf(toNone)]);
    }
    expect(JSON.stringify(await service.eventStore.readLicence(theirs.licence.id))).toBe(before);
    expect(await works(theirs.licence.owner)).toBe(404);
  });

  test('SIG-66 nothing that opens a door is in the log of all that', async () => {
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const signedIn = await login(person.authCode, personPassword, '10.66.0.1');
    const { refreshToken } = signedIn.body.data;
    const next = (await service.call('POST', '/auth/refresh', { refreshToken })).body.data;
    const issued = await issuedLicence(service);
    const first = await service.call('POST', '/licenses/activate-step1', {
      licenseKey: issued.key,
      twoFactorCode: issued.activationCode,
    });
    await service.call('POST', `/licenses/activate?licenseKey=${issued.key}&password=${ownerPassword}`, {});
    await service.call('POST', '/auth/employee-login', undefined, { raw: `{"password":"${personPassword}"` });
    const broken = service.credentials.checkPassword.bind(service.credentials);
    Object.assign(service.credentials, { checkPassword: () => Promise.reject(new Error('away')) });
    expect((await login(person.authCode, personPassword, '10.66.0.2')).status).toBe(500);
    Object.assign(service.credentials, { checkPassword: broken });
    const secrets = [
      ownerPassword,
      personPassword,
      'admin-password',
      person.authCode,
      licence.ownerCode,
      licence.key,
      issued.key,
      refreshToken,
      next.token,
      next.refreshToken,
      await givenAdmin(service),
      ticketOf(first).split('=')[1] ?? '',
      /zakup_device=([^;]+)/u.exec(signedIn.headers.getSetCookie().join(';'))?.[1] ?? '',
    ];
    const log = lines.join('\n');
    expect(lines.length).toBeGreaterThan(100);
    expect(log).toContain('/api/auth/employee-login');
    expect(secrets.every((secret) => secret.length > 5)).toBe(true);
    expect(secrets.filter((secret) => log.includes(secret))).toEqual([]);
  });
});
