import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredFields } from '@zakup/contracts/read-models';
import type { ReadDocument } from '@zakup/read-store/read-store';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { type TestStart, testStart } from '@zakup/service-kit/testing/started';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startStandalone } from '../standalone.ts';
import { storeFiles } from '../data-dir/store-files.ts';
import { progressText } from './progress.ts';
import { rebuildStores } from './rebuild-stores.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'zakup-rebuild-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const started = async (start: TestStart = testStart({ DATA_DIR: dir })) => {
  const zakup = await startStandalone({ ...start, webDist: dir });
  await zakup.ready;
  const post = async (path: string, body: object, token = ''): Promise<unknown> => {
    const answer = await fetch(`${zakup.address}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return ((await answer.json()) as { data: unknown }).data;
  };
  return { ...zakup, post };
};

/** Issues licences, and ends once the read models tell of them. */
const fill = async (names: readonly string[]): Promise<void> => {
  const zakup = await started();
  const { token } = (await zakup.post('/admin/login', { login: 'admin', password: 'admin-password' })) as {
    token: string;
  };
  for (const ownerName of names)
    await zakup.post('/admin/licenses', { ownerName, ownerEmail: 'owner@example.com', ownerTelegram: '@owner' }, token);
  const licences = async (): Promise<number> => {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(`${zakup.address}/api/admin/licenses`, { headers });
    return ((await answer.json()) as { data: { licenses: readonly object[] } }).data.licenses.length;
  };
  await expect.poll(licences).toBe(names.length);
  await zakup.shutdown.stop('filled');
};

const documents = async (): Promise<readonly ReadDocument[]> => {
  const readStore = sqliteReadStore({ file: storeFiles(dir).readModels, declared: declaredFields });
  const { docs } = await readStore.query('license', { includeDeleted: true });
  const all = [...docs, ...(await readStore.getMany('log', ['first_event']))];
  await readStore.close();
  return all;
};

const rebuilt = async (lines: string[] = []) => {
  const { config, log } = testStart({ DATA_DIR: dir });
  const { signal } = new AbortController();
  return rebuildStores({ config, log, print: (line) => void lines.push(line), signal });
};

describe('npm run rebuild', () => {
  test('SVC-40 folds the read models of a data folder anew: the same documents, also when it is done twice', async () => {
    await fill(['Анна', 'Борис', 'Вера']);
    const before = await documents();
    expect(before).toHaveLength(4);
    const lines: string[] = [];
    const { events, position } = await rebuilt(lines);
    expect([events, lines.at(-1)]).toEqual([position, `событий ${position}, 100 %`]);
    expect(await documents()).toEqual(before);
    await rebuilt();
    expect(await documents()).toEqual(before);
  });

  test('SVC-41 broken off before its end it leaves what the next start goes on from', async () => {
    await fill(['Анна', 'Борис']);
    const before = await documents();
    const { config, log } = testStart({ DATA_DIR: dir });
    const stop = new AbortController();
    stop.abort();
    await expect(rebuildStores({ config, log, print: () => undefined, signal: stop.signal })).rejects.toThrow(
      /stop|ended/u,
    );
    const readStore = sqliteReadStore({ file: storeFiles(dir).readModels, declared: declaredFields });
    await readStore.clear();
    await readStore.close();
    const zakup = await started();
    await zakup.shutdown.stop('caught up');
    expect(await documents()).toEqual(before);
  });

  test('SVC-42 is refused while a process has the folder', async () => {
    const zakup = await started();
    await expect(rebuilt()).rejects.toMatchObject({ name: 'DataDirRefused' });
    await zakup.shutdown.stop('the test ends');
  });

  test.each([
    [{ events: 0, position: 0, head: 0, elapsed: 1 }, 'событий 0, 100 %'],
    [{ events: 1500, position: 1500, head: 3000, elapsed: 4000 }, 'событий 1\u00a0500, 50 %, осталось около 4 с'],
    [{ events: 10, position: 10, head: 1000, elapsed: 2000 }, 'событий 10, 1 %, осталось около 4 мин'],
    [{ events: 1, position: 1, head: 10_000, elapsed: 1000 }, 'событий 1, 0 %, осталось около 2 ч 47 мин'],
    [{ events: 7, position: 9, head: 8, elapsed: 5 }, 'событий 7, 100 %'],
    [{ events: 10, from: 40, position: 50, head: 100, elapsed: 1000 }, 'событий 10, 50 %, осталось около 5 с'],
    [{ events: 0, from: 40, position: 40, head: 100, elapsed: 1000 }, 'событий 0, 40 %'],
  ])('SVC-43 tells events, share and time left: %o', (progress, text) => {
    expect(progressText(progress)).toBe(text);
  });
});

describe('a data folder and servers', () => {
  const refused = (env: Readonly<Record<string, string>>) =>
    startStandalone({ ...testStart({ DATA_DIR: dir, ...env }), webDist: dir });

  test('SVC-44 what is in the folder is not left behind for a server in silence', async () => {
    await fill(['Анна']);
    await expect(refused({ EVENTSTOREDB_URL: 'esdb://localhost:1?tls=false' })).rejects.toThrow(
      /events\.db уже есть события, а EVENTSTOREDB_URL/u,
    );
    await expect(refused({ MONGODB_URL: 'mongodb://localhost:1/zakup' })).rejects.toThrow(
      /credentials\.db уже есть доступы, а MONGODB_URL/u,
    );
  });

  test('SVC-45 with both servers and a key nothing is made in it, and their absence is told while it waits', async () => {
    const start = testStart({
      DATA_DIR: join(dir, 'none'),
      JWT_SECRET: 'x'.repeat(32),
      SEAL_KEY: 'x'.repeat(43),
      EVENTSTOREDB_URL: 'esdb://localhost:1?tls=false',
      MONGODB_URL: 'mongodb://zakup:hunter2@localhost:1/zakup?serverSelectionTimeoutMS=200',
    });
    const zakup = await startStandalone({ ...start, webDist: dir });
    expect(zakup.stores).toEqual({
      events: 'EventStoreDB localhost:1',
      readModels: 'MongoDB localhost:1',
      credentials: 'MongoDB localhost:1',
    });
    await expect
      .poll(async () => (await fetch(`${zakup.address}/readyz`)).json())
      .toMatchObject({ reasons: { MONGODB_URL: 'MONGODB_URL: сервер localhost:1 не отвечает' } });
    expect((await fetch(`${zakup.address}/api/auth/session`)).status).toBe(503);
    expect(start.logged.join()).not.toContain('hunter2');
    start.signals.emit('SIGTERM');
    expect(await start.exited).toBe(0);
    await expect(import('node:fs/promises').then(({ access }) => access(join(dir, 'none')))).rejects.toThrow('ENOENT');
  });
});
