import { testCodes } from '@zakup/credentials/testing/test-codes';
import { randomBytes, randomUUID } from 'node:crypto';
import { declaredFields } from '@zakup/contracts/read-models';
import { inMemoryCredentials } from '@zakup/credentials/in-memory';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { inMemoryLeases } from '@zakup/read-store/in-memory-leases';
import { goingAway } from '@zakup/service-kit/testing/going-away';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterEach, describe, expect, test } from 'vitest';
import { startCommand } from './start-command.ts';

const servers = {
  eventStore: { setting: 'EVENTSTOREDB_URL', url: 'esdb://events:2113' },
  readStore: { setting: 'MONGODB_URL', url: 'mongodb://mongo/zakup' },
};
const random = (bytes: number): Uint8Array => randomBytes(bytes);
const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

const stores = () => ({
  eventStore: inMemoryEventStore({ clock: Date.now }),
  readStore: inMemoryReadStore({ declared: declaredFields }),
  credentials: inMemoryCredentials({ key: randomBytes(32), random, hashing: { memoryCost: 8, timeCost: 1 } }),
  leases: inMemoryLeases(),
});

const started = async (of: ReturnType<typeof stores>, env: Readonly<Record<string, string>> = {}) => {
  const made: string[] = [];
  const start = testStart(env);
  const settings = {
    jwtSecret: 'x'.repeat(32),
    codes: testCodes,
    onMadeAdmin: (password: string) => void made.push(password),
  };
  const service = await startCommand(start, settings, servers, async () => of);
  ended.push(() => service.shutdown.stop('the test ends'));
  const post = async (path: string, body: object, token = '') => {
    const answer = await fetch(`${service.address}/api${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': randomUUID(),
      },
      body: JSON.stringify(body),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };
  return { ...service, start, made, post };
};

const owner = { ownerName: 'Анна', ownerEmail: 'anna@example.com', ownerTelegram: '@anna' };

describe('the command side as a process of its own', () => {
  test('SVC-30 of two that start at once one makes the admin’s password, and it is the right one', async () => {
    const shared = stores();
    const both = await Promise.all([started(shared, { ADMIN_PASSWORD: '' }), started(shared, { ADMIN_PASSWORD: '' })]);
    await Promise.all(both.map(({ ready }) => ready));
    const made = both.flatMap((one) => one.made);
    expect(made).toHaveLength(1);
    expect(await shared.credentials.checkAdmin('admin', made[0] ?? '')).toBe(true);
  });

  test('SVC-31 two with one ADMIN_PASSWORD set it once: who has signed in stays signed in', async () => {
    const shared = stores();
    const first = await started(shared);
    await first.ready;
    const stamp = await shared.credentials.adminStamp();
    const second = await started(shared);
    await second.ready;
    expect(await shared.credentials.adminStamp()).toBe(stamp);
  });

  test('PW-1501 a common ADMIN_PASSWORD becomes nobody’s where other machines come, and stays where it was set before', async () => {
    const common = { ADMIN_PASSWORD: 'password123' };
    const reachable = { ...common, TRUST_PROXY: '1' };
    const shared = stores();
    await expect((await started(shared, reachable)).ready).rejects.toThrow('among the first to be tried');
    expect(await shared.credentials.hasAdmin()).toBe(false);
    await (await started(shared, common)).ready;
    expect(await shared.credentials.checkAdmin('admin', 'password123')).toBe(true);
    await (await started(shared, reachable)).ready;
    await expect((await started(shared, { ...reachable, ADMIN_PASSWORD: 'admin-77' })).ready).rejects.toThrow(
      'among the first to be tried',
    );
    expect(await shared.credentials.checkAdmin('admin', 'password123')).toBe(true);
  });

  test('SVC-32 reads are no business of it', async () => {
    const command = await started(stores());
    await command.ready;
    const answer = await fetch(`${command.address}/api/campaigns`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND', success: false });
  });

  test('SVC-33 while the log is away changes are refused with 503 and Retry-After, readiness names it, and nothing is acknowledged', async () => {
    const shared = stores();
    const log = goingAway(shared.eventStore);
    const command = await started({ ...shared, eventStore: log.store });
    await command.ready;
    const login = await command.post('/admin/login', { login: 'admin', password: 'admin-password' });
    const token = (login.body['data'] as { token: string }).token;
    log.away = true;
    const refused = await command.post('/admin/licenses', owner, token);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.body).toMatchObject({ code: 'UNAVAILABLE', success: false });
    await expect
      .poll(async () => (await fetch(`${command.address}/readyz`)).json())
      .toMatchObject({ reasons: { EVENTSTOREDB_URL: 'EVENTSTOREDB_URL: сервер events:2113 не отвечает' } });
    expect(await shared.eventStore.head()).toBe(0);
    log.away = false;
    expect((await command.post('/admin/licenses', owner, token)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${command.address}/readyz`)).status).toBe(200);
  });

  test('SVC-34 credentials that are away refuse a sign-in with 503, not with a wrong password', async () => {
    const shared = stores();
    const credentials = goingAway(shared.credentials);
    const command = await started({ ...shared, credentials: credentials.store });
    await command.ready;
    credentials.away = true;
    const refused = await command.post('/admin/login', { login: 'admin', password: 'admin-password' });
    expect(refused).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
  });
});
