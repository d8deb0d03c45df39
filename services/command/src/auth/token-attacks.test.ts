import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { type GivenLicence, givenLicence, givenPerson, ownerPassword, personPassword } from '../testing/given.ts';

describe('what an attacker tries with tokens and names', () => {
  let service: CommandService;
  let licence: GivenLicence;
  beforeAll(async () => {
    service = await commandService();
    licence = await givenLicence(service, { maxConcurrentSessions: 100 });
  });
  afterAll(() => service.close());

  const signIn = async () => {
    const body = { loginCode: licence.ownerCode, password: ownerPassword };
    return (await service.call('POST', '/auth/ceo-login', body)).body.data;
  };
  const refresh = (refreshToken: string): Promise<Reply> => service.call('POST', '/auth/refresh', { refreshToken });
  const works = async (token: string): Promise<boolean> =>
    (await service.call('POST', '/contractors/none/notes', { note: 'x' }, { token })).status === 404;

  test('SIG-88 a replayed refresh token, however many generations old, ends its family and no other', async () => {
    const [stolen, other] = [await signIn(), await signIn()];
    const generations = [stolen.refreshToken];
    for (let count = 0; count < 4; count += 1) {
      service.advance(10_000);
      const next = (await refresh(generations.at(-1) ?? '')).body.data;
      generations.push(next.refreshToken);
      expect(await works(next.token)).toBe(true);
    }
    expect((await refresh(generations[1] ?? '')).status).toBe(401);
    // The thief's and the victim's: nobody can say which is which.
    for (const token of generations) expect((await refresh(token)).status).toBe(401);
    expect(await works(stolen.token)).toBe(false);
    expect([await works(other.token), (await refresh(other.refreshToken)).status]).toEqual([true, 200]);
  });

  test('SIG-89 a refresh token sent fifty times at once makes one pair, and one family goes on', async () => {
    const { refreshToken } = await signIn();
    const replies = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)));
    const pairs = new Set(replies.map(({ status, body }) => `${status} ${body.data.refreshToken}`));
    expect(pairs.size).toBe(1);
    const next = replies[0]?.body.data.refreshToken ?? '';
    expect(next).not.toBe(refreshToken);
    service.advance(4000);
    expect((await refresh(next)).status).toBe(200);
  });

  test('SIG-90 refresh tokens that are cut, lengthened, swapped in case or of another session open nothing', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const token = one.refreshToken;
    const swapped = token.replace(/[a-z]/u, (letter) => letter.toUpperCase());
    expect(swapped).not.toBe(token);
    for (const made of [
      token.slice(1),
      `${token}=`,
      `${token}A`,
      ` ${token}`,
      swapped,
      token.slice(0, 20) + other.refreshToken.slice(20),
    ])
      expect([made, (await refresh(made)).status]).toEqual([made, 401]);
    for (const odd of [{ $ne: '' }, [token], null, true, 1, '', 'x'.repeat(257)])
      expect((await service.call('POST', '/auth/refresh', { refreshToken: odd })).status).toBe(422);
    expect((await refresh(token)).status).toBe(200);
  });

  test('SIG-91 names that prototypes have are ordinary names: in bodies, queries, paths and cookies', async () => {
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const raw = (text: string) => service.call('POST', '/auth/employee-login', undefined, { raw: text });
    const right = `"authCode":"${person.authCode}","password":"${personPassword}","endOldest":true`;
    for (const extra of [
      '"__proto__":{"endOldest":true,"isOwner":true}',
      '"constructor":{"prototype":{"isOwner":true}}',
      '"__proto__":null',
      '"toString":"x","hasOwnProperty":"y","valueOf":{}',
    ])
      expect([extra, (await raw(`{${right},${extra}}`)).status]).toEqual([extra, 200]);
    for (const nested of [`{"__proto__":{${right}}}`, `{"constructor":{${right}}}`, `{"prototype":{${right}}}`])
      expect([nested, (await raw(nested)).status]).toEqual([nested, 422]);
    for (const query of ['__proto__[x]=1', 'constructor[prototype][x]=1', 'toString=1'])
      expect((await service.call('POST', `/auth/employee-login?${query}`, {})).status).toBe(422);
    for (const id of ['__proto__', 'constructor', 'hasOwnProperty', 'toString'])
      for (const [method, path] of [
        ['DELETE', `/auth/sessions/${id}`],
        ['DELETE', `/users/${id}`],
        ['POST', `/users/${id}/reissue-code`],
      ] as const)
        expect([path, (await service.call(method, path, undefined, { token: licence.owner })).status]).toEqual([
          path,
          404,
        ]);
    const headers = { Cookie: 'zakup_device=__proto__; __proto__=x; constructor=y; zakup_activation=toString' };
    const body = { authCode: person.authCode, password: personPassword, endOldest: true };
    expect((await service.call('POST', '/auth/employee-login', body, { headers })).status).toBe(200);
    const password = { licenseKey: licence.key, password: 'new-password', passwordConfirm: 'new-password' };
    expect((await service.call('POST', '/licenses/activate-step2', password, { headers })).status).toBe(401);
    for (const name of ['isOwner', 'endOldest', 'x']) expect(name in {}).toBe(false);
  });

  test('SIG-92 no other site can use what a browser keeps: cookies alone open nothing, and forms are no JSON', async () => {
    const signedIn = await service.call('POST', '/auth/ceo-login', {
      loginCode: licence.ownerCode,
      password: ownerPassword,
    });
    const cookie = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    expect(cookie).toMatch(/^zakup_device=/u);
    const headers = { Cookie: cookie, Origin: 'https://evil.example', Referer: 'https://evil.example/' };
    for (const [method, path] of [
      ['POST', '/auth/logout'],
      ['POST', '/auth/password'],
      ['DELETE', '/auth/sessions'],
      ['POST', '/license/close'],
      ['POST', '/channels'],
    ] as const)
      expect([path, (await service.call(method, path, {}, { headers })).status]).toEqual([path, 401]);
    // What a form of another site can send without being asked first.
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain']) {
      const sent = { raw: JSON.stringify({ loginCode: licence.ownerCode, password: ownerPassword }) };
      const reply = await service.call('POST', '/auth/ceo-login', undefined, {
        ...sent,
        headers: { ...headers, 'Content-Type': type },
      });
      expect([type, reply.status, reply.headers.getSetCookie()]).toEqual([type, 400, []]);
    }
    const allowed = await fetch(`${service.address}/api/auth/ceo-login`, { method: 'OPTIONS', headers });
    expect(allowed.headers.get('access-control-allow-origin')).toBeNull();
  });
});
