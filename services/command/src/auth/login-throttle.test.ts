import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { commandApp } from '../app.ts';
import type { CommandDeps } from '../deps.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import {
  givenAdmin,
  givenLicence,
  type GivenLicence,
  givenPerson,
  type GivenPerson,
  issuedLicence,
  ownerPassword,
  personPassword,
  ticketOf,
} from '../testing/given.ts';

const minute = 60_000;

describe('guessing', () => {
  let service: CommandService;
  let licence: GivenLicence;
  let person: GivenPerson;
  let loads = 0;
  beforeEach(async () => {
    // Behind a proxy that tells addresses, as the full system is.
    service = await commandService((deps) => {
      const { log, metrics } = deps;
      const front = httpFront({
        config: { trustProxy: 1, publicHttps: true, metrics: 'open' },
        readiness: readiness({}),
        log,
        metrics,
      });
      const load: CommandDeps['cache']['load'] = (...asked) => {
        loads += 1;
        return deps.cache.load(...asked);
      };
      front.open([commandApp({ ...deps, cache: { ...deps.cache, load } })]);
      return front.app;
    });
    licence = await givenLicence(service);
    person = await givenPerson(service, licence, 'MEDIA_BUYER');
  });
  afterEach(() => service.close());

  interface From {
    readonly from: string;
    readonly cookie?: string | undefined;
    readonly https?: boolean;
  }
  const send = (path: string, body: object, { from, cookie, https = false }: From): Promise<Reply> =>
    service.call('POST', path, body, {
      headers: {
        'X-Forwarded-For': from,
        'X-Forwarded-Proto': https ? 'https' : 'http',
        ...(cookie !== undefined && { Cookie: cookie }),
      },
    });
  const employee = (from: From, password = personPassword, authCode = person.authCode) =>
    send('/auth/employee-login', { authCode, password, endOldest: true }, from);
  const owner = (from: From, password = ownerPassword) =>
    send('/auth/ceo-login', { loginCode: licence.ownerCode, password }, from);
  const deviceOf = (reply: Reply): string | undefined =>
    reply.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('zakup_device='))
      ?.split(';')[0];
  const statuses = async (count: number, one: (index: number) => Promise<Reply>): Promise<readonly number[]> => {
    const found: number[] = [];
    for (let index = 0; index < count; index += 1) found.push((await one(index)).status);
    return found;
  };
  const many = (count: number, status: number): readonly number[] => Array.from({ length: count }, () => status);
  const secondsOf = (reply: Reply): number => Number(reply.headers.get('Retry-After'));

  test('SIG-2 a device is known by a long random cookie that scripts cannot read and other sites cannot send', async () => {
    const signedIn = await employee({ from: '10.1.0.1', https: true });
    const cookie = signedIn.headers.getSetCookie().find((one) => one.startsWith('zakup_device=')) ?? '';
    expect(cookie).toMatch(
      /^zakup_device=[\w-]{43}; Max-Age=15552000; Path=\/api; Expires=.+; HttpOnly; Secure; SameSite=Strict$/u,
    );
    const again = await employee({ from: '10.1.0.2', cookie: deviceOf(signedIn) });
    expect(deviceOf(again)).toBe(deviceOf(signedIn));
    expect(deviceOf(await employee({ from: '10.1.0.2' }, 'wrong-password'))).toBeUndefined();
    const planted = await employee({ from: '10.1.0.3', cookie: `zakup_device=${'a'.repeat(43)}` });
    expect(deviceOf(planted)).not.toContain('aaaa');
  });

  test('SIG-3 nobody locks the owner out: from thousands of addresses the device that signed in before still does', async () => {
    const cookie = deviceOf(await owner({ from: '10.2.0.1' }));
    const guessed = await statuses(60, (index) => owner({ from: `10.2.1.${index}` }, 'guess-guess'));
    expect(guessed).toEqual([...many(10, 401), ...many(50, 429)]);
    expect((await owner({ from: '10.2.0.9' })).status).toBe(429);
    expect((await owner({ from: '10.2.0.1', cookie })).status).toBe(200);
    // From the guesser's own address too.
    expect((await owner({ from: '10.2.1.0', cookie })).status).toBe(200);
    const byKey = { licenseKey: licence.key, password: ownerPassword };
    expect((await send('/licenses/activate', byKey, { from: '10.2.0.1', cookie })).status).toBe(200);
    expect((await send('/licenses/activate', byKey, { from: '10.2.0.8' })).status).toBe(429);
  });

  test('SIG-4 from the tenth failure on unknown devices wait longer each time, and are told how long', async () => {
    await statuses(10, (index) => employee({ from: `10.3.0.${index}` }, 'guess-guess'));
    for (const [index, minutes] of [5, 10, 20].entries()) {
      const waiting = await employee({ from: `10.3.1.${index}` });
      expect([waiting.status, waiting.body.code, secondsOf(waiting)]).toEqual([429, 'RATE_LIMITED', minutes * 60]);
      service.advance(minutes * minute);
      expect((await employee({ from: `10.3.2.${index}` }, 'guess-guess')).status).toBe(401);
    }
    service.advance(40 * minute);
    expect((await employee({ from: '10.3.3.1' })).status).toBe(200);
  });

  test('SIG-5 at most ten guesses in five minutes, sent at once from a hundred addresses', async () => {
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => owner({ from: `10.4.0.${index}` }, 'guess-guess')),
    );
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(90);
  });

  test('SIG-6 a known device may fail five times in a quarter of an hour by itself', async () => {
    const cookie = deviceOf(await employee({ from: '10.5.0.1' }));
    const tried = await statuses(7, (index) => employee({ from: `10.5.0.${index}`, cookie }, 'guess-guess'));
    expect(tried).toEqual([...many(5, 401), 429, 429]);
    service.advance(15 * minute + 1);
    expect((await employee({ from: '10.5.0.1', cookie })).status).toBe(200);
  });

  test('SIG-7 an unknown account is answered as a known one, guess for guess', async () => {
    const told = async (authCode: string) => {
      const answers: unknown[] = [];
      for (let index = 0; index < 14; index += 1) {
        const { status, body, headers } = await employee({ from: `10.6.0.${index % 13}` }, 'guess-guess', authCode);
        answers.push([status, body.code, body.error, headers.get('Retry-After'), headers.getSetCookie()]);
      }
      return answers;
    };
    expect(await told('UNKNOWN22222')).toEqual(await told(person.authCode));
  });

  test('SIG-8 an unknown account costs as many reads and hashes as a known one, through every door', async () => {
    const { credentials } = service;
    const checkPassword = credentials.checkPassword.bind(credentials);
    let hashes = 0;
    Object.assign(credentials, {
      checkPassword: (...asked: Parameters<typeof checkPassword>) => {
        hashes += 1;
        return checkPassword(...asked);
      },
    });
    const cost = async (path: string, body: object) => {
      const before = { loads, hashes };
      await send(path, body, { from: '10.7.0.1' });
      return { loads: loads - before.loads, hashes: hashes - before.hashes };
    };
    const password = 'guess-guess';
    for (const [path, known, unknown] of [
      ['/auth/employee-login', { authCode: person.authCode, password }, { authCode: 'UNKNOWN22222', password }],
      ['/auth/ceo-login', { loginCode: licence.ownerCode, password }, { loginCode: 'UNKNOWN22222', password }],
      ['/auth/ceo-login', { loginCode: person.authCode, password }, { loginCode: 'UNKNOWN33333', password }],
      ['/auth/login-code', { authCode: person.authCode }, { authCode: 'UNKNOWN22222' }],
      [
        '/licenses/activate',
        { licenseKey: licence.key, password },
        { licenseKey: 'LICENSE-AAAA-BBBB-CCCC-DDDD', password },
      ],
    ] as const)
      expect([path, await cost(path, unknown)]).toEqual([path, await cost(path, known)]);
  });

  test('SIG-9 codes alone are guessed five times in a quarter of an hour at an address, whatever the codes', async () => {
    await service.call('PUT', '/license/settings', { codeOnlyLogin: true }, { token: licence.owner });
    const byCode = (from: From, authCode: string) => send('/auth/login-code', { authCode, endOldest: true }, from);
    const cookie = deviceOf(await byCode({ from: '10.8.0.1' }, person.authCode));
    const tried = await statuses(8, (index) => byCode({ from: '10.8.0.2' }, `GUESS${index}`));
    expect(tried).toEqual([...many(5, 403), ...many(3, 429)]);
    expect((await byCode({ from: '10.8.0.2' }, person.authCode)).status).toBe(429);
    expect((await byCode({ from: '10.8.0.2', cookie }, person.authCode)).status).toBe(200);
    expect((await byCode({ from: '10.8.0.3' }, person.authCode)).status).toBe(200);
  });

  test('SIG-1380 codes alone are guessed fifty times in a quarter of an hour from all addresses together, and a known device passes', async () => {
    await service.call('PUT', '/license/settings', { codeOnlyLogin: true }, { token: licence.owner });
    const byCode = (from: From, authCode: string) => send('/auth/login-code', { authCode, endOldest: true }, from);
    const cookie = deviceOf(await byCode({ from: '10.17.0.1' }, person.authCode));
    const guesses = await Promise.all(
      Array.from({ length: 80 }, (_, index) => byCode({ from: `10.17.1.${index}` }, `GUESS${index}`)),
    );
    expect(guesses.filter(({ status }) => status === 403)).toHaveLength(50);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(30);
    // Right or wrong, strangers are answered alike; whoever was here before comes in, and other doors are open.
    const told = [byCode({ from: '10.17.2.1' }, person.authCode), byCode({ from: '10.17.2.2' }, 'GUESS-NEW')];
    expect((await Promise.all(told)).map(({ status, body }) => [status, body.error])).toEqual([
      [429, expect.any(String)],
      [429, (await told[0])?.body.error],
    ]);
    expect((await byCode({ from: '10.17.0.1', cookie }, person.authCode)).status).toBe(200);
    expect((await employee({ from: '10.17.2.1' })).status).toBe(200);
    service.advance(15 * minute + 1);
    expect((await byCode({ from: '10.17.2.1' }, person.authCode)).status).toBe(200);
  });

  test('SIG-10 from the thirtieth failure of an address on, a right password from a known device passes there', async () => {
    const cookie = deviceOf(await employee({ from: '10.9.0.1' }));
    await statuses(30, (index) => employee({ from: '10.9.0.2' }, 'guess-guess', `SPRAY${index}`));
    expect((await employee({ from: '10.9.0.2' }, 'guess-guess')).status).toBe(401);
    expect((await employee({ from: '10.9.0.2' })).status).toBe(429);
    expect((await employee({ from: '10.9.0.2', cookie })).status).toBe(200);
  });

  test('SIG-11 a new password makes strangers of the other devices that knew the old one', async () => {
    const [desk, phone] = [await employee({ from: '10.10.0.1' }), await employee({ from: '10.10.0.2' })];
    const changed = await service.call(
      'POST',
      '/auth/password',
      { currentPassword: personPassword, newPassword: 'brand-new-password' },
      { token: desk.body.data.token, headers: { Cookie: deviceOf(desk) ?? '' } },
    );
    expect(changed.status).toBe(200);
    await statuses(10, (index) => employee({ from: `10.10.1.${index}` }, 'guess-guess'));
    const next = 'brand-new-password';
    expect((await employee({ from: '10.10.0.2', cookie: deviceOf(phone) }, next)).status).toBe(429);
    expect((await employee({ from: '10.10.0.1', cookie: deviceOf(changed) }, next)).status).toBe(200);
  });

  test('SIG-12 guesses at a licence’s code do not stand in the way of one that the admin hands over', async () => {
    const issued = await issuedLicence(service);
    const step1 = (from: string, twoFactorCode: string) =>
      send('/licenses/activate-step1', { licenseKey: issued.key, twoFactorCode }, { from });
    const wrong = issued.activationCode === '000000' ? '000001' : '000000';
    await statuses(12, (index) => step1(`10.11.0.${index}`, wrong));
    expect((await step1('10.11.1.1', wrong)).status).toBe(429);
    const admin = await givenAdmin(service);
    const made = await service.call('POST', `/admin/licenses/${issued.id}/code`, undefined, { token: admin });
    const first = await step1('10.11.1.2', made.body.data.activationCode);
    expect(first.status).toBe(200);
    const passwords = { licenseKey: issued.key, password: ownerPassword, passwordConfirm: ownerPassword };
    const done = await send('/licenses/activate-step2', passwords, { from: '10.11.1.2', cookie: ticketOf(first) });
    // Whoever activated is known from then on.
    expect(deviceOf(done)).toBeDefined();
  });

  test('SIG-13 guesses at the current password of a session are its own, and lock nobody out', async () => {
    const guess = (token: string) =>
      service.call(
        'POST',
        '/auth/password',
        { currentPassword: 'guess', newPassword: 'brand-new-password' },
        { token },
      );
    expect(await statuses(7, () => guess(person.token))).toEqual([...many(5, 422), 429, 429]);
    expect((await employee({ from: '10.12.0.1' })).status).toBe(200);
  });

  test('SIG-14 many unknown devices of one address stand in no endless line before the others', async () => {
    const cookie = deviceOf(await employee({ from: '10.13.0.1' }));
    // As a password hasher that is busy: it is slower than these requests are by far.
    const { credentials } = service;
    const checkPassword = credentials.checkPassword.bind(credentials);
    let release = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    Object.assign(credentials, {
      checkPassword: async (...[ids, password, now]: Parameters<typeof checkPassword>) => {
        if (ids.length === 0) await busy;
        return checkPassword(ids, password, now);
      },
    });
    let refused = 0;
    const crowd = Array.from({ length: 200 }, async (_, index) => {
      const { status } = await employee({ from: '10.13.0.2' }, 'guess-guess', `CROWD${index}`);
      if (status === 429) refused += 1;
      return status;
    });
    await expect.poll(() => refused).toBe(100);
    expect((await employee({ from: '10.13.0.2' })).status).toBe(429);
    expect((await employee({ from: '10.13.0.2', cookie })).status).toBe(200);
    release();
    expect((await Promise.all(crowd)).filter((status) => status === 401)).toHaveLength(100);
    expect((await employee({ from: '10.13.0.2' })).status).toBe(200);
  });

  test('SIG-83 of a crowd from everywhere two hundred wait, further ones come again, and a known device passes by', async () => {
    const cookie = deviceOf(await employee({ from: '10.15.0.1' }));
    const { credentials } = service;
    const checkPassword = credentials.checkPassword.bind(credentials);
    let release = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    Object.assign(credentials, {
      checkPassword: async (...[ids, password, now]: Parameters<typeof checkPassword>) => {
        if (ids.length === 0) await busy;
        return checkPassword(ids, password, now);
      },
    });
    const refused: (string | null)[] = [];
    const crowd = Array.from({ length: 300 }, async (_, index) => {
      const { status, headers } = await employee({ from: `10.15.1.${index % 250}` }, 'guess-guess', `CROWD${index}`);
      if (status === 429) refused.push(headers.get('Retry-After'));
      return status;
    });
    await expect.poll(() => refused).toEqual(many(100, 1).map(String));
    expect((await employee({ from: '10.15.2.1' })).status).toBe(429);
    expect((await employee({ from: '10.15.2.1', cookie })).status).toBe(200);
    release();
    expect((await Promise.all(crowd)).filter((status) => status === 401)).toHaveLength(200);
    expect((await employee({ from: '10.15.2.1' })).status).toBe(200);
  });

  test('SIG-93 strangers are looked at one after another, with a rest as long as each took, and a known device passes by', async () => {
    const cookie = deviceOf(await employee({ from: '10.16.0.1' }));
    const { credentials } = service;
    const checkPassword = credentials.checkPassword.bind(credentials);
    const checks: { began: number; ended: number }[] = [];
    let release = (): void => undefined;
    const busy = new Promise<void>((resolve) => {
      release = resolve;
    });
    // By the clock each check takes 20 ms longer than it does.
    const realNow = performance.now.bind(performance);
    let ahead = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => realNow() + ahead);
    onTestFinished(() => clock.mockRestore());
    Object.assign(credentials, {
      checkPassword: async (...[id, password, now]: Parameters<typeof checkPassword>) => {
        if (id !== null && password === personPassword) return checkPassword(id, password, now);
        const check = { began: performance.now(), ended: Number.POSITIVE_INFINITY };
        checks.push(check);
        await busy;
        ahead += 20;
        const right = await checkPassword(id, password, now);
        check.ended = performance.now();
        return right;
      },
    });
    const crowd = Array.from({ length: 20 }, (_, index) =>
      employee({ from: `10.16.1.${index}` }, 'guess-guess', `QUEUE${index}`),
    );
    await expect.poll(() => checks.length).toBe(1);
    expect((await employee({ from: '10.16.0.1', cookie })).status).toBe(200);
    // All doors have one line.
    const elsewhere = send(
      '/licenses/activate',
      { licenseKey: licence.key, password: 'guess-guess' },
      { from: '10.16.2.1' },
    );
    expect((await employee({ from: '10.16.0.1', cookie })).status).toBe(200);
    expect(checks).toHaveLength(1);
    release();
    expect((await Promise.all(crowd)).map(({ status }) => status)).toEqual(many(20, 401));
    expect((await elsewhere).status).toBe(401);
    for (const [index, { began, ended }] of checks.slice(0, -1).entries()) {
      const rest = (checks[index + 1]?.began ?? 0) - ended;
      // A timer may be early by the millisecond it rounds to.
      expect(rest).toBeGreaterThanOrEqual(Math.min(ended - began, 250) - 2);
    }
  });

  test('SIG-15 a store that is away at the check is no failure of the person', async () => {
    const { credentials } = service;
    const checkPassword = credentials.checkPassword.bind(credentials);
    Object.assign(credentials, { checkPassword: () => Promise.reject(new Error('away')) });
    expect(await statuses(8, () => employee({ from: '10.14.0.1' }))).toEqual(many(8, 500));
    Object.assign(credentials, { checkPassword });
    expect((await employee({ from: '10.14.0.1' })).status).toBe(200);
  });
});
