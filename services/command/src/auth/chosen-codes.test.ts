import { testCodes } from '@zakup/credentials/testing/test-codes';
import { messages } from '@zakup/domain/messages';
import { rateLimited } from '@zakup/domain/sign-in-messages';
import { readiness } from '@zakup/service-kit/health';
import { httpFront } from '@zakup/service-kit/http-front';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandApp } from '../app.ts';
import { streamOfValue } from '../pipeline/reservations.ts';
import { type CommandService, commandService, type Reply } from '../testing/command-service.ts';
import { givenLicence, type GivenLicence } from '../testing/given.ts';

const code = 'ANNA-2026';
const day = 24 * 60 * 60 * 1000;

/** AUTH-37: an access code that somebody chose tells no team of another's, and opens none. */
describe('a chosen code', () => {
  let service: CommandService;
  let victim: GivenLicence;
  let attacker: GivenLicence;
  beforeEach(async () => {
    service = await commandService((deps) => {
      const { log, metrics } = deps;
      const front = httpFront({
        config: { trustProxy: 1, publicHttps: true, metrics: 'open' },
        readiness: readiness({}),
        log,
        metrics,
      });
      front.open([commandApp(deps)]);
      return front.app;
    });
    victim = await givenLicence(service, { maxConcurrentSessions: 100 });
    attacker = await givenLicence(service, { maxConcurrentSessions: 100 });
  });
  afterEach(() => service.close());

  const create = (licence: GivenLicence, email: string, password: string, authCode = code): Promise<Reply> =>
    service.call(
      'POST',
      '/employees/create',
      { name: 'Сотрудник', email, role: 'MEDIA_BUYER', authCode, password },
      { token: licence.owner },
    );
  const signIn = (password: string, from: string, cookie?: string): Promise<Reply> =>
    service.call(
      'POST',
      '/auth/employee-login',
      { authCode: code, password, endOldest: true },
      { headers: { 'X-Forwarded-For': from, ...(cookie !== undefined && { Cookie: cookie }) } },
    );
  const deviceOf = (reply: Reply): string =>
    reply.headers
      .getSetCookie()
      .find((cookie) => cookie.startsWith('zakup_device='))
      ?.split(';')[0] ?? '';

  test('SIG-3356 refusals for codes that a colleague has are counted: after a hundred in an hour no code is looked for, so that the next refusal tells nothing', async () => {
    const crowd = await Promise.all(
      Array.from({ length: 20 }, (_, index) => create(victim, `crowd${index}@example.com`, 'anna-password')),
    );
    expect(crowd.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ]);
    const statuses = new Set<number>();
    for (let guess = 19; guess < 100; guess += 1)
      statuses.add((await create(victim, `guess${guess}@example.com`, 'other-password')).status);
    expect([...statuses]).toEqual([409]);
    const taken = await create(victim, 'taken@example.com', 'other-password');
    const free = await create(victim, 'free@example.com', 'other-password', 'NOBODYS-1');
    for (const reply of [taken, free]) {
      expect([reply.status, reply.body.code, reply.headers.get('Retry-After')]).toEqual([429, 'RATE_LIMITED', '36']);
      expect(reply.body.error).toBe(rateLimited(36));
    }
    const body = { name: 'Сотрудник', email: 'made@example.com', role: 'MEDIA_BUYER', password: 'other-password' };
    expect((await service.call('POST', '/employees/create', body, { token: victim.owner })).status).toBe(200);
    expect((await create(attacker, 'else@example.com', 'other-password')).status).toBe(200);
    service.advance(36_000);
    expect((await create(victim, 'free@example.com', 'other-password', 'NOBODYS-1')).status).toBe(200);
    expect((await create(victim, 'taken@example.com', 'other-password')).status).toBe(409);
    expect((await create(victim, 'again@example.com', 'other-password')).status).toBe(429);
  });

  test('SIG-3380 nobody learns of a code by a person who cannot be made: what else is wrong is said first, whether the code is taken or free', async () => {
    await create(victim, 'anna@example.com', 'anna-password');
    const person = { name: 'Иван\tП', email: 'ivan@example.com', role: 'MEDIA_BUYER', password: 'other-password' };
    for (const authCode of [code, 'NOBODYS-1']) {
      const body = { ...person, authCode };
      const refused = await service.call('POST', '/employees/create', body, { token: victim.owner });
      expect([refused.status, refused.body.error]).toEqual([422, messages.userNameInvalid]);
    }
    for (const name of ['', ' ', 'И', 'Иван\tП']) {
      const refused = await service.call('POST', '/employees/create', { ...person, name }, { token: victim.owner });
      expect([name, refused.body.errors?.map(({ pointer }) => pointer)]).toEqual([name, ['/name']]);
    }
  });

  test('SIG-1260 a guessed code of another team is given as any other, and each comes into their own team', async () => {
    const anna = await create(victim, 'anna@example.com', 'anna-password');
    const guessed = await create(attacker, 'guess@example.com', 'other-password');
    const free = await create(attacker, 'free@example.com', 'other-password', 'NOBODYS-1');
    expect([guessed.status, guessed.body.data.authCode]).toEqual([200, code]);
    expect(Object.keys(guessed.body.data)).toEqual(Object.keys(free.body.data));
    const [here, there] = [await signIn('anna-password', '10.1.0.1'), await signIn('other-password', '10.1.0.2')];
    expect(here.body.data.user).toMatchObject({ id: anna.body.data.user.id, licenseId: victim.id });
    expect(there.body.data.user).toMatchObject({ id: guessed.body.data.user.id, licenseId: attacker.id });
    const colleague = await create(attacker, 'second@example.com', 'third-password');
    expect([colleague.status, colleague.body.error]).toEqual([409, 'Такой код доступа уже занят']);
  });

  test('SIG-1261 a made code of a colleague is taken too; of another team’s the answer is that of a free one', async () => {
    const made = await service.call(
      'POST',
      '/employees/create',
      { name: 'Олег', email: 'oleg@example.com', role: 'MEDIA_BUYER' },
      { token: victim.owner },
    );
    const { authCode } = made.body.data;
    expect((await create(victim, 'x@example.com', 'x-password', authCode)).status).toBe(409);
    expect((await create(attacker, 'x@example.com', 'x-password', authCode)).status).toBe(200);
  });

  test('SIG-1262 alone it opens nothing, however the team has set it; a made one of another team does', async () => {
    for (const { owner } of [victim, attacker]) {
      const set = await service.call('PUT', '/license/settings', { codeOnlyLogin: true }, { token: owner });
      expect(set.status).toBe(200);
    }
    const made = await service.call(
      'POST',
      '/employees/create',
      { name: 'Олег', email: 'oleg@example.com', role: 'MEDIA_BUYER', password: 'oleg-password' },
      { token: victim.owner },
    );
    const { authCode, user } = made.body.data;
    await create(attacker, 'x@example.com', 'x-password', authCode);
    const opened = await service.call('POST', '/auth/login-code', { authCode });
    expect([opened.status, opened.body.data?.user?.id]).toEqual([200, user.id]);
    await create(victim, 'anna@example.com', 'anna-password');
    const alone = await service.call('POST', '/auth/login-code', { authCode: code });
    expect([alone.status, alone.body.code]).toEqual([403, 'ACCESS_DENIED']);
  });

  test('SIG-1263 with an account of one’s own behind the code nobody guesses more passwords of the other than without', async () => {
    await create(victim, 'anna@example.com', 'anna-password');
    await create(attacker, 'guess@example.com', 'own-password');
    // Each right sign-in between is a wrong guess at the other and stays counted.
    const outcomes: number[] = [];
    for (let index = 0; index < 12; index += 1)
      outcomes.push((await signIn(index % 2 === 0 ? 'own-password' : `guess-${index}`, `10.2.0.${index}`)).status);
    expect(outcomes).toEqual([200, 401, 200, 401, 200, 401, 200, 401, 200, 401, 429, 429]);
  });

  test('SIG-1264 a device that one of them signed in on is theirs: it guesses at nobody else, and waits for no crowd', async () => {
    await create(victim, 'anna@example.com', 'anna-password');
    const own = deviceOf(await signIn('anna-password', '10.3.0.1'));
    await create(attacker, 'guess@example.com', 'own-password');
    const theirs = deviceOf(await signIn('own-password', '10.3.0.2'));
    expect((await signIn('anna-password', '10.3.0.2', theirs)).status).toBe(401);
    for (let index = 0; index < 10; index += 1) await signIn('guess-guess', `10.3.1.${index}`);
    expect((await signIn('anna-password', '10.3.0.3')).status).toBe(429);
    expect((await signIn('anna-password', '10.3.0.4', own)).status).toBe(200);
    service.advance(2 * day);
    expect((await signIn('anna-password', '10.3.0.3')).status).toBe(200);
  });

  test('SIG-1265 whoever leaves or gets a made code frees theirs, and nobody else’s', async () => {
    const anna = await create(victim, 'anna@example.com', 'anna-password');
    await create(attacker, 'guess@example.com', 'own-password');
    const { id } = anna.body.data.user;
    expect((await service.call('POST', `/users/${id}/reissue-code`, {}, { token: victim.owner })).status).toBe(200);
    expect((await signIn('anna-password', '10.4.0.1')).status).toBe(401);
    expect((await signIn('own-password', '10.4.0.1')).status).toBe(200);
    expect((await create(victim, 'next@example.com', 'next-password')).status).toBe(200);
    const events = await service.eventStore.read(streamOfValue(testCodes, { category: 'chosencode', value: code }));
    expect(events.map(({ type }) => type)).toEqual(['ValueClaimed', 'ValueClaimed', 'ValueReleased', 'ValueClaimed']);
  });
});
