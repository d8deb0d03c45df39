import { testCodes } from '@zakup/credentials/testing/test-codes';
import { randomBytes, randomUUID } from 'node:crypto';
import { declaredFields } from '@zakup/contracts/read-models';
import { accessTokens } from '@zakup/credentials/access-token';
import { inMemoryCredentials } from '@zakup/credentials/in-memory';
import { messages } from '@zakup/domain/messages';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { CorruptDocument } from '@zakup/read-store/read-store';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { goingAway } from '@zakup/service-kit/testing/going-away';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startGateway } from './start-gateway.ts';
import { connected, liveClient } from './testing/live-client.ts';
import { docOf, licenceRow, userRow } from './testing/rows.ts';
import { licenceId } from './testing/world.ts';

const servers = {
  eventStore: { setting: 'EVENTSTOREDB_URL', url: 'esdb://events:2113' },
  readStore: { setting: 'MONGODB_URL', url: 'mongodb://mongo/zakup' },
};
const jwtSecret = 'x'.repeat(32);
const doc = docOf(licenceId);
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

const started = async () => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const documents = goingAway(readStore);
  /** Kinds whose documents do not fit their checksum. */
  const damaged = new Set<string>();
  const corrupt = (kind: string) => Promise.reject(new CorruptDocument('the store', kind, 'one', licenceId));
  const eventStore = inMemoryEventStore({ clock: Date.now });
  const credentials = inMemoryCredentials({
    key: randomBytes(32),
    random: randomBytes,
    hashing: { memoryCost: 8, timeCost: 1 },
  });
  const commit = async (...drafts: readonly ReturnType<typeof doc.user>[]): Promise<number> => {
    const id = randomUUID();
    const metadata = {
      licenceId,
      actorId: 'system',
      source: 'system',
      commandId: id,
      requestHash: '',
      at: new Date().toISOString(),
      schemaVersion: 1,
    } as const;
    const event = { id, type: 'Changed', data: {}, metadata };
    const write = { stream: `test-${licenceId}~${id}`, expectedRevision: 'no_stream', events: [event] } as const;
    const appended = await eventStore.append([write]);
    if (appended.kind !== 'appended') throw new Error(appended.kind);
    const { position } = appended;
    const docs = drafts.map((draft) => draft(position));
    await readStore.commit({ docs, checkpoint: { partition: 'all', position, fence: 1 } });
    return position;
  };
  await commit(doc.license(licenceRow({ id: licenceId })), doc.user(userRow({ id: 'buyer' })));

  const service = await startGateway(testStart(), { jwtSecret, codes: testCodes }, servers, async () => ({
    eventStore,
    seals: inMemorySealStore(),
    readStore: {
      ...documents.store,
      get: (kind, id) => (damaged.has(kind) ? corrupt(kind) : documents.store.get(kind, id)),
      query: (kind, query) => (damaged.has(kind) ? corrupt(kind) : documents.store.query(kind, query)),
      changesSince: (asked) => (damaged.size > 0 ? corrupt('campaign') : documents.store.changesSince(asked)),
    },
    credentials,
  }));
  ended.push(() => service.shutdown.stop('the test ends'));
  await service.ready;

  const createdAt = Date.now();
  const expiresAt = createdAt + 3_600_000;
  const opened = await credentials.openSession(
    {
      id: randomUUID(),
      userId: 'buyer',
      licenceId,
      via: 'employee',
      createdAt,
      expiresAt,
      userAgent: 'test',
      passwordChangeOnly: false,
    },
    { maxConcurrentSessions: 10, endOldest: false },
  );
  if (opened.kind !== 'opened') throw new Error('There is no seat');
  const token = accessTokens({ secret: jwtSecret, clock: Date.now }).issue({
    userId: 'buyer',
    sessionId: opened.session.id,
    licenceId,
    role: 'hint',
    passwordChangeOnly: false,
    sessionExpiresAt: expiresAt,
  });
  const get = (path: string) => fetch(`${service.address}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  const client = () => {
    const one = liveClient(service.address, { token, protocolVersion: 1 });
    ended.push(() => one.close());
    return one;
  };
  return { ...service, documents, damaged, readStore, commit, get, client };
};

describe('the gateway as a process of its own', () => {
  test('SVC-35 changes are no business of it', async () => {
    const gateway = await started();
    expect((await gateway.get('/api/auth/session')).status).toBe(200);
    const answer = await fetch(`${gateway.address}/api/campaigns/create-safe`, { method: 'POST' });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND', success: false });
  });

  test('TAT-3051 a clock that is set forward makes no moment past that the log has not come to', async () => {
    const gateway = await started();
    const now = Date.now;
    const jump = vi.spyOn(Date, 'now').mockImplementation(() => now() + 600_000);
    ended.push(() => jump.mockRestore());
    const answer = await gateway.get(`/api/campaigns?at=${new Date(now() + 300_000).toISOString()}`);
    expect([answer.status, await answer.json()]).toMatchObject([422, { error: messages.atInFuture }]);
  });

  test('SVC-36 while the read models are away reads, connecting and subscribing are UNAVAILABLE; an open socket stays, and gets what came meanwhile', async () => {
    const gateway = await started();
    const open = await connected(gateway.client());
    expect(await open.subscribe('workspace')).toMatchObject({ ok: true });

    gateway.documents.away = true;
    const read = await gateway.get('/api/auth/session');
    expect(read.status).toBe(503);
    expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await read.json()).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await open.subscribe('me')).toMatchObject({ ok: false, problem: { code: 'UNAVAILABLE' } });
    const refused = new Promise<Error & { data?: unknown }>((resolve) => {
      gateway.client().socket.once('connect_error', resolve);
    });
    expect((await refused).data).toMatchObject({ code: 'UNAVAILABLE' });
    await expect
      .poll(async () => (await gateway.get('/readyz')).json())
      .toMatchObject({ reasons: { MONGODB_URL: 'MONGODB_URL: сервер mongo не отвечает' } });
    const position = await gateway.commit(doc.user(userRow({ id: 'lead', role: 'TEAM_LEAD' })));

    gateway.documents.away = false;
    await open.until(() => (open.replica('workspace').position ?? 0) >= position);
    expect(open.socket.connected).toBe(true);
    expect(open.ended).toEqual([]);
    expect((await open.subscribe('me')).ok).toBe(true);
    await connected(gateway.client());
    await expect.poll(async () => (await gateway.get('/readyz')).status).toBe(200);
  });

  test('SVC-1040 a damaged document is UNAVAILABLE to whoever reads it, and its licence is noted for whoever projects', async () => {
    const gateway = await started();
    const open = await connected(gateway.client());
    gateway.damaged.add('campaign');
    const read = await gateway.get('/api/campaigns');
    expect(read.status).toBe(503);
    expect(Number(read.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await read.json()).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await open.subscribe('workspace')).toMatchObject({ ok: false, problem: { code: 'UNAVAILABLE' } });
    expect(await gateway.readStore.notice('damage')).toMatchObject({ licences: [licenceId] });
    gateway.damaged.clear();
    expect((await gateway.get('/api/campaigns')).status).toBe(200);
    expect(await open.subscribe('workspace')).toMatchObject({ ok: true });
  });
});
