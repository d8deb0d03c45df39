import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingNames } from '@zakup/service-kit/config';
import { testStart } from '@zakup/service-kit/testing/started';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { storeFiles } from '../data-dir/store-files.ts';
import { startStandalone } from '../standalone.ts';
import { withoutQuotes } from './store-figures.ts';
import { supportReport } from './support-report.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'zakup-support-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const owner = { ownerName: 'Анна Ковалёва', ownerEmail: 'anna.kovaleva@example.com', ownerTelegram: '@kovaleva_pr' };
const env = () => ({
  DATA_DIR: dir,
  ADMIN_LOGIN: 'sysadmin-pavel',
  ADMIN_EMAILS: 'pavel@example.com',
  PUBLIC_URL: 'http://kovalev-media.example.com',
  METRICS_TOKEN: 'metrics-token-of-nobody-else',
  SESSION_IDLE_HOURS: '13',
  // Of no use without somebody who takes traces.
  OTEL_TRACES_SAMPLER_ARG: 'endpoint=http://traces.kovalev.example.com',
});

const reportOf = (port: number) => {
  const { config } = testStart({ ...env(), PORT: String(port) });
  return supportReport({ config, env: env(), settings: settingNames, now: Date.UTC(2026, 10, 29) });
};

/** Everything by which somebody, or a secret, could be known. */
const personal = (): readonly RegExp[] => [
  /Ковал/iu,
  /koval/iu,
  /pavel/iu,
  /example\.com/iu,
  /admin-password/u,
  /metrics-token/u,
  /LICENSE-/u,
  new RegExp(dir, 'u'),
];

test('MON-3410 a support report has figures of the stores and of the process that runs, and nothing of the people in it', async () => {
  const start = testStart(env());
  const zakup = await startStandalone({ ...start, webDist: dir });
  await zakup.ready;
  const post = async (path: string, body: object, token = ''): Promise<{ readonly token: string }> => {
    const answer = await fetch(`${zakup.address}/api${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(answer.ok).toBe(true);
    return ((await answer.json()) as { readonly data: { readonly token: string } }).data;
  };
  const { token } = await post('/admin/login', { login: 'sysadmin-pavel', password: 'admin-password' });
  await post('/admin/licenses', owner, token);
  const kinds = async () => {
    const { stores } = await reportOf(0);
    return typeof stores === 'string' || stores.documents === null || 'unreadable' in stores.documents
      ? null
      : stores.documents.kinds;
  };
  await expect.poll(async () => (await kinds())?.['license']).toEqual({ all: 1, gone: 0 });

  const running = await reportOf(Number(new URL(zakup.address).port));
  expect(running.server.ready.status).toBe(200);
  expect(running.server.metrics.text.some((line) => line.startsWith('zakup_sockets'))).toBe(true);
  expect(running.settings).toMatchObject({ SESSION_IDLE_HOURS: '13', ADMIN_LOGIN: 'задано', SEAL_KEY: null });
  expect(running.settings).toMatchObject({ OTEL_TRACES_SAMPLER: null, OTEL_TRACES_SAMPLER_ARG: 'задано' });
  expect(running.stores).toMatchObject({ events: { rows: { events: expect.any(Number) } }, documents: { parked: [] } });
  await zakup.shutdown.stop('looked at');

  const files = await readdir(dir);
  const stopped = await reportOf(1);
  expect(stopped.server.ready).toEqual({ status: 0, body: 'не отвечает' });
  expect(stopped.stores).toMatchObject({ seals: { version: expect.any(Number) }, readModels: { walBytes: 0 } });
  expect(await readdir(dir)).toEqual(files);

  for (const report of [running, stopped])
    expect(personal().filter((pattern) => pattern.test(JSON.stringify(report)))).toEqual([]);
});

test('MON-3414 where the servers of the full system lead is not told, whoever does not answer', async () => {
  const servers = {
    EVENTSTOREDB_URL: 'esdb://admin:changeit@events.kovalev.example.com:2113,events2.kovalev.example.com:2113',
    MONGODB_URL: 'mongodb://zakup:password@mongo.kovalev.example.com:27017/zakup',
  };
  const { config } = testStart({ ...env(), ...servers });
  const body = 'MONGODB_URL: сервер mongo.kovalev.example.com:27017 не отвечает; events2.kovalev.example.com:2113';
  const report = await supportReport({
    config,
    env: { ...env(), ...servers },
    settings: settingNames,
    now: 0,
    ask: async () => ({ status: 503, body }),
  });
  expect(report.server.ready).toEqual({ status: 503, body: 'MONGODB_URL: сервер … не отвечает; …' });
  expect(personal().filter((pattern) => pattern.test(JSON.stringify(report)))).toEqual([]);
});

test('MON-3411 why a licence stands still is told without what the error quotes', async () => {
  expect(withoutQuotes('Unknown event type X')).toBe('Unknown event type X');
  expect(withoutQuotes('Unexpected token \'И\', "Иван" is not valid JSON')).toBe('Unexpected token');
  expect(withoutQuotes('price of Иван')).toBe('price of ····');
  const zakup = await startStandalone({ ...testStart(env()), webDist: dir });
  await zakup.ready;
  await zakup.shutdown.stop('made');
  const database = openDatabase(storeFiles(dir).readModels);
  const data = JSON.stringify({ position: 5, failedAt: 6, reason: 'No field «Ковалёва»', halted: true });
  database.exec(
    `INSERT INTO documents (kind, id, licence, position, deleted, shared, scopes, left_scopes, checksum, data)
     VALUES ('parked', '3f', '3f', 6, 0, 0, '[]', '[]', 0, '${data}'), ('parked', '4f', '4f', 6, 0, 0, '[]', '[]', 0, '{')`,
  );
  database.close();
  const { stores } = await reportOf(1);
  expect(stores).toMatchObject({
    documents: {
      parked: [
        { licenceId: '3f', position: 5, reason: 'No field', halted: true },
        { licenceId: '4f', position: -1, reason: '', halted: false },
      ],
    },
  });
});
